// Random and damaged inputs on both readers, for as long as asked: npm run fuzz -- --seconds 60 [--seed 7]
// Protobuf-ES and a lossless JSON reader judge. An input that fails is shrunk and printed as hex, ready for
// test/regressions/.
import { parseArgs } from "node:util";
import * as wire from "factory-run-wire";
import { captures } from "../interop/corpus.js";
import { faultInBinary, faultInText, shrink } from "../interop/fuzzing.js";
import { mutateBinary } from "../interop/inputs/damaged-binaries.js";
import { mutateText } from "../interop/inputs/damaged-texts.js";
import { randomEnvelope } from "../interop/inputs/envelopes.js";
import { foreignBinary } from "../interop/inputs/foreign.js";
import { Random } from "../interop/inputs/random.js";

const { values } = parseArgs({ options: { seconds: { type: "string", default: "30" }, seed: { type: "string" } } });
const seed = Number(values.seed ?? Date.now() % 2 ** 32);
const end = Date.now() + Number(values.seconds) * 1000;
if (!Number.isInteger(seed) || Number.isNaN(end)) {
  console.error("usage: npm run fuzz -- [--seconds N] [--seed N]");
  process.exit(2);
}

const schema = wire.SessionFactoryRunFromToolResultSchema;
const random = new Random(seed);
const recorded = captures()
  .map(({ text }) => text)
  .filter((text) => text.length < 4096);

/** What is tried, each with where its inputs come from. */
const TARGETS = [
  { kind: "json", next: () => Buffer.from(envelope()), fault: faultInText },
  {
    kind: "json",
    next: () => mutateText(random.chance(0.3) ? random.pick(recorded) : envelope(), random),
    fault: faultInText,
  },
  { kind: "binary", next: () => mutateBinary(binary(), random), fault: faultInBinary },
  { kind: "binary", next: () => foreignBinary(schema, random), fault: faultInBinary },
  {
    kind: "binary",
    next: () => Buffer.from(Array.from({ length: random.below(40) }, () => random.below(256))),
    fault: faultInBinary,
  },
];

const tried = { json: 0, binary: 0 };
const found = new Map();
while (Date.now() < end && found.size < 10) {
  const { kind, next, fault } = random.pick(TARGETS);
  const input = next();
  tried[kind]++;
  const why = faultOf(fault, input);
  if (why === undefined || found.has(`${kind} ${why}`)) continue;
  const smallest = shrink(input, (smaller) => faultOf(fault, smaller) === why);
  found.set(`${kind} ${why}`, smallest);
  console.log(JSON.stringify({ kind, why, hex: smallest.toString("hex") }));
}
console.log(`seed ${seed}: ${tried.json} texts and ${tried.binary} binaries, ${found.size} faults`);
process.exitCode = found.size === 0 ? 0 : 1;

/** Anything thrown that is no WireError is a fault too. */
function faultOf(fault, input) {
  try {
    return fault(wire, input);
  } catch (error) {
    return `threw ${String(error).slice(0, 200)}`;
  }
}

function envelope() {
  return randomEnvelope(random, { keys: random.pick(["snake_case", "camelCase", "mixed"]), depth: random.below(6) });
}

function binary() {
  if (random.chance(0.3)) return foreignBinary(schema, random);
  const text = random.chance(0.3) ? random.pick(recorded) : envelope();
  return wire.serdeJsonToBinary(schema, text, { maxNesting: Number.POSITIVE_INFINITY });
}
