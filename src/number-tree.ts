import { decodeUtf8, isUtf8, isWellFormed } from "./utf8.js";
import { lengthAt, position, varintAt } from "./varint.js";
import type { WireReader } from "./wire-reader.js";

/** A node of `preserved.numbers`, for looking up what stands below it. */
export interface NumberNode {
  /** The most bytes that {@link print} writes. */
  readonly size: number;
  /** The node of the member whose key stands in `buffer` from `start` up to `end`. */
  member(buffer: Uint8Array, start: number, end: number): NumberNode | undefined;
  /** The node of an element. The indices that are asked for grow. */
  element(index: number): NumberNode | undefined;
  /** Writes the text to `out` from `o` on, if there is one that stands for the double, and gives where it ends; else -1. */
  print(out: Uint8Array, o: number, value: number): number;
  /**
   * The same for the text of an element, as {@link element} finds it. One of
   * over {@link SHORT_TEXT} bytes is not looked at: it gives -2 then.
   */
  printElement(index: number, out: Uint8Array, o: number, value: number): number;
}

/** How many bytes {@link NumberNode.printElement} writes at most. */
export const SHORT_TEXT = 32;

/** A tree has no more nodes than this from its top to a leaf: one for each container that JSON can have open, and the leaf. */
const MAX_DEPTH = 128;

/** Fields of NumberText (factory_run.proto), as tags. */
const TAG_KEY = 0x0a;
const TAG_INDEX = 0x10;
const TAG_TEXT = 0x1a;
const TAG_CHILDREN = 0x22;

/** Up to this many keys are compared with the one that is asked for; more are put into a Map. */
const COMPARED_KEYS = 8;

/**
 * A node in the layout that the JSON reader writes, which {@link isOrdered} is
 * to have said of it: nothing is made of its children before they are asked
 * for, and indices are found by going along.
 */
export class OrderedNode implements NumberNode {
  /** The child that is next, for indices. */
  private at: number;
  /** The index of the one that was looked at last: no element between those that have a node is looked for. */
  private own = 0;
  /** Where the children with the keys start, when there are many. */
  private starts: Map<string, number> | undefined;
  private count = -1;

  /** Its content, behind its place, stands in `src` from `start` up to `end`: fields with the tag `children`, or a text. */
  constructor(
    private readonly src: Uint8Array,
    private readonly start: number,
    private readonly end: number,
    private readonly children = TAG_CHILDREN,
  ) {
    this.at = start;
  }

  get size(): number {
    return this.end - this.start;
  }

  element(index: number): NumberNode | undefined {
    const end = this.goTo(index);
    return end < 0 ? undefined : new OrderedNode(this.src, position, end);
  }

  /** Without a node, which for a long list of numbers are many. */
  printElement(index: number, out: Uint8Array, o: number, value: number): number {
    const before = this.at;
    const end = this.goTo(index);
    if (end < 0) return -1;
    if (end - position > SHORT_TEXT) {
      this.at = before;
      return -2;
    }
    return printText(this.src, position, end, out, o, value);
  }

  /** Goes past the element's node, if there is one: gives where it ends, with its content at {@link position}; else -1. */
  private goTo(index: number): number {
    if (index < this.own) return -1;
    const { src } = this;
    while (this.at < this.end && src[this.at] === this.children) {
      const end = lengthAt(src, this.at + 1);
      if (src[position] !== TAG_INDEX) return -1;
      const own = varintAt(src, position + 1);
      this.own = own;
      if (own > index) return -1;
      this.at = end;
      if (own === index) return end;
      // An element that was not asked for, being no number and no container, has a node: a stale or forged one.
    }
    return -1;
  }

  member(buffer: Uint8Array, start: number, end: number): NumberNode | undefined {
    if (this.count < 0) this.countChildren();
    if (this.count > COMPARED_KEYS) {
      const at = this.mapped().get(decodeUtf8(buffer, start, end));
      return at === undefined ? undefined : this.child(at);
    }
    let found = -1;
    for (let p = this.start; p < this.end && this.count > 0; ) {
      const next = lengthAt(this.src, p + 1);
      if (this.src[position] === TAG_KEY && this.isKey(position + 1, buffer, start, end)) found = p;
      p = next;
    }
    return found < 0 ? undefined : this.child(found);
  }

