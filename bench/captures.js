// The envelopes that a real runtime sent, as the tests use them.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = new URL("../test/captures/", import.meta.url);

/**
 * The captured envelopes' JSON, in the order of their names.
 * @param {number} [largest] leaves out what is longer, in bytes
 */
export function captures(largest = Number.POSITIVE_INFINITY) {
  if (!existsSync(folder)) throw new Error(`no captures in ${fileURLToPath(folder)}`);
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => readFileSync(new URL(name, folder)))
    .filter((bytes) => bytes.length <= largest)
    .map((bytes) => bytes.toString("utf8"));
}
