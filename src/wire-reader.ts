import { WireError, type WireErrorCode } from "./error.js";
import { decodeUtf8, invalidUtf8At } from "./utf8.js";

/** The fault for a length that no bytes are left for. */
const OVERRUN = "a length beyond the end of what holds it";

/**
 * Reads Protobuf's encoding as strictly as the specification allows to.
 *
 * This is the reader for what is rare: it refuses with the place of the fault.
 */
export class WireReader {
  pos = 0;
  /** The pointer of the envelope's field that is being read. */
  pointer = "";
  /** What a varint of 64 bits held in its upper half, after {@link varint}. */
  high = 0;

  constructor(readonly src: Uint8Array) {}

  /** Reads a tag: five bytes and 32 bits at most, with a field number other than 0. Whether the wire type is right is the field's matter. */
  tag(end: number): number {
    const start = this.pos;
    const tag = this.varint(end);
    if (this.high !== 0 || this.pos - start > 5) this.fail("a tag of over 5 bytes or 32 bits", start);
    if (tag >>> 3 === 0) this.fail("field number 0", start);
    return tag;
  }

  /** Reads a varint of ten bytes and 64 bits at most. Gives its lower 32 bits, without sign. */
  varint(end: number): number {
    const { src } = this;
    const start = this.pos;
    let low = 0;
    let high = 0;
    for (let shift = 0; ; shift += 7) {
      if (this.pos >= end) this.fail("a varint that does not end", start);
      const byte = src[this.pos++];
      if (shift === 63 && byte > 1) this.fail("a varint of over 10 bytes or 64 bits", start);
      const bits = byte & 0x7f;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high = bits >> 4;
      } else high |= bits << (shift - 32);
      if (byte < 0x80) break;
    }
    this.high = high >>> 0;
    return low >>> 0;
  }

  /** Reads a length and gives where what it measures ends. */
  length(end: number): number {
    const start = this.pos;
    const length = this.varint(end);
    if (this.high !== 0 || length > end - this.pos) this.fail(OVERRUN, start);
    return this.pos + length;
  }

  /** Passes over eight or four bytes. */
  fixed(size: number, end: number): void {
    if (size > end - this.pos) this.fail(`fewer than ${size} bytes for a fixed-width number`, this.pos);
    this.pos += size;
  }

  /** Passes over a string and gives where it ended; it starts at `stringStart`. */
  string(end: number): number {
    const stop = this.length(end);
    this.stringStart = this.pos;
    const bad = invalidUtf8At(this.src, this.pos, stop);
    if (bad >= 0) throw this.error("invalid_utf8", "ill-formed UTF-8 in a string", bad);
    this.pos = stop;
    return stop;
  }
  stringStart = 0;

  /** Reads a string. */
  text(end: number): string {
    const stop = this.string(end);
    return decodeUtf8(this.src, this.stringStart, stop);
  }

  /** Passes over the value of a field with this tag, which stands at `start`. Groups may nest as deep as they like. */
  skip(tag: number, start: number, end: number): void {
    const groups: number[] = [];
    for (;;) {
      switch (tag & 7) {
        case 0:
          this.varint(end);
          break;
        case 1:
          this.fixed(8, end);
          break;
        case 2:
          this.pos = this.length(end);
          break;
        case 3:
          groups.push(tag >>> 3);
          break;
        case 4:
          if (groups.pop() !== tag >>> 3) this.fail("the end of a group that was not begun", start);
          break;
        case 5:
          this.fixed(4, end);
          break;
        default:
          this.fail(`wire type ${tag & 7}`, start);
      }
      if (groups.length === 0) return;
      if (this.pos >= end) this.fail("a group that does not end", start);
      tag = this.tag(end);
    }
  }

  fail(message: string, offset: number): never {
    throw this.error("malformed_binary", message, offset);
  }

  error(code: WireErrorCode, message: string, offset: number): WireError {
    return new WireError(code, message, { pointer: this.pointer, offset });
  }
}
