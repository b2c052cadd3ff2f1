import { fromBinary } from "@bufbuild/protobuf";
import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import {
  FactoryRunStatusSchema,
  type NumberText,
  type Preserved,
  PreservedSchema,
  SessionFactoryRunFromToolResultSchema as SCHEMA,
} from "../index.js";

/** What a summary counts of one envelope. */
export interface EnvelopeFacts {
  /** The word that JSON has for it. */
  readonly status: string;
  readonly attempt: bigint | undefined;
  readonly runId: string;
  /** The failure's type; undefined when there is no failure. */
  readonly failure: string | undefined;
  readonly preservedMembers: readonly string[];
  /** Words that the enum does not name. */
  readonly preservedWords: readonly string[];
  readonly preservedNumbers: number;
}

const FIELDS = SCHEMA.field;
/** Deeper than JSON's 127 containers can be on the wire. */
const READ_OPTIONS = { recursionLimit: 1000 };
const JSON_NAMES = new Set(
  SCHEMA.fields.filter((field) => field !== FIELDS.preserved).flatMap((field) => [field.name, field.jsonName]),
);

const STATUS_NAMES = new Map(
  FactoryRunStatusSchema.values.map(({ number, name }) => [
    number,
    number === 0 ? "Unknown" : name.slice((FactoryRunStatusSchema.sharedPrefix ?? "").length).toLowerCase(),
  ]),
);

/**
 * Reads the facts from a binary envelope that is known to be right, passing
 * over its result and its snapshot, which are most of it.
 *
 * @returns undefined for an unusual layout, where a field stands twice or a
 * preserved member has become a field: that wants to be read and written anew.
 */
export function readFacts(binary: Uint8Array): EnvelopeFacts | undefined {
  const reader = new BinaryReader(binary);
  const seen = new Set<number>();
  let status = 0;
  let attempt: bigint | undefined;
  let runId = "";
  let failure: string | undefined;
  let preserved: Preserved | undefined;
  while (reader.pos < reader.len) {
    const [number, wireType] = reader.tag();
    if (seen.has(number)) return undefined;
    seen.add(number);
    if (number === FIELDS.status.number) status = reader.int32();
    else if (number === FIELDS.attempt.number) attempt = BigInt(reader.int64());
    else if (number === FIELDS.runId.number) runId = reader.string();
    else if (number === FIELDS.failure.number) failure = failureType(reader.bytes());
    else if (number === FIELDS.preserved.number) preserved = fromBinary(PreservedSchema, reader.bytes(), READ_OPTIONS);
    else if (wireType === WireType.StartGroup) return undefined;
    else reader.skip(wireType);
  }
  const preservedMembers = Object.keys(preserved?.members ?? {});
  if (preservedMembers.some((key) => JSON_NAMES.has(key))) return undefined;
  const word = status === 0 ? preserved?.words[FIELDS.status.name] : undefined;
  return {
    status: word ?? STATUS_NAMES.get(status) ?? "Unknown",
    attempt,
    runId,
    failure,
    preservedMembers,
    preservedWords: Object.values(preserved?.words ?? {}),
    preservedNumbers: countTexts(preserved?.numbers ?? []),
  };
}

function failureType(value: Uint8Array): string {
  const { kind } = fromBinary(ValueSchema, value, READ_OPTIONS);
  const type = kind.case === "structValue" ? kind.value.fields.type?.kind : undefined;
  return type?.case === "stringValue" ? type.value : "without a type";
}

function countTexts(nodes: readonly NumberText[]): number {
  let count = 0;
  for (const { text, children } of nodes) count += (text === undefined ? 0 : 1) + countTexts(children);
  return count;
}
