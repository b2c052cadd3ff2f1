// Numbers for tests that measure against the platform's own `Number` and `String`, and a way to run millions of them.

/** Seeded random numbers (a xorshift by Marsaglia), so that a failure comes again. */
export class Random {
  private readonly state = new Uint32Array([0x9e3779b9]);
  constructor(seed: number) {
    this.state[0]! ^= seed;
    for (let i = 0; i < 8; i++) this.word();
  }
  word(): number {
    let x = this.state[0]!;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.state[0] = x;
    return this.state[0]!;
  }
  below(count: number): number {
    return Math.floor((this.word() / 2 ** 32) * count);
  }
  /** A double with random bits, finite. */
  bits(): number {
    do {
      words[0] = this.word();
      words[1] = this.word();
    } while ((words[1]! & 0x7ff0_0000) === 0x7ff0_0000);
    return double[0]!;
  }
  unit(): number {
    return (this.word() * 2 ** 21 + (this.word() >>> 11)) / 2 ** 53;
  }
  digits(count: number): string {
    let text = "";
    while (text.length < count) text += String(this.word());
    return text.slice(0, count);
  }
}

const double = new Float64Array(1);
const words = new Uint32Array(double.buffer);
const long = new BigInt64Array(double.buffer);

/** The double that is so many places after x among the doubles of its sign. */
export function neighbour(x: number, places: number): number {
  double[0] = x;
  long[0]! += BigInt(places);
  return double[0]!;
}

/**
 * Runs a check for each of many cases and gives those that fail, five at most: one `expect` a number would take longer
 * than the numbers do.
 */
export function failures<T>(cases: Iterable<T>, good: (one: T) => boolean): T[] {
  const bad: T[] = [];
  for (const one of cases) {
    if (!good(one) && bad.push(one) === 5) break;
  }
  return bad;
}

export function* times<T>(count: number, make: (index: number) => T): Generator<T> {
  for (let i = 0; i < count; i++) yield make(i);
}

/** A finite double as an integer and a power of two to multiply it with. */
export function exactly(x: number): { integer: bigint; binary: number } {
  double[0] = x;
  const bits = long[0]!;
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xf_ffff_ffff_ffffn;
  const size = exponent === 0 ? fraction : fraction | (1n << 52n);
  return { integer: bits < 0n ? -size : size, binary: Math.max(exponent, 1) - 1075 };
}

/** Doubles where algorithms of this kind go wrong. */
export function* edges(): Generator<number> {
  const around = function* (x: number) {
    for (let places = -20; places <= 20; places++) yield neighbour(x, places);
  };
  for (let power = -1021; power <= 1023; power++) yield* around(2 ** power);
  for (let power = -306; power <= 308; power++) yield* around(Number(`1e${power}`));
  for (const x of [2 ** 31, 2 ** 32, 2 ** 53, 2 ** 63, 2 ** 64, 1e21, 1e-5, 1e-6, 1e-7, 5e-324 * 21, 2 ** -1022])
    yield* around(x);
  for (let places = 0; places <= 40; places++) yield neighbour(Number.MAX_VALUE, -places);
  for (let n = -200; n <= 200; n++) for (const size of [31, 32, 53, 63, 64, 70]) yield 2 ** size + n;
  for (let n = 0; n < 100; n++) yield n * Number.MIN_VALUE;
  yield* [0.1, 0.2, 0.3, 0.1 + 0.2, 1 / 3, 2 / 3, Math.PI, Math.E, 4.35, 9.5, 123456.789, 5e-324];
  // From the literature: hard to read, or to print in the fewest digits.
  const hard = ["2.2250738585072011e-308", "2.989102097996e-312", "4.1419510880791e-312", "8.41e21", "9.5e-322"];
  for (const text of hard) yield Number(text);
}
