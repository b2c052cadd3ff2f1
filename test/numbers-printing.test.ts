// Doubles and integers against `String`, and the table that both directions count on.
import { describe, expect, test } from "vitest";
import { writeDouble } from "../src/double-to-decimal.js";
import { writeDecimals, writeInt53, writeInt64, writeUint64, writeUpToEightDigits } from "../src/integer-to-decimal.js";
import { GREATEST_POWER, LEAST_POWER, POWERS, powerAt } from "../src/powers-of-ten.js";
import { edges, exactly, failures, neighbour, Random, times } from "./support/numbers.js";

const output = new Uint8Array(64);
const outputView = new DataView(output.buffer);

function written(write: (at: number) => number): string {
  return String.fromCharCode(...output.subarray(5, write(5)));
}

const print = (x: number) => written((at) => writeDouble(output, at, x, outputView));

/** What serde_json prints: as JavaScript does, but for two cases. */
function serdeText(x: number): string {
  if (Object.is(x, -0)) return "-0.0";
  const size = Math.abs(x);
  return size >= 1e-6 && size < 1e-5 ? x.toExponential() : String(x);
}

/** Prints x and compares it, without making a string. */
function printsAs(x: number, text: string): boolean {
  const end = writeDouble(output, 5, x, outputView);
  if (end - 5 !== text.length) return false;
  for (let i = 0; i < text.length; i++) if (output[i + 5] !== text.charCodeAt(i)) return false;
  return true;
}

const prints = (x: number) => printsAs(x, serdeText(x));

describe("the powers of ten", () => {
  test("are within 2^-106 of the true ones, and split without a rest", () => {
    const exponents = times(GREATEST_POWER - LEAST_POWER + 1, (i) => i + LEAST_POWER);
    const bad = failures(exponents, (exponent) => {
      const [high, low, upper, lower] = POWERS.subarray(powerAt(exponent));
      // Both sides times 2^1300, and times 10^-exponent if that is positive.
      const scale = (x: number) => {
        const { integer, binary } = exactly(x);
        return integer << BigInt(binary + 1300);
      };
      const sum = (scale(high!) + scale(low!)) * 10n ** BigInt(Math.max(-exponent, 0));
      const power = (1n << 1300n) * 10n ** BigInt(Math.max(exponent, 0));
      const error = sum > power ? sum - power : power - sum;
      const split = [upper!, lower!].every((part) => (exactly(part).integer & ((1n << 26n) - 1n)) === 0n);
      return error << 106n <= power && upper! + lower! === high && split;
    });
    expect(bad).toEqual([]);
  });
});

describe("printing a double", () => {
  test("a million random ones", () => {
    const random = new Random(6);
    expect(
      failures(
        times(1_000_000, () => random.bits()),
        prints,
      ),
    ).toEqual([]);
  });

  test("17-digit doubles of everyday size", () => {
    const random = new Random(7);
    const make = () => (random.unit() - 0.5) * 10 ** (random.below(30) - 8);
    expect(failures(times(500_000, make), prints)).toEqual([]);
  });

  test("doubles with few bits, which often stand right in the middle between two decimals", () => {
    const random = new Random(12);
    const make = () => Math.fround(random.unit()) * 2 ** (random.below(120) - 50);
    expect(failures(times(200_000, make), prints)).toEqual([]);
  });

  test("decimals of 1 to 17 digits, and their neighbours", () => {
    const random = new Random(8);
    const make = function* () {
      for (let n = 0; n < 100_000; n++) {
        const x = Number(`${random.digits(1 + random.below(17))}e${random.below(40) - 25}`);
        yield* [x, -x, neighbour(x, 1)];
      }
    };
    expect(failures(make(), prints)).toEqual([]);
  });

  test("integers of every size, and quarters, eighths, ... of them", () => {
    const random = new Random(9);
    const make = function* () {
      for (let n = 0; n < 100_000; n++) {
        const integer = Math.floor(2 ** (random.unit() * 73));
        yield* [integer, -integer, integer / 2 ** random.below(60)];
      }
      for (let n = -11_000; n < 11_000; n++) yield* [n, n / 100, n / 64, n * 1e6];
    };
    expect(failures(make(), prints)).toEqual([]);
  });

  test("the edges", () => {
    expect(failures(edges(), (x) => prints(x) && prints(-x))).toEqual([]);
  });

  test.each([
    [0, "0"],
    [-0, "-0.0"],
    [1e-5, "0.00001"],
    [9.999999999999999e-6, "9.999999999999999e-6"],
    [-1.5e-6, "-1.5e-6"],
    [1e-6, "1e-6"],
    [1e-7, "1e-7"],
    [123456789012345680000, "123456789012345680000"],
    [1e21, "1e+21"],
    [-1.2345678901234568e-300, "-1.2345678901234568e-300"],
  ])("%d is %s", (x, text) => {
    expect(print(x)).toBe(text);
  });

  test("needs 32 bytes and no view", () => {
    const random = new Random(10);
    const room = new Uint8Array(40);
    const bad = failures(
      times(20_000, (n) => (n % 2 ? random.bits() : -random.unit() * 1e-5)),
      (x) => {
        room.fill(0xee);
        const part = room.subarray(4, 36);
        const end = writeDouble(part, 0, x);
        const text = String.fromCharCode(...part.subarray(0, end));
        return text === serdeText(x) && room[3] === 0xee && room[36] === 0xee;
      },
    );
    expect(bad).toEqual([]);
  });
});

