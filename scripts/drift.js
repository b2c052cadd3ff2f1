// Says what the runtime's envelope has and our schema lacks, and the other way round.
//
// Usage: node scripts/drift.js [PATH [--update]] [--root FOLDER]
//
// PATH is the unpacked package @github/copilot-sdk-linux-x64, or the api.schema.json in it. Its facts are held against
// our schema and against the facts kept of the version that the schema was last held against (schema/runtime-facts.json),
// which also hold what a Value leaves open: failures, pauses, limits. --update keeps the new facts. Without PATH the
// facts kept are held against our schema. Exit 0: no difference; 1: differences, one a line on stdout; 2: cannot say.
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { buildImage, CannotCheck } from "./breaking/buf.js";
import { serdeContract } from "./breaking/serde-contract.js";
import { changesSince, differencesFromSchema } from "./drift/compare.js";
import { readFacts, writeFacts } from "./drift/facts-file.js";
import { retiredSince } from "./drift/retired.js";
import { membersOf, UnreadableSchema } from "./drift/runtime-facts.js";
import { NotFound, readSdkPackage } from "./drift/sdk-package.js";

const usage = "usage: npm run drift -- [PATH [--update]] [--root FOLDER]";
const factsPath = "schema/runtime-facts.json";
const definition = "FactoryRunResult";
const messageName = "SessionFactoryRunFromToolResult";

try {
  process.exitCode = main(options());
} catch (error) {
  if (![CannotCheck, NotFound, UnreadableSchema].some((known) => error instanceof known)) throw error;
  console.error(`drift: ${error.message}`);
  process.exitCode = 2;
}

function main({ root, path, update }) {
  const contract = serdeContract(buildImage(root, { sourceInfo: false }));
  const message = [...contract.values()].find(({ name }) => name === messageName);
  if (message === undefined) throw new CannotCheck(`the schema has no message ${messageName}`);
  const differences = ({ members, retired }) => differencesFromSchema(members, message, contract, retired);
  const factsFile = join(root, factsPath);
  const kept = readFacts(factsFile);
  if (path === undefined) {
    if (kept === undefined)
      throw new CannotCheck(`${factsPath} is missing: make it with npm run drift -- PATH --update`);
    return report(differences(kept), `the facts kept of ${kept.package} ${kept.version}`);
  }
  const runtime = runtimeFacts(path, kept, message);
  const changes = kept ? changesSince(kept.members, runtime.members) : [];
  if (update) {
    writeFacts(factsFile, runtime);
    for (const line of changes) console.log(`kept: ${line}`);
    console.error(`drift: ${factsPath} holds the facts of ${runtime.package} ${runtime.version}`);
    return report(differences(runtime), `${runtime.package} ${runtime.version}`);
  }
  // What is gone counts as retired only once that is kept.
  const unretired = { ...runtime, retired: kept?.retired ?? runtime.retired };
  const known = kept ? `, held against ${kept.version} before` : "";
  return report([...differences(unretired), ...changes], `${runtime.package} ${runtime.version}${known}`);
}

function runtimeFacts(path, kept, message) {
  const { apiSchema, name, version } = readSdkPackage(resolve(path));
  if (name === undefined || version === undefined) {
    throw new NotFound(`no package.json with name and version beside ${path}: point at the unpacked package`);
  }
  const members = membersOf(apiSchema, definition);
  return { package: name, version, definition, members, retired: retiredSince(kept, members, message) };
}

function report(lines, against) {
  for (const line of lines) console.log(line);
  const verdict = lines.length === 0 ? "no difference" : `${lines.length} difference${lines.length === 1 ? "" : "s"}`;
  console.error(`drift: ${verdict} between the schema and ${against}`);
  return lines.length === 0 ? 0 : 1;
}

function options() {
  try {
    const { values, positionals } = parseArgs({
      options: { update: { type: "boolean" }, root: { type: "string" } },
      allowPositionals: true,
    });
    const [path] = positionals;
    if (positionals.length > 1 || (values.update && path === undefined)) throw new Error("one PATH is needed");
    const root = values.root ? resolve(values.root) : fileURLToPath(new URL("..", import.meta.url));
    return { root, path, update: values.update ?? false };
  } catch (error) {
    throw new CannotCheck(`${error.message}\n${usage}`);
  }
}
