import type { WireReader } from "./wire-reader.js";

/** A node of `preserved.numbers`, made for looking up. Most are leaves, which have no maps. */
export interface NumberNode {
  text: string | undefined;
  keys: Map<string, NumberNode> | undefined;
  indexes: Map<number, NumberNode> | undefined;
}

/** A tree has no more nodes than this from its top to a leaf: one for each container that JSON can have open, and the leaf. */
const MAX_DEPTH = 128;

/** Fields of NumberText (factory_run.proto), as tags. */
const TAG_KEY = 0x0a;
const TAG_INDEX = 0x10;
const TAG_TEXT = 0x1a;
const TAG_CHILDREN = 0x22;

/** An empty node to put the first level into. */
export function numberRoot(): NumberNode {
  return { text: undefined, keys: undefined, indexes: undefined };
}

/**
 * Reads the NumberText from `reader.pos` up to `end` and adds it to its parent.
 * Of two nodes for one place the last one counts; one without a place is
 * ignored.
 */
export function readNumberNode(reader: WireReader, end: number, parent: NumberNode, depth: number): void {
  if (depth > MAX_DEPTH) {
    throw reader.error("nesting_too_deep", `the tree of number texts is over ${MAX_DEPTH} nodes deep`, reader.pos);
  }
  const node = numberRoot();
  let place: string | number | undefined;
  while (reader.pos < end) {
    const start = reader.pos;
    const tag = reader.tag(end);
    switch (tag) {
      case TAG_KEY:
        place = reader.text(end);
        break;
      case TAG_INDEX:
        place = reader.varint(end);
        break;
      case TAG_TEXT:
        node.text = reader.text(end);
        break;
      case TAG_CHILDREN:
        readNumberNode(reader, reader.length(end), node, depth + 1);
        break;
      default:
        if (tag >>> 3 <= 4) reader.fail(`wire type ${tag & 7} for a field of NumberText`, start);
        reader.skip(tag, start, end);
    }
  }
  if (typeof place === "string") {
    parent.keys ??= new Map();
    parent.keys.set(place, node);
  } else if (place !== undefined) {
    parent.indexes ??= new Map();
    parent.indexes.set(place, node);
  }
}

const JSON_NUMBER = /^-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$/;

/**
 * Whether a text may be printed in the place of a double: it is a JSON number of
 * the very same value, and one that the reader of JSON would have kept. A stale
 * or forged text can so change how a number is written, never which.
 */
export function standsFor(text: string, value: number): boolean {
  const parts = JSON_NUMBER.exec(text);
  if (parts === null || !Object.is(Number(text), value) || Object.is(value, -0)) return false;
  if (parts[1] === undefined && parts[2] === undefined)
    return Math.abs(value) < Number.MAX_VALUE && String(value) !== text;
  return Number.isInteger(value) && Math.abs(value) < 1e21;
}
