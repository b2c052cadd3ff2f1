import { DecimalReader } from "./decimal-to-double.js";
import { writeDouble } from "./double-to-decimal.js";
import { WireError, type WireErrorCode } from "./error.js";
import { placeInJson } from "./json-place.js";
import { NumberLog } from "./number-log.js";
import type { MessagePlan } from "./plan.js";
import { ProtoSink } from "./proto-sink.js";
import { decodeUtf8, invalidUtf8At, isUtf8 } from "./utf8.js";

/** What a byte means inside a string: 0 stands for itself. */
const PLAIN = 0;
const QUOTE = 1;
const BACKSLASH = 2;
const CONTROL = 3;
const CLASS = new Uint8Array(256);
CLASS.fill(CONTROL, 0, 0x20);
CLASS[0x22] = QUOTE;
CLASS[0x5c] = BACKSLASH;

/** The byte that a backslash and this byte stand for; 0 for none. */
const ESCAPED = new Uint8Array(256);
for (const [letter, text] of ['""', "\\\\", "//", "b\b", "f\f", "n\n", "r\r", "t\t"])
  ESCAPED[letter.charCodeAt(0)] = text.charCodeAt(0);

const HEX = new Int8Array(256).fill(-1);
for (let i = 0; i < 16; i++) {
  HEX[i.toString(16).charCodeAt(0)] = i;
  HEX[i.toString(16).toUpperCase().charCodeAt(0)] = i;
}

/** Runs up to this length are copied by hand: `set(subarray())` costs about 100 ns a call. */
const COPIED_BY_HAND = 512;

/** The scalars of JSON text, read from UTF-8 and written as the bytes of the other wire. */
export abstract class JsonReader extends ProtoSink {
  protected src: Uint8Array = EMPTY;
  protected srcView: DataView = EMPTY_VIEW;
  /** The byte that is read next. Beyond `end` stands a NUL or nothing, so that reading on is a fault of its own. */
  protected pos = 0;
  protected end = 0;
  /** The plan of the outermost message, for pointers. */
  protected root!: MessagePlan;
  /** The whole input is known to be UTF-8. */
  protected checked = false;
  /** Whether number texts are kept. */
  protected exact = true;
  protected readonly log = new NumberLog();

  /** What {@link scan} saw. */
  protected escaped = false;

  private readonly decimals = new DecimalReader();
  private readonly scratch = new Uint8Array(32);
  private readonly scratchView = new DataView(this.scratch.buffer);

  /** Skips white space and gives the byte that is read next. */
  protected space(): number {
    const src = this.src;
    let p = this.pos;
    let c = src[p];
    while (c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09) c = src[++p];
    this.pos = p;
    return c;
  }

  /**
   * Finds the quote that ends the string whose first byte is at `start`, and
   * says in `escaped` whether there is a backslash in it.
   */
  protected scan(start: number): number {
    const src = this.src;
    let p = start;
    let seen = 0;
    this.escaped = false;
    // Most strings are short: eight bytes one by one before the words pay.
    for (const near = p + 8; p < near; p++) {
      const c = src[p];
      if (CLASS[c] !== PLAIN) break;
      seen |= c;
    }
    const view = this.srcView;
    const last = this.end - 8;
    for (;;) {
      // Eight bytes at once, until one of them is a quote, a backslash or a control: a byte of
      // (x - 0x01..) & ~x has its high bit set where x has a zero byte; likewise 0x20.. where a byte is below 0x20.
      while (p <= last) {
        const a = view.getInt32(p, true);
        const b = view.getInt32(p + 4, true);
        const aq = a ^ 0x22222222;
        const ab = a ^ 0x5c5c5c5c;
        const bq = b ^ 0x22222222;
        const bb = b ^ 0x5c5c5c5c;
        const hit =
          ((a - 0x20202020) & ~a) |
          ((aq - 0x01010101) & ~aq) |
          ((ab - 0x01010101) & ~ab) |
          ((b - 0x20202020) & ~b) |
          ((bq - 0x01010101) & ~bq) |
          ((bb - 0x01010101) & ~bb);
        if ((hit & 0x80808080) !== 0) break;
        seen |= a | b;
        p += 8;
      }
      let c = src[p];
      while (CLASS[c] === PLAIN) {
        seen |= c;
        c = src[++p];
      }
      if (c === 0x22) break;
      if (c !== 0x5c) this.stringFault(start);
      this.escaped = true;
      p += 2;
    }
    if (p >= this.end) this.stringFault(start);
    if ((seen & 0x80808080) !== 0 && !this.checked && !isUtf8(src, start, p)) this.stringFault(start);
    return p;
  }

