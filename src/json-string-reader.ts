import { WireError, type WireErrorCode } from "./error.js";
import { placeInJson } from "./json-place.js";
import { copyText, firstBit, notAscii, plainEnd } from "./plain-text.js";
import type { MessagePlan } from "./plan.js";
import { ProtoSink } from "./proto-sink.js";
import { decodeUtf8, invalidUtf8At, isUtf8 } from "./utf8.js";

/** The byte that a backslash and this byte stand for; 0 for none. */
const ESCAPED = new Uint8Array(256);
for (const [letter, text] of ['""', "\\\\", "//", "b\b", "f\f", "n\n", "r\r", "t\t"]) {
  ESCAPED[letter.charCodeAt(0)] = text.charCodeAt(0);
}

const HEX = new Int8Array(256).fill(-1);
for (let i = 0; i < 16; i++) {
  HEX[i.toString(16).charCodeAt(0)] = i;
  HEX[i.toString(16).toUpperCase().charCodeAt(0)] = i;
}

/** Runs up to this length are copied by hand: `set(subarray())` costs about 100 ns a call. */
const COPIED_BY_HAND = 400;

/** The high bits of four bytes. */
export const HIGH_BITS = 0x80808080 | 0;

const EMPTY = new Uint8Array(0);
const EMPTY_VIEW = new DataView(EMPTY.buffer);

/** The strings of JSON text, read from UTF-8 and written as the bytes that they stand for. */
export abstract class JsonStringReader extends ProtoSink {
  protected src: Uint8Array = EMPTY;
  /** The same bytes. It may go on beyond `end`, where then a NUL stands. */
  protected srcView: DataView = EMPTY_VIEW;
  /** The byte that is read next. Beyond `end` stands a NUL or nothing, so that reading on is a fault of its own. */
  protected pos = 0;
  protected end = 0;
  /** The last positions that four bytes and that 32 bytes may be read from. */
  protected lastWord = 0;
  protected lastBlock = 0;
  /** The plan of the outermost message, for pointers. */
  protected root!: MessagePlan;
  /** The bits that make a string of which they were seen be checked for UTF-8: the high ones, or none where the whole input is. */
  protected doubtful = HIGH_BITS;

  /** What {@link scan} saw: a backslash. */
  protected escaped = false;
  /** What was seen of the string that is read, all its bytes in one: their high bits tell whether it is ASCII. */
  protected bits = 0;

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
   * Gives the position of the first quote or backslash of the string from `p`
   * on. Anything else that cannot stand in a string is a fault; `start` is where
   * the string starts.
   */
  protected plain(p: number, start: number): number {
    p |= 0;
    const src = this.src;
    p = plainEnd(this.srcView, p, this.lastBlock) | 0;
    let seen = this.bits | notAscii;
    let c = src[p];
    while (c >= 0x20 && c !== 0x22 && c !== 0x5c) {
      seen |= c;
      c = src[++p];
    }
    if (!(c >= 0x20)) this.stringFault(start);
    this.bits = seen;
    return p;
  }

  /**
   * Finds the quote that ends the string whose first byte is at `start`, and
   * says in `escaped` whether there is a backslash in it.
   */
  protected scan(start: number): number {
    this.bits = 0;
    let p = this.plain(start, start);
    this.escaped = this.src[p] === 0x5c;
    while (this.src[p] === 0x5c) p = this.plain(p + 2, start);
    this.endString(start, p);
    return p;
  }

  /** Judges the string from `start` up to its quote at `end`, of which `bits` is known. */
  protected endString(start: number, end: number): void {
    if (end >= this.end) this.stringFault(start);
    if ((this.bits & this.doubtful) !== 0 && !isUtf8(this.src, start, end)) this.stringFault(start);
  }

  /** Writes bytes of the input as they are. */
  protected copy(start: number, end: number): void {
    const count = end - start;
    this.ensure(count);
    const { src, o } = this;
    const done = count > COPIED_BY_HAND ? start : copyText(this.srcView, start, end, this.view, o, this.lastBlock);
    if (done < end) this.out.set(src.subarray(done, end), o + done - start);
    this.o = o + count;
  }

  /**
   * Writes what the rest of a string from `p` on stands for, and gives the
   * position of the quote that ends it. The string's first byte is at `start`.
   */
  protected unescape(p: number, start: number): number {
    p |= 0;
    // It is never longer than its text, whose end is not known yet.
    this.ensure(this.end - p);
    const { src, srcView, out, view } = this;
    /** Eight bytes may be read up to here. */
    const last = this.lastWord - 4;
    let o = this.o | 0;
    let seen = this.bits;
    for (;;) {
      let c = 0;
      if (p <= last) {
        // As in plainEnd(), by eight bytes. What was read is written at once, up to the byte that ends the run and a few more.
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
        const far = ~((a | -a) >> 31);
        const count = (firstBit(a ^ ((a ^ b) & far)) >> 3) + (far & 4);
        p = (p + count) | 0;
        o = (o + count) | 0;
        c = src[p];
      } else {
        c = src[p];
        while (c >= 0x20 && c !== 0x22 && c !== 0x5c) {
          seen |= c;
          out[o++] = c;
          c = src[++p];
        }
      }
      if (c === 0x22) break;
      if (c !== 0x5c) this.stringFault(start);
      const letter = src[p + 1];
      const plain = ESCAPED[letter];
      p += 2;
      if (plain !== 0 && plain !== undefined) {
        out[o++] = plain;
        continue;
      }
      if (letter !== 0x75) this.stringFault(start);
      let unit = this.unit(p);
      p += 4;
      if (unit >= 0xd800 && unit <= 0xdfff) {
        const low = unit < 0xdc00 && src[p] === 0x5c && src[p + 1] === 0x75 ? this.unit(p + 2) : -1;
        if (low < 0xdc00 || low > 0xdfff) this.stringFault(start);
        unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
        p += 6;
      }
      if (unit < 0) this.stringFault(start);
      o = writeCodePoint(out, o, unit) | 0;
    }
    this.bits = seen;
    this.endString(start, p);
    this.o = o;
    return p;
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
    this.unescape(start, start);
    const text = decodeUtf8(this.out, o, this.o);
    this.o = o;
    return text;
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
  protected stringFault(p: number): never {
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
