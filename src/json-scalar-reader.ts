import { DecimalReader } from "./decimal-to-double.js";
import { writeDouble } from "./double-to-decimal.js";
import { JsonStringReader } from "./json-string-reader.js";
import { NumberLog } from "./number-log.js";

/** The scalars of JSON text. */
export abstract class JsonScalarReader extends JsonStringReader {
  /** Whether number texts are kept. */
  protected exact = true;
  protected readonly log = new NumberLog();

  private readonly decimals = new DecimalReader();
  private readonly scratch = new Uint8Array(32);
  private readonly scratchView = new DataView(this.scratch.buffer);

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
}

function isDigit(c: number): boolean {
  return c >= 0x30 && c <= 0x39;
}
