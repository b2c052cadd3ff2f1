// A JSON reader that loses nothing: numbers stay texts, objects are Maps. It is written for clarity, apart from the
// package it judges, and reads what is known to be JSON: what it throws on, its callers take for "not JSON".

/** A number as it was written. */
export class NumberToken {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }
}

/** @typedef {null | boolean | string | NumberToken | Tree[] | Map<string, Tree>} Tree */

// A string is written as runs between escapes, so that a text that fails does so in linear time.
const RUN = String.raw`[^"\\\u0000-\u001f]*`;
const TOKEN = new RegExp(
  String.raw`[ \t\n\r]*(?:([{}[\],:])|("${RUN}(?:\\.${RUN})*")|(-?\d[\d.eE+-]*)|(true|false|null))`,
  "y",
);

/**
 * @param {string | Uint8Array} json
 * @param {(key: string, depth: number) => void} [duplicate] told of each key that an object holds twice, and how many
 *   containers are around the key
 * @returns {Tree}
 */
export function parseLossless(json, duplicate = () => {}) {
  const text =
    typeof json === "string" ? json : new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(json);
  const token = new RegExp(TOKEN);
  let depth = 0;
  let kind = next();
  const tree = value();
  if (/[^ \t\n\r]/.test(text.slice(token.lastIndex))) throw new SyntaxError("trailing text");
  return tree;

  function next() {
    const at = token.lastIndex;
    const match = token.exec(text);
    if (match === null) throw new SyntaxError(`no token at ${at}`);
    return match;
  }

  /** The value whose first token is `kind`. */
  function value() {
    const [, mark, string, number, word] = kind;
    if (string !== undefined) return JSON.parse(string);
    if (number !== undefined) return numberToken(number);
    if (word !== undefined) return { true: true, false: false, null: null }[word];
    if (mark === "[") return array();
    if (mark === "{") return object();
    throw new SyntaxError(`unexpected ${mark}`);
  }

  function array() {
    const items = [];
    depth++;
    kind = next();
    if (kind[1] === "]") return closed(items);
    for (;;) {
      items.push(value());
      if (expect(",]") === "]") return closed(items);
      kind = next();
    }
  }

  function object() {
    const members = new Map();
    depth++;
    kind = next();
    if (kind[1] === "}") return closed(members);
    for (;;) {
      if (kind[2] === undefined) throw new SyntaxError("a key is a string");
      const key = JSON.parse(kind[2]);
      expect(":");
      kind = next();
      const member = value();
      if (members.has(key)) duplicate(key, depth);
      // A key that stands there already keeps its first place, as in serde_json.
      members.set(key, member);
      if (expect(",}") === "}") return closed(members);
      kind = next();
    }
  }

  function closed(container) {
    depth--;
    return container;
  }

  function expect(marks) {
    const mark = next()[1];
    if (mark === undefined || !marks.includes(mark)) throw new SyntaxError(`expected one of ${marks}`);
    return mark;
  }
}

function numberToken(text) {
  if (!isNumberText(text)) throw new SyntaxError(`no number: ${text}`);
  return new NumberToken(text);
}

/**
 * Every number and string of a text that is JSON, also those that a later member of the same key replaces.
 * @param {string} text
 */
export function tokensOf(text) {
  const tokens = [...text.matchAll(new RegExp(TOKEN, "gy"))];
  return {
    numbers: tokens.flatMap((token) => token[3] ?? []),
    strings: tokens.flatMap((token) => (token[2] === undefined ? [] : [JSON.parse(token[2])])),
    marks: tokens.flatMap((token) => token[1] ?? []),
  };
}

/** Whether a text is a number by JSON's grammar. @param {string} text */
export function isNumberText(text) {
  return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text);
}

/**
 * JSON text of a tree, with the members of objects in their order.
 * @param {Tree} tree
 */
export function printLossless(tree, sorted = false) {
  if (tree instanceof NumberToken) return tree.text;
  if (Array.isArray(tree)) return `[${tree.map((item) => printLossless(item, sorted)).join(",")}]`;
  if (tree instanceof Map) {
    const entries = [...tree];
    if (sorted) entries.sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, item]) => `${JSON.stringify(key)}:${printLossless(item, sorted)}`).join(",")}}`;
  }
  return JSON.stringify(tree);
}

/** A text that is the same for two trees exactly when they differ in no more than the order of members. @param {Tree} tree */
export function canonical(tree) {
  return printLossless(tree, true);
}
