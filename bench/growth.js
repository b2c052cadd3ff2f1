// Whether the time per byte stays the same when a document grows.

import { directions, prepare } from "./codec.js";
import { findings, mixedNumbers } from "./generate.js";
import { interleave } from "./interleave.js";
import { factoryRunWire } from "./peers/factory-run-wire.js";
import { platform } from "./peers/platform.js";

const SIZES = [64 << 10, 256 << 10, 1 << 20, 4 << 20, 16 << 20];
const SHAPES = { findings, numbers: mixedNumbers };

/** The slowest byte may take this many times what the fastest takes, over all sizes. */
const BAR = 2;

/** By shape and direction: ns per byte of JSON at each size (fastest rounds), and how far the sizes lie apart. */
export function measureGrowth(effort) {
  const result = [];
  for (const [shape, generate] of Object.entries(SHAPES)) {
    const prepared = SIZES.map((size) => prepare({ documents: () => [generate(size)] }));
    for (const direction of directions) {
      const contestants = prepared.flatMap(({ json, binary, objects }, index) => [
        {
          name: `ours ${index}`,
          work: factoryRunWire[direction],
          inputs: direction === "toJson" ? binary : json,
        },
        { name: `platform ${index}`, work: platform[direction], inputs: direction === "toJson" ? objects : json },
      ]);
      const timing = interleave(contestants, { leastRounds: 5, ...effort });
      const perByte = (name) => prepared.map(({ json }, i) => (timing.best(`${name} ${i}`) * 1e6) / json[0].length);
      const ours = perByte("ours");
      const spread = Math.max(...ours) / Math.min(...ours);
      const theirs = perByte("platform");
      result.push({ shape, direction, sizes: SIZES, ours, platform: theirs, spread, bar: BAR, holds: spread <= BAR });
    }
  }
  return result;
}
