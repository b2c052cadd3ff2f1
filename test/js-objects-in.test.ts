// Section 7 of docs/wire-format.md: JS objects to messages.
import { equals, fromBinary, isMessage, toBinary } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { FactoryRunStatus } from "../gen/factory_run/v1/factory_run_pb.js";
import {
  fromSerdeJson,
  fromSerdeJsonString,
  toSerdeJson,
  toSerdeJsonString,
  type WireErrorCode,
} from "../src/index.js";
import { CAMEL, Envelope, refusal } from "./support/entry-points.js";
import { captures } from "./support/material.js";

type Input = Parameters<typeof fromSerdeJson>[1];

const base = { runId: "a", status: "completed" };

/** Prints what an object becomes; field order, as a message has it. */
const printed = (value: unknown) => toSerdeJsonString(Envelope, fromSerdeJson(Envelope, value as Input));

const printedResult = (result: unknown) =>
  printed({ ...base, result })
    .replace('{"result":', "")
    .replace(/,"run_id":"a","status":"completed"\}$/, "");

describe("fromSerdeJson takes what JSON.parse gives", () => {
  test.each(captures().filter(({ name }) => !name.startsWith("depth-") && !name.startsWith("large-")))(
    "$name",
    ({ bytes }) => {
      const text = new TextDecoder().decode(bytes);
      const fromObject = fromSerdeJson(Envelope, JSON.parse(text));
      // Without number texts the two ways give one message.
      const fromText = fromSerdeJsonString(Envelope, JSON.stringify(JSON.parse(text)));
      expect(isMessage(fromObject, Envelope)).toBe(true);
      expect(equals(Envelope, fromObject, fromText)).toBe(true);
      expect(toSerdeJson(Envelope, fromObject, CAMEL)).toEqual(JSON.parse(text));
    },
  );

  test("a message that Protobuf-ES made is the same", () => {
    const message = fromSerdeJson(Envelope, {
      runId: "a",
      status: "paused",
      attempt: 2,
      result: { a: [1.5, null, "x", true] },
    });
    expect(message.runId).toBe("a");
    expect(message.status).toBe(FactoryRunStatus.PAUSED);
    expect(message.attempt).toBe(2n);
    expect(fromBinary(Envelope, toBinary(Envelope, message))).toEqual(message);
  });

  test("either spelling of a key", () => {
    expect(printed({ run_id: "a", status: "paused", pause_info: 1 })).toBe(
      printed({ runId: "a", status: "paused", pauseInfo: 1 }),
    );
    refusal(() => printed({ run_id: "a", runId: "a", status: "paused" }), {
      code: "duplicate_field",
      pointer: "/run_id",
    });
  });
});

