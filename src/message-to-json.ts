import type { Message } from "@bufbuild/protobuf";
import type { ListValue, Struct, Value } from "@bufbuild/protobuf/wkt";
import { FALSE, NULL, TRUE } from "./json-sink.js";
import { JsonTextSink } from "./json-text-sink.js";
import { type CheckedWriteOptions, MAX_CONTAINERS } from "./limits.js";
import { type TextNode, type TreeNode, treeOf } from "./number-tree.js";
import { type FieldPlan, Kind, type MessagePlan, SIDECAR_TYPE } from "./plan.js";
import { decodeUtf8, isWellFormed } from "./utf8.js";

/**
 * Gives the JSON that the printer of binary gives of a message, without the
 * binary, which takes Protobuf-ES several times longer to make.
 *
 * It does so for a message in which nothing is wrong. For any other it gives
 * nothing: what is wrong is for the general way to say.
 */
export function directJson(plan: MessagePlan, message: Message, keys: CheckedWriteOptions["keys"]): string | undefined {
  const printer = idle ?? new MessagePrinter();
  idle = undefined;
  try {
    return printer.run(plan, message, keys);
  } catch {
    // An accessor that throws, a text that is too long.
    return undefined;
  } finally {
    printer.reset();
    idle = printer;
  }
}

/** A printer that is not in use, kept for its buffers. */
let idle: MessagePrinter | undefined;

/** A field that has a default and is not set shows it, inherited; so a field counts only as the message's own. */
const hasOwn = Object.prototype.hasOwnProperty;

/**
 * How much JSON is written directly, in bytes. In a message by hand one part
 * may stand in many places, and how much it comes to is for the general way
 * to find out, which knows its limit.
 */
const MOST_BYTES = 512 << 20;

/** Thrown where something is wrong. It carries nothing. */
const WRONG = Symbol("not a message as Protobuf-ES makes it");

/** What the sidecar of a message keeps. */
interface Kept {
  readonly $typeName: string;
  readonly $unknown?: unknown;
  readonly members: { readonly [key: string]: Value };
  readonly words: { readonly [field: string]: string };
  readonly numbers: readonly TextNode[];
}

class MessagePrinter extends JsonTextSink {
  private keys: CheckedWriteOptions["keys"] = "snake_case";

  run(plan: MessagePlan, message: Message, keys: CheckedWriteOptions["keys"]): string {
    this.keys = keys;
    this.limit = MOST_BYTES;
    this.message(plan, message, 0);
    const json = decodeUtf8(this.out, 0, this.o);
    // A lone surrogate became U+FFFD. Whether one that stands here was one is for the general way to find out.
    if (json.includes("\ufffd")) throw WRONG;
    return json;
  }

  private message(plan: MessagePlan, message: Message, depth: number): void {
    if (message.$typeName !== plan.name || message.$unknown !== undefined || depth >= MAX_CONTAINERS) throw WRONG;
    const values = message as unknown as { readonly [name: string]: unknown };
    const kept = plan.sidecar === 0 ? undefined : (values[plan.sidecarLocal] as Kept | undefined);
    const texts = kept === undefined ? undefined : this.kept(plan, kept);
    let before = 0x7b;
    for (const field of plan.fields) {
      const value = values[field.local];
      if (!field.required && (value === undefined || !hasOwn.call(values, field.local))) continue;
      this.byte(before);
      before = 0x2c;
      this.packed(this.keys === "camelCase" ? field.camelCase : field.snakeCase);
      const own = texts?.keys?.get(field.name);
      if (field.repeated) this.list(field, value, depth + 1, own);
      else if (field.kind === Kind.ENUM && value === 0 && kept?.words[field.name] !== undefined)
        this.stringValue(kept.words[field.name]);
      else this.field(field, value, depth + 1, own);
    }
    if (kept !== undefined) before = this.members(kept.members, before, depth + 1, texts);
    this.close(before, 0x7b, 0x7d);
  }

  /** Looks at what a sidecar holds, and gives the texts of numbers. */
  private kept(plan: MessagePlan, kept: Kept): TreeNode | undefined {
    if (kept.$typeName !== SIDECAR_TYPE || kept.$unknown !== undefined) throw WRONG;
    if (!isObject(kept.words) || !isObject(kept.members) || !Array.isArray(kept.numbers)) throw WRONG;
    for (const field of Object.keys(kept.words)) {
      const word: unknown = kept.words[field];
      if (typeof word !== "string" || !isWellFormed(word) || !isWellFormed(field)) throw WRONG;
    }
    // A member that the schema has come to name is to be read as its field.
    for (const key of Object.keys(kept.members)) if (plan.keys.get(key) !== undefined) throw WRONG;
    if (kept.numbers.length === 0) return undefined;
    const tree = treeOf(kept.numbers);
    if (tree === undefined) throw WRONG;
    return tree;
  }

