/** How far beyond the bytes that they are asked for {@link plainEnd} and {@link copyText} may read, and the latter may write. */
export const TEXT_SLACK = 32;

/** What {@link plainEnd} saw of bytes that are not ASCII, all in one, so that high bits are set where there were any. */
export let notAscii = 0;

/**
 * Gives the position of the first byte from `p` on that cannot stand in a JSON
 * string as it is: a quote, a backslash or a control character. When it comes
 * to a position beyond `last` without one, it gives that. Sixteen bytes are read
 * from `last` as well.
 */
export function plainEnd(bytes: DataView, p: number, last: number): number {
  p |= 0;
  let seen = 0;
  for (; p <= last; p = (p + 16) | 0) {
    // Of (x - 0x01..) & ~x, a byte has its high bit set where x has a zero byte, and above such a byte perhaps; with 0x21..
    // where a byte is below 0x21, which the quote and the control characters are when the bit by which the quote differs
    // from the space is turned over. Without the ~x, which the high bits of all x share, it is set for bytes that are not
    // ASCII too. So mostly one comparison does for sixteen bytes.
    const w = bytes.getInt32(p, true);
    const x = bytes.getInt32((p + 4) | 0, true);
    const y = bytes.getInt32((p + 8) | 0, true);
    const z = bytes.getInt32((p + 12) | 0, true);
    let a = ((w ^ 0x02020202) - 0x21212121) | ((w ^ 0x5c5c5c5c) - 0x01010101);
    let b = ((x ^ 0x02020202) - 0x21212121) | ((x ^ 0x5c5c5c5c) - 0x01010101);
    let c = ((y ^ 0x02020202) - 0x21212121) | ((y ^ 0x5c5c5c5c) - 0x01010101);
    let d = ((z ^ 0x02020202) - 0x21212121) | ((z ^ 0x5c5c5c5c) - 0x01010101);
    if (((a | b | c | d) & 0x80808080) === 0) continue;
    seen |= w | x | y | z;
    a &= ~w & 0x80808080;
    b &= ~x & 0x80808080;
    c &= ~y & 0x80808080;
    d &= ~z & 0x80808080;
    const any = a | b;
    if ((any | c | d) === 0) continue;
    // The lowest bit tells which byte is the first. How many are before it, without asking which word it is in, a question
    // that a processor would mostly guess wrong. What was seen holds a few bytes too many then: a check of the string that
    // is not needed does no harm.
    const far = ~((any | -any) >> 31);
    const inFirst = firstBit(a ^ ((a ^ c) & far));
    const inSecond = 32 + firstBit(b ^ ((b ^ d) & far));
    const none = inFirst >> 31;
    p = (p + (far & 8) + (((inFirst & ~none) | (inSecond & none)) >> 3)) | 0;
    break;
  }
  notAscii = seen;
  return p;
}

/**
 * Copies text from `p` up to `end` of `from` to `o` of `to`, 32 bytes at a time,
 * the last ones perhaps beyond `end`. What is copied from a position beyond
 * `last` stays undone: gives how far it came, which is `end` or beyond when it
 * did all. It always does where {@link plainEnd} came from `p` to `end` with the
 * same `last`.
 *
 * A double carries eight bytes as they are, unless they are those of a NaN,
 * which UTF-8 does not have: 0x7f after a byte above 0xef.
 */
export function copyText(from: DataView, p: number, end: number, to: DataView, o: number, last: number): number {
  p |= 0;
  o |= 0;
  // Most strings end in the first 32 bytes, so that how often this goes round is mostly guessed right.
  while (p <= last) {
    to.setFloat64(o, from.getFloat64(p, true), true);
    to.setFloat64((o + 8) | 0, from.getFloat64((p + 8) | 0, true), true);
    to.setFloat64((o + 16) | 0, from.getFloat64((p + 16) | 0, true), true);
    to.setFloat64((o + 24) | 0, from.getFloat64((p + 24) | 0, true), true);
    p = (p + 32) | 0;
    o = (o + 32) | 0;
    if (p >= end) break;
  }
  return p;
}

/** The number of the lowest bit that is set; -1 when there is none. */
export function firstBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}
