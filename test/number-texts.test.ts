// Section 3 of docs/wire-format.md: which number texts are kept, and where.
import { fromBinary } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import type { NumberText } from "../gen/factory_run/v1/factory_run_pb.js";
import { CAMEL, decode, Envelope, encode, throughMessage } from "./support/entry-points.js";
import { toHex } from "./support/wire.js";

/** The kept texts by JSON Pointer, in their order. */
function keptTexts(binary: Uint8Array): [string, string][] {
  const found: [string, string][] = [];
  const walk = (nodes: NumberText[], path: string) => {
    for (const { place, text, children } of nodes) {
      const here = `${path}/${String(place.value).replaceAll("~", "~0").replaceAll("/", "~1")}`;
      expect(place.case).toBeDefined();
      expect(text === undefined, `${here}: a leaf has a text, and only a leaf`).toBe(children.length > 0);
      if (text !== undefined) found.push([here, text]);
      walk(children, here);
    }
  };
  walk(fromBinary(Envelope, binary, { recursionLimit: 1000 }).preserved?.numbers ?? [], "");
  return found;
}

const withValue = (text: string, key = "result") => `{"run_id":"a","status":"completed","${key}":${text}}`;

const PLACES: [title: string, wrap: (number: string) => string, pointer: string][] = [
  ["a field", (n) => withValue(n), "/result"],
  [
    "a field in camelCase goes by its proto name",
    (n) => `{"pauseInfo":${n},"run_id":"a","status":"completed"}`,
    "/pause_info",
  ],
  ["a member", (n) => withValue(`{"a":${n}}`, "failure"), "/failure/a"],
  ["a member with a hard key", (n) => withValue(`{"~/":{"":{"é😀":${n}}}}`, "snapshot"), "/snapshot/~0~1//é😀"],
  ["an element", (n) => withValue(`[null,[${n}]]`), "/result/1/0"],
  ["an unknown member", (n) => withValue(n, "x/y"), "/x~1y"],
  ["below an unknown member", (n) => withValue(`{"a":[{"__proto__":${n}}]}`, "x"), "/x/a/0/__proto__"],
  ["element 300", (n) => withValue(`[${"0,".repeat(300)}${n}]`), "/result/300"],
];

const KEPT = [
  "9007199254740993",
  "-9007199254740993",
  "9223372036854775807",
  "-9223372036854775808",
  "18446744073709551615",
  "18446744073709551616",
  "123456789012345678901234567890",
  "1000000000000000000000",
  `1${"0".repeat(300)}`,
  "1.0",
  "-1.0",
  "100.0",
  "1e0",
  "1E5",
  "1e+5",
  "1.5e1",
  "0.0",
  "0e0",
  "0E-5",
  "1e16",
  "1e20",
  "100000000000000000000.0",
  "1e-400",
  "0.000e10",
  "2.50e3",
  "1.0000000000000000000000000001",
  "123e-0",
];

const NOT_KEPT: [text: string, printed?: string][] = [
  ["0"],
  ["1"],
  ["-1"],
  ["42"],
  ["9007199254740991"],
  ["9007199254740992"],
  ["9007199254740994"],
  ["-9007199254740992"],
  ["12345678901234567000"],
  ["123456789012345680000"],
  ["0.5"],
  ["-0.25"],
  ["1.5"],
  ["1e-7"],
  ["1e+21"],
  ["1e21", "1e+21"],
  ["1E21", "1e+21"],
  ["-0.0"],
  ["-0", "-0.0"],
  ["-0e0", "-0.0"],
  ["-0.00", "-0.0"],
  ["-1e-400", "-0.0"],
  ["1.50", "1.5"],
  ["0.00001"],
  ["1.5e-6"],
  ["0.0000015", "1.5e-6"],
  ["0.000001", "1e-6"],
  ["9.999e-6"],
  ["-1.5e-6"],
  ["1e-5", "0.00001"],
  ["0.0001"],
  ["1.5e-7"],
  ["5e-324"],
  ["4.9e-324", "5e-324"],
  ["2.2250738585072014e-308"],
  ["1.7976931348623157e308", "1.7976931348623157e+308"],
  ["1.7976931348623158e308", "1.7976931348623157e+308"],
  ["1.7976931348623157e+308"],
  ["123456.789"],
  ["0.1"],
  ["0.30000000000000004"],
  ["0.1000000000000000055511151231257827", "0.1"],
  ["1e22", "1e+22"],
  ["123456789012345678.5e10", "1.2345678901234569e+27"],
  ["4503599627370495.5"],
];

describe("kept", () => {
  test.each(KEPT)("%s", (number) => {
    for (const [title, wrap, pointer] of PLACES) {
      const text = wrap(number);
      const binary = encode(text);
      expect(keptTexts(binary), title).toEqual([[pointer, number]]);
      expect(decode(binary, CAMEL), title).toBe(text.replace("run_id", "runId"));
      expect(toHex(encode(decode(binary)))).toBe(toHex(binary));
    }
    expect(throughMessage(withValue(number))).toBe(`{"result":${number},"run_id":"a","status":"completed"}`);
  });
});

