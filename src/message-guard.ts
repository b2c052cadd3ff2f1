import type { Message } from "@bufbuild/protobuf";
import type { Value } from "@bufbuild/protobuf/wkt";
import { WireError, type WireErrorCode } from "./error.js";
import { MAX_CONTAINERS } from "./limits.js";
import type { TextNode } from "./number-tree.js";
import { type FieldPlan, Kind, type MessagePlan } from "./plan.js";
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

/**
 * Refuses a message that Protobuf-ES would write as something else, or not
 * survive writing: it turns lone surrogates into U+FFFD, writes a plain object
 * in the place of a Struct as an empty one, and recurses without a limit.
 *
 * One part may stand in many places of a message, and what that comes to grow
 * without end: what would surely take more than `maxBytes` is refused too.
 */
export function guardMessage(plan: MessagePlan, message: Message, maxBytes: number): void {
  const guard = new Guard(maxBytes);
  try {
    guard.message(plan, message, 0);
  } catch (error) {
    if (error === guard.fault) throw error;
    throw guard.error("wrong_type", "a part of the message cannot be read: an accessor or a proxy threw");
  }
}

class Guard {
  /** What was found wrong. Anything else that is thrown is not ours. */
  fault: WireError | undefined;
  /** The way to what is looked at, for a pointer when there is a fault. */
  private readonly path: (string | number)[] = [];
  /** How many bytes the binary of what was looked at takes at least. */
  private bytes = 0;

  constructor(private readonly maxBytes: number) {}

  message(plan: MessagePlan, message: Message, depth: number): void {
    if (!isObject(message) || message.$typeName !== plan.name)
      this.fail("wrong_type", `expected a message of ${plan.name}`);
    if (depth >= MAX_CONTAINERS) this.tooDeep();
    this.count(2);
    const values = message as unknown as { readonly [name: string]: unknown };
    for (const field of plan.fields) {
      const value = values[field.local];
      // Not what is inherited: a default, of a field that is not set.
      if (!field.required && (value === undefined || !Object.hasOwn(values, field.local))) continue;
      this.path.push(field.name);
      if (!field.repeated) {
        this.field(field, value, depth + 1);
      } else {
        if (!Array.isArray(value)) this.fail("wrong_type", "expected an array");
        this.each(value, (item) => this.field(field, item, depth + 2));
      }
      this.path.pop();
    }
    const preserved = plan.sidecar === 0 ? undefined : values[plan.sidecarLocal];
    if (preserved !== undefined) this.sidecar(preserved, plan.sidecarName, depth + 1);
  }

  private field(field: FieldPlan, value: unknown, depth: number): void {
    if (field.kind === Kind.STRING) this.string(value);
    else if (field.kind === Kind.VALUE) this.value(value as Value, depth);
    else if (field.kind === Kind.MESSAGE) this.message(field.message, value as Message, depth);
    else if (typeof value !== TYPE_OF[field.kind] && !(field.longAsString && typeof value === "string"))
      this.fail("wrong_type", `expected a ${TYPE_OF[field.kind]}`);
  }

  private sidecar(preserved: unknown, name: string, depth: number): void {
    this.path.push(name);
    if (!isObject(preserved)) this.fail("wrong_type", "expected a message of Preserved");
    const { members, words, numbers } = preserved as {
      readonly members?: { readonly [key: string]: Value };
      readonly words?: { readonly [key: string]: string };
      readonly numbers?: readonly TextNode[];
    };
    if (!isObject(members) || !isObject(words) || !Array.isArray(numbers)) {
      this.fail("wrong_type", "expected a message of Preserved");
    }
    for (const key of Object.keys(words)) {
      this.string(key);
      this.string(words[key]);
    }
    this.texts(numbers, 1);
    this.path.pop();
    this.members(members, depth);
  }

  private texts(nodes: readonly TextNode[] | undefined, depth: number): void {
    if (!Array.isArray(nodes)) this.fail("wrong_type", "expected an array of NumberTexts");
    if (depth > MAX_CONTAINERS + 1 && nodes.length > 0) this.tooDeep();
    for (const node of nodes) {
      if (!isObject(node) || !isObject(node.place)) this.fail("wrong_type", "expected a message of NumberText");
      this.count(2);
      if (node.place.case === "key") this.string(node.place.value);
      if (node.text !== undefined) this.string(node.text);
      this.texts(node.children, depth + 1);
    }
  }

  private value(value: Value, depth: number): void {
    const kind = value?.kind;
    if (!isObject(kind)) this.fail("wrong_type", "expected a message of google.protobuf.Value");
    this.count(kind.case === undefined ? 2 : 4);
    switch (kind.case) {
      case "stringValue":
        this.string(kind.value);
        break;
      case "numberValue":
        if (typeof kind.value !== "number") this.fail("wrong_type", "expected a number");
        break;
      case "boolValue":
        if (typeof kind.value !== "boolean") this.fail("wrong_type", "expected a boolean");
        break;
      case "structValue": {
        const fields = kind.value?.fields;
        if (!isObject(fields))
          this.fail("wrong_type", "expected a message of google.protobuf.Struct, not a plain object");
        if (depth >= MAX_CONTAINERS) this.tooDeep();
        this.members(fields, depth + 1);
        break;
      }
      case "listValue": {
        const values = kind.value?.values;
        if (!Array.isArray(values))
          this.fail("wrong_type", "expected a message of google.protobuf.ListValue, not a plain array");
        if (depth >= MAX_CONTAINERS) this.tooDeep();
        this.each(values, (item) => this.value(item, depth + 1));
        break;
      }
      case "nullValue":
      case undefined:
        break;
      default:
        this.fail("wrong_type", `google.protobuf.Value has no ${String((kind as { case: unknown }).case)}`);
    }
  }

  private members(members: { readonly [key: string]: Value }, depth: number): void {
    const at = this.path.length;
    for (const key of Object.keys(members)) {
      this.path[at] = key;
      this.string(key);
      this.value(members[key], depth);
    }
    this.path.length = at;
  }

  private each<T>(values: readonly T[], look: (value: T) => void): void {
    const at = this.path.length;
    for (let i = 0; i < values.length; i++) {
      this.path[at] = i;
      look(values[i]);
    }
    this.path.length = at;
  }

  private string(text: unknown): void {
    if (typeof text !== "string") this.fail("wrong_type", "expected a string");
    if (!isWellFormed(text)) this.fail("invalid_utf8", "a lone surrogate in a string");
    this.count(text.length);
  }

  private tooDeep(): never {
    this.fail("nesting_too_deep", `over ${MAX_CONTAINERS} containers are open`);
  }

  private count(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes > this.maxBytes)
      this.fail("too_large", `the message takes more than the limit of ${this.maxBytes} bytes`);
  }

  private fail(code: WireErrorCode, message: string): never {
    this.fault = this.error(code, message);
    throw this.fault;
  }

  error(code: WireErrorCode, message: string): WireError {
    return new WireError(code, message, { pointer: this.path.map(pointerToken).join("") });
  }
}

function isObject<T>(value: T): value is T & object {
  return typeof value === "object" && value !== null;
}
