import { decodeUtf8, encodeUtf8 } from "./utf8.js";
import { varintSize, writeVarint } from "./varint.js";

/** Record types: what a place is given by. */
const LEAF = 0;
const KEY = 1;
const ESCAPED_KEY = 2;
const INDEX = 3;
const NAME = 4;
const ELEMENT = 5;

/** Fields of NumberText (factory_run.proto), as tags. */
const TAG_KEY = 0x0a;
const TAG_INDEX = 0x10;
const TAG_TEXT = 0x1a;
const TAG_CHILDREN = 0x22;
/** Field `numbers` of Preserved, as a tag. The first level stands there. */
const TAG_NUMBERS = 0x1a;

/**
 * The number texts that `preserved.numbers` is to hold, noted while the JSON is
 * read.
 *
 * A text is noted before the places of the containers around it are known to
 * matter: the log is in post-order, a leaf and then its place, up to the
 * outermost. It refers to the input and holds no strings. It is written from
 * its end, since only there stands what comes first.
 */
export class NumberLog {
  // A leaf: size so far, start, end, LEAF; the leaf of an element, with its place: size so far, start, end, index, ELEMENT.
  // A place: two numbers, where its content starts, its size, its type.
  private records = new Int32Array(64);
  /** How many numbers the log holds; grows when a text or a place is noted. */
  length = 0;
  /** The bytes that what was noted will take, as fields. */
  size = 0;

  /** Notes the text of the input from `start` up to `end`. */
  leaf(start: number, end: number): void {
    const at = this.room(4);
    this.records[at] = this.size;
    this.records[at + 1] = start;
    this.records[at + 2] = end;
    this.records[at + 3] = LEAF;
    this.size += 1 + varintSize(end - start) + end - start;
  }

  /** Notes the text from `start` up to `end` as that of the element `index`: a leaf and its place in one. */
  element(start: number, end: number, index: number): void {
    const at = this.room(5);
    const { records, size } = this;
    records[at] = size;
    records[at + 1] = start;
    records[at + 2] = end;
    records[at + 3] = index;
    records[at + 4] = ELEMENT;
    const body = 2 + varintSize(index) + varintSize(end - start) + end - start;
    this.size = size + 1 + varintSize(body) + body;
  }

  /** Places all that was noted since `mark` under the index. */
  index(mark: number, index: number): void {
    this.place(mark, INDEX, index, 0, 1 + varintSize(index));
  }

  /** Places all that was noted since `mark` under the key that stands in the input, `size` bytes when unescaped. */
  key(mark: number, start: number, end: number, escaped: boolean, size: number): void {
    this.place(mark, escaped ? ESCAPED_KEY : KEY, start, end, 1 + varintSize(size) + size);
  }

  /** Places all that was noted since `mark` under the name of a field, given by its index in the plan. */
  name(mark: number, index: number, size: number): void {
    this.place(mark, NAME, index, 0, 1 + varintSize(size) + size);
  }

  private place(mark: number, type: number, a: number, b: number, own: number): void {
    const before = this.records[mark];
    const body = own + this.size - before;
    const at = this.room(5);
    this.records[at] = a;
    this.records[at + 1] = b;
    this.records[at + 2] = mark;
    this.records[at + 3] = body;
    this.records[at + 4] = type;
    this.size = before + 1 + varintSize(body) + body;
  }

  private room(count: number): number {
    const at = this.length;
    this.length = at + count;
    if (this.length > this.records.length) {
      const larger = new Int32Array(this.records.length * 2);
      larger.set(this.records);
      this.records = larger;
    }
    return at;
  }

  /** The bytes that what was noted since `mark` will take. */
  sizeSince(mark: number): number {
    return this.length === mark ? 0 : this.size - this.records[mark];
  }

  /** Forgets what was noted since `mark`. */
  truncate(mark: number): void {
    if (this.length > mark) this.size = this.records[mark];
    this.length = mark;
  }

  /**
   * Writes what was noted since `mark` as fields `numbers` of Preserved, ending at `end` of `out`; `text` is what it was
   * read from. The views are of the same bytes.
   */
  write(
    mark: number,
    out: Uint8Array,
    outView: DataView,
    end: number,
    text: Uint8Array,
    textView: DataView,
    names: readonly Uint8Array[],
  ): void {
    // The nodes of the first level from the last one on; those of fields go before those of members.
    const fields: number[] = [];
    const members: number[] = [];
    for (let at = this.length; at > mark; ) {
      at -= 5;
      (this.records[at + 4] === NAME ? fields : members).push(at);
      at = this.records[at + 2];
    }
    const writer = new TreeWriter(this.records, out, outView, text, textView, names);
    let o = end;
    for (const at of members) o = writer.tree(at, o);
    for (const at of fields) o = writer.tree(at, o);
  }

