// Section 5 of docs/wire-format.md: binary that is legal but that no writer of canonical form makes. Protobuf-ES is the
// second judge wherever it reads the same.
import { fromBinary } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { toSerdeJsonString } from "../src/index.js";
import { decode, Envelope } from "./support/entry-points.js";
import { readTree, unordered } from "./support/json-tree.js";
import {
  cat,
  double,
  fixed32,
  group,
  hex,
  int,
  len,
  member,
  REQUIRED,
  str,
  tag,
  valueBytes,
  WIRE,
  withResult,
} from "./support/wire.js";

const TAIL = '"run_id":"a","status":"completed"';
const v = valueBytes;

function prints(binary: Uint8Array, expected: string): void {
  expect(decode(binary)).toBe(expected);
  const message = fromBinary(Envelope, binary, { recursionLimit: 100_000 });
  expect(unordered(readTree(toSerdeJsonString(Envelope, message)))).toEqual(unordered(readTree(expected)));
}

describe("a field given again", () => {
  test.each<[title: string, binary: Uint8Array, expected: string]>([
    ["a scalar: the last", cat(int(1, 1), REQUIRED, int(1, 2)), `{"attempt":2,${TAIL}}`],
    ["a string: the last, also empty", cat(str(2, "long"), REQUIRED, str(2, "")), `{"error":"",${TAIL}}`],
    ["a required one", cat(REQUIRED, str(7, "b"), int(9, 4)), '{"run_id":"b","status":"halted"}'],
    ["status back to nothing", cat(REQUIRED, int(9, 0)), '{"run_id":"a","status":"Unknown"}'],
    ["Value: another kind wins", cat(len(6, v(1)), len(6, v("s")), REQUIRED), `{"result":"s",${TAIL}}`],
    ["Value: an empty one changes nothing", cat(len(6, v("s")), len(6), REQUIRED), `{"result":"s",${TAIL}}`],
    [
      "Value: objects merge",
      cat(len(6, v({ a: 1, b: 1 })), len(6, v({ c: 3, a: 2 })), REQUIRED),
      `{"result":{"a":2,"b":1,"c":3},${TAIL}}`,
    ],
    [
      "Value: arrays are strung together",
      cat(len(6, v([1])), REQUIRED, len(6, v([2, [3]]))),
      `{"result":[1,2,[3]],${TAIL}}`,
    ],
    [
      "Value: an object after an array starts anew",
      cat(len(6, v([1])), len(6, v({ a: 1 })), REQUIRED),
      `{"result":{"a":1},${TAIL}}`,
    ],
    [
      "Value: an object, a number, an object",
      cat(len(6, v({ a: 1 })), len(6, v(1)), len(6, v({ b: 2 })), REQUIRED),
      `{"result":{"b":2},${TAIL}}`,
    ],
    [
      "Value: an array, null, an array",
      cat(len(6, v([1])), len(6, v(null)), len(6, v([2])), REQUIRED),
      `{"result":[2],${TAIL}}`,
    ],
    ["within one Value: two numbers", withResult(cat(v(1), v(2))), `{"result":2,${TAIL}}`],
    ["within one Value: a number and a string", withResult(cat(v(1), v("s"))), `{"result":"s",${TAIL}}`],
    ["within one Value: a string, null", withResult(cat(v("s"), v(null))), `{"result":null,${TAIL}}`],
    [
      "within one Value: two objects merge",
      withResult(cat(v({ a: 1 }), v({ b: 2 }))),
      `{"result":{"a":1,"b":2},${TAIL}}`,
    ],
    ["within one Value: two arrays", withResult(cat(v([1]), v([2]))), `{"result":[1,2],${TAIL}}`],
    [
      "within one Value: object, bool, object",
      withResult(cat(v({ a: 1 }), v(true), v({ b: 2 }))),
      `{"result":{"b":2},${TAIL}}`,
    ],
    [
      "within an element",
      withResult(len(6, len(1, v(1), v("s")), len(1, v([1]), v([2])))),
      `{"result":["s",[1,2]],${TAIL}}`,
    ],
    [
      "an entry's value merges within the entry",
      withResult(len(5, len(1, str(1, "a"), len(2, v({ x: 1 })), len(2, v({ y: 2 }))))),
      `{"result":{"a":{"x":1,"y":2}},${TAIL}}`,
    ],
    [
      "entries of one key do not merge",
      withResult(len(5, member(1, "a", v({ x: 1 })), member(1, "a", v({ y: 2 })))),
      `{"result":{"a":{"y":2}},${TAIL}}`,
    ],
    [
      "nor across merged objects",
      withResult(cat(v({ a: { x: 1 } }), v({ a: { y: 2 } }))),
      `{"result":{"a":{"y":2}},${TAIL}}`,
    ],
    [
      "an entry's key twice",
      withResult(len(5, len(1, str(1, "a"), str(1, "b"), len(2, v(1))))),
      `{"result":{"b":1},${TAIL}}`,
    ],
    [
      "preserved merges",
      cat(len(15, member(1, "x", v(1))), REQUIRED, len(15, member(1, "y", v(2)), member(1, "x", v(3)))),
      `{${TAIL},"x":3,"y":2}`,
    ],
    ["an empty preserved", cat(len(15), REQUIRED, len(15)), `{${TAIL}}`],
    [
      "numbers in several parts",
      cat(
        len(6, v([1, 1])),
        REQUIRED,
        len(15, len(3, str(1, "failure"))),
        len(15, len(3, str(1, "result"), len(4, int(2, 1), str(3, "1.0")))),
      ),
      `{"result":[1,1.0],${TAIL}}`,
    ],
    [
      "a node's text twice",
      cat(len(6, v(1)), REQUIRED, len(15, len(3, str(1, "result"), str(3, "2.0"), str(3, "1.0")))),
      `{"result":1.0,${TAIL}}`,
    ],
    [
      "a node's place twice: the last",
      cat(
        len(6, v([1])),
        REQUIRED,
        len(15, len(3, int(2, 0), str(1, "result"), len(4, str(1, "x"), int(2, 0), str(3, "1.0")))),
      ),
      `{"result":[1.0],${TAIL}}`,
    ],
    [
      "a node's place twice, wrong kind last",
      cat(len(6, v(1)), REQUIRED, len(15, len(3, str(1, "result"), int(2, 0), str(3, "1.0")))),
      `{"result":1,${TAIL}}`,
    ],
    [
      "a word twice",
      cat(str(7, "a"), len(15, len(2, str(1, "status"), str(2, "x")), len(2, str(1, "status"), str(2, "y")))),
      '{"run_id":"a","status":"y"}',
    ],
  ])("%s", (_, binary, expected) => {
    prints(binary, expected);
  });
});

