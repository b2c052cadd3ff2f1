/**
 * Powers of ten for number reading and number printing, at two precisions.
 *
 * A *double-double* is an unevaluated sum of two doubles, `high + low`, with
 * `high` the double nearest to the sum: about 106 bits, in arithmetic that the
 * hardware has. JavaScript has no 64-bit integer product, so a 64 x 64 bit
 * product costs sixteen 16-bit ones, where a double-double product costs some
 * twenty additions and multiplications that run side by side.
 * (T. J. Dekker, "A floating-point technique for extending the available
 * precision", Numerische Mathematik 18, 1971.)
 */

/** 10^0 to 10^22: all the powers of ten that a double holds exactly. */
export const EXACT_POWERS = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/** The least exponent in {@link POWERS}: below it, the error terms of a product could underflow. */
export const LEAST_POWER = -275;
/** The greatest exponent in {@link POWERS}: above it, splitting a factor could overflow. */
export const GREATEST_POWER = 292;

/**
 * 10^n as double-doubles, four doubles each, starting at {@link powerAt}:
 *
 * - +0 `high`: the double nearest to 10^n,
 * - +1 `low`: the double nearest to 10^n - high,
 * - +2, +3: `high` once more, as a sum of two doubles of at most 26 bits each,
 *   which is what an exact product with another double needs.
 *
 * `high + low` is within 2^-106 of 10^n, relatively.
 *
 * Rows are filled in when they are first asked for (zero means not yet): a run
 * uses few of the 568, and filling all of them would cost the first call
 * more than a thousand numbers do.
 */
export const POWERS = new Float64Array((GREATEST_POWER - LEAST_POWER + 1) * 4);

/** Multiplying by it and subtracting splits a double into its upper and lower 26 bits (Veltkamp). */
export const SPLITTER = 2 ** 27 + 1;

/**
 * @param exponent from {@link LEAST_POWER} to {@link GREATEST_POWER}
 * @returns where the row of 10^exponent starts in {@link POWERS}
 */
export function powerAt(exponent: number): number {
  const at = (exponent - LEAST_POWER) << 2;
  if (POWERS[at] === 0) fill(exponent, at);
  return at;
}

function fill(exponent: number, at: number): void {
  // As an integer, scaled by a power of two (which changes no digit of a double) if the exponent is negative:
  // at least 160 bits, so that cutting off the rest is far below what two doubles can tell.
  const shift = exponent < 0 ? 160 + Math.ceil(-exponent * Math.log2(10)) : 0;
  const integer = exponent < 0 ? (1n << BigInt(shift)) / 10n ** BigInt(-exponent) : 10n ** BigInt(exponent);
  const high = Number(integer);
  const low = Number(integer - BigInt(high));
  // In two steps, since 2^-shift itself may be too small for a double.
  const half = 2 ** -(shift >> 1);
  const rest = 2 ** -(shift - (shift >> 1));
  const scaled = high * half * rest;
  const product = scaled * SPLITTER;
  const upper = product - (product - scaled);
  POWERS[at + 1] = low * half * rest;
  POWERS[at + 2] = upper;
  POWERS[at + 3] = scaled - upper;
  POWERS[at] = scaled;
}
