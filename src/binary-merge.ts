import { MAX_CONTAINERS } from "./limits.js";
import { readNumberNode, TreeNode } from "./number-tree.js";
import { type FieldPlan, Kind, type MessagePlan } from "./plan.js";
import { readWord, TAG_MEMBERS, TAG_NUMBERS, TAG_WORDS } from "./preserved.js";
import { ProtoSink, SLACK } from "./proto-sink.js";
import { varintSize } from "./varint.js";
import { WireReader } from "./wire-reader.js";

/**
 * Ranges of the input, as positions from and to by turns. Protobuf merges
 * messages as if their encodings stood behind one another, so a message that is
 * given in parts is the list of its parts.
 */
type Parts = number[];

/** Kinds of google.protobuf.Value, as tags. */
const NULL = 0x08;
const NUMBER = 0x11;
const STRING = 0x1a;
const BOOL = 0x20;
const STRUCT = 0x2a;
const LIST = 0x32;

/**
 * Rewrites a binary message in the layout that encoders write: each field once,
 * lists together, entries whole and none twice, one kind in a Value, nothing
 * unknown. What the specification allows beside that (fields in parts and given
 * twice, members of a oneof given twice, entries in odd order, ...) is read as it
 * says; what it does not allow is refused here, with its place.
 *
 * This is the slow and simple way of reading: whoever meets an unusual layout
 * starts over with what this gives.
 */
export function mergedBinary(plan: MessagePlan, binary: Uint8Array): Uint8Array {
  return new BinaryMerge(binary).run(plan);
}

class BinaryMerge extends ProtoSink {
  private readonly reader: WireReader;
  /** What is read now is not going to be printed: only its encoding is judged. */
  private checking = false;

  constructor(private readonly binary: Uint8Array) {
    super();
    this.reader = new WireReader(binary);
  }

  run(plan: MessagePlan): Uint8Array {
    this.message(plan, [0, this.binary.length], 0);
    return this.result();
  }

  private message(plan: MessagePlan, parts: Parts, depth: number): void {
    const reader = this.reader;
    if (depth >= MAX_CONTAINERS) this.tooDeep(parts[0]);
    // Where each field's values are, fields in the order of their first places. The last value of a scalar counts.
    const found = new Map<FieldPlan, Parts>();
    const sidecar: Parts = [];
    this.each(parts, (tag, at, end) => {
      const number = tag >>> 3;
      const field = plan.byNumber.get(number);
      if (number === plan.sidecar) {
        this.enter(depth, plan.sidecarName);
        this.want((tag & 7) === 2, tag, at);
        const stop = reader.length(end);
        const part = [reader.pos, stop];
        sidecar.push(...part);
        reader.pos = stop;
        if (depth === 0) this.unwritten(() => this.preserved(part, depth + 1));
      } else if (field === undefined) {
        reader.skip(tag, at, end);
      } else {
        this.enter(depth, field.name);
        const values = found.get(field) ?? [];
        found.set(field, values);
        const before = values.length;
        this.occurrence(field, tag, at, end, values);
        // Faults are to be found in the order of the bytes. Inside, the same is done once, not once a level.
        if (depth === 0 && (field.kind === Kind.VALUE || field.kind === Kind.MESSAGE)) {
          this.unwritten(() => this.field(field, values.slice(before), depth + 1));
        }
      }
      this.enter(depth, "");
    });
    for (const [field, values] of found) {
      this.enter(depth, field.name);
      this.field(field, values, depth + 1);
    }
    if (sidecar.length > 0) {
      this.enter(depth, plan.sidecarName);
      this.tag(((plan.sidecar << 3) | 2) >>> 0);
      // Members that today's schema names may not be printed: the printer judges their numbers.
      const { checking } = this;
      this.checking = true;
      this.nested(() => this.preserved(sidecar, depth + 1));
      this.checking = checking;
    }
    this.enter(depth, "");
  }

  /** Pointers go as far as the envelope's field. */
  private enter(depth: number, name: string): void {
    if (depth === 0) this.reader.pointer = name === "" ? "" : `/${name}`;
  }

  /** Passes over one value of a field, checks it as far as it goes without its parts, and notes where it is. */
  private occurrence(field: FieldPlan, tag: number, at: number, end: number, values: Parts): void {
    const reader = this.reader;
    if (field.packed && (tag & 7) === 2) {
      for (const stop = reader.length(end); reader.pos < stop; ) this.scalar(field, stop, values);
      return;
    }
    this.want((tag & 7) === field.wireType, tag, at);
    if (field.wireType !== 2) this.scalar(field, end, values);
    else if (field.kind === Kind.STRING) {
      const stop = reader.string(end);
      values.push(reader.stringStart, stop);
    } else {
      const stop = reader.length(end);
      values.push(reader.pos, stop);
      reader.pos = stop;
    }
  }