  private countChildren(): void {
    this.count = 0;
    if (this.start === this.end || this.src[this.start] !== this.children) return;
    for (let p = this.start; p < this.end; p = lengthAt(this.src, p + 1)) this.count++;
  }

  private isKey(at: number, buffer: Uint8Array, start: number, end: number): boolean {
    const size = varintAt(this.src, at);
    if (size !== end - start) return false;
    for (let i = 0; i < size; i++) if (this.src[position + i] !== buffer[start + i]) return false;
    return true;
  }

  /** The child that starts at `at`, which has a key. */
  private child(at: number): OrderedNode {
    const end = lengthAt(this.src, at + 1);
    const keyEnd = lengthAt(this.src, position + 1);
    return new OrderedNode(this.src, keyEnd, end);
  }

  private mapped(): Map<string, number> {
    if (this.starts === undefined) {
      this.starts = new Map();
      for (let p = this.start; p < this.end; ) {
        const next = lengthAt(this.src, p + 1);
        if (this.src[position] === TAG_KEY) {
          const keyEnd = lengthAt(this.src, position + 1);
          this.starts.set(decodeUtf8(this.src, position, keyEnd), p);
        }
        p = next;
      }
    }
    return this.starts;
  }

  print(out: Uint8Array, o: number, value: number): number {
    return this.children === TAG_TEXT ? -1 : printText(this.src, this.start, this.end, out, o, value);
  }
}

/** Writes what a field `text` from `p` up to `end` holds, if it is one and stands for the double, and gives where it ends; else -1. */
function printText(src: Uint8Array, p: number, end: number, out: Uint8Array, o: number, value: number): number {
  if (src[p] !== TAG_TEXT) return -1;
  lengthAt(src, p + 1);
  p = position;
  if (!isWhole(src, p, end, value) && !standsFor(decodeUtf8(src, p, end), value)) return -1;
  while (p < end) out[o++] = src[p++];
  return o;
}

/** A node that was read into Maps. */
export class TreeNode implements NumberNode {
  text: string | undefined;
  keys: Map<string, TreeNode> | undefined;
  indexes: Map<number, TreeNode> | undefined;

  /** Of two nodes for one place the last one counts; one without a place is ignored. */
  add(place: string | number | undefined, node: TreeNode): void {
    if (typeof place === "string") {
      this.keys ??= new Map();
      this.keys.set(place, node);
    } else if (place !== undefined) {
      this.indexes ??= new Map();
      this.indexes.set(place, node);
    }
  }

  get size(): number {
    return this.text?.length ?? 0;
  }

  element(index: number): NumberNode | undefined {
    return this.indexes?.get(index);
  }

  member(buffer: Uint8Array, start: number, end: number): NumberNode | undefined {
    return this.keys?.get(decodeUtf8(buffer, start, end));
  }

  print(out: Uint8Array, o: number, value: number): number {
    const { text } = this;
    if (text === undefined || !standsFor(text, value)) return -1;
    for (let i = 0; i < text.length; i++) out[o++] = text.charCodeAt(i);
    return o;
  }

  printElement(index: number, out: Uint8Array, o: number, value: number): number {
    const node = this.element(index);
    return node === undefined ? -1 : node.size > SHORT_TEXT ? -2 : node.print(out, o, value);
  }
}

/**
 * Whether the fields from `p` up to `end`, all with this tag, are NumberTexts in
 * the layout that the JSON reader writes: the place first, then a text or
 * children, the indices growing.
 */
