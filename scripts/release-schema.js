// Makes the schema as it is the one that later changes are held against, for the version that package.json says.
//
// Usage: node scripts/release-schema.js [--first] [--dry-run] [--root FOLDER]
//
// The baseline moves only when the version's step fits the change and CHANGELOG.md has an entry that tells of it.
// --first makes the first baseline of a project that has none. Exit 0: moved, or nothing to do; 1: refused; 2: cannot say.
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { findBaseline, hasBaseline, readImage, replaceBaseline } from "./breaking/baseline.js";
import { buildImage, CannotCheck } from "./breaking/buf.js";
import { checkSchema } from "./breaking/check-schema.js";
import { changedElements, changelogFaults, sameSchema, versionFault } from "./breaking/release-rules.js";

const usage = "usage: npm run release:schema -- [--first] [--dry-run] [--root FOLDER]";

try {
  process.exitCode = main(options());
} catch (error) {
  if (!(error instanceof CannotCheck)) throw error;
  console.error(`release:schema: ${error.message}`);
  process.exitCode = 2;
}

function main({ root, first, dryRun }) {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const image = buildImage(root, { sourceInfo: false });
  const { released, change, elements, findings } = first ? firstRelease(root) : changeSinceRelease(root, image);
  if (change === "none" && version === released) {
    console.log(`release:schema: the baseline is that of ${version}, and the schema is the same: nothing to do`);
    return 0;
  }
  const faults = [
    released && versionFault(released, version, change),
    ...changelogFaults(changelogOf(root), version, change, elements),
  ].filter(Boolean);
  if (faults.length > 0) {
    for (const finding of findings) console.error(finding);
    for (const fault of faults) console.error(`release:schema: refused: ${fault}`);
    return 1;
  }
  const what = `${released ?? "nothing"} -> ${version} (${change})`;
  if (dryRun) console.log(`release:schema: would move the baseline ${what}`);
  else console.log(`release:schema: moved the baseline ${what}: ${replaceBaseline(root, version, image)}`);
  return 0;
}

function firstRelease(root) {
  if (hasBaseline(root)) throw new CannotCheck("there is a baseline already: leave --first out");
  return { released: undefined, change: "addition", elements: [], findings: [] };
}

function changeSinceRelease(root, image) {
  const baseline = findBaseline(root);
  const before = readImage(baseline.file);
  const { buf, json } = checkSchema(root, baseline.file);
  const findings = [...buf, ...json];
  const change = findings.length > 0 ? "breaking" : sameSchema(before, image) ? "none" : "addition";
  return { released: baseline.version, change, elements: changedElements(before, image), findings };
}

function changelogOf(root) {
  const file = join(root, "CHANGELOG.md");
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

function options() {
  try {
    const { values } = parseArgs({
      options: { first: { type: "boolean" }, "dry-run": { type: "boolean" }, root: { type: "string" } },
    });
    const root = values.root ? resolve(values.root) : fileURLToPath(new URL("..", import.meta.url));
    return { root, first: values.first ?? false, dryRun: values["dry-run"] ?? false };
  } catch (error) {
    throw new CannotCheck(`${error.message}\n${usage}`);
  }
}
