import { WireError } from "../error.js";
import { ByteBuffer } from "./byte-buffer.js";
import type { RecordReader, StreamRecord } from "./record-reader.js";

const NOTHING = new Uint8Array(0);
/** A varint has at most ten bytes, of which the last can hold one bit. */
const MAX_HEADER_BYTES = 10;

/**
 * Cuts a size-delimited stream into records: each is its size as a varint,
 * then that many bytes (Java's writeDelimitedTo, Go's protodelim,
 * sizeDelimitedEncode of Protobuf-ES).
 */
export class DelimitedReader implements RecordReader {
  readonly #maxBytes: number;
  #chunk: Uint8Array = NOTHING;
  /** Where the chunk begins in the stream. */
  #chunkOffset = 0;
  /** How far the chunk has been read. */
  #at = 0;
  #number = 0;
  /** The header in hand: where it began, its bytes so far, and the size they give. */
  #headerOffset = 0;
  readonly #header: number[] = [];
  #size = 0;
  /** The header is whole and the record is awaited. */
  #inRecord = false;
  #recordOffset = 0;
  /** The beginning of a record whose end has not come yet. It grows by what has arrived, never by what was declared. */
  readonly #kept = new ByteBuffer();
  /** Bytes of a refused record that are still to be passed over. */
  #toSkip = 0;
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
    if (this.#toSkip > 0) {
      const skipped = Math.min(this.#toSkip, this.#chunk.length - this.#at);
      this.#at += skipped;
      this.#toSkip -= skipped;
    }
    if (!this.#inRecord) {
      if (!this.#readHeader()) return this.#ended ? this.#unfinished() : undefined;
      if (this.#size > this.#maxBytes) return this.#tooLarge();
      this.#inRecord = true;
    }
    return this.#readRecord() ?? (this.#ended ? this.#unfinished() : undefined);
  }

  /** Whether the header is whole now. */
  #readHeader(): boolean {
    while (this.#at < this.#chunk.length) {
      const byte = this.#chunk[this.#at];
      const index = this.#header.length;
      if (index === 0) {
        this.#headerOffset = this.#chunkOffset + this.#at;
        this.#size = 0;
      }
      if (index === MAX_HEADER_BYTES - 1 && byte > 1) throw this.#badHeader();
      this.#at++;
      this.#header.push(byte);
      // Not exact beyond 2^53, where it is over every limit anyway.
      this.#size += (byte & 0x7f) * 2 ** (7 * index);
      if (byte < 0x80) {
        this.#number++;
        this.#recordOffset = this.#chunkOffset + this.#at;
        return true;
      }
    }
    return false;
  }

  #readRecord(): StreamRecord | undefined {
    const from = this.#at;
    const to = Math.min(this.#chunk.length, from + this.#size - this.#kept.length);
    this.#at = to;
    let bytes: Uint8Array;
    if (to - from === this.#size) {
      bytes = this.#chunk.subarray(from, to);
    } else {
      this.#kept.add(this.#chunk.subarray(from, to));
      if (this.#kept.length < this.#size) return undefined;
      bytes = this.#kept.view();
    }
    this.#startHeader();
    return { bytes, number: this.#number, offset: this.#recordOffset };
  }

  #startHeader(): void {
    this.#header.length = 0;
    this.#inRecord = false;
    this.#kept.clear();
  }

  #tooLarge(): StreamRecord {
    const size = this.#header.reduce((sum, byte, index) => sum + (BigInt(byte & 0x7f) << BigInt(7 * index)), 0n);
    this.#toSkip = this.#size;
    this.#startHeader();
    return this.#refusal(
      "too_large",
      `a record of ${size} bytes is over the limit of ${this.#maxBytes} bytes for one record`,
    );
  }

  /** The stream has ended: fine between two records, a fault within one. */
  #unfinished(): StreamRecord | undefined {
    if (this.#inRecord) {
      const missing = `${this.#kept.length} bytes into a record of ${this.#size}`;
      this.#startHeader();
      return this.#refusal("truncated", `the stream ends ${missing}`);
    }
    if (this.#header.length === 0) return undefined;
    this.#number++;
    this.#startHeader();
    return this.#refusal("truncated", "the stream ends inside the size of a record");
  }

  #refusal(code: "too_large" | "truncated", message: string): StreamRecord {
    const place = { number: this.#number, offset: this.#headerOffset };
    const fault = new WireError(code, message, { record: place.number, offset: place.offset });
    return { ...place, bytes: NOTHING, fault };
  }

  #badHeader(): WireError {
    return new WireError("malformed_binary", "the size of a record is not a varint of at most 64 bits", {
      record: this.#number + 1,
      offset: this.#headerOffset,
    });
  }
}
