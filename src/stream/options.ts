import type { WireError } from "../error.js";
import type { SerdeReadOptions, SerdeWriteOptions } from "../options.js";

/**
 * The most bytes of one record when `maxBytes` is not given: 64 MiB, which is
 * also where Protobuf-ES's own reader of size-delimited streams stops.
 */
export const DEFAULT_RECORD_BYTES = 64 * 1024 * 1024;

/** What a stream of records does about limits and faults. */
export interface RecordStreamOptions {
  /**
   * The most bytes of one record of the input, default 64 MiB. It is the same
   * for both framings: the bytes of a line without its line end, or the size
   * that a size-delimited header declares without the header itself. A longer
   * record is `too_large` as soon as that is known, from the header or when
   * the line exceeds it, and is never buffered further.
   */
  maxBytes?: number;
  /**
   * What a record at fault does: `"stop"` (the default) ends the stream with
   * the `WireError`, after everything before it has been handed over;
   * `"skip"` leaves the record out and goes on with the next. A damaged header
   * of the size-delimited framing always stops: where the next record begins
   * is not known any more.
   */
  onError?: "stop" | "skip";
  /**
   * Called for each record that `onError: "skip"` leaves out, in the order of
   * the stream. What it throws ends the stream.
   */
  onSkip?: (error: WireError) => void;
}

/** How serde's NDJSON is read as a stream. */
export interface SerdeReadStreamOptions extends Omit<SerdeReadOptions, "maxBytes">, RecordStreamOptions {}

/** How serde's NDJSON is written as a stream. */
export interface SerdeWriteStreamOptions extends Omit<SerdeWriteOptions, "maxBytes">, RecordStreamOptions {}

/** The limit for one record. Options of no sense are the caller's mistake, not bad input: a TypeError. */
export function recordLimit({ maxBytes = DEFAULT_RECORD_BYTES, onError = "stop" }: RecordStreamOptions): number {
  if (typeof maxBytes !== "number" || !(maxBytes >= 0))
    throw new TypeError("the option maxBytes takes a number, 0 or more");
  if (onError !== "stop" && onError !== "skip") throw new TypeError("the option onError takes one of stop, skip");
  return maxBytes;
}
