// Whether shapes that were made to be slow stay linear: the time per byte at
// full size against a quarter of it, and against the plain case.
import { isDeepStrictEqual } from "node:util";
import { readValue } from "./check.js";
import { directions as both } from "./codec.js";
import { findings } from "./generate.js";
import { interleave } from "./interleave.js";
import { factoryRunWire } from "./peers/factory-run-wire.js";
import { platform } from "./peers/platform.js";
import { readProtobufEs } from "./peers/protobuf-es.js";
import { shapes } from "./shapes.js";

/** Quadratic work would make a byte four times as dear at four times the size. */
const BAR = 2.5;

/**
 * By shape and direction: ns per input byte at full size, its growth from a quarter, and the ratios to others.
 * @param {import("./interleave.js").Effort} effort
 * @param {(name: string, work: () => void) => void} attempt runs the work, and notes under the name when it fails
 */
export function measureHostile(effort, attempt) {
  const plainJson = new TextEncoder().encode(findings(1 << 20));
  const plain = { json: plainJson, binary: factoryRunWire.toBinary(plainJson) };
  const result = [];
  for (const shape of Object.keys(shapes)) {
    attempt(shape, () => result.push(...measureShape(shape, plain, effort)));
  }
  return result;
}

function measureShape(shape, plain, effort) {
  const { count, directions = both, json, binary } = shapes[shape];
  const [full, quarter] = [count, count / 4].map((parts) => prepareShape(json?.(parts), binary?.(parts)));
  return directions.map((direction) => {
    const work = factoryRunWire[direction];
    const input = direction === "toJson" ? "binary" : "json";
    const platformInput = direction === "toJson" ? full.object : full.json;
    const timing = interleave(
      [
        { name: "full", work, inputs: [full[input]] },
        { name: "quarter", work, inputs: [quarter[input]] },
        { name: "plain", work, inputs: [plain[input]] },
        { name: "platform", work: platform[direction], inputs: [platformInput] },
      ],
      { leastRounds: 4, leastTurns: 1, ...effort },
    );
    const bytes = full[input].length;
    const growth = timing.best("full") / bytes / (timing.best("quarter") / quarter[input].length);
    return {
      shape,
      direction,
      bytes,
      perByte: (timing.time("full") * 1e6) / bytes,
      toPlain: (timing.ratio("full", "plain").median * plain[input].length) / bytes,
      ...(full.json !== undefined && { toPlatform: timing.ratio("full", "platform").median }),
      growth,
      bar: BAR,
      holds: growth <= BAR,
    };
  });
}

function prepareShape(text, handMade) {
  const json = text === undefined ? undefined : new TextEncoder().encode(text);
  const binary = handMade ?? factoryRunWire.toBinary(json);
  const object = readValue(factoryRunWire.toJson(binary));
  const { preserved: _, ...expected } = json === undefined ? readProtobufEs(binary) : readValue(json);
  if (!isDeepStrictEqual(object, expected)) throw new Error("another value");
  return { json, binary, object };
}
