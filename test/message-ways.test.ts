// The message functions have a way of their own for what is usual. It has to give what Protobuf-ES and the general way give.
import {
  create,
  type DescMessage,
  fromBinary,
  type JsonValue,
  type Message,
  type MessageShape,
} from "@bufbuild/protobuf";
import type { Value } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type FactoryRunStatus,
  fromSerdeJsonString,
  type Preserved,
  type SessionFactoryRunFromToolResult,
  serdeJsonToBinary,
  toSerdeJsonString,
  toValue,
  WireError,
} from "../src/index.js";
import { directJson } from "../src/message-to-json.js";
import { planOf } from "../src/plan.js";
import { DefaultsSchema } from "./schemas/gen/wire_test/v1/defaults_pb.js";
import { KindsSchema, ListsSchema, OptionsSchema, TreeSchema } from "./schemas/gen/wire_test/v1/kinds_pb.js";
import { Proto2Schema } from "./schemas/gen/wire_test/v1/proto2_pb.js";
import { envelope, type Piece } from "./support/arbitrary-json.js";
import { kinds, lists, options, tree, withUnknown } from "./support/arbitrary-kinds.js";
import { Envelope } from "./support/entry-points.js";
import { captures } from "./support/material.js";

const DEEP = { maxNesting: Number.POSITIVE_INFINITY };
/** A limit of the binary makes toSerdeJsonString go the general way, by binary. */
const GENERAL = { maxBytes: 1 << 30 };

const SCHEMAS: [name: string, schema: DescMessage, text: fc.Arbitrary<Piece>][] = [
  ["the envelope", Envelope, envelope],
  ["Kinds", KindsSchema, withUnknown(kinds)],
  ["Options", OptionsSchema, withUnknown(options)],
  ["Defaults", DefaultsSchema, withUnknown(options)],
  ["Proto2", Proto2Schema, withUnknown(options)],
  ["Lists", ListsSchema, withUnknown(lists)],
  ["Tree", TreeSchema, tree],
];

function readsAsProtobufEs(schema: DescMessage, json: string | Uint8Array): void {
  const message = fromSerdeJsonString(schema, json, DEEP);
  // Not toStrictEqual: it asks for the constructor, which may be a member's key.
  expect(message).toEqual(fromBinary(schema, serdeJsonToBinary(schema, json, DEEP), { recursionLimit: 1000 }));
}

/** What a call gives, or the error that it throws. */
function outcome(call: () => string): unknown {
  try {
    return call();
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    return { code: error.code, message: error.message, pointer: error.pointer };
  }
}

function writesAsByBinary<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): unknown {
  for (const keys of ["snake_case", "camelCase"] as const) {
    expect(outcome(() => toSerdeJsonString(schema, message, { keys }))).toStrictEqual(
      outcome(() => toSerdeJsonString(schema, message, { keys, ...GENERAL })),
    );
  }
  return outcome(() => toSerdeJsonString(schema, message));
}

/** Whether a message is written without making its binary first. */
const isDirect = (schema: DescMessage, message: Message) =>
  directJson(planOf(schema), message, "snake_case") !== undefined;

describe("every capture", () => {
  test.each(captures())("$name is read as Protobuf-ES reads it, and written as by binary", ({ bytes }) => {
    readsAsProtobufEs(Envelope, bytes);
    const message = fromSerdeJsonString(Envelope, bytes, DEEP);
    writesAsByBinary(Envelope, message);
    expect(isDirect(Envelope, message)).toBe(true);
  });
});

describe("arbitrary JSON", () => {
  test.each(SCHEMAS)("of %s is read as Protobuf-ES reads it, and written as by binary", (_, schema, text) => {
    fc.assert(
      fc.property(text, ({ written }) => {
        readsAsProtobufEs(schema, written);
        const message = fromSerdeJsonString(schema, written);
        writesAsByBinary(schema, message);
        // U+FFFD may be what became of a lone surrogate, which the general way tells.
        expect(isDirect(schema, message)).toBe(!toSerdeJsonString(schema, message).includes("\ufffd"));
      }),
      { numRuns: 300 },
    );
  });
});

