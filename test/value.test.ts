import { create, fromBinary, type JsonValue, toBinary, toJson } from "@bufbuild/protobuf";
import { ListValueSchema, NullValue, StructSchema, type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WireError, type WireErrorCode } from "../src/error.js";
import { fromValue, toValue } from "../src/value.js";

const nest = (depth: number, wrap: (inner: unknown) => unknown, leaf: unknown): unknown =>
  depth === 0 ? leaf : wrap(nest(depth - 1, wrap, leaf));
const inArray = (inner: unknown) => [inner];
const inObject = (inner: unknown) => ({ a: inner });

function fault(run: () => unknown): WireError {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(WireError);
    return error as WireError;
  }
  throw new Error("nothing was thrown");
}

function numberValue(value: number): Value {
  return create(ValueSchema, { kind: { case: "numberValue", value } });
}

describe("toValue and fromValue", () => {
  const kept: [string, JsonValue][] = [
    ["null", null],
    ["true", true],
    ["false", false],
    ["zero", 0],
    ["minus zero", -0],
    ["the smallest double", 5e-324],
    ["the largest double", Number.MAX_VALUE],
    ["an empty string", ""],
    ["a string with NUL, U+2028 and a pair", "\0\u2028😀"],
    ["an empty array", []],
    ["an empty object", {}],
    ["mixed", { a: [1, "b", null, { c: [[]] }], "": false }],
    [
      "keys that mean something elsewhere",
      JSON.parse('{"__proto__":{"x":1},"constructor":2,"toString":3,"\\u0000":4}'),
    ],
  ];
  for (const [name, json] of kept) {
    it(`keeps ${name}`, () => {
      const value = toValue(json);
      expect(fromValue(value)).toStrictEqual(json);
      expect(fromValue(fromBinary(ValueSchema, toBinary(ValueSchema, value)))).toStrictEqual(json);
    });
  }

  it("makes what Protobuf-ES makes of the same JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue({ depthSize: "medium" }), (json) => {
        const value = toValue(json, { maxNesting: Number.POSITIVE_INFINITY });
        expect(fromValue(value)).toStrictEqual(json);
        const printed = toJson(ValueSchema, value);
        // As texts, since ProtoJSON has no -0 and engines differ in what they make of one.
        expect(JSON.stringify(printed)).toBe(JSON.stringify(json));
      }),
      { numRuns: 300 },
    );
  });

  it("keeps the order of members", () => {
    expect(Object.keys(fromValue(toValue({ z: 1, a: 2, m: 3 })) as object)).toEqual(["z", "a", "m"]);
  });

  it("does not touch a prototype by a key", () => {
    const object = fromValue(toValue(JSON.parse('{"__proto__":{"polluted":true}}'))) as { polluted?: boolean };
    expect(object.polluted).toBeUndefined();
    expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
    expect(Object.hasOwn(object, "__proto__")).toBe(true);
  });

  it("leaves undefined members out, at any depth", () => {
    expect(fromValue(toValue({ a: undefined, b: { c: undefined } }))).toStrictEqual({ b: {} });
  });

  it("takes a bigint that a double holds, and the same object twice", () => {
    const shared = { n: 2n ** 60n };
    expect(fromValue(toValue([shared, shared, 9007199254740991n, -1n, 0n]))).toStrictEqual([
      { n: 2 ** 60 },
      { n: 2 ** 60 },
      9007199254740991,
      -1,
      0,
    ]);
  });

  it("takes an object without a prototype", () => {
    expect(fromValue(toValue(Object.assign(Object.create(null), { a: 1 })))).toStrictEqual({ a: 1 });
  });

  it("gives null for a Value without a kind, also inside", () => {
    expect(fromValue(create(ValueSchema))).toBeNull();
    const list = create(ListValueSchema, { values: [create(ValueSchema)] });
    expect(fromValue(create(ValueSchema, { kind: { case: "listValue", value: list } }))).toStrictEqual([null]);
    expect(toValue(null).kind).toStrictEqual({ case: "nullValue", value: NullValue.NULL_VALUE });
  });
});

