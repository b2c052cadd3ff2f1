// Compiled against the installed package, under the strictest settings and without @types/node.
import {
  binaryToSerdeJson,
  binaryToSerdeJsonString,
  checkBinary,
  FactoryRunStatus,
  FactoryRunStatusSchema,
  file_factory_run_v1_factory_run,
  fromSerdeJson,
  fromSerdeJsonString,
  type JsonObject,
  type NumberText,
  NumberTextSchema,
  type Preserved,
  PreservedSchema,
  type SerdeObjectOptions,
  type SerdeReadOptions,
  type SerdeWriteOptions,
  type SessionFactoryRunFromToolResult,
  SessionFactoryRunFromToolResultSchema as schema,
  serdeJsonToBinary,
  toSerdeJson,
  toSerdeJsonString,
  WireError,
} from "factory-run-wire";

const read: SerdeReadOptions = { maxNesting: 200, maxBytes: 1_000, numbers: "double", unknownMembers: "reject" };
const write: SerdeWriteOptions = { keys: "camelCase", maxBytes: 1_000 };
const objects: SerdeObjectOptions = { ...write, integers: "bigint" };
const envelope: JsonObject = { runId: "r1", status: "completed", result: { list: [1, "a", null, true] } };

const message: SessionFactoryRunFromToolResult = fromSerdeJson(schema, envelope, read);
const same: SessionFactoryRunFromToolResult = fromSerdeJsonString(schema, JSON.stringify(envelope), read);
const attempt: bigint | undefined = message.attempt;
const status: FactoryRunStatus = same.status;
const preserved: Preserved | undefined = message.preserved;
const numbers: NumberText[] | undefined = preserved?.numbers;
const binary: Uint8Array = serdeJsonToBinary(schema, new Uint8Array(), read);
const bytes: Uint8Array = binaryToSerdeJson(schema, binary, write);
const text: string = binaryToSerdeJsonString(schema, binary, write) + toSerdeJsonString(schema, message, write);
const object: JsonObject = toSerdeJson(schema, message, objects);
checkBinary(schema, binary);

export const used = [attempt, numbers, bytes, text, object, NumberTextSchema, PreservedSchema, FactoryRunStatusSchema];
export const file = file_factory_run_v1_factory_run;

export function explain(fault: unknown): string {
  if (!(fault instanceof WireError)) return "not ours";
  // The codes are a closed union: a switch over them needs no default.
  switch (fault.code) {
    case "syntax":
    case "invalid_utf8":
    case "missing_field":
    case "duplicate_field":
    case "unknown_member":
    case "wrong_type":
    case "out_of_range":
    case "nesting_too_deep":
    case "too_large":
    case "malformed_binary":
    case "truncated":
      return `${fault.code} at ${fault.pointer ?? fault.offset ?? "?"}`;
  }
}

export const final: boolean = status === FactoryRunStatus.COMPLETED;

// @ts-expect-error a setting that does not exist
fromSerdeJson(schema, envelope, { numbers: "float" });
// @ts-expect-error an object where a text belongs
serdeJsonToBinary(schema, envelope);
// @ts-expect-error the schema goes first
toSerdeJsonString(message, schema);
