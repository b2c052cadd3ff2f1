package interop;

import com.google.protobuf.ListValue;
import com.google.protobuf.NullValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Value;
import factory_run.v1.FactoryRun.NumberText;
import factory_run.v1.FactoryRun.Preserved;
import factory_run.v1.FactoryRun.SessionFactoryRunFromToolResult;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Reads what the matrix itself wrote, so a fault in it is a fault of the matrix and ends the peer. */
final class NeutralReader {
  private final ByteBuffer in;

  private NeutralReader(byte[] bytes) {
    in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  static SessionFactoryRunFromToolResult message(byte[] bytes) {
    NeutralReader reader = new NeutralReader(bytes);
    SessionFactoryRunFromToolResult message = reader.fields();
    if (reader.in.hasRemaining()) throw new IllegalArgumentException("bytes too many");
    return message;
  }

  private SessionFactoryRunFromToolResult fields() {
    SessionFactoryRunFromToolResult.Builder m = SessionFactoryRunFromToolResult.newBuilder();
    optional(in::getLong, m::setAttempt);
    optional(this::text, m::setError);
    optional(this::value, m::setFailure);
    optional(this::value, m::setPauseInfo);
    optional(this::text, m::setReason);
    optional(this::value, m::setResult);
    m.setRunId(text());
    optional(this::value, m::setSnapshot);
    m.setStatusValue(in.getInt());
    optional(this::preserved, m::setPreserved);
    return m.build();
  }

  private Preserved preserved() {
    Preserved.Builder preserved = Preserved.newBuilder();
    map(this::value, preserved::putMembers);
    map(this::text, preserved::putWords);
    list(this::node, preserved::addNumbers);
    return preserved.build();
  }

  private NumberText node() {
    NumberText.Builder node = NumberText.newBuilder();
    char place = (char) in.get();
    switch (place) {
      case '-' -> {}
      case 'k' -> node.setKey(text());
      case 'i' -> node.setIndex(in.getInt());
      default -> throw new IllegalArgumentException("no place: " + place);
    }
    optional(this::text, node::setText);
    list(this::node, node::addChildren);
    return node.build();
  }

  private Value value() {
    Value.Builder value = Value.newBuilder();
    char kind = (char) in.get();
    switch (kind) {
      case '?' -> {}
      case 'n' -> value.setNullValue(NullValue.NULL_VALUE);
      case 't', 'f' -> value.setBoolValue(kind == 't');
      case 'd' -> value.setNumberValue(in.getDouble());
      case 's' -> value.setStringValue(text());
      case 'a' -> {
        ListValue.Builder list = ListValue.newBuilder();
        list(this::value, list::addValues);
        value.setListValue(list);
      }
      case 'o' -> {
        Struct.Builder object = Struct.newBuilder();
        map(this::value, object::putFields);
        value.setStructValue(object);
      }
      default -> throw new IllegalArgumentException("no kind: " + kind);
    }
    return value.build();
  }

  private <T> void optional(Supplier<T> read, Consumer<T> set) {
    if (in.get() == 1) set.accept(read.get());
  }

  private <T> void list(Supplier<T> read, Consumer<T> add) {
    for (int left = in.getInt(); left > 0; left--) add.accept(read.get());
  }

  private <T> void map(Supplier<T> read, BiConsumer<String, T> put) {
    for (int left = in.getInt(); left > 0; left--) put.accept(text(), read.get());
  }

  private String text() {
    byte[] bytes = new byte[in.getInt()];
    in.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
