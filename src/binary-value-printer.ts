import { writeDouble } from "./double-to-decimal.js";
import { WireError, type WireErrorCode } from "./error.js";
import { writeInt53, writeUpToEightDigits } from "./integer-to-decimal.js";
import { FALSE, JsonSink, NULL, TRUE, UNUSUAL } from "./json-sink.js";
import { KeyStack } from "./key-stack.js";
import { MAX_CONTAINERS } from "./limits.js";
import type { NumberNode } from "./number-tree.js";

/** What stands before the double of an element of a ListValue: the element's tag and length and the tag of a number. */
const ELEMENT = 0x0011090a;

/**
 * google.protobuf.Value to JSON, in one pass.
 *
 * It reads the layout that encoders write: one field in a Value, an entry's key
 * before its value, no key twice. Anything else, legal or not, is UNUSUAL.
 */
export abstract class BinaryValuePrinter extends JsonSink {
  /** Where {@link length} stopped reading. */
  protected p = 0;
  /** The pointer of the envelope's field that is being read. */
  protected pointer = "";
  private readonly keys = new KeyStack();

  /** Reads the length at `p` of something that must end at `end` or before. Gives where it ends. */
  protected length(p: number, end: number): number {
    const src = this.src;
    let length = src[p++];
    if (length >= 0x80) {
      length &= 0x7f;
      for (let shift = 7; ; shift += 7) {
        const byte = src[p++];
        if (shift > 28 || !(byte < (shift === 28 ? 8 : 256))) throw UNUSUAL;
        length |= (byte & 0x7f) << shift;
        if (byte < 0x80) break;
      }
    }
    this.p = p;
    if (!(length <= end - p)) throw UNUSUAL;
    return p + length;
  }

  /** Reads the length at `p` of something that ends at `end`. */
  private exactly(p: number, end: number): number {
    const c = this.src[p];
    // One byte is by far the most common.
    if (c < 0x80) {
      if (p + 1 + c !== end) throw UNUSUAL;
      return p + 1;
    }
    if (this.length(p, end) !== end) throw UNUSUAL;
    return this.p;
  }

  /** Prints the Value from `p` up to `end`, inside of `depth` containers. */
  protected value(p: number, end: number, depth: number, texts: NumberNode | undefined): void {
    const src = this.src;
    if (p === end) {
      this.packed(NULL);
      return;
    }
    switch (src[p]) {
      case 0x11:
        if (p + 9 !== end) throw UNUSUAL;
        this.number(this.srcView.getFloat64(p + 1, true), p, texts);
        return;
      case 0x1a: {
        const start = this.exactly(p + 1, end);
        this.string(start, end);
        return;
      }
      case 0x2a: {
        const start = this.exactly(p + 1, end);
        if (depth >= MAX_CONTAINERS) this.tooDeep(p);
        if (texts === undefined) this.object(start, end, depth + 1);
        else this.objectWithTexts(start, end, depth + 1, texts);
        return;
      }
      case 0x32: {
        const start = this.exactly(p + 1, end);
        if (depth >= MAX_CONTAINERS) this.tooDeep(p);
        if (texts === undefined) this.array(start, end, depth + 1);
        else this.arrayWithTexts(start, end, depth + 1, texts);
        return;
      }
      case 0x20:
        if (p + 2 !== end || src[p + 1] > 1) throw UNUSUAL;
        this.packed(src[p + 1] === 1 ? TRUE : FALSE);
        return;
      case 0x08:
        if (p + 2 !== end || src[p + 1] >= 0x80) throw UNUSUAL;
        this.packed(NULL);
        return;
      default:
        throw UNUSUAL;
    }
  }

  /** Prints a double whose place in the input is `at`, by its text where there is one that stands for it. */
  protected number(value: number, at: number, texts: NumberNode | undefined): void {
    if (value - value !== 0) this.notFinite(at);
    else this.finite(value, texts);
  }