export function isOrdered(src: Uint8Array, p: number, end: number, tag: number, depth = 1): boolean {
  let kind = -1;
  let last = -1;
  while (p < end) {
    if (src[p] !== tag) return false;
    const childEnd = lengthAt(src, p + 1);
    p = position;
    if (!(childEnd <= end)) return false;
    const place = src[p];
    if (kind !== -1 && place !== kind) return false;
    kind = place;
    if (place === TAG_INDEX) {
      const index = varintAt(src, p + 1);
      if (!(index > last && index <= 0xffff_ffff)) return false;
      last = index;
      p = position;
    } else if (place === TAG_KEY) {
      const keyEnd = lengthAt(src, p + 1);
      if (!(keyEnd < childEnd) || !isUtf8(src, position, keyEnd)) return false;
      p = keyEnd;
    } else {
      return false;
    }
    if (p >= childEnd) return false;
    if (src[p] === TAG_TEXT) {
      if (lengthAt(src, p + 1) !== childEnd) return false;
      for (p = position; p < childEnd; p++) if (src[p] >= 0x80) return false;
    } else if (depth >= MAX_DEPTH || !isOrdered(src, p, childEnd, TAG_CHILDREN, depth + 1)) {
      return false;
    }
    p = childEnd;
  }
  return true;
}

/** Whether the text from `start` up to `end` is one as `-12.00`, and the double's. Others are for {@link standsFor}. */
function isWhole(src: Uint8Array, start: number, end: number, value: number): boolean {
  let p = start;
  const negative = src[p] === 0x2d;
  if (negative) p++;
  const first = p;
  let integer = 0;
  for (let digit = src[p] ^ 0x30; digit <= 9 && p < end; digit = src[++p] ^ 0x30) integer = integer * 10 + digit;
  // Up to 15 digits are exact, and no zero stands before others.
  if (p === first || p - first > 15 || (src[first] === 0x30 && (p - first > 1 || negative))) return false;
  if (src[p] !== 0x2e || p + 1 >= end) return false;
  while (++p < end) if (src[p] !== 0x30) return false;
  // As Object.is, which would be a call: no zero comes here with a sign.
  return (negative ? -integer : integer) === value && (value !== 0 || 1 / value > 0);
}

/** Reads the NumberText from `reader.pos` up to `end` and adds it to its parent. */
export function readNumberNode(reader: WireReader, end: number, parent: TreeNode, depth: number): void {
  if (depth > MAX_DEPTH) {
    throw reader.error("nesting_too_deep", `the tree of number texts is over ${MAX_DEPTH} nodes deep`, reader.pos);
  }
  const node = new TreeNode();
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
  parent.add(place, node);
}

/** A NumberText as a message of Protobuf-ES has it, which may be made by hand. */
export interface TextNode {
  readonly $typeName: string;
  readonly $unknown?: unknown;
  readonly place: { readonly case?: unknown; readonly value?: unknown };
  readonly text?: string | undefined;
  readonly children?: readonly TextNode[];
}

/** So many NumberTexts are read from a message. One may stand in many places, and all could be endless. */
const MOST_NODES = 1 << 20;

/** Reads the NumberTexts of a message likewise. Gives nothing when one of them is not as it should be, or there are too many. */
export function treeOf(numbers: readonly TextNode[]): TreeNode | undefined {
  let left = MOST_NODES;
  const read = (nodes: readonly TextNode[], depth: number): TreeNode | undefined => {
    left -= nodes.length;
    if (left < 0 || (depth > MAX_DEPTH && nodes.length > 0)) return undefined;
    const tree = new TreeNode();
    for (const { $typeName, $unknown, place, text, children } of nodes) {
      if ($typeName !== "factory_run.v1.NumberText" || $unknown !== undefined || !isPlace(place)) return undefined;
      if (text !== undefined && !isText(text)) return undefined;
      const node = Array.isArray(children) ? read(children, depth + 1) : undefined;
      if (node === undefined) return undefined;
      node.text = text;
      tree.add(place.value as string | number | undefined, node);
    }
    return tree;
  };
  return read(numbers, 1);
}

function isPlace(place: TextNode["place"]): boolean {
  if (typeof place !== "object") return false;
  switch (place.case) {
    case "key":
      return isText(place.value);
    case "index":
      return (place.value as number) >>> 0 === place.value;
    default:
      return place.case === undefined && place.value === undefined;
  }
}

function isText(text: unknown): boolean {
  return typeof text === "string" && isWellFormed(text);
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
