// Peers of different generations of the schema, both ways and on both wires: what passes through an older gateway is
// all there at a newer one, and what an older reader cannot see is what docs/evolution.md says it cannot see.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { clone, create, createFileRegistry, type DescMessage, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  type DescriptorProto,
  type EnumDescriptorProto,
  EnumValueDescriptorProtoSchema,
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FieldDescriptorProtoSchema,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
  file_google_protobuf_struct,
  OneofDescriptorProtoSchema,
} from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import {
  binaryToSerdeJsonString,
  checkBinary,
  file_factory_run_v1_factory_run,
  serdeJsonToBinary,
  SessionFactoryRunFromToolResultSchema as today,
} from "../src/index.js";
import { type JsonNode, membersOf, readTree, unordered } from "./support/json-tree.js";
import { captures } from "./support/material.js";

const DEEP = { maxNesting: Number.POSITIVE_INFINITY };
const CAMEL = { keys: "camelCase" } as const;

/** The schema until August 2026. The lists say what it had, so that it stays what it was when today's grows. */
const older = generation((envelope, status) => {
  const fields = ["error", "failure", "reason", "result", "run_id", "snapshot", "status", "preserved"];
  const words = ["UNSPECIFIED", "PENDING", "RUNNING", "COMPLETED", "HALTED", "CANCELLED", "ERROR"];
  const removed = envelope.field.filter((field) => !fields.includes(field.name));
  envelope.field = envelope.field.filter((field) => fields.includes(field.name));
  status.value = status.value.filter((value) => words.includes(value.name.replace("FACTORY_RUN_STATUS_", "")));
  // `optional` makes a oneof of one field; what refers to the ones behind moves up.
  const gone = new Set(removed.filter((field) => field.proto3Optional).map((field) => field.oneofIndex));
  const kept = envelope.oneofDecl.map((_, index) => index).filter((index) => !gone.has(index));
  envelope.oneofDecl = kept.map((index) => envelope.oneofDecl[index]!);
  for (const field of envelope.field) if (field.proto3Optional) field.oneofIndex = kept.indexOf(field.oneofIndex);
});

/** Today's schema and what may come: an Option, a Value and a status. */
const later = generation((envelope, status) => {
  envelope.oneofDecl.push(create(OneofDescriptorProtoSchema, { name: "_later_count" }));
  envelope.field.push(
    create(FieldDescriptorProtoSchema, {
      name: "later_count",
      jsonName: "laterCount",
      number: 1001,
      label: FieldDescriptorProto_Label.OPTIONAL,
      type: FieldDescriptorProto_Type.UINT64,
      proto3Optional: true,
      oneofIndex: envelope.oneofDecl.length - 1,
    }),
    create(FieldDescriptorProtoSchema, {
      name: "later_detail",
      jsonName: "laterDetail",
      number: 1002,
      label: FieldDescriptorProto_Label.OPTIONAL,
      type: FieldDescriptorProto_Type.MESSAGE,
      typeName: ".google.protobuf.Value",
    }),
  );
  status.value.push(create(EnumValueDescriptorProtoSchema, { name: "FACTORY_RUN_STATUS_LATER", number: 1000 }));
});

/** The schema as last released, from the baseline that `npm run breaking` holds today's against. */
const released = envelopeIn(fromBinary(FileDescriptorSetSchema, readBaseline()).file);

/** Bytes to which all pairs take envelopes; the larger ones, which tell the generations apart no better, go through one. */
const QUICK = 100_000;

const pairs: [name: string, old: DescMessage, now: DescMessage][] = [
  ["before August 2026 and today", older, today],
  ["before August 2026 and later", older, later],
  ["as released and today", released, today],
  ["today and later", today, later],
];

/** Envelopes with everything that tells the generations apart, and numbers that doubles do not hold. */
const madeUp = [
  '{"runId":"r","attempt":9007199254740993,"status":"paused","reason":"x","pauseInfo":{"type":"checkpoint","key":"k"}}',
  '{"runId":"r","attempt":1,"status":"running","pauseInfo":null}',
  '{"runId":"r","attempt":-9223372036854775808,"status":"paused","pauseInfo":[1.0,18446744073709551615,{"a":1e16}]}',
  '{"runId":"r","status":"later","laterCount":18446744073709551615,"laterDetail":{"n":[1.0,100.0,-0.0]}}',
  '{"runId":"r","attempt":2,"status":"later","result":1.0,"laterCount":0,"laterDetail":null,"foreign":{"x":[1.0]}}',
  '{"runId":"","status":"Unknown","attempt":0,"__proto__":{"a":1.0},"":[]}',
  '{"runId":"r","status":"never heard of","pauseInfo":"","laterDetail":false}',
];

