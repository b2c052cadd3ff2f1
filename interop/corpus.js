// The texts of the matrix: captured, committed and generated envelopes.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { randomEnvelope } from "./inputs/envelopes.js";
import { Random } from "./inputs/random.js";

const folder = (path) => join(dirname(dirname(fileURLToPath(import.meta.url))), "test", path);

/** @typedef {{ name: string, text: string }} NamedText */

/** What the runtime wrote. @returns {NamedText[]} */
export function captures() {
  return jsonFiles("captures");
}

/** The committed vectors. @returns {NamedText[]} */
export function vectors() {
  return JSON.parse(readFileSync(join(folder("vectors"), "vectors.json"), "utf8")).vectors.map(({ name, json }) => ({
    name,
    text: json,
  }));
}

/** The JSON test suite, each file's bytes in place of the result. */
export function suite() {
  const files = folder("json-test-suite/test_parsing");
  return readdirSync(files)
    .sort()
    .map((name) => ({
      name,
      bytes: Buffer.concat([
        Buffer.from('{"run_id":"a","status":"completed","result":'),
        readFileSync(join(files, name)),
        Buffer.from("}"),
      ]),
    }));
}

/** @param {number} count @param {number} seed @param {import("./inputs/envelopes.js").KeyStyle} keys @returns {NamedText[]} */
export function generated(count, seed, keys) {
  const random = new Random(seed);
  return Array.from({ length: count }, (_, place) => ({
    name: `generated ${seed}/${place}`,
    text: randomEnvelope(random, { keys, depth: 1 + random.below(5) }),
  }));
}

function jsonFiles(path) {
  const names = readdirSync(folder(path))
    .filter((name) => name.endsWith(".json"))
    .sort();
  return names.map((name) => ({ name: `${path}/${name}`, text: readFileSync(join(folder(path), name), "utf8") }));
}
