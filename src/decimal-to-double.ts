import { EXACT_POWERS, LEAST_POWER, POWERS, powerAt, SPLITTER } from "./powers-of-ten.js";

const PLUS = 0x2b;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const SMALL_E = 0x65;
/** Sets the bit by which a small letter differs from a capital. */
const SMALL = 0x20;

/** So many digits of the integer part are gathered first, in int32 arithmetic. */
const FIRST_DIGITS = 8;
/** As many digits as fit into `upper * 10^lowerDigits + lower` exactly, however they are shared out. */
const MOST_DIGITS = 19;
/** All integers below it are doubles. */
const EXACT_INTEGERS = 2 ** 53;
/** The greatest power of ten whose product with 19 digits cannot overflow, at no step. */
const GREATEST_READ = 288;
/** The relative error of a double-double product, with room to spare: see {@link scaled}. */
const PRODUCT_ERROR = 2 ** -102;

const SMALL_POWERS = Int32Array.of(1, 10, 100, 1000);

/**
 * Reads numbers out of JSON text: checks the grammar of RFC 8259 and computes
 * the double nearest to the number in one pass over its bytes.
 */
export class DecimalReader {
  /**
   * The number last read, as `Number(text)` gives it: the nearest double, ties
   * to even, with `-0` and subnormals, and infinity for what is beyond the
   * largest double.
   */
  value = Number.NaN;
  /** Whether the number last read has a fraction or an exponent. */
  decimal = false;

  /**
   * Reads the number that starts at `start`.
   *
   * @param src the bytes
   * @param view the same bytes once more: reading four at a time through it
   *   saves a tenth of the time on 17 digits
   * @param start the first byte of the number, which is not white space
   * @param end where the text ends: no byte from there on is looked at
   * @returns the position after the number's last byte, or -1 if no number by
   *   the grammar stands there; what follows a number is not judged
   */
  read(src: Uint8Array, view: DataView, start: number, end: number): number {
    let i = start;
    const negative = i < end && src[i] === MINUS;
    if (negative) i++;

    // The digits, without the point, are upper * 10^lowerDigits + lower. One byte at a time before the point, where
    // digits are few: the processor guesses the way through a short loop, and its next loads start early.
    const first = i;
    const stop = Math.min(i + FIRST_DIGITS, end);
    let upper = 0;
    for (; i < stop; i++) {
      // 0 to 9 for digits and more for all other bytes: one comparison instead of two.
      const digit = src[i]! ^ ZERO;
      if (digit > 9) break;
      upper = (Math.imul(upper, 10) + digit) | 0;
    }
    let upperDigits = i - first;
    if (upperDigits === 0 || (upperDigits > 1 && src[first] === ZERO)) return -1;
    const after = i < end ? src[i]! : 0;
    if (upperDigits < FIRST_DIGITS && after !== POINT && (after | SMALL) !== SMALL_E) {
      this.decimal = false;
      this.value = negative ? -upper : upper;
      return i;
    }
    let lower = 0;
    let lowerDigits = 0;
    if (upperDigits === FIRST_DIGITS) {
      for (; i < end; i++) {
        const digit = src[i]! ^ ZERO;
        if (digit > 9) break;
        lower = lower * 10 + digit;
      }
      lowerDigits = i - stop;
    }

    let decimal = false;
    let exponent = 0;
    if (i < end && src[i] === POINT) {
      decimal = true;
      const fraction = ++i;
      if (upper === 0) {
        upperDigits = 0;
        while (i < end && src[i] === ZERO) i++;
      }
      // Four bytes at a time, as the lanes of an int32, the first byte in the lowest.
      for (;;) {
        const lanes = (i + 4 <= end ? view.getInt32(i, true) : lastLanes(src, i, end)) ^ 0x30303030;
        // Not zero in the upper half of each lane that holds no digit. A carry out of such a lane spoils only those
        // above it, and the lowest is what counts.
        const others = (lanes | (lanes + 0x06060606)) & 0xf0f0f0f0;
        if (others === 0) {
          // Up to eight digits go to `upper`: with at most 27 bits, its product with a power of ten is exact (below).
          if (upperDigits <= 4) {
            upper = (Math.imul(upper, 10000) + fourDigits(lanes)) | 0;
            upperDigits += 4;
          } else {
            lower = lower * 10000 + fourDigits(lanes);
            lowerDigits += 4;
          }
          i += 4;
          continue;
        }
        // The digits before the first other byte, moved up so that zeros stand before them. In two shifts, since
        // one by 32 would be none.
        const count = (31 - Math.clz32(others & -others)) >> 3;
        const shift = (4 - count) << 2;
        const rest = fourDigits((lanes << shift) << shift);
        if (upperDigits <= 4) {
          upper = (Math.imul(upper, SMALL_POWERS[count]!) + rest) | 0;
          upperDigits += count;
        } else {
          lower = lower * SMALL_POWERS[count]! + rest;
          lowerDigits += count;
        }
        i += count;
        break;
      }
      if (i === fraction) return -1;
      exponent = fraction - i;
    }

    if (i < end && (src[i]! | SMALL) === SMALL_E) {
      decimal = true;
      i++;
      const minus = i < end && src[i] === MINUS;
      if (minus || (i < end && src[i] === PLUS)) i++;
      const from = i;
      let written = 0;
      for (; i < end; i++) {
        const digit = src[i]! ^ ZERO;
        if (digit > 9) break;
        // Beyond 10^15, no count of digits in a buffer outweighs it.
        if (written < 1e15) written = written * 10 + digit;
      }
      if (i === from) return -1;
      exponent += minus ? -written : written;
    }
    this.decimal = decimal;

    let value: number;
    if (upperDigits + lowerDigits > MOST_DIGITS) {
      value = Number.NaN;
    } else {
      // Exact: with d digits in `upper` and up to 19 - d in `lower`, the product without its factor 2^lowerDigits
      // takes at most log2(10^d * 5^(19 - d)) bits, 52.1 for the largest d, 8.
      const left = upper * EXACT_POWERS[lowerDigits]!;
      const high = left + lower;
      if (exponent === 0) {
        // That one addition was the rounding.
        value = high;
      } else if (high < EXACT_INTEGERS && exponent <= 22 && exponent >= -22) {
        // Both operands are exact, so the one operation rounds correctly.
        // (W. D. Clinger, "How to read floating point numbers accurately", PLDI 1990.)
        value = exponent < 0 ? high / EXACT_POWERS[-exponent]! : high * EXACT_POWERS[exponent]!;
      } else {
        value = scaled(high, lower - (high - left), exponent);
      }
    }
    // NaN: not decided. The platform decides, which is slower.
    if (Number.isNaN(value)) this.value = Number(textOf(src, start, i));
    else this.value = negative ? -value : value;
    return i;
  }
}

