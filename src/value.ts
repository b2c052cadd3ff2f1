import { create, type JsonValue } from "@bufbuild/protobuf";
import { ListValueSchema, NullValue, StructSchema, type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import { WireError, type WireErrorCode } from "./error.js";
import { isPlainArray, isPlainObject, kindOfValue, setMember } from "./json-container.js";
import { checkReadOptions } from "./limits.js";
import type { SerdeReadOptions } from "./options.js";
import { pointerToken } from "./pointer.js";
import { isWellFormed } from "./utf8.js";

/** How a Value is made: `maxNesting` counts the Value itself as 1. */
export type ToValueOptions = Pick<SerdeReadOptions, "maxNesting">;

/** JSON ends at 127 open containers, and a Value stands inside the envelope's. */
const MAX_CONTAINERS = 126;

/**
 * Makes a `google.protobuf.Value` of a JSON value, exactly or not at all.
 *
 * Takes what JSON holds: null, booleans, finite numbers, strings, arrays and
 * plain objects; a member that is undefined counts as absent, and a bigint
 * goes as a number where a double holds it exactly. Everything else throws a
 * {@link WireError} with the pointer, counted from the value: `wrong_type` for
 * undefined, functions, symbols, accessors, class instances (Map, Date, ...)
 * and cycles, `out_of_range` for NaN, infinities and bigints that a double
 * would round, `invalid_utf8` for a lone surrogate, `nesting_too_deep`. No
 * getter and no `toJSON` is called.
 */
export function toValue(json: unknown, options: ToValueOptions = {}): Value {
  const { maxNesting } = checkReadOptions(options);
  const path = new Path();
  return path.walk(() => makeValue(json, 1, { path, maxNesting, open: new Set() }));
}

/**
 * Gives the JSON value that a `google.protobuf.Value` holds.
 *
 * A Value without a kind is null, as it is in the JSON mapping. Throws a
 * {@link WireError} with the pointer for what JSON cannot hold: `out_of_range`
 * for NaN and infinities, `nesting_too_deep` beyond 126 containers, and in a
 * message that was made by hand `invalid_utf8` for a lone surrogate and
 * `wrong_type` for what is no message of Protobuf-ES. Numbers
 * are doubles: digits beyond those stand in the message's `preserved`, and
 * `toSerdeJson` with `integers: "bigint"` gives them.
 */
export function fromValue(value: Value): JsonValue {
  const path = new Path();
  return path.walk(() => jsonOf(value, 0, path));
}

/** Where the walk is, as the tokens of a JSON Pointer. */
class Path {
  private readonly tokens: (string | number)[] = [];
  private found: WireError | undefined;

  /** Walks over what was passed in. Whatever it throws of its own is a fault of the value that the walk is at. */
  walk<T>(run: () => T): T {
    try {
      return run();
    } catch (error) {
      if (error === this.found) throw error;
      throw this.fault("wrong_type", "the value cannot be read: an accessor or a proxy threw");
    }
  }

  push(token: string | number): void {
    this.tokens.push(token);
  }

  pop(): void {
    this.tokens.pop();
  }

  fault(code: WireErrorCode, message: string): WireError {
    this.found = new WireError(code, message, { pointer: this.tokens.map(pointerToken).join("") });
    return this.found;
  }
}

interface Build {
  readonly path: Path;
  readonly maxNesting: number;
  /** The containers that are being read, to find the one that holds itself. */
  readonly open: Set<object>;
}

/** `cost` is the message level at which the Value would stand. */
function makeValue(json: unknown, cost: number, build: Build): Value {
  const { path, maxNesting, open } = build;
  const isContainer = typeof json === "object" && json !== null;
  if ((isContainer ? cost + 1 : cost) > maxNesting) {
    throw path.fault("nesting_too_deep", `the value would nest deeper than maxNesting: ${maxNesting}`);
  }
  if (!isContainer) return create(ValueSchema, { kind: scalarOf(json, path) });
  if (open.has(json)) throw path.fault("wrong_type", "the value holds itself");
  if (open.size >= MAX_CONTAINERS) {
    throw path.fault("nesting_too_deep", `more than ${MAX_CONTAINERS} containers are open`);
  }
  open.add(json);
  const value = Array.isArray(json) ? listOf(json, cost, build) : structOf(json, cost, build);
  open.delete(json);
  return value;
}

function scalarOf(json: unknown, path: Path): Value["kind"] {
  switch (typeof json) {
    case "boolean":
      return { case: "boolValue", value: json };
    case "string":
      checkText(json, path);
      return { case: "stringValue", value: json };
    case "number":
      checkFinite(json, path);
      return { case: "numberValue", value: json };
    case "bigint":
      return { case: "numberValue", value: exactDouble(json, path) };
    default:
      if (json === null) return { case: "nullValue", value: NullValue.NULL_VALUE };
      throw path.fault("wrong_type", `JSON cannot hold ${kindOfValue(json)}`);
  }
}

function listOf(json: readonly unknown[], cost: number, build: Build): Value {
  if (!isPlainArray(json)) throw build.path.fault("wrong_type", `JSON cannot hold ${kindOfValue(json)}`);
  const values: Value[] = [];
  for (let i = 0; i < json.length; i++) {
    build.path.push(i);
    values.push(makeValue(ownValue(json, i, build.path), cost + 2, build));
    build.path.pop();
  }
  return create(ValueSchema, { kind: { case: "listValue", value: create(ListValueSchema, { values }) } });
}

function structOf(json: object, cost: number, build: Build): Value {
  const { path } = build;
  if (!isPlainObject(json)) throw path.fault("wrong_type", `JSON cannot hold ${kindOfValue(json)}`);
  const struct = create(StructSchema);
  for (const key of Object.keys(json)) {
    path.push(key);
    const member = ownValue(json, key, path);
    if (member !== undefined) {
      checkText(key, path);
      setMember(struct.fields, key, makeValue(member, cost + 3, build));
    }
    path.pop();
  }
  return create(ValueSchema, { kind: { case: "structValue", value: struct } });
}

/** Reads without calling a getter, which could do anything. A hole of an array is undefined. */
function ownValue(container: object, key: string | number, path: Path): unknown {
  const property = Object.getOwnPropertyDescriptor(container, key);
  if (property !== undefined && !("value" in property)) throw path.fault("wrong_type", "JSON cannot hold an accessor");
  return property?.value;
}

function exactDouble(integer: bigint, path: Path): number {
  const double = Number(integer);
  if (!Number.isFinite(double) || BigInt(double) !== integer) {
    throw path.fault("out_of_range", "a double cannot hold the integer exactly");
  }
  return double;
}

function jsonOf(value: Value, containers: number, path: Path): JsonValue {
  const kind = value?.kind;
  // By hand, a message may hold anything.
  const content: unknown = kind?.value;
  switch (kind?.case) {
    case "stringValue":
      if (typeof content !== "string") break;
      checkText(content, path);
      return content;
    case "numberValue":
      if (typeof content !== "number") break;
      checkFinite(content, path);
      return content;
    case "boolValue":
      if (typeof content !== "boolean") break;
      return content;
    case "listValue":
      if (!Array.isArray(kind.value?.values)) break;
      checkContainers(containers, path);
      return Array.from(kind.value.values, (element, i) => {
        path.push(i);
        const json = jsonOf(element, containers + 1, path);
        path.pop();
        return json;
      });
    case "structValue": {
      const fields = kind.value?.fields;
      if (typeof fields !== "object" || fields === null) break;
      checkContainers(containers, path);
      const object: { [key: string]: JsonValue } = {};
      for (const key of Object.keys(fields)) {
        path.push(key);
        checkText(key, path);
        setMember(object, key, jsonOf(fields[key], containers + 1, path));
        path.pop();
      }
      return object;
    }
    case "nullValue":
      return null;
    case undefined:
      if (typeof kind === "object" && kind !== null) return null;
  }
  throw path.fault("wrong_type", "expected a message of google.protobuf.Value");
}

function checkContainers(open: number, path: Path): void {
  if (open >= MAX_CONTAINERS) throw path.fault("nesting_too_deep", `more than ${MAX_CONTAINERS} containers are open`);
}

function checkText(text: string, path: Path): void {
  if (!isWellFormed(text)) throw path.fault("invalid_utf8", "the string holds a lone surrogate");
}

function checkFinite(number: number, path: Path): void {
  if (!Number.isFinite(number)) throw path.fault("out_of_range", `JSON cannot hold ${number}`);
}
