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

/** What reading a record threw, put in place in the stream. What is no fault of the input stays what it is. */
export function placed(error: unknown, record: StreamRecord): unknown {
  if (!(error instanceof WireError) || error === record.fault) return error;
  return inStream(record.unfinished && isCutOff(record.bytes, error) ? truncated(error, record) : error, record);
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
  /** Filled in turn, so that one can be written while the next is made. */
  #output = new ByteBuffer();
  #other = new ByteBuffer();
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
   * The next batch of output, or undefined when the bytes pushed so far give no
   * more. It stays valid while the next batch is made, until the one after that
   * is asked for.
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
    if (output.length > 0) {
      [this.#output, this.#other] = [this.#other, output];
      return output.view();
    }
    if (this.#failure !== undefined) throw this.#failure.error;
    return undefined;
  }

  /** Carries one record; false when there is none. */
  #step(output: ByteBuffer): boolean {
    const record = this.#reader.next();
    if (record === undefined) return false;
    this.records++;
    try {
      if (record.fault !== undefined) throw record.fault;
      this.#carry(record, output);
    } catch (caught) {
      const error = placed(caught, record);
      if (!(error instanceof WireError) || this.#options.onError !== "skip") throw error;
      this.skipped++;
      this.#options.onSkip?.(error);
    }
    return true;
  }
}
