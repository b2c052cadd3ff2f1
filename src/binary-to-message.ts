import { create, type DescMessage, fromBinary, type MessageShape } from "@bufbuild/protobuf";
import { NullValue, type Value } from "@bufbuild/protobuf/wkt";
import { setMember } from "./json-container.js";
import { type FieldPlan, Kind, type MessagePlan } from "./plan.js";
import { decodeUtf8 } from "./utf8.js";
import { position, varintAt } from "./varint.js";

/**
 * JSON's 127 containers are at most three messages each; what the transcoders
 * give is never deeper.
 */
const RECURSION = { recursionLimit: 1000 };

/**
 * Makes a message of binary that the JSON reader wrote, as `fromBinary` of
 * Protobuf-ES does.
 *
 * That reads lists, nested messages, long integers and the sidecar. The rest is
 * most of a message, in the layout that the writer gives it: reading that here
 * takes a third of the time. A member named `__proto__` is one like any other.
 */
export function messageOf<Desc extends DescMessage>(
  schema: Desc,
  plan: MessagePlan,
  binary: Uint8Array,
): MessageShape<Desc> {
  const reader = new FieldReader(binary);
  const values: [name: string, value: unknown][] = [];
  /** What is left to Protobuf-ES: all that stands between what is read here. */
  const rest: Uint8Array[] = [];
  let from = 0;
  for (let p = 0; p < binary.length; ) {
    const start = p;
    const tag = varintAt(binary, p);
    const field = plan.byTag.get(tag);
    p = reader.behind(tag, position);
    const value = field === undefined || field.repeated ? undefined : reader.field(field, position, p);
    if (value === undefined) continue;
    values.push([field!.local, value]);
    if (start > from) rest.push(binary.subarray(from, start));
    from = p;
  }
  if (from < binary.length) rest.push(binary.subarray(from));
  const message = rest.length === 0 ? create(schema) : fromBinary(schema, joined(rest), RECURSION);
  for (const [name, value] of values) (message as { [name: string]: unknown })[name] = value;
  return message;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0];
  const bytes = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Longer keys are not kept. */
const MOST_KEPT = 32;
/**
 * Keys that were read lately, by a few of their bytes, and their bytes, four to a word with zeros behind: making a
 * string, and then finding its like, takes longer than comparing.
 */
const recentKeys: string[] = Array.from({ length: 256 }, () => "");
const recentWords = new Int32Array((256 * MOST_KEPT) / 4);

/** Reads fields in the layout that the JSON reader writes. */
class FieldReader {
  private readonly view: DataView;
  /** Where {@link length} stopped reading. */
  private at = 0;

  constructor(private readonly src: Uint8Array) {
    this.view = new DataView(src.buffer, src.byteOffset, src.length);
  }

  /** Gives where a field ends whose tag is before `p`. */
  behind(tag: number, p: number): number {
    switch (tag & 7) {
      case 0:
        return this.behindLength(p);
      case 1:
        return p + 8;
      default:
        return this.length(p);
    }
  }

  /** Reads what the field from `p` up to `end` holds, if it is one that is read here. */
  field(field: FieldPlan, p: number, end: number): unknown {
    switch (field.kind) {
      case Kind.VALUE:
        return this.value(this.behindLength(p), end);
      case Kind.STRING:
        return decodeUtf8(this.src, this.behindLength(p), end);
      case Kind.DOUBLE:
        return this.view.getFloat64(p, true);
      case Kind.MESSAGE:
        return undefined;
      default: {
        // Up to 28 bits fit into a word, and are no negative number.
        if (end - p > 4 || field.longAsString) return undefined;
        const integer = this.length(p) - this.at;
        if (field.kind === Kind.INT64 || field.kind === Kind.UINT64) return BigInt(integer);
        return field.kind === Kind.BOOL ? integer !== 0 : integer;
      }
    }
  }

  /** Reads the Value from `p` up to `end`. Its properties are those that Protobuf-ES gives it, in the same order. */
  value(p: number, end: number): Value {
    switch (this.src[p]) {
      case 0x11:
        return value({ case: "numberValue", value: this.view.getFloat64(p + 1, true) });
      case 0x1a:
        return value({ case: "stringValue", value: decodeUtf8(this.src, this.behindLength(p + 1), end) });
      case 0x20:
        return value({ case: "boolValue", value: this.src[p + 1] === 1 });
      case 0x2a:
        return this.struct(this.behindLength(p + 1), end);
      case 0x32:
        return this.list(this.behindLength(p + 1), end);
      default:
        return value({ case: "nullValue", value: NullValue.NULL_VALUE });
    }
  }

  private struct(p: number, end: number): Value {
    const fields: { [key: string]: Value } = {};
    while (p < end) {
      const entryEnd = this.length(p + 1);
      const keyEnd = this.length(this.at + 1);
      const key = this.key(this.at, keyEnd);
      setMember(fields, key, this.value(this.behindLength(keyEnd + 1), entryEnd));
      p = entryEnd;
    }
    return value({ case: "structValue", value: { $typeName: "google.protobuf.Struct", fields } });
  }

  private list(p: number, end: number): Value {
    const values: Value[] = [];
    while (p < end) {
      const valueEnd = this.length(p + 1);
      values.push(this.value(this.at, valueEnd));
      p = valueEnd;
    }
    return value({ case: "listValue", value: { $typeName: "google.protobuf.ListValue", values } });
  }

  /** Reads the length at `p` and gives where what it measures ends. */
  private length(p: number): number {
    const { src } = this;
    let length = src[p++];
    if (length >= 0x80) {
      length &= 0x7f;
      for (let shift = 7; ; shift += 7) {
        const byte = src[p++];
        length |= (byte & 0x7f) << shift;
        if (byte < 0x80) break;
      }
    }
    this.at = p;
    return p + length;
  }

  /** Gives the position after the length at `p`. */
  private behindLength(p: number): number {
    while (this.src[p] >= 0x80) p++;
    return p + 1;
  }

  private key(start: number, end: number): string {
    const { src, view } = this;
    const size = end - start;
    if (size === 0 || size > MOST_KEPT) return decodeUtf8(src, start, end);
    const slot = (size * 31 + src[start] * 7 + src[end - 1] * 3 + src[(start + end) >> 1]) & 255;
    const recent = recentKeys[slot];
    // A tag, a length and a Value of two bytes at least are behind the key, so that whole words can be read.
    const last = -1 >>> ((-size & 3) << 3);
    let word = (slot * MOST_KEPT) / 4;
    if (recent.length === size) {
      let p = start;
      while (p + 4 < end && view.getInt32(p, true) === recentWords[word]) {
        p += 4;
        word++;
      }
      // Only of ASCII are code units and bytes the same.
      if (p + 4 >= end && (view.getInt32(p, true) & last) === recentWords[word]) return recent;
      word = (slot * MOST_KEPT) / 4;
    }
    const key = decodeUtf8(src, start, end);
    if (key.length === size) {
      recentKeys[slot] = key;
      let p = start;
      for (; p + 4 < end; p += 4) recentWords[word++] = view.getInt32(p, true);
      recentWords[word] = view.getInt32(p, true) & last;
    }
    return key;
  }
}

function value(kind: Value["kind"]): Value {
  return { $typeName: "google.protobuf.Value", kind };
}
