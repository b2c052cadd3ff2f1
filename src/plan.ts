import { type DescEnum, type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { KeyTable } from "./key-table.js";
import { type PackedBytes, packed } from "./packed-bytes.js";
import { pointerToken } from "./pointer.js";
import { encodeUtf8 } from "./utf8.js";
import { varintSize, writeVarint } from "./varint.js";

/** What a field holds, in the terms of the mapping. */
export const Kind = {
  STRING: 0,
  BOOL: 1,
  INT32: 2,
  UINT32: 3,
  INT64: 4,
  UINT64: 5,
  DOUBLE: 6,
  ENUM: 7,
  VALUE: 8,
  MESSAGE: 9,
} as const;
export type Kind = (typeof Kind)[keyof typeof Kind];

/**
 * What the transcoders need to know of a field. All of it comes from the descriptor.
 *
 * It is a class, with the nested plan behind a getter of its prototype, so that all fields have one shape: an accessor
 * of an object literal would give each a shape of its own, and reading any property of it would take 20 ns.
 */
export class FieldPlan {
  /** Its place in {@link MessagePlan.fields}. */
  readonly index: number;
  /** Its name in the .proto: the snake_case key, and its name in pointers and in `preserved`. */
  readonly name: string;
  /** Its JSON name: the camelCase key. */
  readonly jsonName: string;
  /** Its name as a JSON Pointer. */
  readonly pointer: string;
  /** Its name and JSON name as `"name":`, ready to be copied. */
  readonly snakeCase: PackedBytes;
  readonly camelCase: PackedBytes;
  readonly number: number;
  readonly kind: Kind;
  readonly repeated: boolean;
  /** Implicit presence: JSON must have the member. */
  readonly required: boolean;
  /** The wire type of one value. */
  readonly wireType: number;
  /** Whether the elements of a repeated field are written in one packed run. */
  readonly packed: boolean;
  /** The tag that is written, as a number and as bytes. */
  readonly tag: number;
  readonly tagBytes: Uint8Array;
  /** Its name in messages of Protobuf-ES. */
  readonly local: string;
  /** Whether those have a string for its integer: the option `jstype = JS_STRING`. */
  readonly longAsString: boolean;
  /** Its name in UTF-8. */
  readonly nameBytes: Uint8Array;
  /** For an enum: numbers by word, and by number the words, also as bytes in quotes. */
  readonly numberOf: KeyTable<number>;
  readonly wordOf: ReadonlyMap<number, PackedBytes>;
  readonly words: ReadonlyMap<number, string>;
  private readonly nested: DescMessage | undefined;

  constructor(desc: DescField, index: number) {
    const { kind, wireType } = kindOf(desc);
    const { numberOf, wordOf, words } = desc.enum === undefined ? NO_WORDS : wordsOf(desc.enum);
    this.index = index;
    this.name = desc.name;
    this.jsonName = desc.jsonName;
    this.pointer = pointerToken(desc.name);
    this.snakeCase = packed(`${JSON.stringify(desc.name)}:`);
    this.camelCase = packed(`${JSON.stringify(desc.jsonName)}:`);
    this.number = desc.number;
    this.kind = kind;
    this.repeated = desc.fieldKind === "list";
    this.required = desc.presence === PRESENCE_IMPLICIT;
    this.wireType = wireType;
    this.packed = this.repeated && wireType !== 2;
    this.tag = ((desc.number << 3) | (this.packed ? 2 : wireType)) >>> 0;
    this.tagBytes = new Uint8Array(varintSize(this.tag));
    writeVarint(this.tagBytes, 0, this.tag);
    this.local = desc.localName;
    this.longAsString = "longAsString" in desc && desc.longAsString;
    this.nameBytes = encodeUtf8(desc.name);
    this.numberOf = numberOf;
    this.wordOf = wordOf;
    this.words = words;
    this.nested = desc.message;
  }

  /** For a nested message: its plan, made when first asked for, since messages may hold themselves. */
  get message(): MessagePlan {
    return planOf(this.nested!);
  }
}

/** What the transcoders need to know of a message. */
export interface MessagePlan {
  readonly name: string;
  /** The fields that JSON has, by number. */
  readonly fields: readonly FieldPlan[];
  /** Their names in UTF-8. */
  readonly names: readonly Uint8Array[];
  readonly byNumber: ReadonlyMap<number, FieldPlan>;
  /** Fields by the tag that their values are written with, and those whose tag is one byte once more, by a faster way. */
  readonly byTag: ReadonlyMap<number, FieldPlan>;
  readonly byShortTag: readonly (FieldPlan | undefined)[];
  /** Fields by either spelling of their key. */
  readonly keys: KeyTable<FieldPlan>;
  readonly required: readonly FieldPlan[];
  /** The number of the field that holds what JSON said beyond the fields; 0 when there is none. */
  readonly sidecar: number;
  readonly sidecarName: string;
  readonly sidecarLocal: string;
}

/** The message type that makes a field the sidecar of its message. */
export const SIDECAR_TYPE = "factory_run.v1.Preserved";

/** The word of an enum's number 0, as serde's `#[serde(other)] Unknown` writes it. */
export const UNKNOWN_WORD = "Unknown";

const plans = new WeakMap<DescMessage, MessagePlan>();

/**
 * Gives the plan of a message, compiled once.
 *
 * Throws a TypeError that names the field when the mapping does not know its
 * kind.
 */
export function planOf(schema: DescMessage): MessagePlan {
  // Mostly it is the same one as last time.
  if (schema === lastSchema) return lastPlan!;
  let plan = plans.get(schema);
  if (plan === undefined) {
    plan = compile(schema);
    plans.set(schema, plan);
    // Fields of nested messages are judged now too: a schema is refused when it is first used, and each time after.
    try {
      for (const field of plan.fields) if (field.kind === Kind.MESSAGE) planOf(messageOf(schema, field.number));
    } catch (error) {
      plans.delete(schema);
      throw error;
    }
  }
  lastSchema = schema;
  lastPlan = plan;
  return plan;
}

let lastSchema: DescMessage | undefined;
let lastPlan: MessagePlan | undefined;

const SCALAR_KINDS: { readonly [type in ScalarType]?: { kind: Kind; wireType: number } } = {
  [ScalarType.STRING]: { kind: Kind.STRING, wireType: 2 },
  [ScalarType.BOOL]: { kind: Kind.BOOL, wireType: 0 },
  [ScalarType.INT32]: { kind: Kind.INT32, wireType: 0 },
  [ScalarType.UINT32]: { kind: Kind.UINT32, wireType: 0 },
  [ScalarType.INT64]: { kind: Kind.INT64, wireType: 0 },
  [ScalarType.UINT64]: { kind: Kind.UINT64, wireType: 0 },
  [ScalarType.DOUBLE]: { kind: Kind.DOUBLE, wireType: 1 },
};

/** `FeatureSet.FieldPresence` of descriptor.proto; only these two have a counterpart in a Rust struct. */
const PRESENCE_EXPLICIT = 1;
const PRESENCE_IMPLICIT = 2;

function compile(schema: DescMessage): MessagePlan {
  if (schema.typeName.startsWith("google.protobuf.")) {
    throw new TypeError(`${schema.typeName} has no mapping to serde's JSON`);
  }
  const fields: FieldPlan[] = [];
  let sidecar = 0;
  let sidecarName = "";
  let sidecarLocal = "";
  for (const desc of [...schema.fields].sort((a, b) => a.number - b.number)) {
    if (desc.message?.typeName === SIDECAR_TYPE) {
      if (desc.fieldKind !== "message" || desc.oneof !== undefined || sidecar !== 0)
        refuse(desc, "a second sidecar, or not a plain field");
      sidecar = desc.number;
      sidecarName = desc.name;
      sidecarLocal = desc.localName;
    } else {
      fields.push(new FieldPlan(desc, fields.length));
    }
  }
  const keys = new KeyTable<FieldPlan>();
  for (const field of fields) {
    for (const key of new Set([field.name, schema.fields.find((f) => f.number === field.number)!.jsonName])) {
      if (keys.get(key) !== undefined)
        throw new TypeError(`${schema.typeName} has two fields with the JSON key ${key}`);
      keys.set(key, field);
    }
  }
  return {
    name: schema.typeName,
    fields,
    names: fields.map((field) => field.nameBytes),
    byNumber: new Map(fields.map((field) => [field.number, field])),
    byTag: new Map(fields.map((field) => [field.tag, field])),
    byShortTag: Array.from({ length: 128 }, (_, tag) => fields.find((field) => field.tag === tag)),
    keys,
    required: fields.filter((field) => field.required),
    sidecar,
    sidecarName,
    sidecarLocal,
  };
}

function kindOf(desc: DescField): { kind: Kind; wireType: number } {
  if (desc.oneof !== undefined) refuse(desc, "a member of a oneof");
  if (desc.presence !== PRESENCE_EXPLICIT && desc.presence !== PRESENCE_IMPLICIT)
    refuse(desc, "required as proto2 has it");
  if (desc.fieldKind === "map") refuse(desc, "a map");
  if (desc.scalar !== undefined) {
    return SCALAR_KINDS[desc.scalar] ?? refuse(desc, `of type ${ScalarType[desc.scalar].toLowerCase()}`);
  }
  if (desc.enum !== undefined) {
    if (!desc.enum.open || desc.enum.typeName.startsWith("google.protobuf."))
      refuse(desc, `of the enum ${desc.enum.typeName}`);
    return { kind: Kind.ENUM, wireType: 0 };
  }
  if (desc.message!.typeName === "google.protobuf.Value") return { kind: Kind.VALUE, wireType: 2 };
  if (desc.message!.typeName.startsWith("google.protobuf.")) refuse(desc, `of type ${desc.message!.typeName}`);
  if ("delimitedEncoding" in desc && desc.delimitedEncoding) refuse(desc, "a group");
  return { kind: Kind.MESSAGE, wireType: 2 };
}

function refuse(desc: DescField, what: string): never {
  throw new TypeError(`${desc.parent.typeName}.${desc.name} is ${what}: no mapping to serde's JSON is known for it`);
}

const NO_WORDS = {
  numberOf: new KeyTable<number>(),
  wordOf: new Map<number, PackedBytes>(),
  words: new Map<number, string>(),
};

/** A value's word is its name without the enum's prefix, in lower case; of aliases the first one is written. */
function wordsOf(desc: DescEnum): Pick<FieldPlan, "numberOf" | "wordOf" | "words"> {
  const numberOf = new KeyTable<number>();
  const words = new Map<number, string>();
  const prefix = desc.sharedPrefix ?? "";
  for (const { name, number } of desc.values) {
    const word = number === 0 ? UNKNOWN_WORD : name.toLowerCase().slice(prefix.length);
    numberOf.set(word, number);
    if (!words.has(number)) words.set(number, word);
  }
  if (!words.has(0)) words.set(0, UNKNOWN_WORD);
  const wordOf = new Map(Array.from(words, ([number, word]) => [number, packed(JSON.stringify(word))]));
  return { numberOf, wordOf, words };
}

function messageOf(schema: DescMessage, number: number): DescMessage {
  return schema.fields.find((field) => field.number === number)!.message!;
}

/**
 * The JSON Pointer (RFC 6901) of a value in the JSON of a message. The keys of
 * fields may be in either spelling; the pointer has their names in the .proto.
 */
export function pointerInMessage(plan: MessagePlan, path: readonly (string | number)[]): string {
  let pointer = "";
  let inner: MessagePlan | undefined = plan;
  for (const token of path) {
    const field: FieldPlan | undefined = typeof token === "string" ? inner?.keys.get(token) : undefined;
    pointer += pointerToken(field?.name ?? token);
    // An index leads to an element, which is of the same message; so is nothing inside a Value.
    if (typeof token === "string") inner = field?.kind === Kind.MESSAGE ? field.message : undefined;
  }
  return pointer;
}