  private list(field: FieldPlan, values: unknown, depth: number, texts: TreeNode | undefined): void {
    if (!Array.isArray(values) || depth >= MAX_CONTAINERS) throw WRONG;
    let before = 0x5b;
    for (let i = 0; i < values.length; i++) {
      this.byte(before);
      before = 0x2c;
      this.field(field, values[i], depth + 1, texts?.indexes?.get(i));
    }
    this.close(before, 0x5b, 0x5d);
  }

  private field(field: FieldPlan, value: unknown, depth: number, texts: TreeNode | undefined): void {
    switch (field.kind) {
      case Kind.STRING:
        this.stringValue(value);
        return;
      case Kind.BOOL:
        this.bool(value);
        return;
      case Kind.DOUBLE:
        this.number(value, texts);
        return;
      case Kind.INT32:
      case Kind.ENUM:
        if (!Object.is((value as number) | 0, value)) throw WRONG;
        if (field.kind === Kind.INT32) this.double(value as number);
        else this.packed(field.wordOf.get(value as number) ?? field.wordOf.get(0)!);
        return;
      case Kind.UINT32:
        if (!Object.is((value as number) >>> 0, value)) throw WRONG;
        this.double(value as number);
        return;
      case Kind.INT64:
        this.integer(value, -(2n ** 63n), 2n ** 63n);
        return;
      case Kind.UINT64:
        this.integer(value, 0n, 2n ** 64n);
        return;
      case Kind.VALUE:
        this.value(value as Value, depth, texts);
        return;
      default:
        this.message(field.message, value as Message, depth);
    }
  }

  private value(value: Value, depth: number, texts: TreeNode | undefined): void {
    if (value.$typeName !== "google.protobuf.Value" || value.$unknown !== undefined) throw WRONG;
    const { kind } = value;
    switch (kind.case) {
      case "stringValue":
        this.stringValue(kind.value);
        return;
      case "numberValue":
        this.number(kind.value, texts);
        return;
      case "boolValue":
        this.bool(kind.value);
        return;
      case "structValue":
        this.struct(kind.value, depth, texts);
        return;
      case "listValue":
        this.listValue(kind.value, depth, texts);
        return;
      case "nullValue":
        if (kind.value !== 0) throw WRONG;
        this.packed(NULL);
        return;
      default:
        throw WRONG;
    }
  }

  private struct(struct: Struct, depth: number, texts: TreeNode | undefined): void {
    if (struct.$typeName !== "google.protobuf.Struct" || struct.$unknown !== undefined || depth >= MAX_CONTAINERS)
      throw WRONG;
    this.close(this.members(struct.fields, 0x7b, depth + 1, texts), 0x7b, 0x7d);
  }

  private listValue(list: ListValue, depth: number, texts: TreeNode | undefined): void {
    if (list.$typeName !== "google.protobuf.ListValue" || list.$unknown !== undefined || depth >= MAX_CONTAINERS)
      throw WRONG;
    const { values } = list;
    if (!Array.isArray(values)) throw WRONG;
    let before = 0x5b;
    for (let i = 0; i < values.length; i++) {
      this.byte(before);
      before = 0x2c;
      this.value(values[i], depth + 1, texts?.indexes?.get(i));
    }
    this.close(before, 0x5b, 0x5d);
  }

  /** Writes members, the first of them behind `before`, and gives what the next would stand behind. */
  private members(
    members: { readonly [key: string]: Value },
    before: number,
    depth: number,
    texts: TreeNode | undefined,
  ): number {
    if (!isObject(members)) throw WRONG;
    // With the keys from here, an engine looks the values up several times faster than with those of Object.keys.
    for (const key in members) {
      if (!hasOwn.call(members, key)) continue;
      this.text(key, before, 0x3a);
      before = 0x2c;
      this.value(members[key], depth, texts?.keys?.get(key));
    }
    return before;
  }

  private stringValue(text: unknown): void {
    if (typeof text !== "string") throw WRONG;
    this.text(text);
  }

  private bool(value: unknown): void {
    if (typeof value !== "boolean") throw WRONG;
    this.packed(value ? TRUE : FALSE);
  }

  private number(value: unknown, texts: TreeNode | undefined): void {
    if (typeof value !== "number" || value - value !== 0) throw WRONG;
    this.finite(value, texts);
  }

  private integer(value: unknown, least: bigint, end: bigint): void {
    if (typeof value !== "bigint" || value < least || value >= end) throw WRONG;
    if (value >= 0n && value <= 0x7fff_ffffn) this.double(Number(value));
    else this.ascii(String(value));
  }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
