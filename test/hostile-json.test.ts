import { describe, expect, test } from "vitest";
import {
  binaryToSerdeJsonString,
  checkBinary,
  fromSerdeJson,
  fromSerdeJsonString,
  serdeJsonToBinary,
  toSerdeJson,
  toSerdeJsonString,
} from "../src/index.js";
import { Envelope, refusal } from "./support/entry-points.js";

const END = ',"run_id":"a","status":"completed"}';

const inResult = (value: string) => `{"result":${value}${END}`;

const DEEP = { maxNesting: Number.POSITIVE_INFINITY };

/** There and back, and through a message. */
function carry(text: string, expected = text): Uint8Array {
  const binary = serdeJsonToBinary(Envelope, text, DEEP);
  expect(binaryToSerdeJsonString(Envelope, binary) === expected, "the text comes back").toBe(true);
  checkBinary(Envelope, binary);
  return binary;
}

describe("many", () => {
  const n = 30_000;
  test("duplicate keys in a Value, 1 MB", () => {
    const n = 100_000;
    carry(inResult(`{${'"key":1.0,'.repeat(n)}"key":2}`), inResult('{"key":2}'));
    carry(
      inResult(`{"a":1,${'"key":[1.0],'.repeat(n)}"b":3.0,"key":{"c":2.0}}`),
      inResult('{"a":1,"key":{"c":2.0},"b":3.0}'),
    );
  });
  test("keys, each twice", () => {
    const once = Array.from({ length: n / 2 }, (_, i) => `"k${i}":${i}`).join(",");
    const again = Array.from({ length: n / 2 }, (_, i) => `"k${i}":${i}.0`).join(",");
    carry(inResult(`{${once},${again}}`), inResult(`{${again}}`));
    carry(inResult(`{${again},${once}}`), inResult(`{${once}}`));
  });
  test("keys, each twice, as unknown members", () => {
    const once = Array.from({ length: n / 2 }, (_, i) => `"k${i}":${i}`).join(",");
    const again = Array.from({ length: n / 2 }, (_, i) => `"k${i}":[${i}.0]`).join(",");
    carry(`{${once},${again}${END}`, `{"run_id":"a","status":"completed",${again}}`);
    carry(`{${'"x":1.0,'.repeat(n)}"x":2${END}`, '{"run_id":"a","status":"completed","x":2}');
  });
  test("duplicates of large values", () => {
    const large = `[${"1.0,".repeat(50)}0]`;
    carry(
      inResult(`{${`"a":${large},"b":${large},`.repeat(2000)}"c":1}`),
      inResult(`{"a":${large},"b":${large},"c":1}`),
    );
  });
  test("nested duplicates: each level given twice", () => {
    let value = "1.0";
    for (let level = 0; level < 14; level++) value = `{"a":${value},"a":${value}}`;
    const expected = `${'{"a":'.repeat(14)}1.0${"}".repeat(14)}`;
    carry(inResult(value), inResult(expected));
  });
  test("keys with one hash: alike but for one character", () => {
    const keys = Array.from(
      { length: 20_000 },
      (_, i) => `${"x".repeat(40)}${i.toString(2).padStart(16, "0").replaceAll("0", "Aa").replaceAll("1", "BB")}`,
    );
    carry(inResult(`{${keys.map((key, i) => `"${key}":${i}`).join(",")}}`));
  });
  test("integer-like keys", () => {
    carry(inResult(`{${Array.from({ length: n }, (_, i) => `"${(i * 7919) % n}":1.0`).join(",")}}`));
  });
  test("number texts, elements, empty containers", () => {
    carry(inResult(`[${Array(n).fill("1.0").join(",")}]`));
    carry(inResult(`[${Array(n).fill("9007199254740993").join(",")}]`));
    carry(inResult(`[${Array(n).fill("{}").join(",")}]`));
    carry(inResult(`[${Array(n).fill('{"a":[1.0]}').join(",")}]`));
    carry(inResult(`{${Array.from({ length: n }, (_, i) => `"k${i}":[[1.0]]`).join(",")}}`));
  });
  test("long strings and keys, of escapes", () => {
    for (const unit of ["x", "\\u0001", "\\n", "é", "😀", '\\"'])
      carry(inResult(`{"${unit.repeat(n)}":"${unit.repeat(n)}"}`));
    carry(inResult(`"${"\\ud83d\\ude00".repeat(n)}"`), inResult(`"${"😀".repeat(n)}"`));
  });
  test("digits", () => {
    carry(inResult(`1.${"0".repeat(n)}`), inResult(`1.${"0".repeat(n)}`));
    carry(inResult(`0.${"3".repeat(n)}`), inResult("0.3333333333333333"));
    carry(inResult(`1${"0".repeat(300)}.${"0".repeat(n)}e0`), inResult("1e+300"));
    refusal(() => serdeJsonToBinary(Envelope, inResult("9".repeat(n))), { code: "out_of_range", pointer: "/result" });
    refusal(() => serdeJsonToBinary(Envelope, `{"attempt":${"9".repeat(n)}${END}`), {
      code: "out_of_range",
      pointer: "/attempt",
    });
    refusal(() => serdeJsonToBinary(Envelope, inResult(`1e${"9".repeat(n)}`)), {
      code: "out_of_range",
      pointer: "/result",
    });
    carry(inResult(`1e-${"9".repeat(n)}`));
  });
  test("white space", () => {
    carry(
      `${" \n".repeat(n)}{${"\t".repeat(n)}"result"${"\r".repeat(n)}:[${" ".repeat(n)}]${END}${"\n".repeat(n)}`,
      inResult("[]"),
    );
  });
  test("faults after a long way: the place is still found", () => {
    const lines = "[1,\n2],".repeat(n);
    const error = refusal(() => serdeJsonToBinary(Envelope, inResult(`[${lines}1e400`)), {
      code: "out_of_range",
      pointer: `/result/${n}`,
    });
    expect(error.line).toBe(n + 1);
    refusal(
      () =>
        serdeJsonToBinary(
          Envelope,
          inResult(`{"a":{${Array.from({ length: n }, (_, i) => `"k${i}":1`).join(",")}},"b":!`),
        ),
      { code: "syntax", pointer: "/result/b" },
    );
  });
  test("objects and messages too", () => {
    const object = {
      runId: "a",
      status: "completed",
      result: Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, [i, `${i}`]])),
    };
    const message = fromSerdeJson(Envelope, object);
    expect(toSerdeJson(Envelope, message, { keys: "camelCase" })).toEqual(object);
    expect(toSerdeJsonString(Envelope, message).length).toBeGreaterThan(n);
    expect(fromSerdeJsonString(Envelope, JSON.stringify(object))).toEqual(message);
  });
});

describe("deep", () => {
  const n = 100_000;
  test.each([
    ["arrays", "[".repeat(n)],
    ["objects", '{"a":'.repeat(n)],
    ["both", '[{"a":'.repeat(n)],
    ["closed arrays", `${"[".repeat(n)}${"]".repeat(n)}`],
  ])("JSON: %s", (_, value) => {
    for (const text of [inResult(value), `{"x":${value}${END}`, value, `{"run_id":${value}${END}`]) {
      for (const options of [{}, DEEP, { unknownMembers: "drop" } as const]) {
        refusal(() => serdeJsonToBinary(Envelope, text, options), { code: ["nesting_too_deep", "wrong_type"] });
        refusal(() => fromSerdeJsonString(Envelope, text, options), { code: ["nesting_too_deep", "wrong_type"] });
      }
    }
  });
});
