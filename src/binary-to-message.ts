import { type DescMessage, fromBinary, type MessageShape } from "@bufbuild/protobuf";
import { NullValue, type Value } from "@bufbuild/protobuf/wkt";
import { setMember } from "./json-container.js";
import { Kind, type MessagePlan } from "./plan.js";
import { decodeUtf8 } from "./utf8.js";
import { lengthAt, position, varintAt } from "./varint.js";

/**
 * JSON's 127 containers are at most three messages each; what the transcoders
 * give is never deeper.
 */
const RECURSION = { recursionLimit: 1000 };

/**
 * Makes a message of binary that the JSON reader wrote, as `fromBinary` of
 * Protobuf-ES does, which reads all but the Values.
 *
 * Those are most of a message, of one type, and in the layout that the writer
 * gives them: reading them here takes a third of the time. A member named
 * `__proto__` is one like any other.
 */
export function messageOf<Desc extends DescMessage>(
  schema: Desc,
  plan: MessagePlan,
  binary: Uint8Array,
): MessageShape<Desc> {
  const reader = new ValueReader(binary);
  const values: [name: string, value: Value][] = [];
  /** What is left to Protobuf-ES: all that stands between the Values. */
  const rest: Uint8Array[] = [];
  let from = 0;
  for (let p = 0; p < binary.length; ) {
    const start = p;
    const tag = varintAt(binary, p);
    p = position;
    const field = plan.byTag.get(tag);
    if ((tag & 7) === 2) {
      const end = lengthAt(binary, p);
      if (field?.kind === Kind.VALUE && !field.repeated) {
        if (start > from) rest.push(binary.subarray(from, start));
        values.push([field.local, reader.value(position, end)]);
        from = end;
      }
      p = end;
    } else if ((tag & 7) === 1) {
      p += 8;
    } else {
      while (binary[p] >= 0x80) p++;
      p++;
    }
  }
  if (values.length === 0) return fromBinary(schema, binary, RECURSION);
  rest.push(binary.subarray(from));
  const message = fromBinary(schema, joined(rest), RECURSION);
  for (const [name, value] of values) (message as { [name: string]: unknown })[name] = value;
  return message;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Keys that were read lately, by a few of their bytes: making a string, and then finding its like, takes longer than comparing. */
const recentKeys: string[] = Array.from({ length: 256 }, () => "");
/** Longer ones are not kept. */
const MOST_KEPT = 32;

/** Reads google.protobuf.Value in the layout that the JSON reader writes. */
class ValueReader {
  private readonly view: DataView;

  constructor(private readonly src: Uint8Array) {
    this.view = new DataView(src.buffer, src.byteOffset, src.length);
  }

  /** Reads the Value from `p` up to `end`. Its properties are those that Protobuf-ES gives it, in the same order. */
  value(p: number, end: number): Value {
    switch (this.src[p]) {
      case 0x11:
        return value({ case: "numberValue", value: this.view.getFloat64(p + 1, true) });
      case 0x1a:
        varintAt(this.src, p + 1);
        return value({ case: "stringValue", value: decodeUtf8(this.src, position, end) });
      case 0x20:
        return value({ case: "boolValue", value: this.src[p + 1] === 1 });
      case 0x2a:
        varintAt(this.src, p + 1);
        return this.struct(position, end);
      case 0x32:
        varintAt(this.src, p + 1);
        return this.list(position, end);
      default:
        return value({ case: "nullValue", value: NullValue.NULL_VALUE });
    }
  }

  private struct(p: number, end: number): Value {
    const fields: { [key: string]: Value } = {};
    while (p < end) {
      const entryEnd = lengthAt(this.src, p + 1);
      const keyEnd = lengthAt(this.src, position + 1);
      const key = this.key(position, keyEnd);
      varintAt(this.src, keyEnd + 1);
      setMember(fields, key, this.value(position, entryEnd));
      p = entryEnd;
    }
    return value({ case: "structValue", value: { $typeName: "google.protobuf.Struct", fields } });
  }

  private list(p: number, end: number): Value {
    const values: Value[] = [];
    while (p < end) {
      const valueEnd = lengthAt(this.src, p + 1);
      values.push(this.value(position, valueEnd));
      p = valueEnd;
    }
    return value({ case: "listValue", value: { $typeName: "google.protobuf.ListValue", values } });
  }

  private key(start: number, end: number): string {
    const src = this.src;
    const size = end - start;
    if (size === 0 || size > MOST_KEPT) return decodeUtf8(src, start, end);
    const at = (size * 31 + src[start] * 7 + src[end - 1] * 3 + src[(start + end) >> 1]) & 255;
    const recent = recentKeys[at];
    if (recent.length === size) {
      let i = 0;
      while (i < size && recent.charCodeAt(i) === src[start + i]) i++;
      // Only of ASCII are code units and bytes the same.
      if (i === size) return recent;
    }
    const key = decodeUtf8(src, start, end);
    if (key.length === size) recentKeys[at] = key;
    return key;
  }
}

function value(kind: Value["kind"]): Value {
  return { $typeName: "google.protobuf.Value", kind };
}