  private object(start: number, end: number, depth: number): void {
    const { src, srcView, keys } = this;
    start |= 0;
    end |= 0;
    this.ensure(0);
    this.out[this.o++] = 0x7b;
    const base = keys.count;
    let many: Set<string> | undefined;
    for (let p = start; p < end; ) {
      if (src[p] !== 0x0a) throw UNUSUAL;
      // A byte below 0x80 is a length as it stands; the other way is the general one.
      let entryEnd = src[++p];
      if (entryEnd < 0x80) {
        entryEnd += ++p;
        if (entryEnd > end) throw UNUSUAL;
      } else {
        entryEnd = this.length(p, end) | 0;
        p = this.p | 0;
      }
      if (src[p] !== 0x0a || p >= entryEnd) throw UNUSUAL;
      let keyEnd = src[++p];
      if (keyEnd < 0x80) {
        keyEnd += ++p;
      } else {
        keyEnd = this.length(p, entryEnd) | 0;
        p = this.p | 0;
      }
      if (keyEnd >= entryEnd || src[keyEnd] !== 0x12) throw UNUSUAL;
      many = keys.add(base, many, src, src, p, keyEnd);
      if (keys.repeated) throw UNUSUAL;
      this.memberKey(p, keyEnd);
      // The usual Values are told apart here, which saves calls; all others by value().
      const v = keyEnd + 2;
      const size = src[v - 1];
      const tag = src[v];
      if (tag === 0x1a && size < 0x80 && v + size === entryEnd && size === src[v + 1] + 2) {
        this.string(v + 2, entryEnd);
      } else if (tag === 0x11 && size === 9 && v + 9 === entryEnd) {
        const number = srcView.getFloat64(v + 1, true);
        if (number - number === 0) this.double(number);
        else this.notFinite(v);
      } else {
        const valueStart = this.exactly(keyEnd + 1, entryEnd);
        this.value(valueStart, entryEnd, depth, undefined);
      }
      p = entryEnd;
      this.ensure(0);
      this.out[this.o++] = 0x2c;
    }
    // In the place of the last comma, if there is one.
    this.out[end > start ? this.o - 1 : this.o++] = 0x7d;
    keys.count = base;
  }

  /** Prints a key, which stands from `start` up to `end`, and the colon. */
  private memberKey(start: number, end: number): void {
    // As in string(), for a key of a few words without escapes.
    if (end - start <= 32 && end <= this.lastWord) {
      const { srcView, view } = this;
      let o = (this.o + 1) | 0;
      let seen = 0;
      let hits = 0;
      for (let p = start; p < end; p += 4) {
        const rest = end - p;
        const mask = rest >= 4 ? -1 : (1 << (rest << 3)) - 1;
        const word = (srcView.getInt32(p, true) & mask) | (0x20202020 & ~mask);
        hits |= (((word ^ 0x02020202) - 0x21212121) | ((word ^ 0x5c5c5c5c) - 0x01010101)) & ~word;
        seen |= word;
        view.setInt32(o, word, true);
        o += 4;
      }
      if ((hits & 0x80808080) === 0) {
        const out = this.out;
        out[this.o] = 0x22;
        o = (this.o + 1 + end - start) | 0;
        out[o] = 0x22;
        out[o + 1] = 0x3a;
        this.o = o + 2;
        this.seen |= seen;
        return;
      }
    }
    this.string(start, end);
    this.out[this.o++] = 0x3a;
  }

  private array(start: number, end: number, depth: number): void {
    const src = this.src;
    start |= 0;
    end |= 0;
    this.ensure(0);
    this.out[this.o++] = 0x5b;
    for (let p = start; p < end; ) {
      if (src[p] !== 0x0a) throw UNUSUAL;
      this.ensure(0);
      if (p > start) this.out[this.o++] = 0x2c;
      let valueEnd = src[++p];
      if (valueEnd === 9 && src[p + 1] === 0x11 && p + 10 <= end) {
        p = this.numbers(p - 1, end) | 0;
        continue;
      }
      if (valueEnd < 0x80) {
        const size = valueEnd;
        valueEnd += ++p;
        if (valueEnd > end) throw UNUSUAL;
        if (src[p] === 0x1a && src[p + 1] + 2 === size) {
          this.string(p + 2, valueEnd);
          p = valueEnd;
          continue;
        }
      } else {
        valueEnd = this.length(p, end) | 0;
        p = this.p | 0;
      }
      this.value(p, valueEnd, depth, undefined);
      p = valueEnd;
    }
    this.ensure(0);
    this.out[this.o++] = 0x5d;
  }