describe("map entries", () => {
  test.each<[title: string, binary: Uint8Array, expected: string]>([
    ["value before key", withResult(len(5, len(1, len(2, v(1)), str(1, "a")))), `{"result":{"a":1},${TAIL}}`],
    ["no key", withResult(len(5, len(1, len(2, v(1))))), `{"result":{"":1},${TAIL}}`],
    ["no value", withResult(len(5, len(1, str(1, "a")))), `{"result":{"a":null},${TAIL}}`],
    ["nothing", withResult(len(5, len(1), member(1, "b", v(2)))), `{"result":{"":null,"b":2},${TAIL}}`],
    [
      "no key twice: last wins, first place",
      withResult(len(5, len(1, len(2, v(1))), member(1, "b", v(2)), member(1, "", v(3)))),
      `{"result":{"":3,"b":2},${TAIL}}`,
    ],
    [
      "value first, then a late key that was there",
      withResult(len(5, member(1, "a", v(1)), member(1, "b", v(2)), len(1, len(2, v([3])), str(1, "a")))),
      `{"result":{"a":[3],"b":2},${TAIL}}`,
    ],
    [
      "unknown fields in an entry",
      withResult(len(5, len(1, int(3, 7), str(1, "a"), group(9, int(1, 1)), len(2, v(1)), str(4, "z")))),
      `{"result":{"a":1},${TAIL}}`,
    ],
    ["a member's value before its key", cat(REQUIRED, len(15, len(1, len(2, v(1)), str(1, "x")))), `{${TAIL},"x":1}`],
    ["a member without a key", cat(REQUIRED, len(15, len(1, len(2, v(1))))), `{${TAIL},"":1}`],
    ["a member without a value", cat(REQUIRED, len(15, len(1, str(1, "x")))), `{${TAIL},"x":null}`],
    [
      "a word before its key",
      cat(str(7, "a"), len(15, len(2, str(2, "odd"), str(1, "status")))),
      '{"run_id":"a","status":"odd"}',
    ],
    ["a key without a word", cat(str(7, "a"), len(15, len(2, str(1, "status")))), '{"run_id":"a","status":""}'],
    ["an empty word entry", cat(str(7, "a"), len(15, len(2))), '{"run_id":"a","status":"Unknown"}'],
    [
      "__proto__ and integer-like keys",
      withResult(len(5, member(1, "9", v(1)), member(1, "__proto__", v({})), member(1, "1", v(2)))),
      `{"result":{"9":1,"__proto__":{},"1":2},${TAIL}}`,
    ],
  ])("%s", (_, binary, expected) => {
    prints(binary, expected);
  });
});