describe("arbitrary sidecars", () => {
  // Few keys, numbers and texts, so that they meet.
  const key = fc.constantFrom("a", "b", "result", "status", "runId", "reason", "\ud800");
  const numberText = fc.constantFrom("1", "1.0", "1.00", "2.5", "25e-1", "9007199254740993", "-0", "01", "", "\udfff");
  const { node } = fc.letrec<{ node: unknown; children: unknown[] }>((tie) => ({
    node: fc.record({
      $typeName: often("factory_run.v1.NumberText", "google.protobuf.Value"),
      place: fc.oneof(
        fc.record({ case: fc.constant("key"), value: key }),
        fc.record({ case: fc.constant("index"), value: often(0, 1, 2, 2 ** 32, 0.5, -1) }),
        fc.constant({ case: undefined }),
      ),
      text: fc.option(numberText, { nil: undefined }),
      children: tie("children"),
    }),
    children: fc.oneof({ depthSize: "small" }, fc.constant<unknown[]>([]), fc.array(tie("node"), { maxLength: 3 })),
  }));
  const number = fc.constantFrom(1, 2.5, 9007199254740992, -0, 0);
  const { json } = fc.letrec<{ json: JsonValue }>((tie) => ({
    json: fc.oneof(
      { depthSize: "small" },
      number,
      fc.array(tie("json"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom("a", "b", "result"), tie("json")),
    ),
  }));
  const preserved = fc.record({
    $typeName: often("factory_run.v1.Preserved", "factory_run.v1.NumberText"),
    members: fc.dictionary(key, json.map(toValue), { maxKeys: 3 }),
    words: fc.dictionary(fc.constantFrom("status", "result", "constructor"), often("x", "paused", "\ud800")),
    numbers: fc.array(node, { maxLength: 4 }),
  });

  function often<T>(usual: T, ...others: T[]): fc.Arbitrary<T> {
    return fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, fc.constantFrom(usual, ...others));
  }

  test("are written as by binary, most of them without it", () => {
    let direct = 0;
    fc.assert(
      fc.property(preserved, fc.option(json, { nil: undefined }), fc.constantFrom(0, 3, 99), (kept, result, status) => {
        const message = create(Envelope, { runId: "r", status: status as FactoryRunStatus });
        if (result !== undefined) message.result = toValue(result);
        message.preserved = kept as unknown as Preserved;
        writesAsByBinary(Envelope, message);
        if (isDirect(Envelope, message)) direct++;
      }),
      { numRuns: 2000 },
    );
    expect(direct).toBeGreaterThan(200);
  });
});

describe("strings", () => {
  // A string is written by hand, or encoded into a small buffer, or into one of its own, by its length.
  test.each([0, 1, 23, 47, 48, 49, 50, 511, 512, 513, 700, 2729, 2730, 2731, 2732, 8191, 8192, 8193, 100_000])(
    "of %d characters, each kind of character at the start, at the end or nowhere",
    (length) => {
      for (const special of [
        "",
        "\u007f",
        '"',
        "\\",
        "\n",
        "\u0001",
        "\u0080",
        "\u20ac",
        "\ud83d\ude00",
        "\ufffd",
        "\ufeff",
      ]) {
        for (const text of [special + "x".repeat(length), "x".repeat(length) + special]) {
          const message = create(Envelope, {
            runId: text,
            status: 3,
            error: "",
            result: toValue([text, { [text]: text }]),
          });
          const json = JSON.stringify(text);
          const error = '"error":""';
          expect(toSerdeJsonString(Envelope, message)).toBe(
            `{${error},"result":[${json},{${json}:${json}}],"run_id":${json},"status":"completed"}`,
          );
          expect(isDirect(Envelope, message)).toBe(special !== "\ufffd");
        }
      }
    },
  );
});