describe.each(pairs)("the schema %s", (_, old, now) => {
  const envelopes = [
    ...captures()
      .filter(({ bytes }) => bytes.length <= QUICK || old === today)
      .map(({ name, bytes }) => ({ name, text: new TextDecoder().decode(bytes) })),
    ...madeUp.map((text) => ({ name: text, text })),
  ];

  test("the older one is a part of the newer one", () => {
    const numbers = new Map(now.fields.map((field) => [field.name, field.number]));
    for (const field of old.fields) expect(numbers.get(field.name), field.name).toBe(field.number);
  });

  test.each(envelopes)("$name", ({ text }) => {
    const all = tree(text);

    // JSON in, JSON out: through either gateway, alone or one after the other.
    const oldBinary = toOwnBinary(old, text);
    const newBinary = toOwnBinary(now, text);
    const throughOld = print(old, oldBinary);
    const throughNew = print(now, newBinary);
    expect(tree(throughOld)).toEqual(all);
    expect(tree(throughNew)).toEqual(all);
    expect(tree(print(now, toOwnBinary(now, throughOld)))).toEqual(all);
    expect(tree(print(old, toOwnBinary(old, throughNew)))).toEqual(all);

    // Written as binary by the older one, read by the newer one: its members have become fields.
    expect(tree(print(now, oldBinary))).toEqual(all);
    expect(print(now, toOwnBinary(now, print(now, oldBinary)))).toBe(print(now, oldBinary));

    // Handed on as binary: Protobuf keeps fields that it does not know.
    expect(tree(print(now, handedOn(old, newBinary)))).toEqual(all);
    expect(tree(print(old, handedOn(now, oldBinary)))).toEqual(all);
    expect(tree(print(now, handedOn(now, handedOn(old, newBinary))))).toEqual(all);

    // Written as binary by the newer one, read as JSON by the older one: without the fields it does not know.
    expect(tree(print(old, newBinary))).toEqual(seenByOlder(all, old, now));
  });
});

test("an older reader shows a newer envelope without what is new", () => {
  const binary = serdeJsonToBinary(
    today,
    '{"run_id":"r","attempt":2,"status":"paused","reason":"x","pause_info":{"type":"user"}}',
  );
  expect(binaryToSerdeJsonString(older, binary)).toBe('{"run_id":"r","status":"Unknown","reason":"x"}');
});

test("a newer reader shows what an older writer only kept, in the key style asked for", () => {
  const text = '{"runId":"r","attempt":2,"status":"paused","reason":"x","pauseInfo":{"type":"user"}}';
  const binary = serdeJsonToBinary(older, text);
  const snake = '{"run_id":"r","status":"paused","reason":"x","attempt":2,"pause_info":{"type":"user"}}';
  const camel = '{"runId":"r","status":"paused","reason":"x","attempt":2,"pauseInfo":{"type":"user"}}';
  expect(binaryToSerdeJsonString(today, binary)).toBe(snake);
  expect(binaryToSerdeJsonString(today, binary, CAMEL)).toBe(camel);
  // The older one gives back each key as it came.
  expect(binaryToSerdeJsonString(older, binary)).toBe(
    '{"run_id":"r","status":"paused","reason":"x","attempt":2,"pauseInfo":{"type":"user"}}',
  );
});

test("an older envelope lacks nothing for a newer reader", () => {
  const text = '{"run_id":"r","status":"halted","reason":"x","snapshot":{"journal":[]}}';
  const binary = serdeJsonToBinary(older, text);
  expect(Buffer.from(serdeJsonToBinary(today, text)).equals(binary)).toBe(true);
  const { attempt, pauseInfo, preserved } = fromBinary(today, binary);
  expect({ attempt, pauseInfo, preserved }).toEqual({ attempt: undefined, pauseInfo: undefined, preserved: undefined });
});

function generation(change: (envelope: DescriptorProto, status: EnumDescriptorProto) => void): DescMessage {
  const file = clone(FileDescriptorProtoSchema, file_factory_run_v1_factory_run.proto);
  change(
    file.messageType.find((message) => message.name === "SessionFactoryRunFromToolResult")!,
    file.enumType.find((enumeration) => enumeration.name === "FactoryRunStatus")!,
  );
  return envelopeIn([file_google_protobuf_struct.proto, file]);
}

function envelopeIn(file: FileDescriptorProto[]): DescMessage {
  return createFileRegistry(create(FileDescriptorSetSchema, { file })).getMessage(today.typeName)!;
}

function readBaseline(): Uint8Array {
  const folder = fileURLToPath(new URL("../schema/", import.meta.url));
  return readFileSync(folder + readdirSync(folder).find((name) => name.endsWith(".binpb"))!);
}

function tree(text: string): JsonNode {
  return unordered(readTree(text));
}

function toOwnBinary(schema: DescMessage, text: string): Uint8Array {
  return serdeJsonToBinary(schema, text, DEEP);
}

function print(schema: DescMessage, binary: Uint8Array): string {
  checkBinary(schema, binary, CAMEL);
  return binaryToSerdeJsonString(schema, binary, CAMEL);
}

/** What a service makes of it that reads the message with Protobuf-ES and writes it again. */
function handedOn(schema: DescMessage, binary: Uint8Array): Uint8Array {
  return toBinary(schema, fromBinary(schema, binary, { recursionLimit: 1000 }));
}

function seenByOlder(all: JsonNode, old: DescMessage, now: DescMessage): JsonNode {
  const known = new Set(old.fields.map((field) => field.jsonName));
  const isNew = new Set(now.fields.map((field) => field.jsonName).filter((key) => !known.has(key)));
  const newWords = new Set(words(now).filter((word) => !words(old).includes(word)));
  const members = membersOf(all)
    .filter(([key]) => !isNew.has(key))
    .map(([key, node]): [string, JsonNode] =>
      key === "status" && node.kind === "string" && newWords.has(node.value)
        ? [key, { kind: "string", value: "Unknown" }]
        : [key, node],
    );
  return { kind: "object", members };
}

function words(schema: DescMessage): string[] {
  const status = schema.fields.find((field) => field.name === "status")!.enum!;
  return status.values.map((value) => value.name.slice(status.sharedPrefix!.length).toLowerCase());
}
