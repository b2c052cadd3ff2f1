import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkSerdeJson, type SerdeJsonProblem } from "../src/check-serde-json.js";
import { WireError } from "../src/error.js";
import { SessionFactoryRunFromToolResultSchema, serdeJsonToBinary } from "../src/index.js";

const CAPTURES = new URL("captures/", import.meta.url);

function capture(name: string): { status: string; result?: unknown } {
  return JSON.parse(readFileSync(new URL(`${name}.json`, CAPTURES), "utf8"));
}

function nested(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let i = 0; i < depth; i++) value = wrap(value);
  return value;
}
const arrays = (depth: number) => nested(depth, (inner) => [inner]);
const objects = (depth: number) => nested(depth, (inner) => ({ a: inner }));

const cyclic: { a?: unknown } = {};
cyclic.a = cyclic;
const withGetter = {
  get a(): number {
    throw new Error("the getter was called");
  },
};
const hidden = Object.defineProperty({ a: 1 }, "b", { value: 2, enumerable: false });
const named = Object.assign([1, 2], { extra: 3 });
const holeAndName = Object.assign(new Array(2), { 0: 1, extra: 3 });
const revoked = Proxy.revocable({}, {});
revoked.revoke();

describe("checkSerdeJson", () => {
  it("lets through what JSON holds, and undefined for no result", () => {
    const good = [
      undefined,
      null,
      true,
      0,
      -1.5,
      5e-324,
      Number.MAX_VALUE,
      "",
      "😀\0\u2028",
      [],
      {},
      [null],
      { "": [{}] },
    ];
    for (const value of good) expect(checkSerdeJson(value)).toBeUndefined();
    expect(checkSerdeJson(Object.assign(Object.create(null), { a: 1 }))).toBeUndefined();
    expect(checkSerdeJson(JSON.parse('{"__proto__":{"toJSON":1},"constructor":2}'))).toBeUndefined();
  });

  const problems: [string, unknown, SerdeJsonProblem["code"], string, SerdeJsonProblem["effect"]][] = [
    ["a lone high surrogate", "cut \ud83d", "invalid_utf8", "", "run_hangs"],
    ["a lone low surrogate", { a: ["\udc00"] }, "invalid_utf8", "/a/0", "run_hangs"],
    ["surrogates in the wrong order", ["\udc00\ud800"], "invalid_utf8", "/0", "run_hangs"],
    ["a lone surrogate in a key", { x: { "\ud800": 1 } }, "invalid_utf8", "/x/\ud800", "run_hangs"],
    ["126 arrays", arrays(126), "nesting_too_deep", "/0".repeat(125), "run_hangs"],
    ["126 objects", objects(126), "nesting_too_deep", "/a".repeat(125), "run_hangs"],
    ["NaN", { n: Number.NaN }, "out_of_range", "/n", "run_fails"],
    ["Infinity", [1, Number.POSITIVE_INFINITY], "out_of_range", "/1", "run_fails"],
    ["-0", { "a/b": { "c~d": -0 } }, "out_of_range", "/a~1b/c~0d", "run_fails"],
    ["a bigint", { n: 1n }, "wrong_type", "/n", "run_fails"],
    ["a function", () => 1, "wrong_type", "", "run_fails"],
    ["a toJSON method", { toJSON: () => 1 }, "wrong_type", "/toJSON", "run_fails"],
    ["a symbol", [Symbol("s")], "wrong_type", "/0", "run_fails"],
    ["a symbol as a key", { a: { [Symbol("s")]: 1 } }, "wrong_type", "/a", "run_fails"],
    ["undefined in an object", { a: undefined }, "wrong_type", "/a", "run_fails"],
    ["undefined in an array", [undefined], "wrong_type", "/0", "run_fails"],
    ["a hole", [1, new Array(3)], "wrong_type", "/1", "run_fails"],
    ["an endless array of holes", new Array(2 ** 32 - 1), "wrong_type", "", "run_fails"],
    ["an array with a property", { a: named }, "wrong_type", "/a", "run_fails"],
    ["an array with a hole and a property", holeAndName, "wrong_type", "", "run_fails"],
    ["a cycle", cyclic, "wrong_type", "/a", "run_fails"],
    ["a getter", { x: withGetter }, "wrong_type", "/x/a", "run_fails"],
    ["a property that is not enumerable", [hidden], "wrong_type", "/0/b", "run_fails"],
    ["a Date", new Date(0), "wrong_type", "", "run_fails"],
    ["a Map", { m: new Map() }, "wrong_type", "/m", "run_fails"],
    ["an Error", [new TypeError("x")], "wrong_type", "/0", "run_fails"],
    ["a boxed number", [Object(1)], "wrong_type", "/0", "run_fails"],
    ["a typed array", new Uint8Array(3), "wrong_type", "", "run_fails"],
    ["a promise", { p: Promise.resolve(1) }, "wrong_type", "/p", "run_fails"],
    ["an object that inherits", { o: Object.create({ a: 1 }) }, "wrong_type", "/o", "run_fails"],
    ["a proxy that throws", { p: revoked.proxy }, "wrong_type", "/p", "run_fails"],
  ];
  for (const [name, value, code, pointer, effect] of problems) {
    it(`finds ${name}`, () => {
      const problem = checkSerdeJson(value)!;
      expect({ ...problem, message: "" }).toEqual({ code, pointer, effect, message: "" });
      expect(problem.message).toMatch(/^[^\n]+$/);
    });
  }

  it("gives the first problem in the order of the value", () => {
    expect(checkSerdeJson({ good: [1], a: "\ud800", b: Number.NaN })?.pointer).toBe("/a");
    expect(checkSerdeJson([{}, [Number.NaN], "\ud800"])?.pointer).toBe("/1/0");
  });

  it("takes 125 containers and no more", () => {
    expect(checkSerdeJson(arrays(125))).toBeUndefined();
    expect(checkSerdeJson(objects(125))).toBeUndefined();
    expect(checkSerdeJson([arrays(124), arrays(125)])?.pointer).toBe(`/1${"/0".repeat(124)}`);
  });

  it("does not overflow on a million levels", () => {
    expect(checkSerdeJson(arrays(1_000_000))?.code).toBe("nesting_too_deep");
    expect(checkSerdeJson(objects(1_000_000))?.code).toBe("nesting_too_deep");
  });

  it("takes an object in several places, and judges its depth in each", () => {
    const shared = objects(100);
    expect(checkSerdeJson([shared, { a: shared, b: [shared] }])).toBeUndefined();
    expect(checkSerdeJson([shared, nested(24, () => 0), wrapIn(25, shared)])?.code).toBe("nesting_too_deep");
  });

  it("reads an object that is reached along many ways once", () => {
    let value: unknown = [1];
    for (let i = 0; i < 120; i++) value = [value, value];
    // 2^120 ways lead to the innermost array.
    expect(checkSerdeJson(value)).toBeUndefined();
  });

  it("leaves the value as it was", () => {
    const value = Object.freeze({ a: Object.freeze([1, Object.freeze({ b: "x" })]) });
    expect(checkSerdeJson(value)).toBeUndefined();
  });
});

