// Whether a text is an envelope at all: what a reader must accept and what it must refuse, nesting on the wire aside.
import { NumberToken, parseLossless, tokensOf } from "./lossless.js";
import { FIELD_BY_KEY } from "./schema.js";

const MAX_CONTAINERS = 127;
const INT64_MIN = -(2n ** 63n);
const INT64_MAX = 2n ** 63n - 1n;

/** @param {Uint8Array} bytes @returns {Map<string, import("./lossless.js").Tree> | undefined} the envelope, if it is one */
export function acceptedEnvelope(bytes) {
  let text;
  let tree;
  const given = [];
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    tree = parseLossless(text, (key, depth) => depth === 1 && given.push(FIELD_BY_KEY.get(key)?.name));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
  if (!(tree instanceof Map)) return undefined;
  const { numbers, strings, marks } = tokensOf(text);
  const good =
    numbers.every(isDouble) && strings.every((string) => string.isWellFormed()) && depthOf(marks) <= MAX_CONTAINERS;
  return good && fieldsFit(tree, given) ? tree : undefined;
}

function fieldsFit(tree, given) {
  const names = [...given];
  for (const [key, member] of tree) {
    const field = FIELD_BY_KEY.get(key);
    if (field === undefined) continue;
    names.push(field.name);
    if (!fits(field.kind, member)) return false;
  }
  const fields = names.filter((name) => name !== undefined);
  return new Set(fields).size === fields.length && fields.includes("run_id") && fields.includes("status");
}

function fits(kind, member) {
  if (kind === "value") return true;
  if (kind === "required" || kind === "enum") return typeof member === "string";
  if (member === null) return true;
  if (kind === "string") return typeof member === "string";
  if (!(member instanceof NumberToken) || !/^-?\d+$/.test(member.text) || member.text === "-0") return false;
  return BigInt(member.text) >= INT64_MIN && BigInt(member.text) <= INT64_MAX;
}

/** A double holds it; an integer that rounds to the largest double is refused as serde_json refuses it. */
function isDouble(number) {
  const double = Number(number);
  if (!Number.isFinite(double)) return false;
  return Math.abs(double) < Number.MAX_VALUE || !/^-?\d+$/.test(number);
}

function depthOf(marks) {
  let depth = 0;
  let deepest = 0;
  for (const mark of marks) {
    if (mark === "{" || mark === "[") deepest = Math.max(deepest, ++depth);
    else if (mark === "}" || mark === "]") depth--;
  }
  return deepest;
}
