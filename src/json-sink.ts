import { writeDouble } from "./double-to-decimal.js";
import { WireError } from "./error.js";
import { writeUpToEightDigits } from "./integer-to-decimal.js";
import type { NumberNode } from "./number-tree.js";
import { type PackedBytes, packed } from "./packed-bytes.js";
import { firstBit, plainEnd, TEXT_SLACK } from "./plain-text.js";
import { isUtf8 } from "./utf8.js";

const KEPT_BYTES = 1 << 23;
/** Room beyond `cap`, so that short things are written without asking. */
export const SLACK = 64;
const MAX_BYTES = 0x7fff_ffff - SLACK;

/** Runs up to this length are copied four bytes at a time: `set(subarray())` costs about 100 ns a call. */
const COPIED_BY_HAND = 512;

/** How a byte stands in a JSON string: 0 as itself, 0x75 as `\u00xx`, else behind a backslash as this byte. */
const ESCAPE = new Uint8Array(256);
ESCAPE.fill(0x75, 0, 0x20);
for (const [byte, letter] of ['""', "\\\\", "\bb", "\ff", "\nn", "\rr", "\tt"])
  ESCAPE[byte.charCodeAt(0)] = letter.charCodeAt(0);

const HEX = "0123456789abcdef";

export const TRUE = packed("true");
export const FALSE = packed("false");
export const NULL = packed("null");

/** Thrown where the layout is not the usual one: the input is then put in order first. It carries nothing. */
export const UNUSUAL = Symbol("unusual layout");

/** A growing buffer of JSON text, written from the bytes of a binary input. */
export abstract class JsonSink {
  protected src: Uint8Array = new Uint8Array(0);
  protected srcView: DataView = new DataView(this.src.buffer);
  protected out = new Uint8Array(4096);
  protected view = new DataView(this.out.buffer);
  protected o = 0;
  /** How far `o` may go before the buffer must grow; short of its end by {@link SLACK}. */
  protected cap = 4096 - SLACK;
  /** The most bytes that may be written. */
  protected limit = MAX_BYTES;
  /** The last position of the input that four bytes may be read from. */
  protected lastWord = -4;
  /** What was seen of the strings that were written, all their bytes in one: their high bits tell whether they are ASCII. */
  protected seen = 0;

  /** Makes sure that `count` bytes, and {@link SLACK} more, can be written. */
  protected ensure(count: number): void {
    if (this.o + count > this.cap) this.grow(count);
  }

  private grow(count: number): void {
    const needed = this.o + count + SLACK;
    if (needed - SLACK > this.limit) throw this.tooLarge();
    const larger = new Uint8Array(
      Math.min(MAX_BYTES, Math.max(needed, Math.ceil(this.out.length * (this.out.length < 1 << 24 ? 2 : 1.5)))),
    );
    larger.set(this.out.subarray(0, this.o));
    this.out = larger;
    this.view = new DataView(larger.buffer);
    this.cap = larger.length - SLACK;
  }

  protected tooLarge(): WireError {
    return new WireError("too_large", `more than ${this.limit} bytes of JSON`);
  }

  /** Writes what a schema says, of up to some hundred bytes. */
  protected packed({ words, size }: PackedBytes): void {
    this.ensure(size);
    const view = this.view;
    let o = this.o | 0;
    this.o = o + size;
    for (let i = 0; i < words.length; i++, o += 4) view.setInt32(o, words[i], true);
  }

  /** Writes bytes that are ready. */
  protected bytes(bytes: Uint8Array): void {
    const count = bytes.length;
    this.ensure(count);
    if (count > 64) this.out.set(bytes, this.o);
    else for (let i = 0; i < count; i++) this.out[this.o + i] = bytes[i];
    this.o += count;
  }

  /**
   * Writes the string that stands in the input from `start` up to `end`, in
   * quotes, escaped as serde_json does. Whether it is UTF-8 is asked of the
   * output as a whole: see {@link endStrings}.
   */
  protected string(start: number, end: number): void {
    this.ensure(end - start);
    const { src, srcView, out, view, lastWord } = this;
    // Numbers from outside are taken for integers once, not at every use.
    end |= 0;
    let p = start | 0;
    let o = this.o | 0;
    let seen = 0;
    out[o++] = 0x22;
    if (end - p > COPIED_BY_HAND) {
      const run = (Math.min(plainEnd(srcView, p, lastWord - TEXT_SLACK), end) - p) | 0;
      if (run > COPIED_BY_HAND) {
        out.set(src.subarray(p, p + run), o);
        p += run;
        o += run;
        // Which bytes were in it is not known.
        seen = -1;
      }
    }
    // Four bytes at once, as they stand, up to one that is to be escaped. Of (x - 0x01..) & ~x, a byte has its high bit set
    // where x has a zero byte, and above such a byte perhaps; with 0x21.. where a byte is below 0x21, which the quote and
    // the control characters are when the bit by which the quote differs from the space is turned over. The high bits of
    // both are the word's own, so one ~ serves.
    for (const last = end - 4; p <= last; p += 4, o += 4) {
      const word = srcView.getInt32(p, true);
      const hit = (((word ^ 0x02020202) - 0x21212121) | ((word ^ 0x5c5c5c5c) - 0x01010101)) & ~word & 0x80808080;
      if (hit !== 0) {
        this.escape(p, o, end, seen);
        return;
      }
      view.setInt32(o, word, true);
      seen |= word;
    }
    if (p <= lastWord) {
      // The rest, with spaces after it.
      const mask = (1 << ((end - p) << 3)) - 1;
      const word = (srcView.getInt32(p, true) & mask) | (0x20202020 & ~mask);
      const hit = (((word ^ 0x02020202) - 0x21212121) | ((word ^ 0x5c5c5c5c) - 0x01010101)) & ~word & 0x80808080;
      if (hit !== 0) {
        this.escape(p, o, end, seen);
        return;
      }
      view.setInt32(o, word, true);
      seen |= word;
      o += end - p;
    } else {
      for (; p < end; p++) {
        const c = src[p];
        if (ESCAPE[c] !== 0) {
          this.escape(p, o, end, seen);
          return;
        }
        out[o++] = c;
        seen |= c;
      }
    }
    out[o] = 0x22;
    this.o = o + 1;
    this.seen |= seen;
  }

