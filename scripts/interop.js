// Builds the peers in interop/ and runs the matrix: every peer against every check, one line each.
// A toolchain that is missing is skipped, but fails the run where CI=true.
import * as wire from "factory-run-wire";
import { checkAcceptance, judgedByUs } from "../interop/checks/acceptance.js";
import { binaryCases, checkBinary } from "../interop/checks/binary.js";
import { checkDamagedBinaries, damagedBinaries, oursOf } from "../interop/checks/damaged-binary.js";
import { checkNesting, nestedCases } from "../interop/checks/nesting.js";
import { checkProtoc } from "../interop/checks/protoc.js";
import { checkMapping, checkStruct } from "../interop/checks/serde.js";
import { captures, generated, suite, vectors } from "../interop/corpus.js";
import { Differences } from "../interop/differences.js";
import { mutateText } from "../interop/inputs/damaged-texts.js";
import { foreignBinary } from "../interop/inputs/foreign.js";
import { Random } from "../interop/inputs/random.js";
import { acceptanceSamples, binarySamples } from "../interop/inputs/samples.js";
import { PeerProcess } from "../interop/peer-process.js";
import { buildPeer, PEERS } from "../interop/peers.js";
import { Report } from "../interop/report.js";
import { MissingTool } from "../interop/toolchain.js";

const GENERATED = 20_000;
const SHAPES = 1_000;

const report = new Report();
const differences = new Differences();
const context = { wire, schema: wire.SessionFactoryRunFromToolResultSchema, report, differences };

const peers = await startPeers();
const named = binaryCases(context, [...captures(), ...vectors()]);
const random = binaryCases(
  context,
  ["snake_case", "camelCase", "mixed"].flatMap((keys, style) => generated(Math.ceil(GENERATED / 3), 11 + style, keys)),
);
if (random.refused > 0) throw new Error(`${random.refused} generated envelopes nest too deep`);
console.log(
  `${named.cases.length} captures and vectors (${named.refused} more nest too deep for others), ${random.cases.length} generated envelopes`,
);

const groups = [
  ["captures and vectors", named.cases],
  ["generated", random.cases],
];
const nested = nestedCases(context, SHAPES, 31);
const foreign = foreignBinaries(5_000, 61);
const undamaged = foreign.map((binary, place) => ({
  name: `foreign 61/${place}`,
  binary,
  ours: oursOf(context, binary),
}));
const damaged = [
  ...binarySamples(context, oursOf),
  ...damagedBinaries(
    context,
    [...foreign, ...[...named.cases, ...random.cases.slice(0, 3000)].map(({ binary }) => binary)].filter(
      ({ length }) => length < 4096,
    ),
    GENERATED,
    41,
  ),
];
for (const peer of peers.filter(({ skills }) => skills.includes("binary"))) {
  for (const [label, cases] of groups) await checkBinary(context, peer, label, cases);
  await checkNesting(context, peer, nested);
  await checkDamagedBinaries(context, peer, "foreign messages: both read the same", undamaged);
  await checkDamagedBinaries(context, peer, "damaged binaries: refuses no more than we, reads the same", damaged);
}
if (peers.some(({ name }) => name === "cpp")) checkProtoc(context, "captures and vectors", named.cases);

const texts = [
  [
    "good texts",
    judgedByUs(
      context,
      random.cases.map(({ name, text }) => ({ name, bytes: Buffer.from(text) })),
    ),
  ],
  ["damaged texts", judgedByUs(context, damagedTexts([...named.cases, ...random.cases], GENERATED, 51))],
  ["JSON test suite", judgedByUs(context, suite())],
  ["samples of the differences", judgedByUs(context, acceptanceSamples())],
];
for (const peer of peers.filter(({ skills }) => skills.includes("serde"))) {
  for (const [label, cases] of groups) {
    await checkStruct(context, peer, "serde", label, cases);
    if (peer.skills.includes("sdk")) await checkStruct(context, peer, "sdk", label, cases);
    if (peer.skills.includes("binary")) await checkMapping(context, peer, label, cases);
  }
  for (const [label, judged] of texts) await checkAcceptance(context, peer, label, judged);
}
for (const peer of peers) peer.close();

console.log("\nDifferences, each with its reason:");
for (const { peer, id, count, reason } of differences.summary(new Set(peers.map(({ name }) => name)))) {
  console.log(`${count === 0 ? "GONE     " : "         "} ${peer.padEnd(12)} ${id} (${count}): ${reason}`);
  if (count === 0) report.faults++;
}
console.log(`\n${report.checked} passed, ${report.faults} failed`);
process.exitCode = report.faults === 0 ? 0 : 1;

async function startPeers() {
  const started = [];
  for (const peer of PEERS) {
    const from = Date.now();
    try {
      const running = Object.assign(new PeerProcess(peer.name, buildPeer(peer)), { skills: peer.skills });
      const versions = await running.ask("v", "");
      console.log(
        `peer      ${peer.name.padEnd(12)} ${versions.body}  (built in ${((Date.now() - from) / 1000).toFixed(1)} s)`,
      );
      started.push(running);
    } catch (error) {
      if (!(error instanceof MissingTool)) throw error;
      console.log(`skipped   ${peer.name.padEnd(12)} not installed: ${error.message}`);
      if (process.env.CI === "true") report.faults++;
    }
  }
  return started;
}

function foreignBinaries(count, seed) {
  const random = new Random(seed);
  return Array.from({ length: count }, () => foreignBinary(context.schema, random));
}

/** @returns {{ name: string, bytes: Buffer }[]} */
function damagedTexts(cases, count, seed) {
  const random = new Random(seed);
  const short = cases.filter(({ text }) => text.length < 4096);
  return Array.from({ length: count }, (_, place) => ({
    name: `damaged ${seed}/${place}`,
    bytes: mutateText(random.pick(short).text, random),
  }));
}
