package interop;

import com.google.protobuf.Value;
import factory_run.v1.FactoryRun.NumberText;
import factory_run.v1.FactoryRun.Preserved;
import factory_run.v1.FactoryRun.SessionFactoryRunFromToolResult;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** A message in the notation that all peers share (interop/README.md). */
final class NeutralWriter {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  static byte[] message(SessionFactoryRunFromToolResult message) {
    NeutralWriter writer = new NeutralWriter();
    writer.fields(message);
    return writer.out.toByteArray();
  }

  private void fields(SessionFactoryRunFromToolResult m) {
    optional(
        m.hasAttempt(),
        m.getAttempt(),
        attempt -> bytes(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(attempt)));
    optional(m.hasError(), m.getError(), this::text);
    optional(m.hasFailure(), m.getFailure(), this::value);
    optional(m.hasPauseInfo(), m.getPauseInfo(), this::value);
    optional(m.hasReason(), m.getReason(), this::text);
    optional(m.hasResult(), m.getResult(), this::value);
    text(m.getRunId());
    optional(m.hasSnapshot(), m.getSnapshot(), this::value);
    count(m.getStatusValue());
    optional(m.hasPreserved(), m.getPreserved(), this::preserved);
  }

  private void preserved(Preserved preserved) {
    map(preserved.getMembersMap(), this::value);
    map(preserved.getWordsMap(), this::text);
    nodes(preserved.getNumbersList());
  }

  private void nodes(List<NumberText> nodes) {
    count(nodes.size());
    for (NumberText node : nodes) {
      switch (node.getPlaceCase()) {
        case PLACE_NOT_SET -> out.write('-');
        case KEY -> {
          out.write('k');
          text(node.getKey());
        }
        case INDEX -> {
          out.write('i');
          count(node.getIndex());
        }
      }
      optional(node.hasText(), node.getText(), this::text);
      nodes(node.getChildrenList());
    }
  }

  private void value(Value value) {
    switch (value.getKindCase()) {
      case KIND_NOT_SET -> out.write('?');
      case NULL_VALUE -> out.write('n');
      case BOOL_VALUE -> out.write(value.getBoolValue() ? 't' : 'f');
      case NUMBER_VALUE -> {
        out.write('d');
        bytes(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putDouble(value.getNumberValue()));
      }
      case STRING_VALUE -> {
        out.write('s');
        text(value.getStringValue());
      }
      case LIST_VALUE -> {
        out.write('a');
        count(value.getListValue().getValuesCount());
        value.getListValue().getValuesList().forEach(this::value);
      }
      case STRUCT_VALUE -> {
        out.write('o');
        map(value.getStructValue().getFieldsMap(), this::value);
      }
    }
  }

  private <T> void optional(boolean present, T value, Consumer<T> write) {
    out.write(present ? 1 : 0);
    if (present) write.accept(value);
  }

  private void text(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    count(bytes.length);
    out.writeBytes(bytes);
  }

  /** Java sorts strings by UTF-16 units, the notation by bytes of UTF-8. */
  private <T> void map(Map<String, T> entries, Consumer<T> write) {
    TreeMap<byte[], T> sorted = new TreeMap<>(Arrays::compareUnsigned);
    entries.forEach((key, value) -> sorted.put(key.getBytes(StandardCharsets.UTF_8), value));
    count(sorted.size());
    sorted.forEach(
        (key, value) -> {
          count(key.length);
          out.writeBytes(key);
          write.accept(value);
        });
  }

  private void count(int count) {
    bytes(ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(count));
  }

  private void bytes(ByteBuffer buffer) {
    out.writeBytes(buffer.array());
  }
}
