import { writeDecimals, writeEightDigits, writeInt53, writeUpToEightDigits } from "./integer-to-decimal.js";
import { POWERS, powerAt, SPLITTER } from "./powers-of-ten.js";

const PLUS = 0x2b;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const SMALL_E = 0x65;

/** Below it the exponent form is used: where serde_json changes over, and ten times what JavaScript has. */
const LEAST_FIXED = 1e-5;
/** The doubles for which all steps of {@link writeShortest} stay clear of overflow and underflow. */
const LEAST_SCALED = 1e-275;
const GREATEST_SCALED = 1e290;
/** Two distances that differ by less than this are not told apart: it is over a hundred times their error. */
const DOUBT = 2 ** -40;

/** A double and its bits. */
const double = new Float64Array(1);
const words = new Int32Array(double.buffer);
/** Which of the two words holds the sign and the exponent: the second on little-endian machines. */
const UPPER_WORD = new Uint8Array(Int32Array.of(1).buffer)[0]!;
const LOWER_WORD = 1 - UPPER_WORD;

/**
 * By the exponent bits of a double: the upper word of the power of ten among the doubles that have these bits, a word
 * greater than all if there is none, and 0 where {@link stepFrom} has not been yet.
 */
const steps = new Int32Array(2048);

/**
 * Writes a finite double as the ASCII text that `String(x)` gives: the fewest
 * digits that read back as the same double and, of those, the nearest to it.
 * As serde_json has it, -0 prints as `-0.0`, and the exponent form
 * begins below 1e-5 (`1.5e-6`), not below 1e-6.
 *
 * @param out where to; 32 bytes must be free there, not all of which are used
 * @param at the position of the first byte
 * @param view the same bytes once more, if the caller has such a view at hand: making one takes longer than the rest
 * @returns the position after the last byte
 */
export function writeDouble(
  out: Uint8Array,
  at: number,
  x: number,
  view: DataView = new DataView(out.buffer, out.byteOffset, out.byteLength),
): number {
  const integer = x | 0;
  if (integer === x) {
    if (integer > 0) return writeInt53(view, at, integer);
    if (integer === 0) return writeZero(out, at, x);
  }
  if (x < 0) {
    out[at++] = MINUS;
    x = -x;
  }
  if (x <= Number.MAX_SAFE_INTEGER && Math.floor(x) === x) return writeInt53(view, at, x);
  if (x >= LEAST_FIXED && x < 100_000_000) {
    // Six decimals or fewer, as most numbers have that people write. Doubles below 10^8 lie closer together than
    // millionths, so no other number of millionths is x as well, none that is shorter and none that is nearer.
    const millionths = x * 1e6;
    const nearest = Math.floor(millionths + 0.5);
    // The first test saves most of those that fail the second its division.
    if (Math.abs(millionths - nearest) <= millionths * 2 ** -52 && nearest / 1e6 === x) {
      return writeMillionths(out, view, at, x | 0, nearest);
    }
  }
  return writeShortest(out, view, at, x);
}

function writeZero(out: Uint8Array, at: number, x: number): number {
  if (1 / x < 0) {
    out[at++] = MINUS;
    out[at++] = ZERO;
    out[at++] = POINT;
  }
  out[at] = ZERO;
  return at + 1;
}

/** Writes a number of millionths, not a multiple of a million, whose integer part is given. */
function writeMillionths(out: Uint8Array, view: DataView, at: number, integer: number, millionths: number): number {
  at = writeUpToEightDigits(view, at, integer);
  out[at] = POINT;
  return writeDecimals(view, at + 1, (millionths - integer * 1e6) | 0);
}

/**
 * Writes any positive finite double.
 *
 * The criterion is that of G. L. Steele and J. L. White ("How to print
 * floating-point numbers accurately", PLDI 1990): the shortest decimal in the
 * interval of the reals that round to x. The method is that of F. Loitsch's
 * Grisu3 ("Printing floating-point numbers quickly and accurately with
 * integers", PLDI 2010): compute in a higher precision with a known error, and
 * leave to a slower way what the error leaves undecided. In place of its 64-bit
 * integers stand double-doubles, for which JavaScript has the arithmetic: what
 * their 106 bits leave undecided are ties, and of random doubles one in billions.
 */
