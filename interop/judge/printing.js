// What a message must become: the JSON that a writer has to print, the order of members aside.
import { NumberToken } from "./lossless.js";
import { NO_KIND } from "./neutral.js";
import { numberText } from "./numbers.js";
import { FIELD_BY_KEY, FIELDS, STATUS_WORDS } from "./schema.js";

/** Thrown for a message that has no JSON. */
export class NoJson extends Error {}

const MAX_CONTAINERS = 127;
const INT64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };

/**
 * @param {import("./neutral.js").WireMessage} message
 * @returns {Map<string, import("./lossless.js").Tree>} with the envelope's keys in snake_case
 */
export function printedOf(message) {
  const { members, words, numbers } = message.preserved ?? { members: new Map(), words: new Map(), numbers: [] };
  const printed = new Map();
  const rest = new Map();
  for (const field of FIELDS) {
    const tree = fieldTree(field, message, words, numbers);
    if (tree !== undefined) printed.set(field.name, tree);
  }
  for (const [key, member] of members) {
    const field = FIELD_BY_KEY.get(key);
    if (field === undefined) rest.set(key, valueTree(member, nodeAt(numbers, "key", key), 1));
    else if (!printed.has(field.name)) {
      const tree = takenUp(field, valueTree(member, nodeAt(numbers, "key", key), 1));
      if (tree !== undefined) printed.set(field.name, tree);
    }
  }
  if (!printed.has("run_id")) printed.set("run_id", "");
  if (!printed.has("status")) printed.set("status", STATUS_WORDS[0]);
  return new Map([...printed, ...rest]);
}

/** Whether the order of the members decides what is printed, which the peers' notation does not keep. */
export function dependsOnOrder(message) {
  const names = [...(message.preserved?.members.keys() ?? [])].map((key) => FIELD_BY_KEY.get(key)?.name);
  return names.some((name, place) => name !== undefined && names.indexOf(name) !== place);
}

function fieldTree({ name, kind }, message, words, numbers) {
  const set = message[name];
  if (kind === "value") return set === undefined ? undefined : valueTree(set, nodeAt(numbers, "key", name), 1);
  if (kind === "int64") return set === undefined ? undefined : new NumberToken(String(set));
  if (kind === "required") return set === "" ? undefined : set;
  if (kind === "string") return set;
  if (set !== 0) return STATUS_WORDS[set] ?? STATUS_WORDS[0];
  return words.get(name);
}

/** A preserved member that today's schema names, judged as if JSON had held it. */
function takenUp({ kind, name }, tree) {
  if (kind === "value") return tree;
  if (tree === null && kind !== "required" && kind !== "enum") return undefined;
  if (kind === "int64") {
    if (!(tree instanceof NumberToken) || !/^-?\d+$/.test(tree.text) || tree.text === "-0") throw new NoJson(name);
    const integer = BigInt(tree.text);
    if (integer < INT64.min || integer > INT64.max) throw new NoJson(name);
    return new NumberToken(String(integer));
  }
  if (typeof tree !== "string") throw new NoJson(name);
  return tree;
}

/** @param {number} depth of containers around the value */
function valueTree(value, node, depth) {
  if (value === null || value === NO_KIND) return null;
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new NoJson("no JSON number");
    return new NumberToken(numberText(value, node?.text));
  }
  if (typeof value !== "object") return value;
  if (depth + 1 > MAX_CONTAINERS) throw new NoJson("too deep");
  const children = node?.children ?? [];
  if (Array.isArray(value)) {
    return value.map((item, index) => valueTree(item, nodeAt(children, "index", index), depth + 1));
  }
  const members = [...value].map(([key, item]) => [key, valueTree(item, nodeAt(children, "key", key), depth + 1)]);
  return new Map(members);
}

/** Of two nodes for one place the last counts. */
function nodeAt(nodes, kind, place) {
  return nodes.findLast((node) => node[kind] === place);
}
