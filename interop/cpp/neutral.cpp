#include "neutral.h"

#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <stdexcept>

using factory_run::v1::NumberText;
using factory_run::v1::SessionFactoryRunFromToolResult;
using google::protobuf::Map;
using google::protobuf::RepeatedPtrField;
using google::protobuf::Value;

namespace {

class Writer {
 public:
  std::string out;

  void message(const SessionFactoryRunFromToolResult& m) {
    if (present(m.has_attempt())) fixed<int64_t>(m.attempt());
    if (present(m.has_error())) text(m.error());
    if (present(m.has_failure())) value(m.failure());
    if (present(m.has_pause_info())) value(m.pause_info());
    if (present(m.has_reason())) text(m.reason());
    if (present(m.has_result())) value(m.result());
    text(m.run_id());
    if (present(m.has_snapshot())) value(m.snapshot());
    fixed<int32_t>(m.status());
    if (present(m.has_preserved())) {
      map<Value>(m.preserved().members(), [this](const Value& member) { value(member); });
      map<std::string>(m.preserved().words(), [this](const std::string& word) { text(word); });
      nodes(m.preserved().numbers());
    }
  }

 private:
  void nodes(const RepeatedPtrField<NumberText>& nodes_) {
    fixed<uint32_t>(nodes_.size());
    for (const NumberText& node : nodes_) {
      switch (node.place_case()) {
        case NumberText::PLACE_NOT_SET:
          out += '-';
          break;
        case NumberText::kKey:
          out += 'k';
          text(node.key());
          break;
        case NumberText::kIndex:
          out += 'i';
          fixed<uint32_t>(node.index());
          break;
      }
      if (present(node.has_text())) text(node.text());
      nodes(node.children());
    }
  }

  void value(const Value& v) {
    switch (v.kind_case()) {
      case Value::KIND_NOT_SET:
        out += '?';
        break;
      case Value::kNullValue:
        out += 'n';
        break;
      case Value::kBoolValue:
        out += v.bool_value() ? 't' : 'f';
        break;
      case Value::kNumberValue:
        out += 'd';
        fixed<double>(v.number_value());
        break;
      case Value::kStringValue:
        out += 's';
        text(v.string_value());
        break;
      case Value::kListValue:
        out += 'a';
        fixed<uint32_t>(v.list_value().values_size());
        for (const Value& item : v.list_value().values()) value(item);
        break;
      case Value::kStructValue:
        out += 'o';
        map<Value>(v.struct_value().fields(), [this](const Value& member) { value(member); });
        break;
    }
  }

  bool present(bool is) {
    out += is ? '\1' : '\0';
    return is;
  }

  void text(const std::string& text) {
    fixed<uint32_t>(text.size());
    out += text;
  }

  // Little endian, as the machines that this runs on are.
  template <typename T>
  void fixed(T number) {
    out.append(reinterpret_cast<const char*>(&number), sizeof number);
  }

  template <typename T>
  void map(const Map<std::string, T>& entries, const std::function<void(const T&)>& write) {
    std::map<std::string, const T*> sorted;
    for (const auto& entry : entries) sorted[entry.first] = &entry.second;
    fixed<uint32_t>(sorted.size());
    for (const auto& entry : sorted) {
      text(entry.first);
      write(*entry.second);
    }
  }
};

class Reader {
 public:
  explicit Reader(const std::string& bytes) : in(bytes) {}

  void message(SessionFactoryRunFromToolResult* m) {
    if (present()) m->set_attempt(fixed<int64_t>());
    if (present()) m->set_error(text());
    if (present()) value(m->mutable_failure());
    if (present()) value(m->mutable_pause_info());
    if (present()) m->set_reason(text());
    if (present()) value(m->mutable_result());
    m->set_run_id(text());
    if (present()) value(m->mutable_snapshot());
    m->set_status(static_cast<factory_run::v1::FactoryRunStatus>(fixed<int32_t>()));
    if (present()) {
      auto* preserved = m->mutable_preserved();
      map(preserved->mutable_members());
      for (uint32_t left = fixed<uint32_t>(); left > 0; left--) {
        std::string key = text();
        (*preserved->mutable_words())[key] = text();
      }
      nodes(preserved->mutable_numbers());
    }
    if (at != in.size()) throw std::logic_error("bytes too many");
  }

 private:
  void nodes(RepeatedPtrField<NumberText>* nodes_) {
    for (uint32_t left = fixed<uint32_t>(); left > 0; left--) {
      NumberText* node = nodes_->Add();
      char place = take(1)[0];
      if (place == 'k') node->set_key(text());
      if (place == 'i') node->set_index(fixed<uint32_t>());
      if (present()) node->set_text(text());
      nodes(node->mutable_children());
    }
  }

  void value(Value* v) {
    char kind = take(1)[0];
    switch (kind) {
      case '?':
        break;
      case 'n':
        v->set_null_value(google::protobuf::NULL_VALUE);
        break;
      case 't':
      case 'f':
        v->set_bool_value(kind == 't');
        break;
      case 'd':
        v->set_number_value(fixed<double>());
        break;
      case 's':
        v->set_string_value(text());
        break;
      case 'a': {
        auto* list = v->mutable_list_value();
        for (uint32_t left = fixed<uint32_t>(); left > 0; left--) value(list->add_values());
        break;
      }
      case 'o':
        map(v->mutable_struct_value()->mutable_fields());
        break;
      default:
        throw std::logic_error("no such kind");
    }
  }

  void map(Map<std::string, Value>* entries) {
    for (uint32_t left = fixed<uint32_t>(); left > 0; left--) {
      std::string key = text();
      value(&(*entries)[key]);
    }
  }

  bool present() { return take(1)[0] == '\1'; }

  std::string text() {
    uint32_t length = fixed<uint32_t>();
    return take(length);
  }

  template <typename T>
  T fixed() {
    T number;
    std::memcpy(&number, take(sizeof number).data(), sizeof number);
    return number;
  }

  std::string take(size_t length) {
    if (in.size() - at < length) throw std::logic_error("more bytes");
    std::string taken = in.substr(at, length);
    at += length;
    return taken;
  }

  const std::string& in;
  size_t at = 0;
};

}  // namespace

std::string write_message(const SessionFactoryRunFromToolResult& message) {
  Writer writer;
  writer.message(message);
  return writer.out;
}

SessionFactoryRunFromToolResult read_message(const std::string& bytes) {
  SessionFactoryRunFromToolResult message;
  Reader(bytes).message(&message);
  return message;
}