describe("toValue refuses", () => {
  const cyclic: { b: unknown[] } = { b: [0] };
  cyclic.b.push(cyclic);
  class Point {
    x = 1;
  }
  const refused: [string, unknown, WireErrorCode, string][] = [
    ["undefined", undefined, "wrong_type", ""],
    ["undefined in an array", { a: [1, undefined] }, "wrong_type", "/a/1"],
    ["a hole", Object.assign(new Array(3), { 0: 1, 2: 2 }), "wrong_type", "/1"],
    ["a function", { "a/b": () => 1 }, "wrong_type", "/a~1b"],
    ["a symbol", { "a~b": Symbol("s") }, "wrong_type", "/a~0b"],
    ["NaN", [Number.NaN], "out_of_range", "/0"],
    ["Infinity", { x: { y: Number.POSITIVE_INFINITY } }, "out_of_range", "/x/y"],
    ["-Infinity", Number.NEGATIVE_INFINITY, "out_of_range", ""],
    ["a bigint that rounds", { n: 9007199254740993n }, "out_of_range", "/n"],
    ["a bigint beyond the doubles", 10n ** 400n, "out_of_range", ""],
    ["a lone surrogate", ["cut \ud83d"], "invalid_utf8", "/0"],
    ["a lone surrogate in a key", { "\udc00": 1 }, "invalid_utf8", "/\udc00"],
    ["a cycle", cyclic, "wrong_type", "/b/1"],
    ["a Date", { at: new Date(0) }, "wrong_type", "/at"],
    ["a Map", new Map(), "wrong_type", ""],
    ["a boxed string", [Object("s")], "wrong_type", "/0"],
    ["an instance of a class", { p: new Point() }, "wrong_type", "/p"],
    ["a typed array", new Uint8Array(2), "wrong_type", ""],
  ];
  for (const [name, value, code, pointer] of refused) {
    it(name, () => {
      const error = fault(() => toValue(value));
      expect([error.code, error.pointer]).toEqual([code, pointer]);
    });
  }

  it("an accessor, without calling it", () => {
    let calls = 0;
    const object = {
      get a() {
        return ++calls;
      },
      toJSON: undefined,
    };
    expect(fault(() => toValue(object)).pointer).toBe("/a");
    expect(calls).toBe(0);
  });

  const limits: [string, (inner: unknown) => unknown, number, unknown, number][] = [
    ["objects", inObject, 33, 1, 100],
    ["arrays", inArray, 49, 1, 100],
    ["arrays with the innermost empty", inArray, 49, [], 100],
    ["objects at 10", inObject, 3, 1, 10],
  ];
  for (const [name, wrap, most, leaf, maxNesting] of limits) {
    it(`more ${name} than other decoders read`, () => {
      const options = maxNesting === 100 ? {} : { maxNesting };
      expect(fromValue(toValue(nest(most, wrap, leaf), options))).toStrictEqual(nest(most, wrap, leaf));
      expect(fault(() => toValue(nest(most + 1, wrap, leaf), options)).code).toBe("nesting_too_deep");
    });
  }

  it("more than 126 containers, whatever maxNesting says", () => {
    const options = { maxNesting: Number.POSITIVE_INFINITY };
    for (const wrap of [inArray, inObject]) {
      expect(fromValue(toValue(nest(126, wrap, 1), options))).toStrictEqual(nest(126, wrap, 1));
      expect(fault(() => toValue(nest(127, wrap, 1), options)).code).toBe("nesting_too_deep");
    }
    let deep: unknown = 1;
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(fault(() => toValue(deep, options)).pointer).toBe("/0".repeat(126));
  });

  it("options of no sense, as the caller's mistake", () => {
    expect(() => toValue(1, { maxNesting: Number.NaN })).toThrow(TypeError);
  });
});

describe("fromValue refuses", () => {
  const listOf = (value: Value): Value =>
    create(ValueSchema, { kind: { case: "listValue", value: create(ListValueSchema, { values: [value] }) } });
  const structOf = (key: string, value: Value): Value =>
    create(ValueSchema, { kind: { case: "structValue", value: create(StructSchema, { fields: { [key]: value } }) } });

  it("NaN and infinities", () => {
    for (const number of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      const error = fault(() => fromValue(structOf("a", listOf(numberValue(number)))));
      expect([error.code, error.pointer]).toEqual(["out_of_range", "/a/0"]);
    }
  });

  it("lone surrogates in strings and keys", () => {
    const text = create(ValueSchema, { kind: { case: "stringValue", value: "\ud800" } });
    expect(fault(() => fromValue(listOf(text))).code).toBe("invalid_utf8");
    expect(fault(() => fromValue(structOf("\udfff", numberValue(1)))).code).toBe("invalid_utf8");
  });

  it("what nests too deep, and what holds itself", () => {
    let value = numberValue(1);
    for (let i = 0; i < 126; i++) value = listOf(value);
    expect(fromValue(value)).toStrictEqual(nest(126, inArray, 1));
    expect(fault(() => fromValue(listOf(value))).code).toBe("nesting_too_deep");
    const cyclic = listOf(numberValue(1));
    if (cyclic.kind.case === "listValue") cyclic.kind.value.values.push(cyclic);
    expect(fault(() => fromValue(cyclic)).code).toBe("nesting_too_deep");
  });
});
