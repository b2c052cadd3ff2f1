import { WireError } from "../error.js";
import { ByteBuffer } from "./byte-buffer.js";
import type { RecordReader, StreamRecord } from "./record-reader.js";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const NOTHING = new Uint8Array(0);

/**
 * Cuts NDJSON into lines.
 *
 * A line ends with LF or CRLF, the last one also with the stream; nothing else
 * (a lone CR, U+2028, U+2029) ends one. Lines of nothing but white space are
 * passed over, and count as lines only.
 */
export class LineReader implements RecordReader {
  readonly #maxBytes: number;
  #chunk: Uint8Array = NOTHING;
  /** Where the chunk begins in the stream. */
  #chunkOffset = 0;
  /** How far the chunk has been read. */
  #at = 0;
  /** The beginning of a line whose end has not come yet. */
  readonly #kept = new ByteBuffer();
  #line = 1;
  #lineOffset = 0;
  #number = 0;
  /** The line in hand has been refused; what is left of it is passed over. */
  #refused = false;
  #ended = false;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(chunk: Uint8Array): void {
    this.#chunkOffset += this.#chunk.length;
    this.#chunk = chunk;
    this.#at = 0;
  }

  end(): void {
    this.push(NOTHING);
    this.#ended = true;
  }

  next(): StreamRecord | undefined {
    for (;;) {
      const end = this.#chunk.indexOf(LINE_FEED, this.#at);
      if (end < 0) return this.#keepRest() ?? (this.#ended ? this.#lastLine() : undefined);
      const record = this.#refused ? undefined : this.#record(this.#lineTo(end), false);
      this.#at = end + 1;
      this.#startLine();
      if (record !== undefined) return record;
    }
  }

  /** The bytes of the line in hand, which ends in the chunk. */
  #lineTo(end: number): Uint8Array {
    const here = this.#chunk.subarray(this.#at, end);
    if (this.#kept.length === 0) return here;
    // A refused line must not be joined either: only as much as settles it is copied.
    const room = Math.max(0, this.#maxBytes + 2 - this.#kept.length);
    this.#kept.add(here.length > room ? here.subarray(0, room) : here);
    return this.#kept.view();
  }

  /** Puts the beginning of a line aside, or refuses the line when it is too long already. */
  #keepRest(): StreamRecord | undefined {
    const rest = this.#chunk.subarray(this.#at);
    this.#at = this.#chunk.length;
    if (this.#refused || rest.length === 0) return undefined;
    const length = this.#kept.length + rest.length;
    // The last byte may belong to a CRLF.
    if (length - (rest[rest.length - 1] === CARRIAGE_RETURN ? 1 : 0) > this.#maxBytes) {
      this.#refused = true;
      this.#kept.clear();
      return this.#tooLarge();
    }
    this.#kept.add(rest);
    return undefined;
  }

  #lastLine(): StreamRecord | undefined {
    const record = this.#refused ? undefined : this.#record(this.#kept.view(), true);
    this.#startLine();
    return record;
  }

  #record(line: Uint8Array, unfinished: boolean): StreamRecord | undefined {
    const bytes = line[line.length - 1] === CARRIAGE_RETURN ? line.subarray(0, -1) : line;
    if (bytes.length > this.#maxBytes) return this.#tooLarge();
    if (isBlank(bytes)) return undefined;
    this.#number++;
    return { bytes, number: this.#number, offset: this.#lineOffset, line: this.#line, unfinished };
  }

  #startLine(): void {
    this.#line++;
    this.#lineOffset = this.#chunkOffset + this.#at;
    this.#kept.clear();
    this.#refused = false;
  }

  #tooLarge(): StreamRecord {
    this.#number++;
    const place = { number: this.#number, offset: this.#lineOffset, line: this.#line };
    // The size said is the one that settled it, so that it does not depend on the chunks.
    const fault = new WireError(
      "too_large",
      `a line of at least ${this.#maxBytes + 1} bytes is over the limit of ${this.#maxBytes} bytes for one record`,
      { record: place.number, offset: place.offset, line: place.line, column: 1 },
    );
    return { ...place, bytes: NOTHING, fault };
  }
}

/** JSON's white space, as far as it can stand in a line. */
function isBlank(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte !== 0x20 && byte !== 0x09 && byte !== CARRIAGE_RETURN) return false;
  }
  return true;
}
