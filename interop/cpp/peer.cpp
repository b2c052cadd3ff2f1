// The C++ peer: Google's libprotobuf, asked over stdin and stdout. interop/README.md names the operations.
#include <google/protobuf/empty.pb.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/stubs/common.h>

#include <cstdint>
#include <iostream>
#include <stdexcept>
#include <string>

#include "neutral.h"

using factory_run::v1::SessionFactoryRunFromToolResult;

namespace {

struct Refused : std::runtime_error {
  using runtime_error::runtime_error;
};

template <typename T>
T decode(const std::string& bytes) {
  T message;
  if (!message.ParseFromString(bytes)) throw Refused("ParseFromString returned false");
  return message;
}

// Map entries in a settled order, so that the same content always gives the same bytes.
std::string encode(const google::protobuf::Message& message) {
  std::string bytes;
  google::protobuf::io::StringOutputStream stream(&bytes);
  google::protobuf::io::CodedOutputStream output(&stream);
  output.SetSerializationDeterministic(true);
  message.SerializeToCodedStream(&output);
  output.Trim();
  return bytes;
}

std::string answer(char operation, const std::string& body) {
  switch (operation) {
    case 'v':
      return "libprotobuf " + google::protobuf::internal::VersionString(GOOGLE_PROTOBUF_VERSION);
    case 'd':
      return write_message(decode<SessionFactoryRunFromToolResult>(body));
    case 'e':
      return encode(read_message(body));
    case 'r':
      return encode(decode<SessionFactoryRunFromToolResult>(body));
    case 'u':
      return encode(decode<google::protobuf::Empty>(body));
    default:
      throw std::logic_error("no such operation");
  }
}

// A length of four bytes (little endian), then so many bytes. False when the other side has closed.
bool read(std::string* request) {
  uint32_t length;
  if (!std::cin.read(reinterpret_cast<char*>(&length), sizeof length)) return false;
  request->resize(length);
  return static_cast<bool>(std::cin.read(request->data(), length));
}

void write(char kind, const std::string& body) {
  uint32_t length = body.size() + 1;
  std::cout.write(reinterpret_cast<const char*>(&length), sizeof length);
  std::cout.put(kind).write(body.data(), body.size()).flush();
}

}  // namespace

int main() {
  std::ios::sync_with_stdio(false);
  google::protobuf::SetLogHandler(nullptr);
  std::string request;
  while (read(&request)) {
    try {
      write('o', answer(request.at(0), request.substr(1)));
    } catch (const Refused& refused) {
      write('e', refused.what());
    }
  }
}
