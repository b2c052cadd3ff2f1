// A small seeded generator of pseudo-random choices, so that every run of the
// benchmark sees the same bytes.

/** Choices that the same seed makes again in the same order. */
export class Random {
  #state;

  /** @param {number} seed a 32-bit integer other than 0 */
  constructor(seed) {
    this.#state = seed | 0 || 1;
    // The first outputs of nearby seeds resemble each other.
    for (let i = 0; i < 16; i++) this.bits();
  }

  /** 32 bits as an unsigned integer (Marsaglia's xorshift32). */
  bits() {
    let x = this.#state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    this.#state = x;
    return x >>> 0;
  }

  /** A double in [0, 1) with 53 random bits. */
  unit() {
    return ((this.bits() >>> 5) * 0x4000000 + (this.bits() >>> 6)) / 0x20000000000000;
  }

  /** An integer from `low` to `high`, both included. */
  integer(low, high) {
    return low + Math.floor(this.unit() * (high - low + 1));
  }

  /** True in `share` of all cases, 0 to 1. */
  chance(share) {
    return this.unit() < share;
  }

  /**
   * @template T
   * @param {readonly T[]} list
   * @returns {T}
   */
  pick(list) {
    return list[Math.floor(this.unit() * list.length)];
  }

  /** `length` hexadecimal digits. */
  hex(length) {
    let text = "";
    while (text.length < length) text += this.bits().toString(16).padStart(8, "0");
    return text.slice(0, length);
  }

  /** A UUID in text form. */
  uuid() {
    const digits = this.hex(32);
    return [
      digits.slice(0, 8),
      digits.slice(8, 12),
      `4${digits.slice(13, 16)}`,
      `a${digits.slice(17, 20)}`,
      digits.slice(20),
    ].join("-");
  }
}