function wrapIn(depth: number, inner: unknown): unknown {
  let value = inner;
  for (let i = 0; i < depth; i++) value = [value];
  return value;
}

describe("checkSerdeJson against the runtime", () => {
  /** What the factories behind the captures returned. */
  const returned: [string, unknown][] = [
    ["bad-array-hole", Object.assign(new Array(3), { 0: 1, 2: 3 })],
    ["bad-cyclic", cyclic],
    ["bad-date", new Date(0)],
    ["bad-function", () => 1],
    ["bad-getter", withGetter],
    ["bad-string-object", Object("s")],
    ["bad-symbol", Symbol("s")],
    ["num-nan", { n: Number.NaN }],
    ["depth-array-124", arrays(124)],
    ["depth-array-126", arrays(126)],
    ["depth-object-123", objects(123)],
    ["depth-object-126", objects(126)],
    ["depth-object-127", objects(127)],
    ["risky-depth-200", arrays(200)],
    ["risky-lone-high", "\ud83d"],
    ["risky-lone-low", "\ude00"],
    ["shared-not-cyclic", [cyclicFree(), cyclicFree()]],
    ["completed-absent", undefined],
    ["completed-null", null],
  ];
  /** What the runtime made of it, by the status that it then reported. */
  const EFFECTS: { [status: string]: SerdeJsonProblem["effect"] | undefined } = {
    completed: undefined,
    error: "run_fails",
    running: "run_hangs",
  };
  for (const [name, value] of returned) {
    it(`foretells ${name}`, () => {
      const { status } = capture(name);
      expect(Object.keys(EFFECTS)).toContain(status);
      expect(checkSerdeJson(value)?.effect).toBe(EFFECTS[status]);
    });
  }

  it("lets through every result that an SDK's factory got through", () => {
    const names = readdirSync(CAPTURES)
      .filter((file) => file.endsWith(".json"))
      .map((file) => file.slice(0, -5))
      // Those factories spoke to the runtime without the SDK, or the database was edited.
      .filter((name) => !/^(?:raw|risky-raw|dbedit)-/.test(name) && capture(name).status === "completed");
    expect(names.length).toBeGreaterThan(40);
    for (const name of names) expect(checkSerdeJson(capture(name).result), name).toBeUndefined();
  });

  function cyclicFree(): object {
    return { a: 1 };
  }
});

describe("checkSerdeJson against serde's reading", () => {
  /** Whether serde would read the frame that carries the value: two containers stand around it. */
  function reads(value: unknown): boolean {
    const text = `{"run_id":"r","status":"completed","result":[${JSON.stringify(value)}]}`;
    try {
      serdeJsonToBinary(SessionFactoryRunFromToolResultSchema, text, { maxNesting: Number.POSITIVE_INFINITY });
      return true;
    } catch (error) {
      if (error instanceof WireError) return false;
      throw error;
    }
  }

  const text = fc.string({
    unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
    maxLength: 4,
  });
  const values = fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      text,
      fc.double(),
      fc.constantFrom(null, true, undefined, -0, 1n),
      fc.array(tie("node"), { maxLength: 3 }),
      fc.dictionary(text, tie("node"), { maxKeys: 3 }),
    ),
  })).node;

  it("agrees on what hangs and what passes", () => {
    const seen = { passes: 0, hangs: 0, fails: 0 };
    fc.assert(
      fc.property(values, fc.integer({ min: 0, max: 126 }), (inner, depth) => {
        const value = wrapIn(depth, inner);
        const problem = checkSerdeJson(value);
        if (problem?.effect === "run_fails") {
          seen.fails++;
        } else if (problem === undefined) {
          seen.passes++;
          if (value !== undefined) expect(reads(value)).toBe(true);
        } else if (everyScalarIsJson(value)) {
          seen.hangs++;
          expect(reads(value)).toBe(false);
        }
      }),
      { numRuns: 3000 },
    );
    expect(Math.min(seen.passes, seen.hangs, seen.fails)).toBeGreaterThan(100);
  });

  /** Whether JSON.stringify writes the value as it is. */
  function everyScalarIsJson(value: unknown): boolean {
    if (typeof value !== "object" || value === null) return !["bigint", "undefined"].includes(typeof value);
    return Object.values(value).every(everyScalarIsJson);
  }
});
