// Number texts against `Number`: every double must be the nearest one.
import { describe, expect, test } from "vitest";
import { DecimalReader, decimalToDouble } from "../src/decimal-to-double.js";
import { edges, exactly, failures, Random, times } from "./support/numbers.js";

const input = new Uint8Array(1 << 18);
const inputView = new DataView(input.buffer);
const reader = new DecimalReader();

/** Reads a text in both ways, with bytes around it that would go on with the number, and gives the double. */
function read(text: string): number {
  for (let i = 0; i < text.length; i++) input[i + 3] = text.charCodeAt(i);
  const end = text.length + 3;
  // Digits stand where nothing must be looked at.
  input.fill(0x39, end, end + 4);
  const value = decimalToDouble(input, 3, end, inputView);
  input[end] = 0x2c;
  const position = reader.read(input, inputView, 3, end + 1);
  if (position !== end) throw new Error(`${text}: read up to ${position - 3}`);
  if (!Object.is(reader.value, value)) throw new Error(`${text}: ${reader.value} and ${value}`);
  return value;
}

const reads = (text: string) => Object.is(read(text), Number(text));

/** The exact decimal digits of the middle between a positive double and the next, which a reader must round to even. */
function halfway(x: number): { digits: string; exponent: number } {
  const { integer, binary } = exactly(x);
  const middle = integer * 2n + 1n;
  const shift = binary - 1;
  const exact = shift >= 0 ? middle << BigInt(shift) : middle * 5n ** BigInt(-shift);
  return { digits: exact.toString(), exponent: Math.min(shift, 0) };
}

