import type { Message } from "@bufbuild/protobuf";
import type { Value } from "@bufbuild/protobuf/wkt";
import { WireError, type WireErrorCode } from "./error.js";
import { MAX_CONTAINERS } from "./json-value-reader.js";
import { Kind, type MessagePlan } from "./plan.js";
import { pointerToken } from "./pointer.js";
import { isWellFormed } from "./utf8.js";

/** The JS type of a scalar in a message of Protobuf-ES. */
const TYPE_OF: { readonly [kind: number]: string } = {
  [Kind.BOOL]: "boolean",
  [Kind.INT32]: "number",
  [Kind.UINT32]: "number",
  [Kind.INT64]: "bigint",
  [Kind.UINT64]: "bigint",
  [Kind.DOUBLE]: "number",
  [Kind.ENUM]: "number",
};

/** A NumberText as the guard sees it. */
interface TextNode {
  readonly place?: { readonly value?: unknown };
  readonly text?: string | undefined;
  readonly children?: readonly TextNode[];
}

/**
 * Refuses a message that Protobuf-ES would write as something else, or not
 * survive writing: it turns lone surrogates into U+FFFD, writes a plain object
 * in the place of a Struct as an empty one, and recurses without a limit.
 */
export function guardMessage(plan: MessagePlan, message: Message): void {
  messageAt(plan, message, "", 0);
}

function messageAt(plan: MessagePlan, message: Message, pointer: string, depth: number): void {
  if (typeof message !== "object" || message === null || message.$typeName !== plan.name) {
    throw fault("wrong_type", `expected a message of ${plan.name}`, pointer);
  }
  if (depth >= MAX_CONTAINERS) throw tooDeep(pointer);
  const values = message as unknown as { readonly [name: string]: unknown };
  for (const field of plan.fields) {
    const value = values[field.local];
    if (value === undefined && !field.required) continue;
    const place = pointer + pointerToken(field.name);
    const one = (item: unknown, at: string, inner: number) => {
      if (field.kind === Kind.STRING) string(item, at);
      else if (field.kind === Kind.VALUE) valueAt(item as Value, at, inner);
      else if (field.kind === Kind.MESSAGE) messageAt(field.message, item as Message, at, inner);
      else if (typeof item !== TYPE_OF[field.kind]) throw fault("wrong_type", `expected a ${TYPE_OF[field.kind]}`, at);
    };
    if (!field.repeated) one(value, place, depth + 1);
    else if (Array.isArray(value)) value.forEach((item, i) => void one(item, `${place}/${i}`, depth + 2));
    else throw fault("wrong_type", "expected an array", place);
  }
  const preserved = plan.sidecar === 0 ? undefined : values[plan.sidecarLocal];
  if (preserved !== undefined) sidecar(preserved, pointer, pointer + pointerToken(plan.sidecarName), depth + 1);
}

function sidecar(preserved: unknown, pointer: string, place: string, depth: number): void {
  const { members, words, numbers } = preserved as {
    readonly members?: { readonly [key: string]: Value };
    readonly words?: { readonly [key: string]: string };
    readonly numbers?: readonly TextNode[];
  };
  if (!isObject(members) || !isObject(words) || !Array.isArray(numbers))
    throw fault("wrong_type", "expected a message of Preserved", place);
  for (const key of Object.keys(members)) {
    const at = pointer + pointerToken(key);
    string(key, at);
    valueAt(members[key], at, depth);
  }
  for (const key of Object.keys(words)) {
    string(key, place);
    string(words[key], place);
  }
  texts(numbers, place, 1);
}

function texts(nodes: readonly TextNode[], place: string, depth: number): void {
  if (depth > MAX_CONTAINERS + 1 && nodes.length > 0) throw tooDeep(place);
  for (const { place: where, text, children } of nodes) {
    if (typeof where?.value === "string") string(where.value, place);
    if (text !== undefined) string(text, place);
    texts(children ?? [], place, depth + 1);
  }
}

function valueAt(value: Value, pointer: string, depth: number): void {
  const kind = value?.kind;
  if (!isObject(kind)) throw fault("wrong_type", "expected a message of google.protobuf.Value", pointer);
  if (kind.case === "numberValue" || kind.case === "boolValue") {
    const type = kind.case === "numberValue" ? "number" : "boolean";
    if (typeof kind.value !== type) throw fault("wrong_type", `expected a ${type}`, pointer);
  } else if (kind.case === "stringValue") string(kind.value, pointer);
  else if (kind.case === "structValue") {
    const fields = kind.value?.fields;
    if (!isObject(fields))
      throw fault("wrong_type", "expected a message of google.protobuf.Struct, not a plain object", pointer);
    if (depth >= MAX_CONTAINERS) throw tooDeep(pointer);
    for (const key of Object.keys(fields)) {
      const at = pointer + pointerToken(key);
      string(key, at);
      valueAt(fields[key], at, depth + 1);
    }
  } else if (kind.case === "listValue") {
    const values = kind.value?.values;
    if (!Array.isArray(values))
      throw fault("wrong_type", "expected a message of google.protobuf.ListValue, not a plain array", pointer);
    if (depth >= MAX_CONTAINERS) throw tooDeep(pointer);
    for (let i = 0; i < values.length; i++) valueAt(values[i], `${pointer}/${i}`, depth + 1);
  }
}

function string(text: unknown, pointer: string): void {
  if (typeof text !== "string") throw fault("wrong_type", "expected a string", pointer);
  if (!isWellFormed(text)) throw fault("invalid_utf8", "a lone surrogate in a string", pointer);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function tooDeep(pointer: string): WireError {
  return fault("nesting_too_deep", `over ${MAX_CONTAINERS} containers are open`, pointer);
}

function fault(code: WireErrorCode, message: string, pointer: string): WireError {
  return new WireError(code, message, { pointer });
}
