import { WireError } from "../error.js";
import { ByteBuffer } from "./byte-buffer.js";
import type { RecordStreamOptions } from "./options.js";
import { inStream, type RecordReader, type StreamRecord } from "./record-reader.js";
import { isCutOff } from "./unfinished-json.js";

/** What becomes of one record: it reads it and adds what it makes of it to the output. */
export type CarryRecord = (record: StreamRecord, output: ByteBuffer) => void;

const LINE_FEED = 0x0a;

/** Puts records behind each other in a framing. */
export type WriteRecord = (record: Uint8Array, output: ByteBuffer) => void;

export const writeLine: WriteRecord = (record, output) => {
  output.add(record);
  output.addByte(LINE_FEED);
};

export const writeDelimitedRecord: WriteRecord = (record, output) => {
  output.addVarint(record.length);
  output.add(record);
};

/** Reads a record with its fault put in place in the stream. */
export function readPlaced<T>(record: StreamRecord, read: (record: StreamRecord) => T): T {
  if (record.fault !== undefined) throw record.fault;
  try {
    return read(record);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    const fault = record.unfinished && isCutOff(record.bytes, error) ? truncated(error, record) : error;
    throw inStream(fault, record);
  }
}

function truncated(error: WireError, record: StreamRecord): WireError {
  const { pointer, offset, line, column } = error;
  const message = `the stream ends inside a record, ${record.bytes.length} bytes after its beginning`;
  return new WireError("truncated", message, { pointer, offset, line, column });
}

/**
 * The way of records through a transcoder: cut, carried, put into batches.
 *
 * It is the same for web streams and for files: push a chunk, take batches
 * until there is none, push the next. Nothing is made before it is asked for.
 */
export class RecordPipe {
  /** Records seen so far, those left out included. */
  records = 0;
  /** Records that were at fault and left out. */
  skipped = 0;
  readonly #reader: RecordReader;
  readonly #carry: CarryRecord;
  readonly #options: RecordStreamOptions;
  readonly #batchBytes: number;
  readonly #output = new ByteBuffer();
  /** What ends the stream, once the records before it have been taken. */
  #failure: { readonly error: unknown } | undefined;

  /** @param batchBytes a batch is handed over when it has this many bytes, and when the pushed bytes are used up. */
  constructor(reader: RecordReader, carry: CarryRecord, options: RecordStreamOptions, batchBytes: number) {
    this.#reader = reader;
    this.#carry = carry;
    this.#options = options;
    this.#batchBytes = batchBytes;
  }

  push(chunk: Uint8Array): void {
    this.#reader.push(chunk);
  }

  end(): void {
    this.#reader.end();
  }

  /**
   * The next batch of output, valid until the next call, or undefined when the
   * bytes pushed so far give no more.
   *
   * @throws WireError for a record at fault, unless it is to be skipped.
   */
  next(): Uint8Array | undefined {
    const output = this.#output;
    output.clear();
    if (this.#failure === undefined) {
      try {
        while (output.length < this.#batchBytes && this.#step(output));
      } catch (error) {
        this.#failure = { error };
      }
    }
    if (output.length > 0) return output.view();
    if (this.#failure !== undefined) throw this.#failure.error;
    return undefined;
  }

  /** Carries one record; false when there is none. */
  #step(output: ByteBuffer): boolean {
    const record = this.#reader.next();
    if (record === undefined) return false;
    this.records++;
    try {
      readPlaced(record, (whole) => this.#carry(whole, output));
    } catch (error) {
      if (!(error instanceof WireError) || this.#options.onError !== "skip") throw error;
      this.skipped++;
      this.#options.onSkip?.(error);
    }
    return true;
  }
}