function writeShortest(out: Uint8Array, view: DataView, at: number, x: number): number {
  if (x < LEAST_SCALED || x > GREATEST_SCALED) return writeText(out, at, x);
  double[0] = x;
  const top = words[UPPER_WORD]!;
  // Below a power of two, doubles are closer together than above it. All others stand in the middle of their interval.
  if ((words[LOWER_WORD]! | (top & 0xf_ffff)) === 0) return writeText(out, at, x);

  // From here on, no branch depends on the digits of x: a processor that guesses such a branch wrong, and only finds out
  // at the end of the long computation, loses more by it than all the arithmetic costs.

  // x = scaled * 10^(exponent - 16), with 17 digits before the point of `scaled`. 315653 / 2^20 is log10(2), which
  // gives the exponent of the power of two below x; x itself has one more if it is beyond the power of ten.
  const binary = top >> 20;
  let exponent = ((binary - 1023) * 315653) >> 20;
  const step = steps[binary]! || stepFrom(binary, exponent);
  exponent += (step - top) >>> 31;
  const row = powerAt(16 - exponent);
  // scaled = product + tail, exactly but for some 2^-104 of it, or 2^-47.
  const power = POWERS[row]!;
  const product = x * power;
  const spread = x * SPLITTER;
  const upper = spread - (spread - x);
  const lower = x - upper;
  const powerUpper = POWERS[row + 2]!;
  const powerLower = POWERS[row + 3]!;
  const tail =
    upper * powerUpper -
    product +
    upper * powerLower +
    lower * powerUpper +
    (lower * powerLower + x * POWERS[row + 1]!);
  // What rounds to x is no farther from it than half the distance of two doubles: between 0.55 and 11.2 here.
  words[UPPER_WORD] = (binary - 53) << 20;
  words[LOWER_WORD] = 0;
  const reach = double[0]! * power;

  // The 17 digits as integers of nine and eight digits, and what comes after them. `product` is an integer, being
  // above 2^53, and its lower 32 bits are enough for the difference.
  let high = (product * 1e-8) | 0;
  const whole = Math.floor(tail);
  const fraction = tail - whole;
  let low = ((product | 0) - Math.imul(high, 100_000_000) + whole) | 0;
  if (low < 0) {
    low += 100_000_000;
    high--;
  } else if (low >= 100_000_000) {
    low -= 100_000_000;
    high++;
  }
  if (high < 100_000_000 || high > 999_999_999) return writeText(out, at, x);

  // Is a multiple of 100 within reach? There is at most one, and if so it is the shortest, after its zeros are gone.
  // Else the nearest multiple of 10, or else the nearest integer, which always is.
  const hundreds = (low / 100) | 0;
  const units = low - Math.imul(hundreds, 100);
  const overHundreds = units + fraction;
  const toHundreds = 50 - Math.abs(overHundreds - 50);
  const tens = (units / 10) | 0;
  const overTens = units - Math.imul(tens, 10) + fraction;
  const toTens = 5 - Math.abs(overTens - 5);
  const byHundred = Number(toHundreds < reach);
  const byTen = Number(toTens < reach);
  // How far the number is from the middle between two of those it is rounded to. Multiples of 100 are too far apart to
  // have it so, and where one is taken, it does not matter how the others stand.
  const toMiddle = Math.abs(fraction - 0.5);
  const clear = byHundred + toMiddle + byTen * (5 - toTens - toMiddle);
  if (Math.abs(toHundreds - reach) < DOUBT || Math.abs(toTens - reach) < DOUBT || clear < DOUBT)
    return writeText(out, at, x);
  const nearestHundred = hundreds + (((overHundreds + 50) * 0.01) | 0);
  const nearestTen = Math.imul(hundreds, 10) + tens + (((overTens + 5) * 0.1) | 0);
  const nearestOne = low + ((fraction + 0.5) | 0);
  const shorter = nearestOne + Math.imul(byTen, Math.imul(nearestTen, 10) - nearestOne);
  const shortest = shorter + Math.imul(byHundred, Math.imul(nearestHundred, 100) - shorter);
  if (byHundred === 1 && nearestHundred % 10 === 0) return writeRounded(out, view, at, high, shortest, exponent);
  return writeDigits(out, view, at, high, shortest, 17 - byTen - byHundred, exponent);
}