  private scalar(field: FieldPlan, end: number, values: Parts): void {
    const start = this.reader.pos;
    if (field.wireType === 1) this.reader.fixed(8, end);
    else this.reader.varint(end);
    values.push(start, this.reader.pos);
  }

  private field(field: FieldPlan, values: Parts, depth: number): void {
    const write = (parts: Parts, inner: number) => {
      if (field.kind === Kind.VALUE) this.nested(() => this.value(parts, inner));
      else if (field.kind === Kind.MESSAGE) this.nested(() => this.message(field.message, parts, inner));
      else {
        if (field.kind === Kind.STRING) this.room().varint(parts[1] - parts[0]);
        if (field.kind === Kind.DOUBLE) this.double(parts[0], parts[0]);
        else this.raw(parts[0], parts[1]);
      }
    };
    if (!field.repeated) {
      this.tag(field.tag);
      write(field.kind === Kind.VALUE || field.kind === Kind.MESSAGE ? values : values.slice(-2), depth);
    } else if (field.packed) {
      if (values.length === 0) return;
      this.tag(field.tag);
      this.nested(() => {
        for (let i = 0; i < values.length; i += 2) write([values[i], values[i + 1]], depth);
      });
    } else {
      for (let i = 0; i < values.length; i += 2) {
        this.tag(field.tag);
        write(values.slice(i, i + 2), depth + 1);
      }
    }
  }

  private value(parts: Parts, depth: number): void {
    const reader = this.reader;
    // The kind that was set last, and where its content is: all that was set of it since another kind was.
    let kind = 0;
    let content: Parts = [];
    const set = (next: number, from: number, to: number) => {
      const message = next === STRUCT || next === LIST;
      if (!message || next !== kind) {
        // What is dropped must be well-formed all the same.
        if (kind === STRUCT || kind === LIST) this.unwritten(() => this.container(kind, content, depth));
        content = [];
      }
      kind = next;
      content.push(from, to);
    };
    this.each(parts, (tag, at, end) => {
      const start = reader.pos;
      switch (tag) {
        case NULL:
        case BOOL:
          reader.varint(end);
          set(tag, start, reader.pos);
          break;
        case NUMBER:
          reader.fixed(8, end);
          set(tag, start, reader.pos);
          break;
        case STRING: {
          const stop = reader.string(end);
          set(tag, reader.stringStart, stop);
          break;
        }
        case STRUCT:
        case LIST: {
          const stop = reader.length(end);
          set(tag, reader.pos, stop);
          reader.pos = stop;
          break;
        }
        default:
          this.want(tag >>> 3 > 6, tag, at);
          reader.skip(tag, at, end);
      }
    });
    if (kind === 0) return;
    const [from, to] = content;
    this.tag(kind);
    if (kind === STRUCT || kind === LIST) {
      this.nested(() => this.container(kind, content, depth));
    } else if (kind === NUMBER) {
      this.double(from, from - 1);
    } else if (kind === STRING) {
      this.room().varint(to - from);
      this.raw(from, to);
    } else {
      // Any varint but zero is true; any number is null.
      reader.pos = from;
      const low = reader.varint(to);
      this.room().varint(kind === BOOL && (low !== 0 || reader.high !== 0) ? 1 : 0);
    }
  }

  /** Writes the double at `from`, if it is one that can be printed. */
  private double(from: number, at: number): void {
    const number = new DataView(this.binary.buffer, this.binary.byteOffset + from, 8).getFloat64(0, true);
    if (!Number.isFinite(number) && !this.checking) {
      throw this.reader.error("out_of_range", "JSON has no number for infinity and NaN", at);
    }
    this.raw(from, from + 8);
  }

  private container(kind: number, parts: Parts, depth: number): void {
    if (depth >= MAX_CONTAINERS) this.tooDeep(parts[0]);
    if (kind === STRUCT) this.entries(parts, depth + 1, 1);
    else {
      this.each(parts, (tag, at, end) => {
        if (!this.isField(tag, at, end, 1)) return;
        const stop = this.reader.length(end);
        const start = this.reader.pos;
        this.tag(0x0a);
        this.nested(() => this.value([start, stop], depth + 1));
        this.reader.pos = stop;
      });
    }
  }

