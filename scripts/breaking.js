// Says what in the schema would break a peer that has the schema as last released.
//
// Usage: node scripts/breaking.js [--against IMAGE] [--root FOLDER]
//
// Two checks: buf's, under the FILE rules of buf.yaml, for the binary wire and generated code; and one for the JSON
// wire. A finding is one line, FILE:LINE:COLUMN:MESSAGE, on stdout. Exit 0: nothing breaks; 1: findings; 2: no verdict.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { findBaseline } from "./breaking/baseline.js";
import { CannotCheck } from "./breaking/buf.js";
import { checkSchema } from "./breaking/check-schema.js";

const usage = "usage: npm run breaking -- [--against IMAGE] [--root FOLDER]";

try {
  process.exitCode = main();
} catch (error) {
  if (!(error instanceof CannotCheck)) throw error;
  console.error(`breaking: ${error.message}`);
  process.exitCode = 2;
}

function main() {
  const { against, root } = options();
  const baseline = against ? { file: resolve(against), version: undefined } : findBaseline(root);
  const findings = checkSchema(root, baseline.file);
  for (const line of [...findings.buf, ...findings.json]) console.log(line);
  const count = findings.buf.length + findings.json.length;
  const held = `the schema ${baseline.version ? `as released in ${baseline.version}` : `in ${against}`}`;
  if (count > 0) {
    console.error(`breaking: ${count} finding${count === 1 ? "" : "s"} against ${held}`);
    return 1;
  }
  if (baseline.version) insistOnVersion(root, baseline.version);
  console.error(`breaking: nothing breaks ${held}, neither on the binary nor on the JSON wire`);
  return 0;
}

function options() {
  try {
    const { values } = parseArgs({ options: { against: { type: "string" }, root: { type: "string" } } });
    const root = values.root ? resolve(values.root) : fileURLToPath(new URL("..", import.meta.url));
    return { against: values.against, root };
  } catch (error) {
    throw new CannotCheck(`${error.message}\n${usage}`);
  }
}

/** A version that went up without its baseline would let the next change be held against the wrong schema. */
function insistOnVersion(root, released) {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  if (version !== released) {
    throw new CannotCheck(
      `package.json says version ${version}, the baseline is that of ${released}. Move it: npm run release:schema`,
    );
  }
}