/** For {@link writeShortest}: the upper word of the power of ten within the doubles of one binary exponent, if any. */
function stepFrom(binary: number, exponent: number): number {
  double[0] = POWERS[powerAt(exponent + 1)]!;
  const top = words[UPPER_WORD]!;
  steps[binary] = top >> 20 === binary ? top : 0x7fff_ffff;
  return steps[binary]!;
}

/** {@link writeShortest} with fewer than 15 digits: the rounding may have carried, and an unknown number of zeros goes. */
function writeRounded(
  out: Uint8Array,
  view: DataView,
  at: number,
  high: number,
  low: number,
  exponent: number,
): number {
  if (low < 100_000_000) return writeDigits(out, view, at, high, low, 0, exponent);
  if (high < 999_999_999) return writeDigits(out, view, at, high + 1, 0, 0, exponent);
  return writeDigits(out, view, at, 100_000_000, 0, 0, exponent + 1);
}

/**
 * Writes d.ddd * 10^exponent, whose 17 digits are given as nine and eight.
 *
 * @param count how many of the 17 are left without the zeros at the end, or 0 if that is not known
 */
function writeDigits(
  out: Uint8Array,
  view: DataView,
  at: number,
  high: number,
  low: number,
  count: number,
  exponent: number,
): number {
  if (exponent >= -5 && exponent < 0) {
    out[at++] = ZERO;
    out[at++] = POINT;
    for (; exponent < -1; exponent++) out[at++] = ZERO;
    writeSeventeenDigits(view, at, high, low);
    return count > 0 ? at + count : withoutZeros(out, at + 17);
  }
  if (exponent > 16 && exponent < 21) {
    writeSeventeenDigits(view, at, high, low);
    out.fill(ZERO, at + 17, at + exponent + 1);
    return at + exponent + 1;
  }
  // A byte is left free for the point, and the digits before it move up.
  writeSeventeenDigits(view, at + 1, high, low);
  const point = at + (exponent >= 0 && exponent < 17 ? exponent + 1 : 1);
  for (let i = at; i < point; i++) out[i] = out[i + 1]!;
  out[point] = POINT;
  const end = count > 0 && exponent < 15 ? at + 1 + count : withoutZeros(out, at + 18);
  if (exponent >= 0 && exponent < 17) return end;
  out[end] = SMALL_E;
  out[end + 1] = exponent < 0 ? MINUS : PLUS;
  return writeUpToEightDigits(view, end + 2, Math.abs(exponent));
}

function writeSeventeenDigits(view: DataView, at: number, high: number, low: number): void {
  const first = (high / 100_000_000) | 0;
  view.setUint8(at, ZERO + first);
  writeEightDigits(view, at + 1, high - Math.imul(first, 100_000_000));
  writeEightDigits(view, at + 9, low);
}

/** Where the text that ends at `end` ends without the zeros after its point, and without a point at its end. */
function withoutZeros(out: Uint8Array, end: number): number {
  while (out[end - 1] === ZERO) end--;
  return out[end - 1] === POINT ? end - 1 : end;
}

/** The slow way, for what {@link writeShortest} does not decide. */
function writeText(out: Uint8Array, at: number, x: number): number {
  const text = x < LEAST_FIXED ? x.toExponential() : String(x);
  for (let i = 0; i < text.length; i++) out[at + i] = text.charCodeAt(i);
  return at + text.length;
}