  /** Copies bytes of the input as they are. */
  protected copy(src: Uint8Array, start: number, end: number): void {
    const count = end - start;
    this.ensure(count);
    const out = this.out;
    let o = this.o;
    if (count > COPIED_BY_HAND) {
      out.set(src.subarray(start, end), o);
      this.o = o + count;
      return;
    }
    let p = start;
    if (count >= 16 && src === this.src) {
      const from = this.srcView;
      const to = this.view;
      for (const last = end - 4; p <= last; p += 4, o += 4) to.setInt32(o, from.getInt32(p, true), true);
    }
    while (p < end) out[o++] = src[p++];
    this.o = o;
  }

  /** Writes what the string from `start` up to its quote at `end` stands for. It is never longer than the text. */
  protected unescape(start: number, end: number): void {
    this.ensure(end - start);
    const { src, srcView, out, view } = this;
    let o = this.o;
    let p = start;
    while (p < end) {
      for (const last = end - 4; p <= last; p += 4, o += 4) {
        const word = srcView.getInt32(p, true);
        const x = word ^ 0x5c5c5c5c;
        if (((x - 0x01010101) & ~x & 0x80808080) !== 0) break;
        view.setInt32(o, word, true);
      }
      let c = src[p];
      while (p < end && c !== 0x5c) {
        out[o++] = c;
        c = src[++p];
      }
      if (p >= end) break;
      const letter = src[p + 1];
      const plain = ESCAPED[letter];
      if (plain !== 0) {
        out[o++] = plain;
        p += 2;
        continue;
      }
      if (letter !== 0x75) this.stringFault(start);
      let unit = this.unit(p + 2);
      p += 6;
      if (unit >= 0xd800 && unit <= 0xdfff) {
        const low = unit < 0xdc00 && src[p] === 0x5c && src[p + 1] === 0x75 ? this.unit(p + 2) : -1;
        if (low < 0xdc00 || low > 0xdfff) this.stringFault(start);
        unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
        p += 6;
      }
      if (unit < 0 || p > end) this.stringFault(start);
      o = writeCodePoint(out, o, unit);
    }
    this.o = o;
  }

  /** The four hexadecimal digits at `p`; negative when they are none. */
  private unit(p: number): number {
    const src = this.src;
    return p + 4 > this.end
      ? -1
      : (HEX[src[p]] << 12) | (HEX[src[p + 1]] << 8) | (HEX[src[p + 2]] << 4) | HEX[src[p + 3]];
  }

  /** Reads a string as a JS string; `pos` is at its quote. */
  protected text(start: number, end: number, escaped: boolean): string {
    if (!escaped) return decodeUtf8(this.src, start, end);
    const o = this.o;
    this.unescape(start, end);
    const text = decodeUtf8(this.out, o, this.o);
    this.o = o;
    return text;
  }

  /** Reads a number and logs its text where a double alone would not give it back. */
  protected number(): number {
    const { decimals, pos: start } = this;
    const end = decimals.read(this.src, this.srcView, start, this.end);
    if (end < 0) this.numberFault(start);
    this.pos = end;
    const value = decimals.value;
    if (decimals.decimal) {
      if (value === Infinity || value === -Infinity) this.fail("out_of_range", "a number beyond the doubles", start);
      // A double prints as an integer text when it is one below 1e21; -0 prints as -0.0.
      if (this.exact && Math.floor(value) === value && value < 1e21 && value > -1e21 && !Object.is(value, -0)) {
        this.log.leaf(start, end);
      }
    } else if (end - start >= 16) {
      // serde_json refuses an integer that rounds to the largest double too.
      if (value >= Number.MAX_VALUE || value <= -Number.MAX_VALUE) {
        this.fail("out_of_range", "a number beyond the doubles", start);
      }
      if (this.exact && !this.printsAs(value, start, end)) this.log.leaf(start, end);
    }
    return value;
  }

  private printsAs(value: number, start: number, end: number): boolean {
    if (writeDouble(this.scratch, 0, value, this.scratchView) !== end - start) return false;
    for (let i = 0, p = start; p < end; i++, p++) if (this.scratch[i] !== this.src[p]) return false;
    return true;
  }

  /** Passes over a number and says whether its token is that of an integer; -0 is a float to serde_json. */
  protected integerToken(): boolean {
    const start = this.pos;
    const end = this.decimals.read(this.src, this.srcView, start, this.end);
    if (end < 0) this.numberFault(start);
    this.pos = end;
    return !this.decimals.decimal && !Object.is(this.decimals.value, -0);
  }

