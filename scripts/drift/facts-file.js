// The file that keeps the facts of the runtime's version that the schema was last held against.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * @typedef {object} Facts
 * @property {string} package
 * @property {string} version of the package
 * @property {string} definition of the envelope in the package's JSON Schema
 * @property {import("./runtime-facts.js").Members} members
 * @property {import("./retired.js").Retired} retired
 */

/**
 * @param {string} file
 * @returns {Facts | undefined} undefined when there is no such file
 */
export function readFacts(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

/**
 * @param {string} file
 * @param {Facts} facts
 */
export function writeFacts(file, facts) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${formatted(facts, "")}\n`);
}

const lineWidth = 120;

/** As the project's formatter prints it: an array stands in one line where it fits. */
function formatted(value, indent, key = "") {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  if (!Array.isArray(value)) {
    const lines = Object.entries(value).map(([name, member]) => {
      const start = `${JSON.stringify(name)}: `;
      return `${inner}${start}${formatted(member, inner, start)}`;
    });
    return lines.length === 0 ? "{}" : `{\n${lines.join(",\n")}\n${indent}}`;
  }
  const items = value.map((item) => formatted(item, inner));
  const oneLine = `[${items.join(", ")}]`;
  const fits = !oneLine.includes("\n") && indent.length + key.length + oneLine.length < lineWidth;
  return fits ? oneLine : `[\n${items.map((item) => `${inner}${item}`).join(",\n")}\n${indent}]`;
}
