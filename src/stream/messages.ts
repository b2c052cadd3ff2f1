import { type DescMessage, fromBinary, type MessageShape } from "@bufbuild/protobuf";
import { checkBinary } from "../binary-to-json.js";
import { WireError } from "../error.js";
import { checkedBinary, fromSerdeJsonString, toSerdeJsonString } from "../message.js";
import type { SerdeWriteOptions } from "../options.js";
import { ByteBuffer } from "./byte-buffer.js";
import { type ByteSource, chunksOf } from "./byte-source.js";
import { DelimitedReader } from "./delimited-reader.js";
import { LineReader } from "./line-reader.js";
import { type RecordStreamOptions, recordLimit, type SerdeReadStreamOptions } from "./options.js";
import { placed, writeDelimitedRecord } from "./record-pipe.js";
import type { RecordReader, StreamRecord } from "./record-reader.js";

/**
 * JSON allows 127 containers, each of which is at most three messages; the
 * number texts of the sidecar nest less. Everything that `checkBinary` lets
 * pass is below this.
 */
const RECURSION_LIMIT = 1000;

/** Messages, one after the other. */
export type MessageSource<Desc extends DescMessage> = AsyncIterable<MessageShape<Desc>> | Iterable<MessageShape<Desc>>;

/**
 * Reads the messages of serde's NDJSON, one a line, as they come.
 *
 * Lines, limits and faults are those of `serdeNdjsonToDelimited`: with
 * `onError: "stop"` the iteration throws the `WireError`, placed in the
 * stream, after the messages before it. Leaving the loop closes the source.
 */
export function readSerdeNdjson<Desc extends DescMessage>(
  schema: Desc,
  source: ByteSource,
  options: SerdeReadStreamOptions = {},
): AsyncGenerator<MessageShape<Desc>, void, undefined> {
  const maxBytes = recordLimit(options);
  const perRecord = { ...options, maxBytes };
  const read = ({ bytes }: StreamRecord) => fromSerdeJsonString(schema, bytes, perRecord);
  return readRecords(source, new LineReader(maxBytes), read, options);
}

/**
 * Reads the messages of a size-delimited stream as they come.
 *
 * Each is checked as `checkBinary` does, since Protobuf-ES alone takes what
 * the specification forbids. Framing, limits and faults are those of
 * `delimitedToSerdeNdjson`. Leaving the loop closes the source.
 */
export function readDelimited<Desc extends DescMessage>(
  schema: Desc,
  source: ByteSource,
  options: RecordStreamOptions = {},
): AsyncGenerator<MessageShape<Desc>, void, undefined> {
  const maxBytes = recordLimit(options);
  const read = ({ bytes }: StreamRecord) => {
    checkBinary(schema, bytes, { maxBytes });
    try {
      // A message keeps unknown fields as views of its bytes; the reader's own are used again for the next record.
      return fromBinary(schema, bytes.slice(), { recursionLimit: RECURSION_LIMIT });
    } catch (error) {
      // Only groups of unknown fields can nest deeper than what has been checked.
      throw new WireError(
        "nesting_too_deep",
        `unknown groups nest too deep for a message: ${(error as Error).message}`,
      );
    }
  };
  return readRecords(source, new DelimitedReader(maxBytes), read, options);
}

/**
 * Writes messages as serde's NDJSON: for each message the bytes of its line,
 * ended with LF.
 *
 * @throws WireError for a message that JSON cannot hold, with the `record`'s number; lines before it are out.
 */
export async function* writeSerdeNdjson<Desc extends DescMessage>(
  schema: Desc,
  messages: MessageSource<Desc>,
  options: SerdeWriteOptions = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  let record = 0;
  for await (const message of messages) {
    record++;
    yield encoder.encode(`${numbered(record, () => toSerdeJsonString(schema, message, options))}\n`);
  }
}

/**
 * Writes messages as a size-delimited stream: for each message its size and
 * its bytes, as `sizeDelimitedEncode` of Protobuf-ES lays them out.
 *
 * Each is checked as `toSerdeJsonString` does it, so that nothing is stored
 * that could not be read back (a NaN in a Value, a lone surrogate).
 *
 * @throws WireError for a message that fails the check, with the `record`'s number; records before it are out.
 */
export async function* writeDelimited<Desc extends DescMessage>(
  schema: Desc,
  messages: MessageSource<Desc>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const output = new ByteBuffer();
  let record = 0;
  for await (const message of messages) {
    record++;
    const binary = numbered(record, () => checkedBinary(schema, message));
    output.clear();
    writeDelimitedRecord(binary, output);
    yield output.view().slice();
  }
}

async function* readRecords<T>(
  source: ByteSource,
  reader: RecordReader,
  read: (record: StreamRecord) => T,
  options: RecordStreamOptions,
): AsyncGenerator<T, void, undefined> {
  for await (const chunk of chunksOf(source)) {
    reader.push(chunk);
    yield* readWhole(reader, read, options);
  }
  reader.end();
  yield* readWhole(reader, read, options);
}

/** The records that are whole by now. */
function* readWhole<T>(
  reader: RecordReader,
  read: (record: StreamRecord) => T,
  options: RecordStreamOptions,
): Generator<T, void, undefined> {
  for (let record = reader.next(); record !== undefined; record = reader.next()) {
    let result: T;
    try {
      if (record.fault !== undefined) throw record.fault;
      result = read(record);
    } catch (caught) {
      const error = placed(caught, record);
      if (!(error instanceof WireError) || options.onError !== "skip") throw error;
      options.onSkip?.(error);
      continue;
    }
    yield result;
  }
}

function numbered<T>(record: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof WireError ? error.at({ record }) : error;
  }
}
