// Section 7 of docs/wire-format.md: messages made by hand, also such as no type checker would let through.
import { create, fromBinary, fromJson, toBinary } from "@bufbuild/protobuf";
import { type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { FactoryRunStatus, type SessionFactoryRunFromToolResult } from "../gen/factory_run/v1/factory_run_pb.js";
import * as surface from "../src/index.js";
import {
  binaryToSerdeJson,
  binaryToSerdeJsonString,
  fromSerdeJson,
  fromSerdeJsonString,
  serdeJsonToBinary,
  toSerdeJson,
  toSerdeJsonString,
  WireError,
  type WireErrorCode,
} from "../src/index.js";
import { Envelope, refusal, throughMessage } from "./support/entry-points.js";

const good = (): SessionFactoryRunFromToolResult =>
  create(Envelope, { runId: "a", status: FactoryRunStatus.COMPLETED });
const value = (kind: unknown): Value => ({ ...create(ValueSchema), kind }) as unknown as Value;
const number = (double: number) => value({ case: "numberValue", value: double });

/** A message with one part replaced by whatever is given. */
function broken(changes: Record<string, unknown>): SessionFactoryRunFromToolResult {
  return Object.assign(good(), changes) as SessionFactoryRunFromToolResult;
}

describe("the public surface", () => {
  test("is what the documentation names", () => {
    expect(Object.keys(surface)).toEqual(
      expect.arrayContaining([
        "serdeJsonToBinary",
        "binaryToSerdeJson",
        "binaryToSerdeJsonString",
        "fromSerdeJson",
        "fromSerdeJsonString",
        "toSerdeJson",
        "toSerdeJsonString",
        "checkBinary",
        "WireError",
        "SessionFactoryRunFromToolResultSchema",
        "FactoryRunStatus",
        "FactoryRunStatusSchema",
        "PreservedSchema",
        "NumberTextSchema",
        "file_factory_run_v1_factory_run",
      ]),
    );
    expect(surface.SessionFactoryRunFromToolResultSchema).toBe(Envelope);
    expect(surface.FactoryRunStatus).toBe(FactoryRunStatus);
  });
});

describe("options of no sense are the caller's mistake", () => {
  const json = '{"run_id":"a","status":"completed"}';
  const binary = toBinary(Envelope, good());

  test.each<[option: string, values: unknown[], run: (options: object) => unknown]>([
    ["numbers", ["all", 1, null], (options) => fromSerdeJsonString(Envelope, json, options)],
    ["unknownMembers", ["", true], (options) => serdeJsonToBinary(Envelope, json, options)],
    ["maxNesting", [-1, Number.NaN, "9", null], (options) => fromSerdeJson(Envelope, {}, options)],
    ["maxBytes", [-1, "1k", 5n], (options) => fromSerdeJson(Envelope, {}, options)],
    ["maxBytes", [-1, "1k", 5n], (options) => binaryToSerdeJson(Envelope, binary, options)],
    ["keys", ["camel", 1, null], (options) => toSerdeJsonString(Envelope, good(), options)],
    ["keys", ["camel", 1, null], (options) => binaryToSerdeJsonString(Envelope, binary, options)],
    ["integers", ["exact", true, null], (options) => toSerdeJson(Envelope, good(), options)],
  ])("%s", (option, values, run) => {
    for (const value of values) {
      expect(() => run({ [option]: value })).toThrow(new RegExp(`^the option ${option} takes `));
      expect(() => run({ [option]: value })).toThrow(TypeError);
    }
  });
});

describe("messages that say what cannot be said", () => {
  const nestedLists = (depth: number): Value => {
    let inner = number(1);
    for (let i = 0; i < depth; i++) {
      inner = value({ case: "listValue", value: { $typeName: "google.protobuf.ListValue", values: [inner] } });
    }
    return inner;
  };
  const struct = (fields: Record<string, unknown>) =>
    value({ case: "structValue", value: { $typeName: "google.protobuf.Struct", fields } });
  const nestedObjects = (depth: number): Value => {
    let inner = number(1);
    for (let i = 0; i < depth; i++) inner = struct({ a: inner });
    return inner;
  };
  const preserved = (parts: Record<string, unknown>) => ({
    $typeName: "factory_run.v1.Preserved",
    members: {},
    words: {},
    numbers: [],
    ...parts,
  });

  test.each<[title: string, changes: Record<string, unknown>, code: WireErrorCode | WireErrorCode[], pointer?: string]>(
    [
      ["NaN", { result: number(Number.NaN) }, "out_of_range", "/result"],
      ["an infinity", { failure: number(Number.NEGATIVE_INFINITY) }, "out_of_range", "/failure"],
      ["a lone surrogate in run_id", { runId: "\ud800" }, "invalid_utf8", "/run_id"],
      ["a lone surrogate in error", { error: "x\udfff" }, "invalid_utf8", "/error"],
      ["a lone surrogate in a Value", { result: value({ case: "stringValue", value: "\ud83d" }) }, "invalid_utf8"],
      [
        "a lone surrogate in a preserved word",
        { status: 0, preserved: preserved({ words: { status: "\ud83d" } }) },
        "invalid_utf8",
      ],
      [
        "a lone surrogate in a preserved member",
        { preserved: preserved({ members: { x: value({ case: "stringValue", value: "\ud83d" }) } }) },
        "invalid_utf8",
      ],
      [
        "a lone surrogate in a preserved key",
        { preserved: preserved({ members: { "\ud83d": number(1) } }) },
        "invalid_utf8",
      ],
      [
        "two keys that would become one",
        { preserved: preserved({ members: { "\ud83d": number(1), "\ud83e": number(2) } }) },
        "invalid_utf8",
      ],
      ["127 arrays", { result: nestedLists(127) }, "nesting_too_deep"],
      ["2,000 arrays", { result: nestedLists(2000) }, "nesting_too_deep"],
      ["20,000 arrays", { result: nestedLists(20_000) }, "nesting_too_deep"],
      ["127 objects", { result: nestedObjects(127) }, "nesting_too_deep"],
      ["2,000 objects", { result: nestedObjects(2000) }, "nesting_too_deep"],
      ["20,000 objects", { result: nestedObjects(20_000) }, "nesting_too_deep"],
      ["NaN in a struct", { result: struct({ a: number(Number.NaN) }) }, "out_of_range"],
      ["a lone surrogate as key", { result: struct({ "\ud83d": number(1) }) }, "invalid_utf8"],
      ["plain JSON in a struct", { result: struct({ a: 5 }) }, "wrong_type"],
      ["undefined in a struct", { result: struct({ a: undefined }) }, "wrong_type"],
      ["a number as run_id", { runId: 5 }, "wrong_type"],
      ["null as run_id", { runId: null }, "wrong_type"],
      ["no run_id", { runId: undefined }, "wrong_type"],
      ["a text as attempt", { attempt: "x" }, "wrong_type"],
      ["a fraction as attempt", { attempt: 1.5 }, ["wrong_type", "out_of_range"]],
      ["an attempt too large", { attempt: 2n ** 63n }, ["wrong_type", "out_of_range"]],
      ["a text as status", { status: "completed" }, "wrong_type"],
      ["a fraction as status", { status: 1.5 }, ["wrong_type", "out_of_range"]],
      ["a status too large", { status: 2 ** 31 }, ["wrong_type", "out_of_range"]],
      ["an object as error", { error: {} }, "wrong_type"],
      ["a text as result", { result: "x" }, "wrong_type"],
      ["a text as number", { result: value({ case: "numberValue", value: "1" }) }, "wrong_type"],
      ["a number as text", { result: value({ case: "stringValue", value: 1 }) }, "wrong_type"],
      ["a number as boolean", { result: value({ case: "boolValue", value: 1 }) }, "wrong_type"],
      [
        "a list without values",
        { result: value({ case: "listValue", value: { $typeName: "google.protobuf.ListValue" } }) },
        "wrong_type",
      ],
      ["null as struct", { result: value({ case: "structValue", value: null }) }, "wrong_type"],
      [
        "a list that holds itself",
        (() => {
          const list: unknown[] = [];
          const self = value({ case: "listValue", value: { $typeName: "google.protobuf.ListValue", values: list } });
          list.push(self);
          return { result: self };
        })(),
        ["wrong_type", "nesting_too_deep"],
      ],
      ["a text as preserved", { preserved: "x" }, "wrong_type"],
      ["numbers that are none", { preserved: preserved({ numbers: [{}] }) }, "wrong_type"],
      ["a number as word", { status: 0, preserved: preserved({ words: { status: 1 } }) }, "wrong_type"],
    ],
  )("%s", (_, changes, code, pointer) => {
    const message = broken(changes);
    refusal(() => toSerdeJsonString(Envelope, message), { code, pointer });
    refusal(() => toSerdeJson(Envelope, message), { code, pointer });
  });

  test.each([[null], [undefined], ["x"], [1], [{}], [{ runId: "a", status: 3 }], [[]], [create(ValueSchema)]])(
    "%o is no message",
    (message) => {
      refusal(() => toSerdeJsonString(Envelope, message as unknown as SessionFactoryRunFromToolResult), {
        code: "wrong_type",
      });
      refusal(() => toSerdeJson(Envelope, message as unknown as SessionFactoryRunFromToolResult), {
        code: "wrong_type",
      });
    },
  );

  test("no failure changes the message or the next call", () => {
    const message = broken({ result: number(Number.NaN) });
    expect(() => toSerdeJsonString(Envelope, message)).toThrow(WireError);
    message.result = number(1);
    expect(toSerdeJsonString(Envelope, message)).toBe('{"result":1,"run_id":"a","status":"completed"}');
  });
});

describe("messages that can be said", () => {
  test("a Value that Protobuf-ES made of JSON", () => {
    const message = create(Envelope, {
      runId: "a",
      status: 3,
      result: fromJson(ValueSchema, { b: [1, null, { c: "x" }], a: true }),
    });
    expect(toSerdeJsonString(Envelope, message)).toBe(
      '{"result":{"b":[1,null,{"c":"x"}],"a":true},"run_id":"a","status":"completed"}',
    );
  });

  test("a Value with no kind is null", () => {
    expect(toSerdeJsonString(Envelope, create(Envelope, { runId: "a", result: {} }))).toBe(
      '{"result":null,"run_id":"a","status":"Unknown"}',
    );
    expect(toSerdeJson(Envelope, create(Envelope, { runId: "a", result: {} })).result).toBeNull();
  });

  test("required fields at their default", () => {
    expect(toSerdeJsonString(Envelope, create(Envelope))).toBe('{"run_id":"","status":"Unknown"}');
  });

  test("unknown fields are no concern of JSON", () => {
    const message = fromBinary(Envelope, Uint8Array.of(0x3a, 1, 0x61, 0xa0, 0x06, 1, 0x48, 3));
    expect(toBinary(Envelope, message).length).toBe(8);
    expect(toSerdeJsonString(Envelope, message)).toBe('{"run_id":"a","status":"completed"}');
  });

  test("U+FEFF and __proto__ survive", () => {
    const text =
      '{"error":"\ufeffx","result":{"__proto__":"\ufeff"},"run_id":"\ufeff","status":"completed","__proto__":{"a":1}}';
    expect(throughMessage(text)).toBe(text);
    expect(fromSerdeJsonString(Envelope, text).error).toBe("\ufeffx");
  });

  test("at most 127 containers, as JSON has it", () => {
    const text = `{"result":${"[".repeat(126)}${"]".repeat(126)},"run_id":"a","status":"completed"}`;
    expect(throughMessage(text, { maxNesting: Number.POSITIVE_INFINITY })).toBe(text);
  });
});
