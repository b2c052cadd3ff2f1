/**
 * Integers as decimal text, four digits a step.
 *
 * The writers take a DataView: one 32-bit store puts down four digits, where
 * bytes one by one cost four divisions and four stores. They may write up to 8 bytes beyond the last digit; what they return is
 * where the text ends.
 */

const ZERO = 0x30;
const MINUS = 0x2d;

/**
 * The first two and the last two of the four digits of each integer below 10^4, as the bytes of an int16, the first in
 * the lower one. Looking them up takes two thirds of the time of working them out, though they fill much of a
 * processor's nearest cache. One table of int32 would be a little faster still, and take 1 ms to make.
 */
const FIRST = new Uint16Array(10_000);
const LAST = new Uint16Array(10_000);
const PAIRS = Uint16Array.from({ length: 100 }, (_, pair) => Math.floor(pair / 10) | ((pair % 10) << 8));
PAIRS.forEach((digits, pair) => {
  FIRST.fill(digits, pair * 100, pair * 100 + 100);
  LAST.set(PAIRS, pair * 100);
});

/** Writes an integer from 0 to 2^53 and gives the position after the last digit. */
export function writeInt53(view: DataView, at: number, value: number): number {
  if (value < 100_000_000) return writeUpToEightDigits(view, at, value | 0);
  // At most 90071992 stands before the last eight digits.
  const upper = Math.floor(value / 1e8);
  at = writeUpToEightDigits(view, at, upper | 0) | 0;
  writeEightDigits(view, at, (value - upper * 1e8) | 0);
  return at + 8;
}

/**
 * Writes an integer from 0 to 10^8 - 1 and gives the position after the last digit. How many digits it has decides no
 * branch: a processor would mostly guess it wrong, and lose more by it than the arithmetic costs.
 */
export function writeUpToEightDigits(view: DataView, at: number, value: number): number {
  at |= 0;
  const quotient = (value / 10_000) | 0;
  const upper = fourDigits(quotient);
  const lower = fourDigits(value - Math.imul(quotient, 10_000));
  // The last digit stays, whatever it is.
  const last = lower | 0x0100_0000;
  // The bits of the zeros before the first digit, of four digits when the upper ones are all zeros.
  const short = ((upper - 1) & ~upper) >> 31;
  const first = upper ^ ((upper ^ last) & short);
  const zeros = (31 - Math.clz32(first & -first)) & 0x18;
  const near = upper ^ ((upper ^ lower) & short) ^ 0x30303030;
  const far = (lower & ~short) | 0x30303030;
  view.setInt32(at, (near >>> zeros) | ((far << 1) << (31 - zeros)), true);
  view.setInt32(at + 4, far >>> zeros, true);
  return at + 8 - (zeros >> 3) + (short << 2);
}

/**
 * Writes an unsigned 64-bit integer, of at most 20 digits.
 *
 * @param low the lower 32 bits, as a signed or an unsigned number
 * @param high the upper 32 bits, likewise
 * @returns the position after the last digit
 */
export function writeUint64(view: DataView, at: number, low: number, high: number): number {
  low >>>= 0;
  high >>>= 0;
  if (high < 0x20_0000) return writeInt53(view, at, high * 0x1_0000_0000 + low);
  // Long division by 10^9, with digits of 32, 16 and 16 bits: no remainder with its next digit is over 2^46, where
  // doubles are exact and their quotients, rounded down, are too.
  const first = Math.floor(high / 1e9);
  const middle = (high - first * 1e9) * 0x1_0000 + (low >>> 16);
  const second = Math.floor(middle / 1e9);
  const last = (middle - second * 1e9) * 0x1_0000 + (low & 0xffff);
  const third = Math.floor(last / 1e9);
  at = writeInt53(view, at, first * 0x1_0000_0000 + second * 0x1_0000 + third);
  const rest = (last - third * 1e9) | 0;
  const top = (rest / 100_000_000) | 0;
  view.setUint8(at, ZERO + top);
  writeEightDigits(view, at + 1, rest - Math.imul(top, 100_000_000));
  return at + 9;
}

/** {@link writeUint64} for a signed integer: its two's complement, at most 20 bytes. */
export function writeInt64(view: DataView, at: number, low: number, high: number): number {
  if ((high | 0) >= 0) return writeUint64(view, at, low, high);
  view.setUint8(at, MINUS);
  return writeUint64(view, at + 1, -low, (low | 0) === 0 ? -high : ~high);
}

/** Writes an integer below 10^8 with zeros before it to eight digits. */
export function writeEightDigits(view: DataView, at: number, value: number): void {
  const upper = (value / 10_000) | 0;
  writeFourDigits(view, at, upper);
  writeFourDigits(view, at + 4, value - Math.imul(upper, 10_000));
}

/** Writes an integer below 10^4 with zeros before it to four digits. */
function writeFourDigits(view: DataView, at: number, value: number): void {
  view.setInt32(at, fourDigits(value) | 0x30303030, true);
}

/**
 * Writes the decimals of a number, which are millionths from 1 to 999999, without the zeros at their end. Gives the
 * position after the last digit.
 */
export function writeDecimals(view: DataView, at: number, millionths: number): number {
  const quotient = (millionths / 100) | 0;
  const upper = fourDigits(quotient);
  const lower = fourDigits(Math.imul(millionths - Math.imul(quotient, 100), 100));
  view.setInt32(at, upper | 0x30303030, true);
  view.setInt32(at + 4, lower | 0x30303030, true);
  // The last digit is in the highest byte; all four are zeros when there are four decimals or fewer, which decides no branch.
  const short = ((lower - 1) & ~lower) >> 31;
  return at + 8 + (short << 2) - (Math.clz32(lower ^ ((lower ^ upper) & short)) >> 3);
}

/** The four digits of an integer below 10^4 as the bytes of an int32, the first in the lowest. */
function fourDigits(value: number): number {
  return FIRST[value] | (LAST[value] << 16);
}
