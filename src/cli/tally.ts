/** So many different keys are kept apart; what comes later is counted in sum, so that memory stays bounded. */
const MOST_KEYS = 1000;

/** Counts how often each key comes. */
export class Tally {
  readonly #counts = new Map<string, number>();
  /** How often some further key came. */
  #others = 0;

  add(key: string, count = 1): void {
    const before = this.#counts.get(key);
    if (before === undefined && this.#counts.size >= MOST_KEYS) this.#others += count;
    else this.#counts.set(key, (before ?? 0) + count);
  }

  get isEmpty(): boolean {
    return this.#counts.size === 0;
  }

  /** The most frequent keys with their counts, and the count of all others. */
  top(most: number): { readonly rows: [key: string, count: number][]; readonly others: number } {
    const all = [...this.#counts].sort(([, one], [, other]) => other - one);
    const others = all.slice(most).reduce((sum, [, count]) => sum + count, this.#others);
    return { rows: all.slice(0, most), others };
  }
}