describe("messages that are made by hand", () => {
  const made = (fields: Partial<Record<keyof SessionFactoryRunFromToolResult, unknown>>) =>
    create(Envelope, { runId: "r", status: 3, ...fields } as Parameters<typeof create<typeof Envelope>>[1]);
  // Not by create(), which would make Structs of plain objects.
  const value = (kind: unknown) => ({ $typeName: "google.protobuf.Value", kind }) as Value;
  const number = (x: unknown) => value({ case: "numberValue", value: x });
  const text = (x: unknown) => value({ case: "stringValue", value: x });
  const list = (...values: unknown[]) =>
    value({ case: "listValue", value: { $typeName: "google.protobuf.ListValue", values } });
  const struct = (fields: object) =>
    value({ case: "structValue", value: { $typeName: "google.protobuf.Struct", fields } });
  const nested = (depth: number): Value => (depth === 0 ? number(1) : list(nested(depth - 1)));
  const withFields = (message: object, no: number, data: number[]) =>
    ({ ...message, $unknown: [{ no, wireType: 2, data: Uint8Array.from(data) }] }) as unknown as Value;
  const inKind = ({ kind }: Value, no: number, data: number[]) =>
    value({ ...kind, value: withFields(kind.value as object, no, data) });
  const holey: unknown[] = [number(1)];
  holey.length = 3;
  const circle = list();
  (circle.kind.value as { values: unknown[] }).values.push(circle);

  test.each<[what: string, result: unknown, printed: string | undefined]>([
    ["0", number(0), "0"],
    ["-0", number(-0), "-0.0"],
    ["just below 1e-5", number(9.99e-6), "9.99e-6"],
    ["just above 1e-5", number(1.5e-5), "0.000015"],
    ["1e-6", number(1e-6), "1e-6"],
    ["just below 1e-6", number(9e-7), "9e-7"],
    ["-2e-6", number(-2e-6), "-2e-6"],
    ["1e20", number(1e20), "100000000000000000000"],
    ["1e21", number(1e21), "1e+21"],
    ["a long fraction", number(0.1 + 0.2), "0.30000000000000004"],
    ["NaN", number(Number.NaN), undefined],
    ["infinity", number(Number.NEGATIVE_INFINITY), undefined],
    ["a number that is a string", number("1"), undefined],
    ["null", value({ case: "nullValue", value: 0 }), "null"],
    ["a null of another number", value({ case: "nullValue", value: 7 }), "null"],
    ["no kind", value({ case: undefined }), "null"],
    ["a boolean that is a number", value({ case: "boolValue", value: 1 }), undefined],
    [
      "control characters and quotes",
      text('\u0000\u001f\b\f\n\r\t"\\/\u007f'),
      '"\\u0000\\u001f\\b\\f\\n\\r\\t\\"\\\\/\u007f"',
    ],
    ["line separators", text("\u2028\u2029\ufeff"), '"\u2028\u2029\ufeff"'],
    ["what looks like an escaped surrogate", text("\\ud800"), '"\\\\ud800"'],
    ["a pair of surrogates", text("\ud83d\ude00"), '"\ud83d\ude00"'],
    ["a lone surrogate", text("a\ud800"), undefined],
    ["a lone surrogate in a key", struct({ "\udc00": number(1) }), undefined],
    [
      "keys of all kinds",
      struct({ b: text(""), 1: number(1), "": list(), constructor: struct({}) }),
      '{"1":1,"b":"","":[],"constructor":{}}',
    ],
    [
      "__proto__",
      struct(Object.defineProperty({}, "__proto__", { value: number(1), enumerable: true })),
      '{"__proto__":1}',
    ],
    [
      "members of a prototype",
      struct(Object.create({ a: number(1) }, { b: { value: number(2), enumerable: true } })),
      '{"b":2}',
    ],
    ["members that are not enumerable", struct(Object.defineProperty({}, "a", { value: number(1) })), "{}"],
    // Field 3 of a Value, 1 of a Struct and of a list: in binary, the last one counts.
    ["a string among the unknown fields", withFields(number(1), 3, [1, 0x78]), '"x"'],
    [
      "a member among the unknown fields",
      inKind(struct({ a: number(1) }), 1, [7, 0x0a, 1, 0x62, 0x12, 2, 0x08, 0]),
      '{"a":1,"b":null}',
    ],
    ["an element among the unknown fields", inKind(list(number(1)), 1, [2, 0x08, 0]), "[1,null]"],
    ["126 lists", nested(126), `${"[".repeat(126)}1${"]".repeat(126)}`],
    ["127 lists", nested(127), undefined],
    [
      "a list with holes",
      value({ case: "listValue", value: { $typeName: "google.protobuf.ListValue", values: holey } }),
      undefined,
    ],
    ["a list that holds itself", circle, undefined],
    ["a plain object for a Struct", value({ case: "structValue", value: { a: 1 } }), undefined],
    [
      "a Struct without fields",
      value({ case: "structValue", value: { $typeName: "google.protobuf.Struct" } }),
      undefined,
    ],
    ["a plain array for a list", value({ case: "listValue", value: [number(1)] }), undefined],
    ["a kind that there is not", value({ case: "dateValue", value: 1 }), undefined],
    ["a plain value", 5, undefined],
  ])("%s", (_, result, printed) => {
    const message = made({});
    (message as { result: unknown }).result = result;
    const written = writesAsByBinary(Envelope, message);
    if (printed !== undefined) expect(written).toBe(`{"result":${printed},"run_id":"r","status":"completed"}`);
    else expect(written).toMatchObject({ pointer: expect.stringMatching(/^\/result/) });
  });

  test.each<[what: string, fields: Parameters<typeof made>[0]]>([
    ["attempt 0", { attempt: 0n }],
    ["the greatest safe attempt", { attempt: 2n ** 53n - 1n }],
    ["an attempt beyond", { attempt: 2n ** 53n }],
    ["the least attempt", { attempt: -(2n ** 63n) }],
    ["an attempt over 64 bits", { attempt: 2n ** 63n }],
    ["an attempt that is a number", { attempt: 1 }],
    ["a status without a name", { status: 99 }],
    ["the status 0", { status: 0 }],
    ["a status that is none", { status: 1.5 }],
    ["an empty error", { error: "" }],
    ["an error that is a number", { error: 5 }],
    ["a run without an id", { runId: undefined }],
    ["a lone surrogate in a string field", { reason: "\ud800" }],
    ["an empty sidecar", { preserved: { $typeName: "factory_run.v1.Preserved", members: {}, words: {}, numbers: [] } }],
    ["unknown fields", { $unknown: [{ no: 6, wireType: 2, data: Uint8Array.of(2, 0x20, 1) }] } as object],
  ])("%s", (_, fields) => {
    const message = made({});
    Object.assign(message, fields);
    writesAsByBinary(Envelope, message);
  });
});