  /** The rest of a string in which something is to be escaped, from `p` on. */
  private escape(p: number, o: number, end: number, seen: number): void {
    const { src, srcView } = this;
    p |= 0;
    o |= 0;
    end |= 0;
    seen |= 0;
    this.o = o;
    this.ensure(end - p);
    let { out, view, cap } = this;
    const last = (end - 8) | 0;
    const escapes = ESCAPE;
    for (;;) {
      let c = 0;
      if (p <= last) {
        // As above, by eight bytes.
        const w = srcView.getInt32(p, true);
        const x = srcView.getInt32((p + 4) | 0, true);
        const a = (((w ^ 0x02020202) - 0x21212121) | ((w ^ 0x5c5c5c5c) - 0x01010101)) & ~w & 0x80808080;
        const b = (((x ^ 0x02020202) - 0x21212121) | ((x ^ 0x5c5c5c5c) - 0x01010101)) & ~x & 0x80808080;
        view.setInt32(o, w, true);
        view.setInt32((o + 4) | 0, x, true);
        seen |= w | x;
        if ((a | b) === 0) {
          p = (p + 8) | 0;
          o = (o + 8) | 0;
          continue;
        }
        // The lowest bit tells which byte it is: no byte before it is looked at by itself.
        const far = ~((a | -a) >> 31);
        const count = (firstBit(a ^ ((a ^ b) & far)) >> 3) + (far & 4);
        p = (p + count) | 0;
        o = (o + count) | 0;
        c = src[p];
      } else {
        for (; p < end; p++) {
          c = src[p];
          if (escapes[c] !== 0) break;
          seen |= c;
          out[o++] = c;
        }
        if (p >= end) break;
      }
      if (o + end - p > cap) {
        this.o = o;
        this.ensure(end - p);
        out = this.out;
        view = this.view;
        cap = this.cap;
      }
      const letter = escapes[c];
      out[o] = 0x5c;
      out[o + 1] = letter;
      o += 2;
      if (letter === 0x75) {
        out[o++] = 0x30;
        out[o++] = 0x30;
        out[o++] = HEX.charCodeAt(c >> 4);
        out[o++] = HEX.charCodeAt(c & 15);
      }
      p++;
    }
    out[o] = 0x22;
    this.o = o + 1;
    this.seen |= seen;
  }

  /**
   * Judges the strings that were written from `from` on. All between them is
   * ASCII, so the output is UTF-8 if and only if each of them is.
   */
  protected endStrings(from: number): void {
    if ((this.seen & 0x80808080) !== 0 && !isUtf8(this.out, from, this.o)) throw UNUSUAL;
  }

  /** Writes a finite double, by its text where there is one that stands for it. */
  protected finite(value: number, texts: NumberNode | undefined): void {
    if (texts !== undefined) {
      this.ensure(texts.size);
      const end = texts.print(this.out, this.o, value);
      if (end >= 0) {
        this.o = end;
        return;
      }
    }
    this.double(value);
  }

  /** Writes a finite double. */
  protected double(value: number): void {
    this.ensure(0);
    const integer = value | 0;
    if (integer === value && integer > 0 && integer < 10) {
      this.out[this.o++] = 0x30 + integer;
      return;
    }
    // Most are small integers, which need no box to be handed on.
    if (integer === value && integer !== 0 && integer < 100_000_000 && integer > -100_000_000) {
      let o = this.o | 0;
      const { out, view } = this;
      out[o] = 0x2d;
      o += integer >>> 31;
      this.o = writeUpToEightDigits(view, o, Math.abs(integer));
    } else {
      this.o = writeDouble(this.out, this.o, value, this.view);
    }
  }

  /** Writes ASCII text. */
  protected ascii(text: string): void {
    this.ensure(text.length);
    for (let i = 0; i < text.length; i++) this.out[this.o++] = text.charCodeAt(i);
  }

  reset(): void {
    this.o = 0;
    this.seen = 0;
    if (this.out.length > KEPT_BYTES) {
      this.out = new Uint8Array(4096);
      this.view = new DataView(this.out.buffer);
      this.cap = this.out.length - SLACK;
    }
  }
}