describe("not kept", () => {
  test.each(NOT_KEPT)("%s", (number, printed = number) => {
    for (const [title, wrap] of PLACES) {
      const binary = encode(wrap(number));
      expect(keptTexts(binary), title).toEqual([]);
      expect(decode(binary, CAMEL), title).toBe(wrap(printed).replace("run_id", "runId"));
      expect(toHex(encode(decode(binary)))).toBe(toHex(binary));
    }
    expect(fromBinary(Envelope, encode(withValue(number))).preserved).toBeUndefined();
  });

  test.each(KEPT)('numbers: "double" keeps no %s', (number) => {
    for (const [, wrap] of PLACES) {
      const text = wrap(number);
      const binary = encode(text, { numbers: "double" });
      expect(keptTexts(binary)).toEqual([]);
      const double = Number(number);
      const printed = Object.is(double, -0) ? "-0.0" : String(double);
      expect(decode(binary, CAMEL)).toBe(wrap(printed).replace("run_id", "runId"));
    }
  });

  test('numbers: "double" still keeps attempt exact, members and words', () => {
    const text = '{"run_id":"a","attempt":9007199254740993,"status":"odd","x":1}';
    expect(decode(encode(text, { numbers: "double" }))).toBe(text);
  });
});

describe("the tree", () => {
  test("names each key on a path once, in the order of the values", () => {
    const text =
      '{"x":{"b":[1.0,2,3.0],"a":4.0},"result":[[5.0],6,{"k":7.0,"j":{"i":8.0}}],"run_id":"a","failure":9.0,"status":"completed","w":10.0}';
    expect(keptTexts(encode(text))).toEqual([
      ["/result/0/0", "5.0"],
      ["/result/2/k", "7.0"],
      ["/result/2/j/i", "8.0"],
      ["/failure", "9.0"],
      ["/x/b/0", "1.0"],
      ["/x/b/2", "3.0"],
      ["/x/a", "4.0"],
      ["/w", "10.0"],
    ]);
    const { preserved } = fromBinary(Envelope, encode(text));
    expect(preserved!.numbers.map(({ place }) => place.value)).toEqual(["result", "failure", "x", "w"]);
  });

  test("members and elements are found among any number of others", () => {
    for (let count = 0; count < 40; count++) {
      for (const every of [1, 2, 3, 7]) {
        const numbers = Array.from({ length: count }, (_, i) => (i % every === 0 ? `${i}.0` : String(i)));
        const list = `[${numbers.join(",")}]`;
        const object = `{${numbers.map((number, i) => `"k${i}":${number}`).join(",")}}`;
        const deeper = `{${numbers.map((number, i) => `"k${i}":[{"x":${number}},1,${number}]`).join(",")}}`;
        for (const value of [list, object, deeper, `[${object},${list},${deeper}]`]) {
          expect(decode(encode(withValue(value)), CAMEL)).toBe(withValue(value).replace("run_id", "runId"));
        }
        // As preserved members, behind fields that have texts too.
        const unknown = numbers.map((number, i) => `,"m${i}":${number}`).join("");
        const text = `{"runId":"a","result":${list},"status":"completed","snapshot":1e2${unknown}}`;
        expect(decode(encode(text), CAMEL)).toBe(text);
      }
    }
  });

  test("an index may be large", () => {
    const text = withValue(`[${"0,".repeat(70_000)}1.0]`);
    expect(keptTexts(encode(text))).toEqual([["/result/70000", "1.0"]]);
    expect(decode(encode(text))).toBe(text);
  });

  test("is as large as the input, not as its paths", () => {
    const key = "k".repeat(10_000);
    const text = withValue(`{"${key}":[${Array(10_000).fill("1.0").join(",")}]}`);
    expect(encode(text).length).toBeLessThan(text.length * 20);
  });

  test.each([
    [
      "a duplicate in first place",
      '{"a":1,"b":1.0,"a":2.0}',
      [
        ["/result/a", "2.0"],
        ["/result/b", "1.0"],
      ],
    ],
    ["a duplicate that loses its text", '{"a":1.0,"b":1.0,"a":2}', [["/result/b", "1.0"]]],
    ["a duplicate that changes shape", '{"a":[1.0,{"c":2.0}],"a":{"0":3.0}}', [["/result/a/0", "3.0"]]],
    ["a duplicate three times", '{"a":1.0,"a":[2.0],"a":[3,4.0]}', [["/result/a/1", "4.0"]]],
    ["an empty container last", '{"a":[1.0],"a":[]}', []],
  ] as const)("%s", (_, value, expected) => {
    expect(keptTexts(encode(withValue(value)))).toEqual(expected);
    expect(keptTexts(encode(withValue(value, "x")))).toEqual(
      expected.map(([at, text]) => [at.replace("result", "x"), text]),
    );
  });
});
