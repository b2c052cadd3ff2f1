// Holds the runtime's facts against the facts kept, and against our schema.
import { flattened, shapeText } from "./runtime-facts.js";

/** @typedef {import("./runtime-facts.js").Members} Members */

/**
 * @param {Members} kept
 * @param {Members} runtime
 * @returns {string[]} one line a difference
 */
export function changesSince(kept, runtime) {
  const [old, now] = [flattened(kept), flattened(runtime)];
  const lines = [];
  for (const [path, fact] of now) {
    const before = old.get(path);
    if (before === undefined) lines.push(`new in the runtime: ${path} (${fact})`);
    else if (before !== fact) lines.push(`changed in the runtime: ${path} was ${before}, is ${fact}`);
  }
  for (const [path, fact] of old) if (!now.has(path)) lines.push(`gone from the runtime: ${path} (${fact})`);
  return lines;
}

const ranges = {
  "integer in the i32 range": [-(2n ** 31n), 2n ** 31n - 1n],
  "integer in the u32 range": [0n, 2n ** 32n - 1n],
  "integer in the i64 range": [-(2n ** 63n), 2n ** 63n - 1n],
  "integer in the u64 range": [0n, 2n ** 64n - 1n],
};

/** Which types of the runtime a field of ours takes, by the field's type. */
const takes = {
  string: (shape) => shape.type === "string",
  bool: (shape) => shape.type === "boolean",
  number: (shape) => shape.type === "number" || shape.type === "integer",
  word: (shape) => shape.type === "string" && shape.words !== undefined,
  object: (shape) => shape.type === "object" && shape.members !== undefined,
  ...Object.fromEntries(Object.entries(ranges).map(([type, range]) => [type, (shape) => withinRange(shape, range)])),
};

/** Without bounds of its own, an integer is taken to be one that fits 64 bits with a sign, as serde's default is. */
function withinRange({ type, minimum, maximum }, [lowest, highest]) {
  if (type !== "integer") return false;
  const [least, most] = [minimum ?? -(2n ** 63n), maximum ?? 2n ** 63n - 1n].map(BigInt);
  return least >= lowest && most <= highest;
}

/**
 * @param {Members} runtime
 * @param {import("../breaking/serde-contract.js").MessageContract} message
 * @param {Map<string, import("../breaking/serde-contract.js").MessageContract>} contract all messages, by full name
 * @param {{ members: string[], words: string[] }} retired what the schema still has and the runtime once had
 * @param {string} [prefix]
 * @returns {string[]} one line a difference
 */
export function differencesFromSchema(runtime, message, contract, retired, prefix = "") {
  const byKey = new Map(message.members.map((member) => [member.camelKey, member]));
  const lines = [];
  for (const [name, shape] of Object.entries(runtime)) {
    const path = `${prefix}${name}`;
    const member = byKey.get(name);
    byKey.delete(name);
    if (member === undefined)
      lines.push(`the schema lacks: ${path} (${shapeText(shape)}, ${requiredText(shape.required)})`);
    else lines.push(...memberDifferences(path, shape, member, contract, retired));
  }
  for (const [name, member] of byKey) {
    const path = `${prefix}${name}`;
    if (!retired.members.includes(path))
      lines.push(`the runtime lacks: ${path} (field ${member.key} of ${message.name})`);
  }
  return lines;
}

function memberDifferences(path, shape, member, contract, retired) {
  const lines = [];
  const required = member.presence !== "Option";
  if (required !== shape.required) {
    lines.push(`${path} is ${requiredText(shape.required)} in the runtime, ${requiredText(required)} in the schema`);
  }
  if (!takesShape(member.type, shape)) {
    lines.push(`${path} is ${shapeText(shape)} in the runtime, ${member.type} in the schema`);
    return lines;
  }
  if (shape.nullable && member.type !== "any value") {
    lines.push(`${path} may be null in the runtime, which ${member.type} in the schema does not keep`);
  }
  const one = shape.items ?? shape;
  if (member.enum && one.words) lines.push(...wordDifferences(path, one.words, member.enum, retired));
  const nested = member.message && contract.get(member.message);
  if (nested && one.members) lines.push(...differencesFromSchema(one.members, nested, contract, retired, `${path}.`));
  return lines;
}

function takesShape(type, shape) {
  if (type === "any value") return true;
  if (type.startsWith("list of "))
    return shape.type === "array" && takesShape(type.slice("list of ".length), shape.items);
  return takes[type]?.(shape) ?? false;
}

function wordDifferences(path, words, enumeration, retired) {
  const lines = words
    .filter((word) => !enumeration.words.has(word))
    .map((word) => `the schema lacks: ${path} = ${JSON.stringify(word)}`);
  for (const [word, { number }] of enumeration.words) {
    const isRetired = retired.words.includes(`${path} = ${word}`);
    if (number !== 0 && !words.includes(word) && !isRetired) {
      lines.push(`the runtime lacks: ${path} = ${JSON.stringify(word)} (of ${enumeration.name})`);
    }
  }
  return lines;
}

function requiredText(required) {
  return required ? "required" : "optional";
}