/**
 * (high + low) * 10^exponent as the nearest double, or NaN if 106 bits do not
 * decide it: ties, numbers that share some thirty digits with one, and
 * exponents off the table.
 *
 * This is Clinger's algorithm Bellerophon (same paper): multiply in a higher
 * precision and see whether the error could change the rounding. The algorithm
 * of Eisel and Lemire ("Number parsing at a gigabyte per second", 2021) asks
 * the same of a 128-bit integer product, which JavaScript would have to put
 * together from sixteen products; double-doubles need nine.
 *
 * @param high the integer rounded to a double
 * @param low what the rounding left
 */
function scaled(high: number, low: number, exponent: number): number {
  if (exponent < LEAST_POWER || exponent > GREATEST_READ) return high === 0 ? 0 : Number.NaN;
  const at = powerAt(exponent);
  const power = POWERS[at]!;
  const powerUpper = POWERS[at + 2]!;
  const powerLower = POWERS[at + 3]!;
  // The exact product of `high` and `power` is product + error (Dekker).
  const product = high * power;
  const spread = high * SPLITTER;
  const upper = spread - (spread - high);
  const lower = high - upper;
  const error = upper * powerUpper - product + upper * powerLower + lower * powerUpper + lower * powerLower;
  // In units of 2^-106 of the product, the tail is off by at most: 1 for the table, 1 and 1 for the roundings of the
  // two products, 2 and 3 for those of the two sums, 1 for low * low, which is left out: 9. Tested is 16, of which
  // some 3 may go to the rounding of the test's own sums.
  const tail = error + (high * POWERS[at + 1]! + low * power);
  const margin = product * PRODUCT_ERROR;
  const least = product + (tail - margin);
  const most = product + (tail + margin);
  return least === most ? least : Number.NaN;
}

/** The number that four lanes 0 to 9 are the digits of: pairs of digits first, both at once, then the pair of pairs. */
export function fourDigits(lanes: number): number {
  const pairs = (Math.imul(lanes, 10) + (lanes >>> 8)) & 0x00ff00ff;
  return (Math.imul(pairs, 100) + (pairs >>> 16)) & 0xffff;
}

/** The last bytes of the text as lanes, with zeros, which are no digits, after them. */
function lastLanes(src: Uint8Array, start: number, end: number): number {
  let lanes = 0;
  for (let i = start; i < end; i++) lanes |= src[i]! << ((i - start) << 3);
  return lanes;
}

/** ASCII bytes as a string, in pieces that the call stack can take. */
function textOf(src: Uint8Array, start: number, end: number): string {
  let text = "";
  for (let i = start; i < end; i += 4096) {
    text += String.fromCharCode.apply(null, src.subarray(i, Math.min(i + 4096, end)) as unknown as number[]);
  }
  return text;
}

const reader = new DecimalReader();

/**
 * Reads the bytes from `start` to `end`, known to be a number by the grammar of
 * RFC 8259, as the double that `Number(text)` gives. See {@link DecimalReader},
 * which is faster where the end of the number is not yet known.
 *
 * @param view the same bytes once more, if the caller has such a view at hand:
 *   making one takes longer than the rest
 */
export function decimalToDouble(
  src: Uint8Array,
  start: number,
  end: number,
  view: DataView = new DataView(src.buffer, src.byteOffset, src.byteLength),
): number {
  reader.read(src, view, start, end);
  return reader.value;
}
