import { isOrdered, type NumberNode, OrderedNode, readNumberNode, TreeNode } from "./number-tree.js";
import type { WireReader } from "./wire-reader.js";

/** What a sidecar (message Preserved) holds, as the printer of JSON needs it. */
export interface PreservedParts {
  /** The entries of `members`, as positions: key from, to, value from, to. */
  readonly members: readonly (readonly [keyStart: number, keyEnd: number, valueStart: number, valueEnd: number])[];
  readonly words: ReadonlyMap<string, string> | undefined;
  readonly numbers: NumberNode | undefined;
}

/** Fields of Preserved (factory_run.proto), as tags. */
export const TAG_MEMBERS = 0x0a;
export const TAG_WORDS = 0x12;
export const TAG_NUMBERS = 0x1a;

/** Reads the Preserved from `start` up to `end`. Gives nothing when the layout of its members is not the usual one. */
export function readPreserved(reader: WireReader, start: number, end: number): PreservedParts | undefined {
  const members: [number, number, number, number][] = [];
  let words: Map<string, string> | undefined;
  // The number texts in the usual layout are only looked at, and from the first that is not, all are read into a tree.
  let numbersStart = -1;
  let numbersEnd = -1;
  let tree: TreeNode | undefined;
  reader.pos = start;
  while (reader.pos < end) {
    const at = reader.pos;
    const tag = reader.tag(end);
    switch (tag) {
      case TAG_MEMBERS: {
        const stop = reader.length(end);
        if (reader.tag(stop) !== 0x0a) return undefined;
        const keyEnd = reader.string(stop);
        const keyStart = reader.stringStart;
        if (keyEnd === stop || reader.tag(stop) !== 0x12 || reader.length(stop) !== stop) return undefined;
        members.push([keyStart, keyEnd, reader.pos, stop]);
        reader.pos = stop;
        break;
      }
      case TAG_WORDS:
        words ??= new Map();
        readWord(reader, reader.length(end), words);
        break;
      case TAG_NUMBERS: {
        const stop = reader.length(end);
        const follows = numbersEnd === -1 || numbersEnd === at;
        if (tree === undefined && follows && isOrdered(reader.src, at, stop, TAG_NUMBERS)) {
          if (numbersStart === -1) numbersStart = at;
          numbersEnd = stop;
          reader.pos = stop;
          break;
        }
        tree ??= treeOf(reader, numbersStart, numbersEnd);
        readNumberNode(reader, stop, tree, 1);
        break;
      }
      default:
        if (tag >>> 3 <= 3) reader.fail(`wire type ${tag & 7} for a field of Preserved`, at);
        reader.skip(tag, at, end);
    }
  }
  const ordered = numbersStart === -1 ? undefined : new OrderedNode(reader.src, numbersStart, numbersEnd, TAG_NUMBERS);
  return { members, words, numbers: tree ?? ordered };
}

/** Reads the fields `numbers` from `start` up to `end`, if any, and leaves the reader where it is. */
function treeOf(reader: WireReader, start: number, end: number): TreeNode {
  const tree = new TreeNode();
  const here = reader.pos;
  for (reader.pos = start; reader.pos < end; ) {
    reader.tag(end);
    readNumberNode(reader, reader.length(end), tree, 1);
  }
  reader.pos = here;
  return tree;
}

/** Reads an entry of `words` from `reader.pos` up to `end`. */
export function readWord(reader: WireReader, end: number, words: Map<string, string>): void {
  let key = "";
  let word = "";
  while (reader.pos < end) {
    const at = reader.pos;
    const tag = reader.tag(end);
    if (tag === 0x0a) key = reader.text(end);
    else if (tag === 0x12) word = reader.text(end);
    else if (tag >>> 3 <= 2) reader.fail(`wire type ${tag & 7} in an entry of words`, at);
    else reader.skip(tag, at, end);
  }
  words.set(key, word);
}
