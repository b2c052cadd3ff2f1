// Section 5 of docs/wire-format.md: how deep a Value may be on the wire, as prost, C++, Java and upb count it.
import { describe, expect, test } from "vitest";
import { serdeJsonToBinary } from "../src/index.js";
import { decode, Envelope, encode, refuseJson } from "./support/entry-points.js";
import { type JsonNode, readTree } from "./support/json-tree.js";

const arrays = (depth: number, inner: string) => "[".repeat(depth) + inner + "]".repeat(depth);
const objects = (depth: number, inner: string) =>
  `${'{"a":'.repeat(depth - 1)}{${inner === "" ? "" : `"a":${inner}`}}${"}".repeat(depth - 1)}`;
const END = ',"run_id":"a","status":"completed"}';
const TOO_DEEP = "nesting_too_deep";

describe("the default of 100 message levels", () => {
  test.each<[key: string, title: string, value: string, fits: boolean, pointer?: string]>([
    ["result", "33 objects", objects(33, "1"), true],
    ["result", "33 objects, the innermost empty", objects(33, ""), true],
    ["result", "34 objects", objects(34, "1"), false, `/result${"/a".repeat(33)}`],
    ["result", "34 objects, the innermost empty", objects(34, ""), false, `/result${"/a".repeat(33)}`],
    ["result", "33 objects around an empty array", objects(33, "[]"), false, `/result${"/a".repeat(33)}`],
    ["result", "49 arrays", arrays(49, "1"), true],
    ["result", "50 arrays, the innermost empty", arrays(50, ""), true],
    ["result", "50 arrays", arrays(50, "1"), false, `/result${"/0".repeat(50)}`],
    ["result", "50 arrays around null", arrays(50, "null"), false, `/result${"/0".repeat(50)}`],
    ["result", "51 arrays, the innermost empty", arrays(51, ""), false, `/result${"/0".repeat(50)}`],
    ["x", "32 objects", objects(32, "1"), true],
    ["x", "33 objects, the innermost empty", objects(33, ""), true],
    ["x", "33 objects", objects(33, "1"), false, `/x${"/a".repeat(33)}`],
    ["x", "34 objects, the innermost empty", objects(34, ""), false, `/x${"/a".repeat(33)}`],
    ["x", "48 arrays", arrays(48, "1"), true],
    ["x", "49 arrays, the innermost empty", arrays(49, ""), true],
    ["x", "49 arrays", arrays(49, "1"), false, `/x${"/0".repeat(49)}`],
    ["x", "50 arrays, the innermost empty", arrays(50, ""), false, `/x${"/0".repeat(49)}`],
  ])("%s: %s", (key, _, value, fits, pointer) => {
    const text = `{"${key}":${value}${END}`;
    if (fits) expect(JSON.parse(decode(encode(text)))).toEqual(JSON.parse(text));
    else refuseJson(text, { code: TOO_DEEP, pointer });
    expect(JSON.parse(decode(encode(text, { maxNesting: Number.POSITIVE_INFINITY })))).toEqual(JSON.parse(text));
  });

  test.each(["failure", "pause_info", "pauseInfo", "snapshot"])("the same for %s", (key) => {
    encode(`{"${key}":${objects(33, "1")}${END}`);
    encode(`{"${key}":${arrays(49, "1")}${END}`);
    refuseJson(`{"${key}":${objects(34, "1")}${END}`, { code: TOO_DEEP });
    refuseJson(`{"${key}":${arrays(50, "1")}${END}`, { code: TOO_DEEP });
  });

  test("the place is the container or element that goes too far", () => {
    const text = `{"result":${arrays(50, "1")}${END}`;
    refuseJson(text, { code: TOO_DEEP, offset: 10 + 50 });
    const deeper = `{"result":${objects(34, "1")}${END}`;
    refuseJson(deeper, { code: TOO_DEEP, offset: 10 + 33 * 5 });
  });

  test("a duplicate's first value counts all the same", () => {
    refuseJson(`{"result":{"a":${arrays(50, "")},"a":1}${END}`, { code: TOO_DEEP });
    refuseJson(`{"x":${arrays(50, "")},"x":1${END}`, { code: TOO_DEEP });
  });

  test("in snake_case and camelCase alike, for it is the wire that counts", () => {
    encode(`{"result":${arrays(49, "1")},"runId":"a","status":"completed"}`);
  });
});

describe("maxNesting", () => {
  test.each<[value: string, cost: number]>([
    ["1", 1],
    ["null", 1],
    ["[]", 2],
    ["[1]", 3],
    ["[[]]", 4],
    ["[[1]]", 5],
    ["{}", 2],
    ['{"a":1}', 4],
    ['{"a":{}}', 5],
    ['{"a":[]}', 5],
    ['{"a":[1]}', 6],
    ['[{"a":1}]', 6],
    ['[{"a":[{}]}]', 9],
    ['[1,[],{"a":null}]', 6],
  ])("result %s needs %i", (value, cost) => {
    encode(`{"result":${value}${END}`, { maxNesting: cost });
    refuseJson(`{"result":${value}${END}`, { code: TOO_DEEP }, { maxNesting: cost - 1 });
    encode(`{"x":${value}${END}`, { maxNesting: cost + 2 });
    refuseJson(`{"x":${value}${END}`, { code: TOO_DEEP }, { maxNesting: cost + 1 });
  });

  test("Infinity still stops at 127 containers", () => {
    refuseJson(`{"result":${arrays(127, "")}${END}`, { code: TOO_DEEP }, { maxNesting: Number.POSITIVE_INFINITY });
  });
});

/** The levels that a Value needs, counted from a parsed tree: an independent count. */
function levels(node: JsonNode, cost: number): number {
  if (node.kind === "array") return Math.max(cost + 1, ...node.items.map((item) => levels(item, cost + 2)));
  if (node.kind === "object") return Math.max(cost + 1, ...node.members.map(([, value]) => levels(value, cost + 3)));
  return cost;
}

test("random mixed shapes agree with the count", () => {
  let seed = 20260801;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return (seed >>> 8) % below;
  };
  const shape = (depth: number): string => {
    if (depth === 0) return ["1", "{}", "[]", "null", '""'][random(5)]!;
    if (random(2) === 0) return `[${random(3) === 0 ? "0," : ""}${shape(depth - 1)}]`;
    return `{${random(3) === 0 ? '"z":[],' : ""}"k":${shape(depth - 1)}}`;
  };
  let refused = 0;
  for (let round = 0; round < 600; round++) {
    const value = shape(28 + random(26));
    for (const [key, start] of [
      ["result", 1],
      ["x", 3],
    ] as const) {
      const text = `{"${key}":${value}${END}`;
      const fits = levels(readTree(value), start) <= 100;
      if (!fits) refused++;
      if (fits) serdeJsonToBinary(Envelope, text);
      else expect(() => serdeJsonToBinary(Envelope, text), value).toThrow(/nesting_too_deep/);
    }
  }
  expect(refused).toBeGreaterThan(100);
  expect(refused).toBeLessThan(1100);
});
