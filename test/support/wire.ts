// A plain writer of Protobuf's wire format, for binaries that no library would write.

/** Bytes from hex digits; white space is left out. */
export function hex(text: string): Uint8Array {
  const digits = text.replace(/\s+/g, "");
  if (digits.length % 2 !== 0 || /[^0-9a-f]/i.test(digits)) throw new Error(`not hex: ${text}`);
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

export function cat(...parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}

/** A varint of a non-negative number, or of a negative one in 64 bits. */
export function varint(value: number | bigint): Uint8Array {
  let rest = BigInt.asUintN(64, BigInt(value));
  const bytes: number[] = [];
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}

export const WIRE = { varint: 0, fixed64: 1, length: 2, startGroup: 3, endGroup: 4, fixed32: 5 } as const;

export function tag(field: number, wire: number): Uint8Array {
  return varint((BigInt(field) << 3n) | BigInt(wire));
}

/** A varint field. */
export function int(field: number, value: number | bigint): Uint8Array {
  return cat(tag(field, WIRE.varint), varint(value));
}

/** A length-delimited field. */
export function len(field: number, ...content: Uint8Array[]): Uint8Array {
  const body = Buffer.concat(content);
  return cat(tag(field, WIRE.length), varint(body.length), body);
}

/** A string field. */
export function str(field: number, text: string): Uint8Array {
  return len(field, new TextEncoder().encode(text));
}

/** A double field. */
export function double(field: number, value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value, true);
  return cat(tag(field, WIRE.fixed64), bytes);
}

/** A fixed32 field. */
export function fixed32(field: number, value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value, true);
  return cat(tag(field, WIRE.fixed32), bytes);
}

/** A group, as unknown fields may have it. */
export function group(field: number, ...content: Uint8Array[]): Uint8Array {
  return cat(tag(field, WIRE.startGroup), ...content, tag(field, WIRE.endGroup));
}

/** A google.protobuf.Value's content for a JSON value, members in their order. */
export function valueBytes(json: unknown): Uint8Array {
  if (json === null) return int(1, 0);
  if (typeof json === "number") return double(2, json);
  if (typeof json === "string") return str(3, json);
  if (typeof json === "boolean") return int(4, json ? 1 : 0);
  if (Array.isArray(json)) return len(6, ...json.map((item) => len(1, valueBytes(item))));
  return len(5, ...Object.entries(json as object).map(([key, value]) => member(1, key, valueBytes(value))));
}

/** An entry of a map from string to a message or a string. */
export function member(field: number, key: string, value: Uint8Array): Uint8Array {
  return len(field, str(1, key), len(2, value));
}

/** What stands before the content of a length-delimited field of this length. */
export function header(field: number, length: number): Uint8Array {
  return cat(tag(field, WIRE.length), varint(length));
}

/**
 * A content inside `depth` wrappers, each no more than some bytes before it. It costs no more than its size, where
 * nesting `len` would copy the content at each level.
 */
export function nest(depth: number, content: Uint8Array, before: (length: number) => Uint8Array): Uint8Array {
  const parts = [content];
  let length = content.length;
  for (let level = 0; level < depth; level++) {
    const part = before(length);
    parts.push(part);
    length += part.length;
  }
  return Uint8Array.from(Buffer.concat(parts.reverse()));
}

/** What stands before the Value in an array of one. */
export function beforeElement(length: number): Uint8Array {
  const list = header(1, length);
  return cat(header(6, list.length + length), list);
}

/** What stands before the Value in an object of one member. */
export function beforeMember(length: number, key = "a"): Uint8Array {
  const entry = cat(str(1, key), header(2, length));
  const struct = header(1, entry.length + length);
  return cat(header(5, struct.length + entry.length + length), struct, entry);
}

/** The two required fields of the envelope: run_id "a", status completed. */
export const REQUIRED = cat(str(7, "a"), int(9, 3));

/** An envelope whose result has the given Value content. */
export function withResult(content: Uint8Array): Uint8Array {
  return cat(len(6, content), REQUIRED);
}
