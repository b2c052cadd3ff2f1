import type { DescMessage } from "@bufbuild/protobuf";
import { binaryToSerdeJson } from "../binary-to-json.js";
import { serdeJsonToBinary } from "../json-to-binary.js";
import { DelimitedReader } from "./delimited-reader.js";
import { LineReader } from "./line-reader.js";
import { recordLimit, type SerdeReadStreamOptions, type SerdeWriteStreamOptions } from "./options.js";
import { RecordPipe, writeDelimitedRecord, writeLine } from "./record-pipe.js";

/** Large enough that a chunk costs next to nothing, small enough for any queue. */
const BATCH_BYTES = 64 * 1024;

/**
 * Carries serde's NDJSON, one message a line, to the standard size-delimited
 * framing: a web `TransformStream` of bytes for `pipeThrough`.
 *
 * Chunks may be cut anywhere. Lines end with LF or CRLF, the last one also
 * with the stream; blank lines are passed over. Backpressure holds: no record
 * is carried over before a reader asks for it.
 *
 * A record at fault ends the stream with a `WireError` after all that came
 * before it, or is left out, see {@link SerdeReadStreamOptions}. The error has
 * the `record`'s number, its `line` in the stream, the `column`, and the
 * absolute byte `offset`. A last line that is cut off is `truncated`.
 */
export function serdeNdjsonToDelimited(
  schema: DescMessage,
  options: SerdeReadStreamOptions = {},
): TransformStream<Uint8Array, Uint8Array> {
  const maxBytes = recordLimit(options);
  const perRecord = { ...options, maxBytes };
  const reader = new LineReader(maxBytes);
  return new RecordTransformStream(
    new RecordPipe(
      reader,
      (record, output) => writeDelimitedRecord(serdeJsonToBinary(schema, record.bytes, perRecord), output),
      options,
      BATCH_BYTES,
    ),
  );
}

/**
 * Carries a size-delimited stream of messages to serde's NDJSON, one message a
 * line, each ended with LF: a web `TransformStream` of bytes for `pipeThrough`.
 *
 * Chunks may be cut anywhere; an empty message is a record. Backpressure
 * holds. A record at fault ends the stream with a `WireError` after all that
 * came before it, or is left out, see {@link SerdeWriteStreamOptions}. The
 * error has the `record`'s number and the absolute byte `offset`; a stream
 * that ends inside a record is `truncated`.
 */
export function delimitedToSerdeNdjson(
  schema: DescMessage,
  options: SerdeWriteStreamOptions = {},
): TransformStream<Uint8Array, Uint8Array> {
  const maxBytes = recordLimit(options);
  const perRecord = { ...options, maxBytes };
  const reader = new DelimitedReader(maxBytes);
  return new RecordTransformStream(
    new RecordPipe(
      reader,
      (record, output) => writeLine(binaryToSerdeJson(schema, record.bytes, perRecord), output),
      options,
      BATCH_BYTES,
    ),
  );
}

/**
 * A transform stream that makes one batch after the other.
 *
 * A transformer of the platform has to queue all that one chunk gives, however
 * slow the reader is. Here the writable side does the work and waits after
 * each batch until the plain transform stream underneath has passed it on.
 */
class RecordTransformStream extends TransformStream<Uint8Array, Uint8Array> {
  override readonly writable: WritableStream<Uint8Array>;

  constructor(pipe: RecordPipe) {
    super();
    const passed = super.writable.getWriter();
    const passOn = async (take: () => void) => {
      try {
        take();
        for (let batch = pipe.next(); batch !== undefined; batch = pipe.next()) await passed.write(batch.slice());
      } catch (error) {
        await passed.abort(error);
        throw error;
      }
    };
    this.writable = new WritableStream<Uint8Array>({
      start(controller) {
        // A reader that goes away must stop the writer at once, not at its next chunk.
        passed.closed.catch((reason) => controller.error(reason));
      },
      write: (chunk) =>
        passOn(() => {
          if (!(chunk instanceof Uint8Array)) throw new TypeError("a stream of records takes chunks of Uint8Array");
          pipe.push(chunk);
        }),
      async close() {
        await passOn(() => pipe.end());
        await passed.close();
      },
      abort: (reason) => passed.abort(reason),
    });
  }
}