describe("numbers", () => {
  test.each<[value: unknown, expected: string]>([
    [1, "1"],
    [0, "0"],
    [-0, "-0.0"],
    [1.5, "1.5"],
    [1e21, "1e+21"],
    [1e-7, "1e-7"],
    [1.5e-6, "1.5e-6"],
    [2 ** 53, "9007199254740992"],
    [5e-324, "5e-324"],
    [Number.MAX_VALUE, "1.7976931348623157e+308"],
    [1n, "1"],
    [0n, "0"],
    [-5n, "-5"],
    [9007199254740993n, "9007199254740993"],
    [-9223372036854775808n, "-9223372036854775808"],
    [18446744073709551615n, "18446744073709551615"],
    [10n ** 40n, `1${"0".repeat(40)}`],
    [123456789012345678901234567890n, "123456789012345678901234567890"],
  ])("%s in a Value prints %s", (value, expected) => {
    expect(printedResult(value)).toBe(expected);
    expect(printedResult({ a: [value] })).toBe(`{"a":[${expected}]}`);
    expect(printed({ ...base, x: value })).toBe(`{"run_id":"a","status":"completed","x":${expected}}`);
  });

  test('numbers: "double" keeps no bigint\'s text', () => {
    const message = fromSerdeJson(Envelope, { ...base, result: 9007199254740993n } as Input, { numbers: "double" });
    expect(toSerdeJsonString(Envelope, message)).toBe('{"result":9007199254740992,"run_id":"a","status":"completed"}');
  });

  test.each<[value: unknown, expected: bigint]>([
    [5, 5n],
    [0, 0n],
    [-3, -3n],
    [5n, 5n],
    [2 ** 53, 9007199254740992n],
    [9007199254740993n, 9007199254740993n],
    [9223372036854775807n, 9223372036854775807n],
    [-9223372036854775808n, -9223372036854775808n],
  ])("attempt %s", (attempt, expected) => {
    expect(fromSerdeJson(Envelope, { ...base, attempt } as Input).attempt).toBe(expected);
  });

  test.each<[value: unknown, code: WireErrorCode]>([
    [-0, "wrong_type"],
    [1.5, "wrong_type"],
    ["5", "wrong_type"],
    [true, "wrong_type"],
    [[], "wrong_type"],
    [1e21, "wrong_type"],
    [9223372036854775808n, "out_of_range"],
    [-9223372036854775809n, "out_of_range"],
    [2 ** 63, "out_of_range"],
    [10n ** 30n, "out_of_range"],
  ])("attempt %s is %s", (attempt, code) => {
    refusal(() => printed({ ...base, attempt }), { code, pointer: "/attempt" });
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 10n ** 400n, -(10n ** 309n)])(
    "%s is out_of_range",
    (value) => {
      refusal(() => printed({ ...base, result: value }), { code: "out_of_range", pointer: "/result" });
      refusal(() => printed({ ...base, result: { a: [0, value] } }), { code: "out_of_range", pointer: "/result/a/1" });
      refusal(() => printed({ ...base, "x/y": { "~": value } }), { code: "out_of_range", pointer: "/x~1y/~0" });
    },
  );

  test.each([Number.NaN, Number.POSITIVE_INFINITY])("attempt %s is refused", (attempt) => {
    refusal(() => printed({ ...base, attempt }), { code: ["out_of_range", "wrong_type"], pointer: "/attempt" });
  });
});