  private preserved(parts: Parts, depth: number): void {
    this.entries(parts, depth, 3);
    // Words and number texts are taken in any layout; here they are only checked.
    this.each(parts, (tag, at, end) => {
      const { reader } = this;
      if (tag === TAG_MEMBERS) {
        reader.pos = reader.length(end);
      } else if (tag === TAG_WORDS) {
        readWord(reader, reader.length(end), new Map());
        this.raw(at, reader.pos);
      } else if (tag === TAG_NUMBERS) {
        readNumberNode(reader, reader.length(end), new TreeNode(), 1);
        this.raw(at, reader.pos);
      } else {
        reader.skip(tag, at, end);
      }
    });
  }

  /** Writes the entries of the map in field 1, of key and Value; fields up to `own` are of the message itself. */
  private entries(parts: Parts, depth: number, own: number): void {
    const { reader } = this;
    const entries = new Map<string, { key: Parts; value: Parts }>();
    this.each(parts, (tag, at, end) => {
      if (!this.isField(tag, at, end, own)) return;
      const stop = reader.length(end);
      let key: Parts = [0, 0];
      let text = "";
      const value: Parts = [];
      this.each([reader.pos, stop], (inner, innerAt, innerEnd) => {
        if (inner === 0x0a) {
          text = reader.text(innerEnd);
          key = [reader.stringStart, reader.pos];
        } else if (inner === 0x12) {
          const valueEnd = reader.length(innerEnd);
          value.push(reader.pos, valueEnd);
          reader.pos = valueEnd;
        } else {
          this.want(inner >>> 3 > 2, inner, innerAt);
          reader.skip(inner, innerAt, innerEnd);
        }
      });
      reader.pos = stop;
      const before = entries.get(text);
      if (before === undefined) entries.set(text, { key, value });
      else {
        this.unwritten(() => this.value(before.value, depth));
        before.value = value;
      }
    });
    for (const { key, value } of entries.values()) {
      this.tag(TAG_MEMBERS);
      this.nested(() => {
        this.room().varint(0x0a);
        this.varint(key[1] - key[0]);
        this.raw(key[0], key[1]);
        this.tag(0x12);
        this.nested(() => this.value(value, depth));
      });
    }
  }

  /** Whether a tag is that of the message in field 1. Others up to `own` are left to others, and unknown ones skipped. */
  private isField(tag: number, at: number, end: number, own: number): boolean {
    if (tag === 0x0a) return true;
    this.want(tag >>> 3 > 1 && (tag >>> 3 > own || (tag & 7) === 2), tag, at);
    this.reader.skip(tag, at, end);
    return false;
  }

  /** Calls `read` for each field of a message in parts, behind its tag. */
  private each(parts: Parts, read: (tag: number, at: number, end: number) => void): void {
    const reader = this.reader;
    for (let i = 0; i < parts.length; i += 2) {
      const end = parts[i + 1];
      for (reader.pos = parts[i]; reader.pos < end; ) {
        const at = reader.pos;
        read(reader.tag(end), at, end);
      }
    }
  }

  private want(right: boolean, tag: number, at: number): void {
    if (!right) this.reader.fail(`wire type ${tag & 7} for field ${tag >>> 3}, which has another`, at);
  }

  private tag(tag: number): void {
    this.room().varint(tag);
  }

  private room(): this {
    this.ensure(SLACK);
    return this;
  }

  private raw(start: number, end: number): void {
    this.ensure(end - start);
    if (end - start > 64) this.out.set(this.binary.subarray(start, end), this.o);
    else for (let p = start; p < end; p++) this.out[this.o + p - start] = this.binary[p];
    this.o += end - start;
  }

  /** Writes a length and what `write` writes. */
  private nested(write: () => void): void {
    this.ensure(SLACK);
    const { o, delta, tail } = this;
    this.o += varintSize(0);
    write();
    this.close(o, varintSize(0), delta, tail);
  }

  /** Reads what `write` would write, for its faults. */
  private unwritten(write: () => void): void {
    const { pos } = this.reader;
    const { checking } = this;
    const { o, delta, tail } = this;
    this.checking = true;
    write();
    this.checking = checking;
    this.back(o, delta, tail);
    this.reader.pos = pos;
  }

  private tooDeep(at: number): never {
    throw this.reader.error("nesting_too_deep", `over ${MAX_CONTAINERS} containers are open`, at);
  }
}
