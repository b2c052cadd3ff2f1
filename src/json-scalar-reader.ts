import { DecimalReader, fourDigits } from "./decimal-to-double.js";
import { writeDouble } from "./double-to-decimal.js";
import { JsonStringReader } from "./json-string-reader.js";
import { NumberLog } from "./number-log.js";
import { EXACT_POWERS } from "./powers-of-ten.js";
import { SLACK } from "./proto-sink.js";

/** What stands before the double of an element of a ListValue: the element's tag and length and the tag of a number. */
const ELEMENT = 0x0011090a;

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

  /**
   * Writes the numbers of an array, as elements of a ListValue: from the one at
   * `pos`, which is number `index`, up to the last that follows without white
   * space. Gives that one's index.
   */
  protected numbers(index: number): number {
    const { src, srcView, log, exact } = this;
    // Here and below, | 0 says that positions are integers of 32 bits, which saves asking whether they still are.
    index |= 0;
    const last = this.lastBlock;
    let p = this.pos | 0;
    let o = this.o | 0;
    let { view, cap } = this;
    // Where numbers are long, trying it the short way takes time for nothing.
    let short = true;
    for (;;) {
      if (o > cap) {
        this.o = o;
        this.ensure(SLACK);
        view = this.view;
        cap = this.cap;
      }
      // Up to eight digits, and then up to eight more or a point and up to eight decimals, without a loop over them: how
      // many there are is what a processor would mostly guess wrong.
      let value = 0;
      let end = 0;
      if (short && p <= last) {
        const negative = src[p] === 0x2d ? 1 : 0;
        const first = (p + negative) | 0;
        const a = srcView.getInt32(first, true) ^ 0x30303030;
        const b = srcView.getInt32((first + 4) | 0, true) ^ 0x30303030;
        const bits = digitBits(a, b) | 0;
        const stop = (first + (bits >> 3)) | 0;
        const c = src[stop];
        value = digits(a, b, bits) | 0;
        if (c === 0x2c || c === 0x5d) {
          end = stop;
        } else if (bits !== 0) {
          const from = (stop + (c === 0x2e ? 1 : 0)) | 0;
          const d = srcView.getInt32(from, true) ^ 0x30303030;
          if (c === 0x2e && ((d & 0xffff) === 0x1c00 || (d & 0xffff) === 0x6d00)) {
            // A single zero, as Rust prints it behind an integral f64.
            end = (from + 1) | 0;
          } else {
            const e = srcView.getInt32((from + 4) | 0, true) ^ 0x30303030;
            const more = digitBits(d, e) | 0;
            const power = EXACT_POWERS[more >> 3];
            // Exact, up to 15 digits or the greatest integer that a double tells from the next.
            value = value * power + digits(d, e, more);
            const closeAt = (from + (more >> 3)) | 0;
            const close = src[closeAt];
            if (close === 0x2c || close === 0x5d) {
              if (c === 0x2e) {
                // Both are exact, so the one operation rounds correctly.
                value /= power;
                if (more !== 0 && bits + more <= 120) end = closeAt;
              } else if (bits === 64 && value <= Number.MAX_SAFE_INTEGER) {
                end = closeAt;
              }
            }
          }
        }
        // A zero at the front may be a fault, and before the point it is read as any digit; -0 is a matter of its own.
        if (((a & 0xff) === 0 && bits !== 8) || bits === 0 || (negative === 1 && value === 0)) end = 0;
        if (end !== 0) {
          // It prints as an integer, as of 1.0, when it is one.
          if (c === 0x2e && Math.floor(value) === value && exact) log.element(p, end, index);
          if (negative === 1) value = -value;
          p = end | 0;
        }
      }
      if (end === 0) {
        this.pos = p;
        const mark = log.length;
        value = this.number();
        if (log.length !== mark) log.index(mark, index);
        short = this.pos - p < 16;
        p = this.pos | 0;
      }
      view.setInt32(o, ELEMENT, true);
      view.setFloat64((o + 3) | 0, value, true);
      o = (o + 11) | 0;
      const c = src[(p + 1) | 0];
      if (src[p] !== 0x2c || !(c <= 0x39 && c >= 0x2d && c !== 0x2e && c !== 0x2f)) {
        this.pos = p;
        this.o = o;
        return index;
      }
      p = (p + 1) | 0;
      index = (index + 1) | 0;
    }
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

/**
 * How many bits the digits before the first other byte take, of eight bytes that were turned over by the bits of a zero;
 * 64 if all are digits.
 */
function digitBits(a: number, b: number): number {
  // The highest bit of each byte that is no digit. A carry out of such a byte spoils only those above it.
  const first = (a | (a + 0x76767676)) & 0x80808080;
  const second = (b | (b + 0x76767676)) & 0x80808080;
  // How many bits are below the lowest of them, 32 when there is none.
  const inFirst = 32 - Math.clz32(~first & (first - 1));
  const inSecond = 64 - Math.clz32(~second & (second - 1));
  const none = -(inFirst >> 5);
  return ((inFirst & ~none) | (inSecond & none)) & 0x78;
}

/** The number that the digits in the first `bits` of those eight bytes are. */
function digits(a: number, b: number, bits: number): number {
  // Moved up, so that the last digit is in the highest byte and zeros are before the first.
  const by = 64 - bits;
  const far = -(by >> 5);
  const shift = by & 31;
  const upper = b ^ ((a ^ b) & far);
  const lower = a & ~far;
  return (
    (Math.imul(fourDigits(lower << shift), 10000) + fourDigits((upper << shift) | ((lower >>> 1) >>> (31 - shift)))) | 0
  );
}

function isDigit(c: number): boolean {
  return c >= 0x30 && c <= 0x39;
}
