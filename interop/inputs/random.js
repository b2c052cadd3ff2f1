// Seeded random numbers, so that every run sees the same inputs.

export class Random {
  #state;

  /** @param {number} seed */
  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** A double from 0 up to 1 (mulberry32). */
  next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer from 0 up to `limit`. @param {number} limit */
  below(limit) {
    return Math.floor(this.next() * limit);
  }

  /** @param {number} probability */
  chance(probability) {
    return this.next() < probability;
  }

  /** @template T @param {readonly T[]} items @returns {T} */
  pick(items) {
    return items[this.below(items.length)];
  }

  /** @template T @param {readonly T[]} items @returns {T[]} */
  shuffled(items) {
    const left = [...items];
    for (let place = left.length - 1; place > 0; place--) {
      const other = this.below(place + 1);
      [left[place], left[other]] = [left[other], left[place]];
    }
    return left;
  }
}