describe("unknown fields", () => {
  const noise = [
    int(14, 5),
    int(100, -1),
    double(13, 1.5),
    fixed32(12, 7),
    str(11, "\ud7ff"),
    len(10, hex("ff fe 80")),
    group(14),
    group(16, int(1, 1)),
    group(16, group(16, group(17, str(7, "z"))), fixed32(7, 1)),
    int(536870911, 1),
    len(536870911, hex("00ff")),
    group(5000, len(6, hex("ffffffff"))),
    hex("a006 80 00"),
    hex("a006 ff ff ff ff ff ff ff ff ff 01"),
  ];
  test.each(noise.map((bytes, i): [number, Uint8Array] => [i, bytes]))("kind %i, anywhere", (_, extra) => {
    const parts = [len(6, v({ a: [1] })), str(7, "a"), int(9, 3)];
    for (let place = 0; place <= parts.length; place++) {
      const binary = cat(...parts.slice(0, place), extra, ...parts.slice(place));
      prints(binary, `{"result":{"a":[1]},${TAIL}}`);
    }
    // Numbers that Value, Struct, ListValue, the sidecar and its parts do not know either.
    const free = cat(extra.length === 0 ? extra : hex("f80101"), group(30, extra));
    prints(
      cat(
        free,
        len(6, free, len(6, free, len(1, free, v(1), free), free), free),
        REQUIRED,
        len(
          15,
          free,
          len(1, free, str(1, "x"), len(2, free, len(5, free, len(1, free, str(1, "k"), len(2, v(null)))))),
          free,
          len(3, free, str(1, "result"), free, len(4, int(2, 0), free, str(3, "1.0"))),
          len(2, free, str(1, "run_id")),
        ),
      ),
      `{"result":[1.0],${TAIL},"x":{"k":null}}`,
    );
  });

  test.each([1, 100, 1000, 20_000])("groups %i deep", (depth) => {
    const nested = cat(
      ...Array.from({ length: depth }, (_, i) => tag(20 + (i % 3), WIRE.startGroup)),
      int(1, 1),
      ...Array.from({ length: depth }, (_, i) => tag(20 + ((depth - 1 - i) % 3), WIRE.endGroup)),
    );
    expect(decode(cat(nested, REQUIRED))).toBe(`{${TAIL}}`);
    expect(decode(withResult(cat(nested, v(1))))).toBe(`{"result":1,${TAIL}}`);
    expect(decode(cat(REQUIRED, len(15, nested)))).toBe(`{${TAIL}}`);
  });
});

describe("varints", () => {
  test.each<[title: string, binary: Uint8Array, expected: string]>([
    ["not minimal", cat(hex("08 85 80 80 00"), REQUIRED), `{"attempt":5,${TAIL}}`],
    ["ten bytes for 5", cat(hex("08 85 80 80 80 80 80 80 80 80 00"), REQUIRED), `{"attempt":5,${TAIL}}`],
    [
      "ten bytes for the last u64: -1",
      cat(hex("08 ff ff ff ff ff ff ff ff ff 01"), REQUIRED),
      `{"attempt":-1,${TAIL}}`,
    ],
    ["a length not minimal", cat(hex("3a 81 80 80 80 00 61"), int(9, 3)), `{${TAIL}}`],
    ["a length of ten bytes", cat(hex("3a 81 80 80 80 80 80 80 80 80 00 61"), int(9, 3)), `{${TAIL}}`],
    ["a tag not minimal", cat(hex("ba 80 00 01 61"), int(9, 3)), `{${TAIL}}`],
    ["a tag of five bytes", cat(hex("ba 80 80 80 00 01 61"), int(9, 3)), `{${TAIL}}`],
    ["a boolean of 2", withResult(hex("20 02")), `{"result":true,${TAIL}}`],
    ["a boolean of 2^63", withResult(hex("20 80 80 80 80 80 80 80 80 80 01")), `{"result":true,${TAIL}}`],
    ["a boolean of 0 in three bytes", withResult(hex("20 80 80 00")), `{"result":false,${TAIL}}`],
    ["an enum of 64 bits is cut to 32", cat(str(7, "a"), hex("48 83 80 80 80 10")), `{${TAIL}}`],
    [
      "an enum of 64 bits is cut to 32, more bits",
      cat(str(7, "a"), hex("48 83 80 80 80 80 80 80 80 80 01")),
      `{${TAIL}}`,
    ],
    ["an enum not minimal", cat(str(7, "a"), hex("48 83 00")), `{${TAIL}}`],
    ["null_value of any number", withResult(hex("08 ff ff ff ff ff ff ff ff ff 01")), `{"result":null,${TAIL}}`],
    [
      "an index of 64 bits is cut to 32",
      cat(
        len(6, v([1, 1])),
        REQUIRED,
        len(15, len(3, str(1, "result"), len(4, hex("10 81 80 80 80 10"), str(3, "1.0")))),
      ),
      `{"result":[1,1.0],${TAIL}}`,
    ],
  ])("%s", (_, binary, expected) => {
    prints(binary, expected);
  });
});

test("fields in every order", () => {
  const parts: [Uint8Array, string][] = [
    [int(1, 1), '"attempt":1'],
    [str(2, "e"), '"error":"e"'],
    [len(4, v(null)), '"pause_info":null'],
    [str(7, "a"), '"run_id":"a"'],
    [int(9, 3), '"status":"completed"'],
  ];
  const orders = (rest: number[]): number[][] =>
    rest.length === 0 ? [[]] : rest.flatMap((i) => orders(rest.filter((j) => j !== i)).map((order) => [i, ...order]));
  for (const order of orders([0, 1, 2, 3, 4])) {
    prints(cat(...order.map((i) => parts[i]![0])), `{${order.map((i) => parts[i]![1]).join(",")}}`);
  }
});