  /** Makes the log empty. A long one is let go. */
  reset(): void {
    this.length = 0;
    this.size = 0;
    if (this.records.length > 1 << 20) this.records = new Int32Array(64);
  }
}

/** Writes what a log notes, from its end. */
class TreeWriter {
  constructor(
    private readonly records: Int32Array,
    private readonly out: Uint8Array,
    private readonly outView: DataView,
    private readonly text: Uint8Array,
    private readonly textView: DataView,
    private readonly names: readonly Uint8Array[],
  ) {}

  /** Writes the node of the first level whose place is at `top`, ending at `o`, and gives where it starts. */
  tree(top: number, o: number): number {
    const { records, out, outView, text, textView } = this;
    /** The places whose content is being written, as positions of their records. */
    const open = [top];
    for (let at = top; open.length > 0; ) {
      const inner = open[open.length - 1];
      if (at === records[inner + 2]) {
        open.pop();
        o = this.place(inner, o, open.length === 0 ? TAG_NUMBERS : TAG_CHILDREN) | 0;
      } else if (records[at - 1] === LEAF) {
        at -= 4;
        o = bytesBefore(out, o, text, records[at + 1], records[at + 2], TAG_TEXT) | 0;
      } else if (records[at - 1] === ELEMENT) {
        at -= 5;
        const close = o;
        const end = records[at + 2];
        const size = end - records[at + 1];
        if (size <= 8 && end >= 8) {
          // Eight bytes at once, of which those before the text are written over: more than that is still to come before it.
          outView.setFloat64(o - 8, textView.getFloat64(end - 8, true), true);
          o -= size + 2;
          out[o] = TAG_TEXT;
          out[o + 1] = size;
        } else {
          o = bytesBefore(out, o, text, records[at + 1], end, TAG_TEXT) | 0;
        }
        o = varintBefore(out, o, records[at + 3]) | 0;
        out[--o] = TAG_INDEX;
        o = varintBefore(out, o, close - o) | 0;
        out[--o] = TAG_CHILDREN;
      } else {
        const place = at - 5;
        at = records[place + 2];
        if (at === place - 4) {
          // Mostly it is the place of one text, as of an element: no need to open it.
          o = bytesBefore(out, o, text, records[at + 1], records[at + 2], TAG_TEXT) | 0;
          o = this.place(place, o, TAG_CHILDREN) | 0;
        } else {
          at = place;
          open.push(place);
        }
      }
    }
    return o;
  }

  /** Writes the place at `at`, and before it the length and the tag of its node, whose content starts at `o`. */
  private place(at: number, o: number, tag: number): number {
    const { records, out, text } = this;
    const a = records[at];
    const b = records[at + 1];
    switch (records[at + 4]) {
      case INDEX:
        o = varintBefore(out, o, a) | 0;
        out[--o] = TAG_INDEX;
        break;
      case KEY:
        o = bytesBefore(out, o, text, a, b, TAG_KEY) | 0;
        break;
      default: {
        const key = records[at + 4] === NAME ? this.names[a] : unescaped(text, a, b);
        o = bytesBefore(out, o, key, 0, key.length, TAG_KEY) | 0;
      }
    }
    o = varintBefore(out, o, records[at + 3]) | 0;
    out[--o] = tag;
    return o;
  }
}

/** What the string from `start` up to its quote at `end` stands for. */
function unescaped(text: Uint8Array, start: number, end: number): Uint8Array {
  return encodeUtf8(JSON.parse(decodeUtf8(text, start - 1, end + 1)));
}

function varintBefore(out: Uint8Array, o: number, value: number): number {
  const start = o - varintSize(value);
  writeVarint(out, start, value);
  return start;
}

/** Writes a field of the bytes from `start` up to `end`, ending at `o`, and gives where it starts. */
function bytesBefore(out: Uint8Array, o: number, bytes: Uint8Array, start: number, end: number, tag: number): number {
  const size = end - start;
  let at = o - size;
  for (let i = 0; i < size; i++) out[at + i] = bytes[start + i];
  at = varintBefore(out, at, size);
  out[--at] = tag;
  return at;
}
