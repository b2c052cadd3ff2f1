// A plain reading of the protobuf encoding specification, by descriptor: whether bytes are a message of a schema, and
// nothing else. It knows no JSON and shares nothing with the package, whose judge it is.
import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { WIRE } from "./wire.js";

export type WireFault = "malformed_binary" | "invalid_utf8";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const FIXED_SIZE: Record<number, number> = { [WIRE.fixed64]: 8, [WIRE.fixed32]: 4 };

class Fault extends Error {
  constructor(readonly code: WireFault) {
    super(code);
  }
}

/** The faults of the bytes; none when they are a message of the schema. */
export function wireFault(schema: DescMessage, bytes: Uint8Array): WireFault | undefined {
  try {
    readMessage(schema, bytes, 0, bytes.length);
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error.code;
    throw error;
  }
}

function malformed(): never {
  throw new Fault("malformed_binary");
}

function readVarint(bytes: Uint8Array, start: number, end: number): [value: bigint, next: number] {
  let value = 0n;
  for (let i = 0; i < 10; i++) {
    if (start + i >= end) malformed();
    const byte = bytes[start + i]!;
    value |= BigInt(byte & 0x7f) << BigInt(7 * i);
    if (byte < 0x80) {
      if (value >= 1n << 64n) malformed();
      return [value, start + i + 1];
    }
  }
  return malformed();
}

function readTag(bytes: Uint8Array, start: number, end: number): [field: number, wire: number, next: number] {
  const [value, next] = readVarint(bytes, start, end);
  const field = Number(value >> 3n);
  const wire = Number(value & 7n);
  if (next - start > 5 || value >= 1n << 32n || field === 0 || wire > 5) malformed();
  return [field, wire, next];
}

function readLength(bytes: Uint8Array, start: number, end: number): [from: number, to: number] {
  const [length, next] = readVarint(bytes, start, end);
  if (length > BigInt(end - next)) malformed();
  return [next, next + Number(length)];
}

function readMessage(schema: DescMessage, bytes: Uint8Array, start: number, end: number): void {
  let at = start;
  while (at < end) {
    const [number, wire, next] = readTag(bytes, at, end);
    const field = schema.fields.find((known) => known.number === number);
    at = field === undefined ? skip(number, wire, bytes, next, end) : readField(field, wire, bytes, next, end);
  }
}

function skip(number: number, wire: number, bytes: Uint8Array, start: number, end: number): number {
  if (wire === WIRE.varint) return readVarint(bytes, start, end)[1];
  if (wire === WIRE.length) return readLength(bytes, start, end)[1];
  if (wire === WIRE.startGroup) {
    let at = start;
    for (;;) {
      const [inner, innerWire, next] = readTag(bytes, at, end);
      if (innerWire === WIRE.endGroup) return inner === number ? next : malformed();
      at = skip(inner, innerWire, bytes, next, end);
    }
  }
  const size = FIXED_SIZE[wire];
  if (size === undefined || start + size > end) malformed();
  return start + size;
}

function readField(field: DescField, wire: number, bytes: Uint8Array, start: number, end: number): number {
  if (field.fieldKind === "map") {
    if (wire !== WIRE.length) malformed();
    const [from, to] = readLength(bytes, start, end);
    readEntry(field, bytes, from, to);
    return to;
  }
  const message = field.fieldKind === "message" || (field.fieldKind === "list" && field.listKind === "message");
  if (message) {
    if (wire !== WIRE.length) malformed();
    const [from, to] = readLength(bytes, start, end);
    readMessage(field.message!, bytes, from, to);
    return to;
  }
  const scalar =
    field.fieldKind === "enum" || (field.fieldKind === "list" && field.listKind === "enum")
      ? ScalarType.INT32
      : field.scalar!;
  if (field.fieldKind === "list" && wire === WIRE.length && scalar !== ScalarType.STRING) {
    const [from, to] = readLength(bytes, start, end);
    for (let at = from; at < to; ) at = readScalar(scalar, wireOf(scalar), bytes, at, to);
    return to;
  }
  return readScalar(scalar, wire, bytes, start, end);
}

function readEntry(field: DescField & { fieldKind: "map" }, bytes: Uint8Array, start: number, end: number): void {
  let at = start;
  while (at < end) {
    const [number, wire, next] = readTag(bytes, at, end);
    if (number === 1) at = readScalar(field.mapKey, wire, bytes, next, end);
    else if (number !== 2) at = skip(number, wire, bytes, next, end);
    else if (field.mapKind === "scalar") at = readScalar(field.scalar, wire, bytes, next, end);
    else {
      if (wire !== WIRE.length) malformed();
      const [from, to] = readLength(bytes, next, end);
      readMessage(field.message!, bytes, from, to);
      at = to;
    }
  }
}

function wireOf(scalar: ScalarType): number {
  if (scalar === ScalarType.STRING) return WIRE.length;
  return scalar === ScalarType.DOUBLE ? WIRE.fixed64 : WIRE.varint;
}

function readScalar(scalar: ScalarType, wire: number, bytes: Uint8Array, start: number, end: number): number {
  if (wire !== wireOf(scalar)) malformed();
  if (scalar !== ScalarType.STRING) return skip(0, wire, bytes, start, end);
  const [from, to] = readLength(bytes, start, end);
  try {
    utf8.decode(bytes.subarray(from, to));
  } catch {
    throw new Fault("invalid_utf8");
  }
  return to;
}
