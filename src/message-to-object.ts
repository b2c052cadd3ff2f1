import type { JsonValue, Message } from "@bufbuild/protobuf";
import type { Value } from "@bufbuild/protobuf/wkt";
import { setMember } from "./json-container.js";
import { type CheckedWriteOptions, MAX_CONTAINERS } from "./limits.js";
import { type FieldPlan, Kind, type MessagePlan } from "./plan.js";

/** What a message turns into, or nothing where that takes more than is done here. */
type Plain<T> = T | undefined;

/**
 * Gives the object that `JSON.stringify` prints just as the printer of binary
 * would, for the usual message: one that keeps nothing beyond its fields, whose
 * numbers serde_json prints as JavaScript does, and in which nothing is wrong.
 *
 * For any other it gives nothing; what is wrong with it is for the general way
 * to say. Lone surrogates are not looked for: `JSON.stringify` leaves a trace of
 * them in the text.
 */
export function plainObject(
  plan: MessagePlan,
  message: Message,
  keys: CheckedWriteOptions["keys"],
  depth = 0,
): Plain<{ [key: string]: JsonValue }> {
  if (message?.$typeName !== plan.name || message.$unknown !== undefined || depth >= MAX_CONTAINERS) return undefined;
  const values = message as unknown as { readonly [name: string]: unknown };
  if (plan.sidecar !== 0 && values[plan.sidecarLocal] !== undefined) return undefined;
  const object: { [key: string]: JsonValue } = {};
  for (const field of plan.fields) {
    const value = values[field.local];
    if (value === undefined && !field.required) continue;
    const json = field.repeated ? plainList(field, value, keys, depth + 1) : plainField(field, value, keys, depth + 1);
    if (json === undefined) return undefined;
    setMember(object, keys === "camelCase" ? field.jsonName : field.name, json);
  }
  return object;
}

function plainList(
  field: FieldPlan,
  value: unknown,
  keys: CheckedWriteOptions["keys"],
  depth: number,
): Plain<JsonValue> {
  if (!Array.isArray(value) || depth >= MAX_CONTAINERS) return undefined;
  const list: JsonValue[] = [];
  for (let i = 0; i < value.length; i++) {
    const json = plainField(field, value[i], keys, depth + 1);
    if (json === undefined) return undefined;
    list.push(json);
  }
  return list;
}

function plainField(
  field: FieldPlan,
  value: unknown,
  keys: CheckedWriteOptions["keys"],
  depth: number,
): Plain<JsonValue> {
  switch (field.kind) {
    case Kind.STRING:
      return typeof value === "string" ? value : undefined;
    case Kind.BOOL:
      return typeof value === "boolean" ? value : undefined;
    case Kind.DOUBLE:
      return plainNumber(value);
    case Kind.INT32:
      return Object.is((value as number) | 0, value) ? (value as number) : undefined;
    case Kind.UINT32:
      return Object.is((value as number) >>> 0, value) ? (value as number) : undefined;
    case Kind.INT64:
      return plainBigInt(value, BigInt(Number.MIN_SAFE_INTEGER));
    case Kind.UINT64:
      return plainBigInt(value, 0n);
    case Kind.ENUM:
      return Object.is((value as number) | 0, value) ? field.words.get(value as number) : undefined;
    case Kind.VALUE:
      return plainValue(value as Value, depth);
    default:
      return plainObject(field.message, value as Message, keys, depth);
  }
}

function plainValue(value: Value, depth: number): Plain<JsonValue> {
  if (value?.$typeName !== "google.protobuf.Value" || value.$unknown !== undefined) return undefined;
  const { kind } = value;
  switch (kind?.case) {
    case "stringValue":
      return typeof kind.value === "string" ? kind.value : undefined;
    case "numberValue":
      return plainNumber(kind.value);
    case "boolValue":
      return typeof kind.value === "boolean" ? kind.value : undefined;
    case "nullValue":
      return kind.value === 0 ? null : undefined;
    case "structValue": {
      const struct = kind.value;
      if (struct?.$typeName !== "google.protobuf.Struct" || struct.$unknown !== undefined || depth >= MAX_CONTAINERS)
        return undefined;
      const object: { [key: string]: JsonValue } = {};
      for (const key of Object.keys(struct.fields)) {
        const json = plainValue(struct.fields[key], depth + 1);
        if (json === undefined) return undefined;
        setMember(object, key, json);
      }
      return object;
    }
    case "listValue": {
      const list = kind.value;
      if (list?.$typeName !== "google.protobuf.ListValue" || list.$unknown !== undefined || depth >= MAX_CONTAINERS)
        return undefined;
      const array: JsonValue[] = [];
      for (let i = 0; i < list.values.length; i++) {
        const json = plainValue(list.values[i], depth + 1);
        if (json === undefined) return undefined;
        array.push(json);
      }
      return array;
    }
    default:
      return undefined;
  }
}

/** A number that serde_json prints as JavaScript does: finite, not -0, nor where only serde_json has the exponent form. */
function plainNumber(value: unknown): Plain<number> {
  if (typeof value !== "number" || value - value !== 0) return undefined;
  const size = Math.abs(value);
  if (size < 1e-5 && (size >= 1e-6 || Object.is(value, -0))) return undefined;
  return value;
}

function plainBigInt(value: unknown, least: bigint): Plain<number> {
  return typeof value === "bigint" && value >= least && value <= Number.MAX_SAFE_INTEGER ? Number(value) : undefined;
}