  /**
   * Prints the numbers of an array from `p` on, up to `end` or to what is none:
   * long arrays are mostly of numbers, whose Values all have one size. Gives the
   * position after them.
   */
  private numbers(p: number, end: number): number {
    const srcView = this.srcView;
    p |= 0;
    let o = this.o | 0;
    let { out, view, cap } = this;
    for (;;) {
      if (o > cap) {
        this.o = o;
        this.ensure(0);
        ({ out, view, cap } = this);
      }
      const value = srcView.getFloat64(p + 3, true);
      const size = Math.abs(value);
      if (size <= Number.MAX_SAFE_INTEGER && size > 0 && Math.floor(size) === size) {
        out[o] = 0x2d;
        o = (o + Number(value < 0)) | 0;
        // A number beyond the small integers needs a box to be handed on.
        o = (size < 100_000_000 ? writeUpToEightDigits(view, o, size | 0) : writeInt53(view, o, size)) | 0;
      } else {
        this.o = o;
        if (size < Infinity) this.o = writeDouble(out, o, value, view);
        else this.notFinite(p + 2);
        o = this.o | 0;
      }
      p = (p + 11) | 0;
      if (p + 11 > end || srcView.getInt32(p, true) << 8 !== ELEMENT << 8) {
        this.o = o;
        return p;
      }
      out[o++] = 0x2c;
    }
  }

  // Where there are number texts, by methods of their own: looking for them in those above would make all printing slower.

  private objectWithTexts(start: number, end: number, depth: number, texts: NumberNode): void {
    const { src, keys } = this;
    this.ensure(0);
    this.out[this.o++] = 0x7b;
    const base = keys.count;
    let many: Set<string> | undefined;
    for (let p = start; p < end; ) {
      if (src[p] !== 0x0a) throw UNUSUAL;
      const entryEnd = this.length(p + 1, end);
      const keyTag = this.p;
      if (src[keyTag] !== 0x0a || keyTag >= entryEnd) throw UNUSUAL;
      const keyEnd = this.length(keyTag + 1, entryEnd);
      const keyStart = this.p;
      if (keyEnd >= entryEnd || src[keyEnd] !== 0x12) throw UNUSUAL;
      many = keys.add(base, many, src, src, keyStart, keyEnd);
      if (keys.repeated) throw UNUSUAL;
      this.ensure(0);
      if (p > start) this.out[this.o++] = 0x2c;
      this.memberKey(keyStart, keyEnd);
      this.value(this.exactly(keyEnd + 1, entryEnd), entryEnd, depth, texts.member(src, keyStart, keyEnd));
      p = entryEnd;
    }
    this.ensure(0);
    this.out[this.o++] = 0x7d;
    keys.count = base;
  }

  private arrayWithTexts(start: number, end: number, depth: number, texts: NumberNode): void {
    const src = this.src;
    this.ensure(0);
    this.out[this.o++] = 0x5b;
    for (let p = start, index = 0; p < end; index++) {
      if (src[p] !== 0x0a) throw UNUSUAL;
      // That leaves room for a short text as well.
      this.ensure(0);
      if (index > 0) this.out[this.o++] = 0x2c;
      if (src[p + 1] === 9 && src[p + 2] === 0x11 && p + 11 <= end) {
        const value = this.srcView.getFloat64(p + 3, true);
        const o = value - value === 0 ? texts.printElement(index, this.out, this.o, value) : -2;
        if (o !== -2) {
          if (o >= 0) this.o = o;
          else this.double(value);
          p += 11;
          continue;
        }
      }
      const valueEnd = this.length(p + 1, end);
      this.value(this.p, valueEnd, depth, texts.element(index));
      p = valueEnd;
    }
    this.ensure(0);
    this.out[this.o++] = 0x5d;
  }

  /** Refuses a double at `at`, if it is to be printed. */
  protected abstract notFinite(at: number): void;

  protected tooDeep(at: number): never {
    this.fail("nesting_too_deep", `over ${MAX_CONTAINERS} containers are open`, at);
  }

  /** Reports a fault at a byte of the input. */
  protected fail(code: WireErrorCode, message: string, offset: number): never {
    throw new WireError(code, message, { pointer: this.pointer, offset });
  }

  override reset(): void {
    super.reset();
    this.keys.reset();
    this.pointer = "";
  }
}