describe("what JSON cannot hold", () => {
  class Point {
    x = 1;
  }
  const cycle: Record<string, unknown> = { a: [] };
  (cycle.a as unknown[]).push({ back: cycle });
  const cyclicArray: unknown[] = [1];
  cyclicArray.push(cyclicArray);
  const rows: [title: string, value: unknown, below?: string][] = [
    ["a function", () => 1],
    ["a symbol", Symbol("s")],
    ["a Date", new Date(0)],
    ["a Map", new Map([["a", 1]])],
    ["a Set", new Set()],
    ["a class instance", new Point()],
    ["a RegExp", /x/],
    ["an Error", new Error("x")],
    ["a boxed string", new String("x")],
    ["a boxed number", new Number(1)],
    ["a boxed boolean", new Boolean(true)],
    ["a boxed bigint", Object(1n)],
    ["a Uint8Array", new Uint8Array(2)],
    ["an ArrayBuffer", new ArrayBuffer(2)],
    ["a promise", Promise.resolve(1)],
    [
      "a class instance with toJSON",
      new (class {
        toJSON() {
          return 1;
        }
      })(),
    ],
    ["undefined in an array", [undefined], "/0"],
    ["a hole", new Array(2), "/0"],
    ["a hole further on", Object.assign([1, 2], { 3: 4 }), "/2"],
    ["a function in an object", { f() {} }, "/f"],
    ["a cycle", cycle, "/a/0/back"],
    ["a cyclic array", cyclicArray, "/1"],
    ["an object that inherits", Object.create({ a: 1 })],
    [
      "an accessor that throws",
      {
        get bad() {
          throw new RangeError("mine");
        },
      },
      "/bad",
    ],
    [
      "an element that throws",
      Object.defineProperty([0], 0, {
        get() {
          throw new TypeError("mine");
        },
      }),
      "/0",
    ],
    [
      "a proxy that throws",
      new Proxy(
        {},
        {
          ownKeys() {
            throw new Error("mine");
          },
        },
      ),
    ],
    [
      "a revoked proxy",
      (() => {
        const { proxy, revoke } = Proxy.revocable({}, {});
        revoke();
        return proxy;
      })(),
    ],
  ];
  test.each(rows)("%s is wrong_type", (title, value, below = "") => {
    refusal(() => printed({ ...base, result: value }), { code: "wrong_type", pointer: `/result${below}` });
    refusal(() => printed({ ...base, result: [{ k: value }] }), { code: "wrong_type", pointer: `/result/0/k${below}` });
    refusal(() => printed({ ...base, unheard: value }), { code: "wrong_type", pointer: `/unheard${below}` });
    refusal(() => printed({ ...base, error: value }), { code: "wrong_type" });
    expect(title).not.toBe("");
  });

  test.each([
    [null],
    [undefined],
    ["text"],
    [1],
    [1n],
    [true],
    [[]],
    [new Date(0)],
    [new Point()],
    [Symbol("s")],
    [() => 1],
    [new Map()],
  ])("%o is no envelope", (value) => {
    refusal(() => fromSerdeJson(Envelope, value as unknown as Input), { code: "wrong_type", pointer: "" });
  });

  test("toJSON is a member, not a wish", () => {
    const calls: string[] = [];
    const value = { ...base, result: { toJSON: 1, a: Object.assign(Object.create(null), { b: 1 }) } };
    expect(printed(value)).toBe('{"result":{"toJSON":1,"a":{"b":1}},"run_id":"a","status":"completed"}');
    const method = {
      toJSON: () => {
        calls.push("called");
        return {};
      },
    };
    refusal(() => printed({ ...base, result: method }), { code: "wrong_type", pointer: "/result/toJSON" });
    refusal(() => printed({ ...base, ...method }), { code: "wrong_type", pointer: "/toJSON" });
    const hidden = Object.defineProperty({ a: 1 }, "toJSON", { value: method.toJSON, enumerable: false });
    expect(printedResult(hidden)).toBe('{"a":1}');
    const inherited = Object.getOwnPropertyDescriptor(Object.prototype, "toJSON");
    expect(inherited).toBeUndefined();
    expect(calls).toEqual([]);
  });

  test("a lone surrogate", () => {
    for (const bad of ["\ud83d", "x\ude00"]) {
      refusal(() => printed({ ...base, result: [bad] }), { code: "invalid_utf8", pointer: "/result/0" });
      refusal(() => printed({ ...base, error: bad }), { code: "invalid_utf8", pointer: "/error" });
      refusal(() => printed({ runId: bad, status: "paused" }), { code: "invalid_utf8", pointer: "/run_id" });
      refusal(() => printed({ runId: "a", status: bad }), { code: "invalid_utf8", pointer: "/status" });
      refusal(() => printed({ ...base, result: { [bad]: 1 } }), { code: "invalid_utf8" });
      refusal(() => printed({ ...base, [bad]: 1 }), { code: "invalid_utf8" });
    }
  });

  test("too deep, without a stack that gives out", () => {
    const nest = (depth: number, wrap: (inner: unknown) => unknown) => {
      let value: unknown = 1;
      for (let i = 0; i < depth; i++) value = wrap(value);
      return value;
    };
    for (const wrap of [(inner: unknown) => [inner], (inner: unknown) => ({ a: inner })]) {
      for (const depth of [127, 2000, 100_000]) {
        refusal(
          () =>
            fromSerdeJson(Envelope, { ...base, result: nest(depth, wrap) } as Input, {
              maxNesting: Number.POSITIVE_INFINITY,
            }),
          { code: "nesting_too_deep" },
        );
        refusal(() => fromSerdeJson(Envelope, { ...base, x: nest(depth, wrap) } as Input), {
          code: "nesting_too_deep",
        });
      }
      fromSerdeJson(Envelope, { ...base, result: nest(126, wrap) } as Input, { maxNesting: Number.POSITIVE_INFINITY });
    }
  });

  test("required members, judged like text", () => {
    refusal(() => printed({ status: "paused" }), { code: "missing_field", pointer: "/run_id" });
    refusal(() => printed({ runId: undefined, status: "paused" }), { code: "missing_field", pointer: "/run_id" });
    refusal(() => printed({ runId: null, status: "paused" }), { code: "wrong_type", pointer: "/run_id" });
    refusal(() => printed({ runId: "a", status: 3 }), { code: "wrong_type", pointer: "/status" });
    refusal(() => fromSerdeJson(Envelope, { ...base, x: 1 }, { unknownMembers: "reject" }), {
      code: "unknown_member",
      pointer: "/x",
    });
    expect(toSerdeJsonString(Envelope, fromSerdeJson(Envelope, { ...base, x: 1 }, { unknownMembers: "drop" }))).toBe(
      '{"run_id":"a","status":"completed"}',
    );
    refusal(() => fromSerdeJson(Envelope, { ...base, result: "x".repeat(1000) }, { maxBytes: 1000 }), {
      code: "too_large",
    });
  });
});

