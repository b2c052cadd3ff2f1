// Section 7 of docs/wire-format.md: messages to JS objects.
import { create } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { fromSerdeJson, fromSerdeJsonString, toSerdeJson, toSerdeJsonString } from "../src/index.js";
import { CAMEL, Envelope, encode } from "./support/entry-points.js";
import { capture, captures } from "./support/material.js";

type Input = Parameters<typeof fromSerdeJson>[1];

describe("toSerdeJson", () => {
  test("gives the numbers that JSON.parse would give", () => {
    const text =
      '{"runId":"a","status":"completed","attempt":9007199254740993,"result":[1.0,9007199254740993,18446744073709551615,-0,0.5,1e21,100000000000000000000000],"x":-9007199254740993}';
    const object = toSerdeJson(Envelope, fromSerdeJsonString(Envelope, text), CAMEL);
    expect(object).toEqual(JSON.parse(text));
    expect(Object.is((object.result as number[])[3], -0)).toBe(true);
  });

  test('integers: "bigint" is exact for integer tokens outside ±(2^53 - 1)', () => {
    const text =
      '{"runId":"a","status":"completed","attempt":9007199254740993,"result":{"list":[1.0,1,9007199254740991,-9007199254740991,9007199254740992,-9007199254740992,9007199254740993,18446744073709551615,1e16,1e21,-0,0.5,100000000000000000000000,1.5e300]},"x":-9007199254740993}';
    const object = toSerdeJson(Envelope, fromSerdeJsonString(Envelope, text), {
      integers: "bigint",
      keys: "camelCase",
    });
    expect(object).toEqual({
      runId: "a",
      status: "completed",
      attempt: 9007199254740993n,
      result: {
        list: [
          1,
          1,
          9007199254740991,
          -9007199254740991,
          9007199254740992n,
          -9007199254740992n,
          9007199254740993n,
          18446744073709551615n,
          1e16,
          1e21,
          -0,
          0.5,
          100000000000000000000000n,
          1.5e300,
        ],
      },
      x: -9007199254740993n,
    });
    // And what comes out goes in again without a loss.
    const again = fromSerdeJson(Envelope, object as Input);
    expect(again.attempt).toBe(9007199254740993n);
    // Only a JS number has no text to tell 1e16 from the integer that it prints as.
    const list = (object.result as { list: unknown[] }).list.map((item) => (item === 1e16 ? 10n ** 16n : item));
    expect(toSerdeJson(Envelope, again, { integers: "bigint", keys: "camelCase" })).toEqual({
      ...object,
      result: { list },
    });
  });

  test.each<[attempt: bigint, expected: number | bigint]>([
    [1n, 1],
    [9007199254740991n, 9007199254740991],
    [9007199254740992n, 9007199254740992n],
    [-9007199254740991n, -9007199254740991],
    [-9007199254740992n, -9007199254740992n],
    [9223372036854775807n, 9223372036854775807n],
  ])("attempt %s with bigint", (attempt, expected) => {
    const message = create(Envelope, { runId: "a", attempt });
    expect(toSerdeJson(Envelope, message, { integers: "bigint" }).attempt).toBe(expected);
    expect(toSerdeJson(Envelope, message).attempt).toBe(Number(attempt));
    expect(toSerdeJson(Envelope, message, { integers: "number" }).attempt).toBe(Number(attempt));
  });

  test("a large integer in a Value that no text stands for", () => {
    const message = create(Envelope, { runId: "a", result: { kind: { case: "numberValue", value: 2 ** 60 } } });
    expect(toSerdeJson(Envelope, message, { integers: "bigint" }).result).toBe(BigInt(String(2 ** 60)));
    expect(toSerdeJson(Envelope, message).result).toBe(2 ** 60);
  });

  test("keys like __proto__ are own members", () => {
    const message = fromSerdeJsonString(
      Envelope,
      '{"run_id":"a","status":"error","result":{"__proto__":{"polluted":1}},"__proto__":{"polluted":2},"constructor":3}',
    );
    const object = toSerdeJson(Envelope, message);
    expect(Object.keys(object)).toEqual(["result", "run_id", "status", "__proto__", "constructor"]);
    expect(Object.getPrototypeOf(object) === null || Object.getPrototypeOf(object) === Object.prototype).toBe(true);
    expect(Object.keys(object.result as object)).toEqual(["__proto__"]);
    expect(JSON.stringify(object)).toBe(
      '{"result":{"__proto__":{"polluted":1}},"run_id":"a","status":"error","__proto__":{"polluted":2},"constructor":3}',
    );
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test("gives fresh objects each time", () => {
    const message = fromSerdeJsonString(Envelope, capture("dbedit-all-fields"));
    const first = toSerdeJson(Envelope, message);
    const second = toSerdeJson(Envelope, message);
    expect(first).toEqual(second);
    expect(first).not.toBe(second);
    expect(first.snapshot).not.toBe(second.snapshot);
  });

  test("says what toSerdeJsonString says", () => {
    for (const { name, bytes } of captures()) {
      const message = fromSerdeJsonString(Envelope, bytes, { maxNesting: Number.POSITIVE_INFINITY });
      expect(toSerdeJson(Envelope, message), name).toEqual(JSON.parse(toSerdeJsonString(Envelope, message)));
    }
    expect(encode(capture("completed-null")).length).toBeGreaterThan(0);
  });
});