  /** Reports where the number that starts at `start` is none. */
  private numberFault(start: number): never {
    const src = this.src;
    let p = src[start] === 0x2d ? start + 1 : start;
    const digits = (): void => {
      if (!isDigit(src[p])) this.unexpected(p, "a digit", start);
      while (isDigit(src[p])) p++;
    };
    if (src[p] === 0x30 && isDigit(src[p + 1]))
      this.fail("syntax", "a number with a leading zero", p + 1, undefined, start);
    digits();
    if (src[p] === 0x2e) {
      p++;
      digits();
    }
    p++;
    if (src[p] === 0x2b || src[p] === 0x2d) p++;
    digits();
    return this.unexpected(p, "a number", start);
  }

  /** Passes over one of the words true, false and null. */
  protected literal(word: string): void {
    for (let i = 0; i < word.length; i++) {
      if (this.src[this.pos + i] !== word.charCodeAt(i)) this.unexpected(this.pos + i, `the word ${word}`, this.pos);
    }
    this.pos += word.length;
  }

  /** Refuses the byte at `p`, in a token that starts at `start`. */
  protected unexpected(p: number, wanted: string, start = p): never {
    if (p >= this.end)
      this.fail("syntax", `expected ${wanted}, found the end`, this.end, undefined, Math.min(start, this.end));
    const c = this.src[p];
    if (p === 0 && c === 0xef && this.src[1] === 0xbb && this.src[2] === 0xbf)
      this.fail("syntax", "a byte order mark", 0);
    const found = c > 0x20 && c < 0x7f ? String.fromCharCode(c) : `byte 0x${c.toString(16).padStart(2, "0")}`;
    this.fail("syntax", `expected ${wanted}, found ${found}`, p, undefined, start);
  }

  /** Reports the first fault of the string whose first byte is at `p`; the fast path only knows that there is one. */
  private stringFault(p: number): never {
    const src = this.src;
    while (p < this.end) {
      const c = src[p];
      if (c < 0x20) this.fail("syntax", "a raw control character in a string", p);
      if (c >= 0x80) {
        const size = c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
        if (invalidUtf8At(src, p, Math.min(this.end, p + size)) >= 0)
          this.fail("invalid_utf8", "ill-formed UTF-8 in a string", p);
        p += size;
      } else if (c !== 0x5c) {
        p++;
      } else if (p + 1 >= this.end) {
        break;
      } else if (src[p + 1] !== 0x75) {
        if (ESCAPED[src[p + 1]] === 0) this.fail("syntax", "an escape that JSON does not know", p);
        p += 2;
      } else {
        const unit = this.unit(p + 2);
        if (unit < 0) this.fail("syntax", "an escape without its four hexadecimal digits", p);
        const paired =
          unit < 0xdc00 && src[p + 6] === 0x5c && src[p + 7] === 0x75 && (this.unit(p + 8) & 0xfc00) === 0xdc00;
        if (unit >= 0xd800 && unit <= 0xdfff && !paired) this.fail("syntax", "a lone surrogate", p);
        p += paired && unit >= 0xd800 ? 12 : 6;
      }
    }
    return this.fail("syntax", "a string without its closing quote", this.end);
  }

  /** Reports a fault at a byte of the input. Its line, column and pointer are worked out now, not kept along the way. */
  protected fail(code: WireErrorCode, message: string, offset: number, member?: string, start = offset): never {
    const text = this.src.subarray(0, this.end);
    throw new WireError(code, message, placeInJson(text, offset, this.root, member, start));
  }
}

const EMPTY = new Uint8Array(0);
const EMPTY_VIEW = new DataView(EMPTY.buffer);

function isDigit(c: number): boolean {
  return c >= 0x30 && c <= 0x39;
}

function writeCodePoint(out: Uint8Array, o: number, point: number): number {
  if (point < 0x80) {
    out[o++] = point;
    return o;
  }
  if (point < 0x800) {
    out[o++] = 0xc0 | (point >> 6);
  } else {
    if (point < 0x10000) {
      out[o++] = 0xe0 | (point >> 12);
    } else {
      out[o++] = 0xf0 | (point >> 18);
      out[o++] = 0x80 | ((point >> 12) & 0x3f);
    }
    out[o++] = 0x80 | ((point >> 6) & 0x3f);
  }
  out[o++] = 0x80 | (point & 0x3f);
  return o;
}