describe("printing an integer", () => {
  const random = new Random(11);
  /** 64 random bits, of which a random number of upper ones is zero. */
  const integer = () => ((BigInt(random.word()) << 32n) | BigInt(random.word())) >> BigInt(random.below(64));
  const edge = function* () {
    for (let power = 0n; power < 64n; power++)
      for (let n = -3n; n <= 3n; n++) yield BigInt.asUintN(64, 2n ** power + n);
    for (let power = 0n; power < 20n; power++)
      for (let n = -3n; n <= 3n; n++) yield BigInt.asUintN(64, 10n ** power + n);
  };
  const integers = function* () {
    yield* edge();
    yield* times(100_000, integer);
  };

  test("of 64 bits", () => {
    const bad = failures(integers(), (n) => {
      const low = Number(n & 0xffff_ffffn);
      const high = Number(n >> 32n);
      const [unsigned, signed] = [n.toString(), BigInt.asIntN(64, n).toString()];
      return (
        written((at) => writeUint64(outputView, at, low, high)) === unsigned &&
        written((at) => writeUint64(outputView, at, low | 0, high | 0)) === unsigned &&
        written((at) => writeInt64(outputView, at, low, high)) === signed &&
        written((at) => writeInt64(outputView, at, low | 0, high | 0)) === signed
      );
    });
    expect(bad).toEqual([]);
  });

  test("of up to 53 bits, and of up to eight digits", () => {
    const bad = failures(integers(), (n) => {
      const small = Number(BigInt.asUintN(31, n)) % 1e8;
      const large = Number(BigInt.asUintN(53, n));
      return (
        written((at) => writeUpToEightDigits(outputView, at, small)) === String(small) &&
        written((at) => writeInt53(outputView, at, large)) === String(large)
      );
    });
    expect(bad).toEqual([]);
    expect(written((at) => writeInt53(outputView, at, 2 ** 53))).toBe("9007199254740992");
  });

  test("every number of up to five digits, and with three more", () => {
    const bad = failures(
      times(100_000, (n) => n),
      (n) =>
        written((at) => writeUpToEightDigits(outputView, at, n)) === String(n) &&
        written((at) => writeUpToEightDigits(outputView, at, n * 1000 + (n % 1000))) === String(n * 1000 + (n % 1000)),
    );
    expect(bad).toEqual([]);
  });
});

describe("writing decimals", () => {
  test("every number of millionths", () => {
    const bad = failures(
      times(999_999, (n) => n + 1),
      (n) => `0.${written((at) => writeDecimals(outputView, at, n))}` === decimals(n),
    );
    expect(bad).toEqual([]);
  });

  const decimals = (millionths: number) => `0.${String(millionths).padStart(6, "0").replace(/0+$/, "")}`;
});
