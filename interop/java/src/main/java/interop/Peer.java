package interop;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Empty;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.RuntimeVersion;
import factory_run.v1.FactoryRun.SessionFactoryRunFromToolResult;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The Java peer: protobuf-java, asked over stdin and stdout. interop/README.md names the operations. */
public final class Peer {
  public static void main(String[] arguments) throws IOException {
    InputStream input = new BufferedInputStream(System.in);
    OutputStream output = new BufferedOutputStream(System.out);
    for (byte[] request = read(input); request != null; request = read(input)) {
      try {
        write(output, 'o', answer((char) request[0], Arrays.copyOfRange(request, 1, request.length)));
      } catch (InvalidProtocolBufferException refused) {
        write(output, 'e', String.valueOf(refused.getMessage()).getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  private static byte[] answer(char operation, byte[] body) throws InvalidProtocolBufferException {
    return switch (operation) {
      case 'v' -> versions().getBytes(StandardCharsets.UTF_8);
      case 'd' -> NeutralWriter.message(SessionFactoryRunFromToolResult.parseFrom(body));
      case 'e' -> encode(NeutralReader.message(body));
      case 'r' -> encode(SessionFactoryRunFromToolResult.parseFrom(body));
      case 'u' -> encode(Empty.parseFrom(body));
      default -> throw new IllegalArgumentException("no such operation: " + operation);
    };
  }

  /** Map entries in a settled order, so that the same content always gives the same bytes. */
  private static byte[] encode(Message message) {
    byte[] bytes = new byte[message.getSerializedSize()];
    CodedOutputStream output = CodedOutputStream.newInstance(bytes);
    output.useDeterministicSerialization();
    try {
      message.writeTo(output);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    output.checkNoSpaceLeft();
    return bytes;
  }

  private static String versions() {
    return String.format(
        "Java %s, protobuf-java %d.%d.%d",
        System.getProperty("java.version"), RuntimeVersion.MAJOR, RuntimeVersion.MINOR, RuntimeVersion.PATCH);
  }

  /** A length of four bytes (little endian), then so many bytes; null when the other side has closed. */
  private static byte[] read(InputStream input) throws IOException {
    byte[] length = input.readNBytes(4);
    return length.length < 4 ? null : input.readNBytes(ByteBuffer.wrap(length).order(ByteOrder.LITTLE_ENDIAN).getInt());
  }

  private static void write(OutputStream output, char kind, byte[] body) throws IOException {
    output.write(ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(body.length + 1).array());
    output.write(kind);
    output.write(body);
    output.flush();
  }
}