describe("reading a number", () => {
  test("a million random doubles, as JavaScript prints them", () => {
    const random = new Random(1);
    expect(
      failures(
        times(1_000_000, () => String(random.bits())),
        reads,
      ),
    ).toEqual([]);
  });

  test("17-digit doubles of everyday size", () => {
    const random = new Random(2);
    const make = () => String((random.unit() - 0.5) * 10 ** random.below(12));
    expect(failures(times(200_000, make), reads)).toEqual([]);
  });

  test("random decimals of 1 to 25 digits, with the point anywhere and every kind of exponent", () => {
    const random = new Random(3);
    const make = () => {
      const digits = random.digits(1 + random.below(25));
      const point = random.below(digits.length + 4) - 2;
      let text = digits.replace(/^0+(?=.)/, "");
      if (point <= 0) text = `0.${"0".repeat(-point)}${digits}`;
      else if (point < text.length) text = `${text.slice(0, point)}.${text.slice(point)}`;
      const sign = ["", "", "-", "+"][random.below(4)];
      if (random.below(2)) text += `${"eE"[random.below(2)]}${sign}${random.below(random.below(2) ? 30 : 345)}`;
      return random.below(4) ? text : `-${text}`;
    };
    expect(failures(times(500_000, make), reads)).toEqual([]);
  });

  test("doubles at 1 to 21 digits", () => {
    const random = new Random(4);
    const make = () => (random.below(2) ? random.bits() : random.unit() * 1e6).toPrecision(1 + random.below(21));
    expect(failures(times(200_000, make), reads)).toEqual([]);
  });

  test("the middle between two doubles, in full, cut off, and just beside", () => {
    const random = new Random(5);
    const make = function* () {
      for (let n = 0; n < 4000; n++) {
        // Few bits below 2^53, or the digits would be hundreds.
        const x = n % 4 === 0 ? Math.abs(random.bits()) : 2 ** (random.below(80) - 10) * (1 + random.unit());
        const { digits, exponent } = halfway(x);
        yield `${digits}e${exponent}`;
        yield `${digits}1e${exponent - 1}`;
        yield `${digits.slice(0, -1)}4${"9".repeat(random.below(12))}e${exponent - 0}`;
        for (const length of [16, 17, 18, 19, 20, 30])
          if (digits.length > length) yield `${digits.slice(0, length)}e${exponent + digits.length - length}`;
      }
      for (let n = 0; n < 2000; n++) yield String(2n ** 53n + BigInt(n));
      for (let n = 0; n < 2000; n++) yield `${2n ** 54n + BigInt(n)}.0`;
      for (let n = 0; n < 2000; n++) yield `${(2n ** 60n + BigInt(n) * 64n).toString()}e1`;
    };
    expect(failures(make(), reads)).toEqual([]);
  });

  test("the edges, as JavaScript prints them and with 17 digits", () => {
    const make = function* () {
      for (const x of edges()) {
        yield String(x);
        yield `-${x.toPrecision(17)}`;
      }
      for (const size of [31, 32, 53, 63, 64, 70])
        for (let n = -300n; n <= 300n; n++) yield String(2n ** BigInt(size) + n);
      for (let n = -300n; n <= 300n; n++) yield `-${10n ** 21n + n}`;
      // Around the largest double and the middle between it and the power of two that it is not.
      const largest = BigInt(Number.MAX_VALUE);
      for (const middle of [largest, largest + 2n ** 970n]) for (let n = -50n; n <= 50n; n++) yield String(middle + n);
      for (let exponent = -400; exponent <= 400; exponent++)
        for (const digits of ["1", "9", "1.7976931348623157", "1797693134862315807", "9999999999999999999", "4.9"])
          yield `${digits}e${exponent}`;
    };
    expect(failures(make(), reads)).toEqual([]);
  });

  test("zeros, long numbers and large exponents", () => {
    const texts = [
      "0",
      "-0",
      "0.0",
      "-0.000",
      "0e5",
      "-0E-999",
      "0.0000e400",
      "0e99999999999999999999",
      "1E+2",
      "1e-05",
    ];
    for (const zeros of [1, 3, 4, 20, 400, 100_000]) {
      const many = "0".repeat(zeros);
      texts.push(
        `0.${many}123456789012345678e${zeros}`,
        `1${many}e-${zeros}`,
        `-0.${many}`,
        `0.${many}1e${zeros + 400}`,
      );
      texts.push(`1.5${many}`, `12345678${many}.5`, `1.${many}1`, `1.${many}9e10`, `0.5e${many}7`, `1e-${many}7`);
      texts.push(`9${many}e-1000000000000`, `0.${many}1e1000000000000`, `${"9".repeat(zeros)}.${"9".repeat(zeros)}`);
    }
    texts.push("1e99999999999999999999", "1e-99999999999999999999", "-1e400", "2.5e-324", "2.4e-324", "0.1e-322");
    expect(failures(texts, reads)).toEqual([]);
  });

  test("makes a view itself, of an array that is part of another", () => {
    const bytes = new TextEncoder().encode("123-45.67890123456789,").subarray(3);
    expect(decimalToDouble(bytes, 0, 18)).toBe(-45.67890123456789);
  });

  test.each([
    ["7,", 1, 7, false],
    ["-7", 2, -7, false],
    ["12345678901234568 ", 17, 12345678901234568, false],
    ["1.50]", 4, 1.5, true],
    ["1e2}", 3, 100, true],
    ["1E-2.5", 4, 0.01, true],
    ["0-1", 1, 0, false],
    ["0x10", 1, 0, false],
    ["1.25.5", 4, 1.25, true],
    ["1.2345e6e7", 8, 1234500, true],
    ["1:", 1, 1, false],
    ["1.5:", 3, 1.5, true],
    ["1.5\u00b1", 3, 1.5, true],
  ])("of %j it takes the first %d bytes", (text, end, value, decimal) => {
    const bytes = Uint8Array.from(text, (c) => c.charCodeAt(0));
    expect(reader.read(bytes, new DataView(bytes.buffer), 0, bytes.length)).toBe(end);
    expect([reader.value, reader.decimal]).toEqual([value, decimal]);
  });

  test.each([
    "",
    "-",
    "+1",
    ".5",
    "-.5",
    "01",
    "-01",
    "00",
    "012.5",
    "1.",
    "-1.e5",
    "1.:5",
    "1e",
    "1.5e+",
    "1E-",
    "1e+-2",
    "e5",
    "--1",
    "NaN",
    "Infinity",
    "-Infinity",
    ":",
    "/",
    "\u00b1",
    "1.\u00b12",
  ])("%j is no number", (text) => {
    const bytes = Uint8Array.from(text, (c) => c.charCodeAt(0));
    expect(reader.read(bytes, new DataView(bytes.buffer), 0, bytes.length)).toBe(-1);
    // Nor if digits follow where the text ends.
    for (let i = 0; i < text.length; i++) input[i] = bytes[i]!;
    input.fill(0x31, text.length, text.length + 8);
    expect(reader.read(input, inputView, 0, text.length)).toBe(-1);
  });

  test("judges every short text as the grammar does", () => {
    const alphabet = "019.-+eE,";
    // RFC 8259, and no number where one starts that goes on wrongly (`01`, `1.x`, `1e`).
    const grammar = /^-?(?:0|[1-9][0-9]*)(?![0-9])(?:\.[0-9]+(?![0-9])|(?!\.))(?:[eE][-+]?[0-9]+(?![0-9])|(?![eE]))/;
    const make = function* () {
      let texts = [""];
      for (let length = 0; length < 5; length++) {
        texts = texts.flatMap((text) => Array.from(alphabet, (c) => text + c));
        yield* texts;
      }
    };
    const bad = failures(make(), (text) => {
      for (let i = 0; i < text.length; i++) input[i] = text.charCodeAt(i);
      const end = reader.read(input, inputView, 0, text.length);
      const number = grammar.exec(text)?.[0];
      if (number === undefined) return end === -1;
      return end === number.length && Object.is(reader.value, Number(number));
    });
    expect(bad).toEqual([]);
  });
});
