import type { WireError } from "../error.js";

/** One record of a stream, cut out and placed, not yet read. */
export interface StreamRecord {
  /** The record's own bytes, without framing. Valid until the reader is asked again. */
  readonly bytes: Uint8Array;
  /** The number of the record in the stream, from 1. Blank lines are no records. */
  readonly number: number;
  /** Where the bytes begin in the stream, from 0. */
  readonly offset: number;
  /** For NDJSON: the line in the stream, from 1. */
  readonly line?: number;
  /** For NDJSON: the stream ended before the line did. */
  readonly unfinished?: boolean;
  /** Why the record cannot be read, in place: the framing itself refuses it. Then there are no bytes. */
  readonly fault?: WireError;
}

/**
 * Cuts a stream of bytes into records, whatever the chunks are.
 *
 * Push a chunk, ask for records until there is none, push the next one; after
 * the last chunk call `end` and ask once more.
 */
export interface RecordReader {
  /** Takes the next bytes of the stream. They must not change until `next` has given undefined. */
  push(chunk: Uint8Array): void;
  /** Says that no more bytes come. */
  end(): void;
  /**
   * The next record, or undefined when it is not whole yet.
   *
   * @throws WireError when the framing is damaged, so that no further record can be found.
   */
  next(): StreamRecord | undefined;
}

/** A fault within a record, told by its place in the whole stream. */
export function inStream(error: WireError, record: StreamRecord): WireError {
  const { number, line } = record;
  const offset = record.offset + (error.offset ?? 0);
  return line === undefined
    ? error.at({ record: number, offset })
    : error.at({ record: number, offset, line: line - 1 + (error.line ?? 1), column: error.column ?? 1 });
}
