import { DecimalReader, fourDigits } from "./decimal-to-double.js";
import { writeDouble } from "./double-to-decimal.js";
import { JsonStringReader } from "./json-string-reader.js";
import { NumberLog } from "./number-log.js";
import { EXACT_POWERS } from "./powers-of-ten.js";

/** The scalars of JSON text. */
export abstract class JsonScalarReader extends JsonStringReader {
  /** Whether number texts are kept. */
  protected exact = true;
  protected readonly log = new NumberLog();

  private readonly decimals = new DecimalReader();
  private readonly scratch = new Uint8Array(32);
  private readonly scratchView = new DataView(this.scratch.buffer);

  /**
   * Reads a number. One of up to nine digits, without an exponent and with a
   * comma or a bracket after it, takes no further calls.
   */
  protected shortNumber(): number {
    const src = this.src;
    const start = this.pos;
    let p = start;
    let c = src[p] ^ 0x30;
    const negative = c === 0x1d;
    if (negative) c = src[++p] ^ 0x30;
    if (c > 9) return this.number();
    let value = c;
    c = src[++p] ^ 0x30;
    if (value === 0 && (c <= 9 || negative)) return this.number();
    while (c <= 9) {
      value = (Math.imul(value, 10) + c) | 0;
      c = src[++p] ^ 0x30;
    }
    if (c === 0x1e) {
      const point = p;
      c = src[++p] ^ 0x30;
      while (c <= 9 && p - start <= 10) {
        value = (Math.imul(value, 10) + c) | 0;
        c = src[++p] ^ 0x30;
      }
      if (p - start > 10 || (c !== 0x1c && c !== 0x6d && c !== 0x4d)) return this.number();
      if (p === point + 1) return this.number();
      // Both are exact, so the one operation rounds correctly. It prints as an integer, as of 1.0, when it is one.
      const result = value / EXACT_POWERS[p - point - 1];
      if ((result | 0) === result && this.exact) this.log.leaf(start, p);
      this.pos = p;
      return negative ? -result : result;
    }
    // 0x2c, 0x5d and 0x7d, the comma and the brackets, as they are now.
    if (c !== 0x1c && c !== 0x6d && c !== 0x4d) return this.number();
    if (p - start <= 9) {
      this.pos = p;
      return negative ? -value : value;
    }
    const long = this.longInteger(negative ? start + 1 : start, p);
    if (long < 0) return this.number();
    this.pos = p;
    return negative ? -long : long;
  }

  /** The integer of the digits from `start` up to `end`, or -1 if they are under 9 or over 16, or beyond what a double can tell apart. */
  private longInteger(start: number, end: number): number {
    const size = end - start;
    if (size < 9 || size > 16) return -1;
    const view = this.srcView;
    let upper = 0;
    for (let p = start; p < end - 8; p++) upper = (Math.imul(upper, 10) + this.src[p] - 0x30) | 0;
    const lower =
      Math.imul(fourDigits(view.getInt32(end - 8, true) ^ 0x30303030), 10000) +
      fourDigits(view.getInt32(end - 4, true) ^ 0x30303030);
    const value = upper * 1e8 + lower;
    return value <= Number.MAX_SAFE_INTEGER ? value : -1;
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

  /** Passes over one of the words true, false and null, of which `c` is the first byte, if it stands at `pos`. */
  protected word(c: number): boolean {
    const p = this.pos;
    if (p > this.lastWord) return false;
    const word = this.srcView.getInt32(p, true);
    if (word === 0x65757274 || word === 0x6c6c756e) {
      this.pos = p + 4;
      return true;
    }
    if (c !== 0x66 || word !== 0x736c6166 || this.src[p + 4] !== 0x65) return false;
    this.pos = p + 5;
    return true;
  }

  /** Passes over the word that `c`, the first byte at `pos`, begins, or refuses what stands there instead; says whether it begins one. */
  protected literalOf(c: number): boolean {
    if (c === 0x74) this.literal("true");
    else if (c === 0x66) this.literal("false");
    else if (c === 0x6e) this.literal("null");
    else return false;
    return true;
  }

  /** Passes over one of the words true, false and null. */
  protected literal(word: string): void {
    for (let i = 0; i < word.length; i++) {
      if (this.src[this.pos + i] !== word.charCodeAt(i)) this.unexpected(this.pos + i, `the word ${word}`, this.pos);
    }
    this.pos += word.length;
  }
}

function isDigit(c: number): boolean {
  return c >= 0x30 && c <= 0x39;
}
