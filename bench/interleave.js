// Times several ways of doing the same job against each other.
//
// They run in turns, a small batch each, in one process: what disturbs the
// machine for longer than a batch hits all of them alike and cancels out in
// the ratio of a round. The median over many rounds then drops the rounds that
// something short hit, garbage collection among it.

/**
 * @typedef {object} Contestant
 * @property {string} name
 * @property {(input: any) => unknown} work one call
 * @property {readonly any[]} inputs taken in turn, each as often as the others
 */

/**
 * @typedef {object} Effort
 * @property {number} seconds how long the rounds of one measurement go on
 * @property {number} [rounds] how many rounds instead, whatever they take
 * @property {number} [leastRounds] how many rounds at least, default 15
 * @property {number} [warmUp] how long each contestant runs before, in seconds, default a quarter of `seconds`
 * @property {number} [leastTurns] how many turns through its inputs that are at least, default 3
 */

/** The least time of a batch in ms: far above the clock's resolution, far below a scheduler's slice. */
const BATCH = 2;

/** What the calls return goes here, so that no compiler can drop them. */
const sink = { value: undefined };

/**
 * Times contestants in turns.
 * @param {Contestant[]} contestants
 * @param {Effort} effort
 * @returns {Timing}
 */
export function interleave(contestants, effort) {
  const { seconds, rounds, leastRounds = 15, warmUp = seconds / 4, leastTurns = 3 } = effort;
  const counts = contestants.map((contestant) => calls(contestant, warmUp * 1000, leastTurns));
  /** @type {number[][]} */
  const times = contestants.map(() => []);
  const end = performance.now() + seconds * 1000;
  for (let round = 0; rounds === undefined ? round < leastRounds || performance.now() < end : round < rounds; round++) {
    for (let turn = 0; turn < contestants.length; turn++) {
      // Each goes first as often as the others.
      const index = (turn + round) % contestants.length;
      times[index].push(batch(contestants[index], counts[index]) / counts[index]);
    }
  }
  return new Timing(
    contestants.map(({ name }) => name),
    times,
  );
}

/** The times of one measurement: per contestant and round, ms per call. */
export class Timing {
  #names;
  #times;

  constructor(names, times) {
    this.#names = names;
    this.#times = times;
  }

  get rounds() {
    return this.#times[0].length;
  }

  /** A contestant's median time per call, in ms. */
  time(name) {
    return quantile(this.#of(name), 0.5);
  }

  /**
   * A contestant's fastest round, in ms per call. For the times of one codec on documents of different sizes:
   * those have no common round to cancel out in, and what disturbs a long batch only ever adds.
   */
  best(name) {
    return quantile(this.#of(name), 0);
  }

  /** The median, and the quartiles, of one contestant's time as a share of another's in the same round. */
  ratio(name, base) {
    const divisors = this.#of(base);
    const ratios = this.#of(name).map((time, round) => time / divisors[round]);
    return { median: quantile(ratios, 0.5), low: quantile(ratios, 0.25), high: quantile(ratios, 0.75) };
  }

  #of(name) {
    return this.#times[this.#names.indexOf(name)];
  }
}

/** Warms a contestant up, and says how many calls make a batch: whole turns through its inputs. */
function calls(contestant, warmUp, leastTurns) {
  const start = performance.now();
  let turns = 0;
  let last = 0;
  do {
    last = batch(contestant, contestant.inputs.length);
    turns++;
  } while (performance.now() - start < warmUp || turns < leastTurns);
  return Math.max(1, Math.ceil(BATCH / last)) * contestant.inputs.length;
}

function batch({ work, inputs }, count) {
  const start = performance.now();
  for (let done = 0; done < count; done += inputs.length) {
    for (let i = 0; i < inputs.length; i++) sink.value = work(inputs[i]);
  }
  const time = performance.now() - start;
  sink.value = undefined;
  return time;
}

/** @param {number[]} values */
export function quantile(values, share) {
  const sorted = Float64Array.from(values).sort();
  const place = (sorted.length - 1) * share;
  const below = Math.floor(place);
  const above = Math.ceil(place);
  return sorted[below] + (sorted[above] - sorted[below]) * (place - below);
}