describe("what is no fault", () => {
  test.each<[title: string, value: unknown, expected: string]>([
    ["an undefined member is absent", { a: undefined, b: 1, c: { d: undefined } }, '{"b":1,"c":{}}'],
    ["an object without prototype", Object.assign(Object.create(null), { a: 1 }), '{"a":1}'],
    ["a key __proto__", JSON.parse('{"__proto__":{"a":1},"b":2}'), '{"__proto__":{"a":1},"b":2}'],
    [
      "a value used twice",
      (() => {
        const shared = { a: 1 };
        return [shared, shared, { b: shared }];
      })(),
      '[{"a":1},{"a":1},{"b":{"a":1}}]',
    ],
    [
      "an accessor",
      {
        get a() {
          return 1;
        },
      },
      '{"a":1}',
    ],
    [
      "hidden and symbol members do not count",
      Object.defineProperty({ a: 1, [Symbol("s")]: 2 }, "hidden", { value: 3 }),
      '{"a":1}',
    ],
    ["members of an array beside its elements", Object.assign([1], { extra: 2 }), "[1]"],
    ["frozen", Object.freeze({ a: Object.freeze([1]) }), '{"a":[1]}'],
    ["a proxy that lets things through", new Proxy({ a: 1 }, {}), '{"a":1}'],
    [
      "an object of another realm's shape",
      JSON.parse('{"constructor":{"name":"Map"}}'),
      '{"constructor":{"name":"Map"}}',
    ],
    [
      "strings that need care",
      ["\u2028", '"\\', "\u0000", "😀", "\ufeff"],
      '["\u2028","\\"\\\\","\\u0000","😀","\ufeff"]',
    ],
  ])("%s", (_, value, expected) => {
    expect(printedResult(value)).toBe(expected);
  });

  test("undefined members of the envelope are absent", () => {
    expect(printed({ ...base, attempt: undefined, error: undefined, result: undefined, x: undefined })).toBe(
      '{"run_id":"a","status":"completed"}',
    );
  });

  test("the input is left alone", () => {
    const value = { ...base, result: { a: [1, { b: "x" }] } };
    const before = structuredClone(value);
    printed(value);
    expect(value).toEqual(before);
  });
});

describe("strings", () => {
  // A string is written by hand, or encoded into a small buffer, or into one of its own, by its length.
  test.each([0, 1, 47, 48, 49, 2729, 2730, 2731, 100_000])("of %d characters, as values and keys", (length) => {
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
        const value = { runId: text, status: "completed", result: [text, { [text]: text }] };
        expect(fromSerdeJson(Envelope, value)).toEqual(fromSerdeJsonString(Envelope, JSON.stringify(value)));
      }
    }
  });

  test.each([0, 1, 47, 48, 2730, 100_000])("with a lone surrogate behind %d characters are refused", (length) => {
    const text = `${"x".repeat(length)}\ud800`;
    const code = "invalid_utf8";
    refusal(() => fromSerdeJson(Envelope, { ...base, error: text }), { code, pointer: "/error" });
    refusal(() => fromSerdeJson(Envelope, { ...base, result: [0, { [text]: 1 }] }), {
      code,
      pointer: `/result/1/${text}`,
    });
    // What was begun leaves nothing behind.
    expect(printed(base)).toBe('{"run_id":"a","status":"completed"}');
  });
});

test("an object is read by its own properties that are enumerable", () => {
  const inherited = Object.create(Object.create(null, { error: { value: "x", enumerable: true } }), {
    runId: { value: "a", enumerable: true },
    status: { value: "completed", enumerable: true },
    reason: { value: "y" },
  });
  expect(printed(inherited)).toBe('{"run_id":"a","status":"completed"}');
});

test("a property may read another object meanwhile", () => {
  const value = {
    ...base,
    get reason() {
      return printed({ ...base, error: "inner" });
    },
  };
  expect(fromSerdeJson(Envelope, value).reason).toBe('{"error":"inner","run_id":"a","status":"completed"}');
});
