// Section 3 of docs/wire-format.md: what a stale or forged number text can do, which is nothing.
import { create, fromBinary, fromJson, type JsonValue, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { ListValueSchema, type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import type { NumberTextSchema } from "../gen/factory_run/v1/factory_run_pb.js";
import { toSerdeJsonString } from "../src/index.js";
import { decode, Envelope, encode, refuseBinary } from "./support/entry-points.js";
import { cat, header, len, nest, REQUIRED, str, valueBytes, int as varintField, withResult } from "./support/wire.js";

const withValue = (text: string, key = "result") => `{"run_id":"a","status":"completed","${key}":${text}}`;

type Nodes = MessageInitShape<typeof NumberTextSchema>[];

const key = (value: string, rest: MessageInitShape<typeof NumberTextSchema> = {}) =>
  ({ place: { case: "key", value }, ...rest }) as const;

const index = (value: number, rest: MessageInitShape<typeof NumberTextSchema> = {}) =>
  ({ place: { case: "index", value }, ...rest }) as const;

/** An envelope made by a protobuf library, with whatever entries. */
function forged(result: Value | undefined, numbers: Nodes, members: Record<string, unknown> = {}): Uint8Array {
  return toBinary(
    Envelope,
    create(Envelope, {
      runId: "a",
      status: 3,
      result,
      preserved: {
        numbers,
        members: Object.fromEntries(
          Object.entries(members).map(([k, v]) => [k, fromJson(ValueSchema, v as JsonValue)]),
        ),
      },
    }),
  );
}

const value = (json: unknown) => fromJson(ValueSchema, json as JsonValue);

const number = (double: number) => create(ValueSchema, { kind: { case: "numberValue", value: double } });

function printsResult(binary: Uint8Array, expected: string, after = ""): void {
  const text = `{"result":${expected},"run_id":"a","status":"completed"${after}}`;
  expect(decode(binary)).toBe(text);
  expect(toSerdeJsonString(Envelope, fromBinary(Envelope, binary))).toBe(text);
}

describe("a text counts only for the same double and when the rule would keep it", () => {
  test.each([
    [1, "1.0", "1.0"],
    [1, "1e0", "1e0"],
    [1, "10E-1", "10E-1"],
    [1, "1.00", "1.00"],
    [0, "0.0", "0.0"],
    [10, "1e0001", "1e0001"],
    [2 ** 53, "9007199254740993", "9007199254740993"],
    [1e16, "1e16", "1e16"],
    [0, "1e-400", "1e-400"],
    [1e21, "1000000000000000000000", "1000000000000000000000"],
    [1, "2.0", "1"],
    [1, "1", "1"],
    [1.5, "1.50", "1.5"],
    [1.5, "1.5", "1.5"],
    [1.5, "15e-1", "1.5"],
    [1.5, "1.0", "1.5"],
    [2 ** 53, "9007199254740992", "9007199254740992"],
    [-0, "0.0", "-0.0"],
    [-0, "-0.0", "-0.0"],
    [-0, "-0", "-0.0"],
    [-0, "-0e0", "-0.0"],
    [0, "-0.0", "0"],
    [0, "-0", "0"],
    [1e21, "1e21", "1e+21"],
    [1e300, "1e400", "1e+300"],
    [Number.MAX_VALUE, `17976931348623157${"0".repeat(292)}`, "1.7976931348623157e+308"],
    [1e300, `1${"0".repeat(300)}`, `1${"0".repeat(300)}`],
    [1e300, `1${"0".repeat(301)}`, "1e+300"],
    ...[
      "",
      " 1.0",
      "1.0 ",
      "+1.0",
      "1.",
      ".1e1",
      "01.0",
      "1.0e",
      "1.0e+",
      "0x1",
      "1_0",
      "1.0,2",
      "1.0}",
      "1.0\n",
      "\u00a01.0",
      "１.0",
      "1,0",
      "1.0f",
      "1n",
      "true",
      "null",
      '"1.0"',
      "Infinity",
      "NaN",
      "1\u0000",
      "1.0\u0000",
      "--1.0",
      "1.0.0",
      "[1.0]",
    ].map((text): [number, string, string] => [1, text, "1"]),
    [16, "0x10", "16"],
    [8, "010", "8"],
    [8, "0o10", "8"],
    [0, "", "0"],
    [0, " ", "0"],
  ])("the double %d with %j prints %s", (double, text, expected) => {
    printsResult(forged(number(double), [key("result", { text })]), expected);
    printsResult(
      forged(value([null, double]), [key("result", { children: [index(1, { text })] })]),
      `[null,${expected}]`,
    );
    // In order and not: two ways of looking them up.
    for (const nodes of [
      [0, 2, 3],
      [3, 0, 2],
    ]) {
      const children = nodes.map((at) => index(at, { text }));
      printsResult(
        forged(value([double, 2, double, double, 7.5]), [key("result", { children })]),
        `[${expected},2,${expected},${expected},7.5]`,
      );
    }
    printsResult(forged(value(null), [key("x", { text })], { x: double }), "null", `,"x":${expected}`);
  });
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
  "%d in a list with texts is refused",
  (bad) => {
    for (const nodes of [
      [0, 1],
      [1, 0],
    ]) {
      const children = nodes.map((at) => index(at, { text: "1.0" }));
      const list = create(ListValueSchema, { values: [number(1), number(bad)] });
      const result = create(ValueSchema, { kind: { case: "listValue", value: list } });
      refuseBinary(forged(result, [key("result", { children })]), { code: "out_of_range", pointer: "/result" });
    }
  },
);

describe("entries that match nothing are ignored", () => {
  const one = { text: "1.0" };
  test.each<[string, unknown, Nodes, string]>([
    ["no place", 1, [one], "1"],
    ["no place, beside a good one", 1, [one, key("result", one), one], "1.0"],
    ["an index for a field", 1, [index(6, one), index(0, one)], "1"],
    ["another field", 1, [key("failure", one)], "1"],
    ["the JSON name", 1, [key("Result", one), key("/result", one)], "1"],
    ["an index for a member", { 0: 1 }, [key("result", { children: [index(0, one)] })], '{"0":1}'],
    ["a key for an element", [1], [key("result", { children: [key("0", one)] })], "[1]"],
    ["no place for an element", [1], [key("result", { children: [one] })], "[1]"],
    ["no place for a member", { a: 1 }, [key("result", { children: [one] })], '{"a":1}'],
    ["an index too far", [1], [key("result", { children: [index(1, one)] })], "[1]"],
    ["the largest index", [1], [key("result", { children: [index(4294967295, one)] })], "[1]"],
    ["a key that is not there", { a: 1 }, [key("result", { children: [key("b", one)] })], '{"a":1}'],
    ["a text on an array", [1], [key("result", one)], "[1]"],
    ["a text on an object", { a: 1 }, [key("result", one)], '{"a":1}'],
    [
      "a text on a container, its children count",
      [1],
      [key("result", { text: "1.0", children: [index(0, one)] })],
      "[1.0]",
    ],
    ["a text on null", null, [key("result", one)], "null"],
    ["a text on a string", "1", [key("result", one)], '"1"'],
    ["a text on a boolean", true, [key("result", one)], "true"],
    ["a text on an empty array", [], [key("result", one)], "[]"],
    ["children of a number", 1, [key("result", { children: [index(0, one)] })], "1"],
    ["children of a number that has a text", 1, [key("result", { text: "1.0", children: [key("a", one)] })], "1.0"],
    ["a node without text", 1, [key("result")], "1"],
    ["two nodes: the last counts", 1, [key("result", { text: "1.00" }), key("result", one)], "1.0"],
    ["two nodes: the last counts, though it says nothing", 1, [key("result", one), key("result")], "1"],
    ["two nodes: the last counts, though it is wrong", 1, [key("result", one), key("result", { text: "2.0" })], "1"],
    [
      "two nodes: the last counts whole",
      [1, 1],
      [key("result", { children: [index(0, one)] }), key("result", { children: [index(1, one)] })],
      "[1,1.0]",
    ],
    [
      "two nodes for an element",
      [1],
      [key("result", { children: [index(0, one), index(0, { text: "1e0" })] })],
      "[1e0]",
    ],
    [
      "two nodes for a member",
      { a: 1 },
      [key("result", { children: [key("a", one), key("b", one), key("a", { text: "1e0" })] })],
      '{"a":1e0}',
    ],
    [
      "in another order than the values",
      [1, 1, 1],
      [key("result", { children: [index(2, one), index(0, { text: "1e0" })] })],
      "[1e0,1,1.0]",
    ],
    [
      "members in another order",
      { a: 1, b: 1 },
      [key("result", { children: [key("b", one), key("a", { text: "1e0" })] })],
      '{"a":1e0,"b":1.0}',
    ],
    [
      "attempt and the scalars take none",
      1,
      [key("run_id", one), key("status", one), key("attempt", one), key("preserved", one)],
      "1",
    ],
    [
      "__proto__ is a key",
      { a: 1 },
      [key("__proto__", one), key("result", { children: [key("__proto__", one)] })],
      '{"a":1}',
    ],
  ])("%s", (_, result, numbers, expected) => {
    printsResult(forged(value(result), numbers), expected);
  });

  // Few keys are compared with the one that is asked for, many are put into a Map.
  test.each([1, 2, 7, 8, 9, 30])(
    "%i members in another order than the values, one of them twice, and some that are not there",
    (count) => {
      const keys = Array.from({ length: count }, (_, i) => `k${i}`);
      const json = Object.fromEntries(keys.map((name, i) => [name, i]));
      const nodes = keys.map((name, i) => key(name, { text: `${i}.0` })).reverse();
      const children = [
        key("k0", { text: "0.000" }),
        key("none", one),
        ...nodes,
        key("no", { children: [index(3, one)] }),
      ];
      printsResult(
        forged(value(json), [key("result", { children })]),
        `{${keys.map((name, i) => `"${name}":${i}.0`).join(",")}}`,
      );
    },
  );

  test.each([
    ["indices that do not grow", [1, 1, 1], [index(2, one), index(0, one)], "[1.0,1,1.0]"],
    ["indices of nothing at the end", [1, 1], [index(1, one), index(7, one)], "[1,1.0]"],
    ["a node for a string before one for a number", ["1", 1], [index(0, one), index(1, one)], '["1",1.0]'],
    [
      "nodes for all kinds of elements",
      ["1", null, true, [], {}, 1],
      [0, 1, 2, 3, 4, 5].map((i) => index(i, one)),
      '["1",null,true,[],{},1.0]',
    ],
    ["keys among the indices", [1, 1], [index(0, one), key("1", one), index(1, one)], "[1.0,1.0]"],
  ] as [string, unknown, Nodes, string][])("%s", (_, json, children, expected) => {
    printsResult(forged(value(json), [key("result", { children })]), expected);
  });

  test("fields of a node in another order", () => {
    const node = (...fields: Uint8Array[]) => len(3, ...fields);
    const result = withResult(valueBytes([1, 1, 1]));
    const second = cat(str(3, "1.0"), varintField(2, 1));
    const binary = cat(
      result,
      len(15, node(len(4, second), str(1, "result"), len(4, varintField(2, 2), str(3, "1.00")))),
    );
    printsResult(binary, "[1,1.0,1.00]");
  });

  test("attempt is never printed from a text", () => {
    const binary = toBinary(
      Envelope,
      create(Envelope, { runId: "a", status: 3, attempt: 1n, preserved: { numbers: [key("attempt", one)] } }),
    );
    expect(decode(binary)).toBe('{"attempt":1,"run_id":"a","status":"completed"}');
  });

  test("first-level nodes of fields and of members meet their own", () => {
    const binary = forged(number(1), [key("x", one), key("result", { text: "1e0" })], { x: 1 });
    printsResult(binary, "1e0", ',"x":1.0');
  });

  test("many nodes for one place, and many nodes for nothing", () => {
    const numbers = Array.from({ length: 2000 }, (_, i) => key("result", { text: `1.${"0".repeat(i % 50)}0` }));
    printsResult(forged(number(1), [...numbers, key("result", one)]), "1.0");
    printsResult(
      forged(
        number(1),
        Array.from({ length: 2000 }, (_, i) => key(`k${i}`, one)),
      ),
      "1",
    );
  });
});

describe("how deep the tree may be", () => {
  const nested = (depth: number) => {
    const place = str(1, "a");
    const tree = nest(depth - 1, place, (length) => cat(place, header(4, length)));
    return cat(REQUIRED, len(15, len(3, tree)));
  };
  test("128 nodes", () => {
    expect(decode(nested(128))).toBe('{"run_id":"a","status":"completed"}');
  });
  test.each([129, 130, 1000, 20_000])("%i nodes are nesting_too_deep", (depth) => {
    refuseBinary(nested(depth), { code: "nesting_too_deep", pointer: "/preserved" });
  });
  test("the deepest that JSON can ask for is written and read", () => {
    const text = withValue(`${"[".repeat(126)}1.0${"]".repeat(126)}`);
    expect(decode(encode(text, { maxNesting: Number.POSITIVE_INFINITY }))).toBe(text);
  });
});

test("NaN and infinities in a binary Value are out_of_range, where they would be printed", () => {
  for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
    refuseBinary(withResult(valueBytes(bad)), { code: "out_of_range", pointer: "/result" });
    refuseBinary(withResult(valueBytes([1, { a: bad }])), { code: "out_of_range" });
    refuseBinary(cat(REQUIRED, len(15, len(1, str(1, "x"), len(2, valueBytes(bad))))), { code: "out_of_range" });
    // Overwritten, it would not be printed.
    expect(decode(cat(len(6, valueBytes(bad)), len(6, valueBytes(1)), REQUIRED))).toBe(
      '{"result":1,"run_id":"a","status":"completed"}',
    );
    expect(
      decode(
        withResult(len(5, len(1, str(1, "a"), len(2, valueBytes(bad))), len(1, str(1, "a"), len(2, valueBytes(2))))),
      ),
    ).toBe('{"result":{"a":2},"run_id":"a","status":"completed"}');
  }
});
