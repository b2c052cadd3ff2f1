// Section 5 of docs/wire-format.md: the bytes themselves, for plain fields, preserved and the order of everything.
import { create, fromBinary, fromJson, toBinary } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { binaryToSerdeJsonString, serdeJsonToBinary } from "../src/index.js";
import { CAMEL, decode, Envelope, encode } from "./support/entry-points.js";
import { captures } from "./support/material.js";
import { cat, hex, int, len, member, str, toHex, valueBytes } from "./support/wire.js";

describe("hex", () => {
  test.each<[title: string, json: string, bytes: string]>([
    ["the least", '{"run_id":"a","status":"completed"}', "3a0161 4803"],
    ["the other order", '{"status":"completed","run_id":"a"}', "4803 3a0161"],
    ["defaults are written", '{"run_id":"","status":"Unknown"}', "3a00 4800"],
    ["every status", '{"run_id":"a","status":"pending"}', "3a0161 4801"],
    ["running", '{"run_id":"a","status":"running"}', "3a0161 4802"],
    ["halted", '{"run_id":"a","status":"halted"}', "3a0161 4804"],
    ["paused", '{"run_id":"a","status":"paused"}', "3a0161 4805"],
    ["cancelled", '{"run_id":"a","status":"cancelled"}', "3a0161 4806"],
    ["error", '{"run_id":"a","status":"error"}', "3a0161 4807"],
    ["attempt 0 is there", '{"attempt":0,"run_id":"a","status":"error"}', "0800 3a0161 4807"],
    [
      "attempt 2^53+1",
      '{"attempt":9007199254740993,"run_id":"a","status":"running"}',
      "0881808080 80808010 3a0161 4802",
    ],
    ["attempt -1", '{"attempt":-1,"run_id":"a","status":"running"}', "08ffffffffffffffffff01 3a0161 4802"],
    [
      "the first i64",
      '{"attempt":-9223372036854775808,"run_id":"a","status":"running"}',
      "0880808080808080808001 3a0161 4802",
    ],
    ["texts", '{"error":"é","reason":"","run_id":"a","status":"error"}', "1202c3a9 2a00 3a0161 4807"],
    ["null", '{"result":null,"run_id":"a","status":"completed"}', "32020800 3a0161 4803"],
    [
      "true and false",
      '{"failure":true,"result":false,"run_id":"a","status":"completed"}',
      "1a022001 32022000 3a0161 4803",
    ],
    ["a double", '{"result":0.5,"run_id":"a","status":"completed"}', "320911000000000000e03f 3a0161 4803"],
    ["-0", '{"result":-0,"run_id":"a","status":"completed"}', "3209110000000000000080 3a0161 4803"],
    ["a string", '{"result":"hi","run_id":"a","status":"completed"}', "32041a026869 3a0161 4803"],
    ["an empty string", '{"result":"","run_id":"a","status":"completed"}', "32021a00 3a0161 4803"],
    ["an empty object", '{"result":{},"run_id":"a","status":"completed"}', "32022a00 3a0161 4803"],
    ["an empty array", '{"result":[],"run_id":"a","status":"completed"}', "32023200 3a0161 4803"],
    [
      "an object",
      '{"result":{"b":null,"a":true},"run_id":"a","status":"completed"}',
      "32142a12 0a070a016212020800 0a070a016112022001 3a0161 4803",
    ],
    ["an empty key", '{"result":{"":null},"run_id":"a","status":"completed"}', "320a2a08 0a060a0012020800 3a0161 4803"],
    ["an array", '{"result":[null,[]],"run_id":"a","status":"completed"}', "320a3208 0a020800 0a023200 3a0161 4803"],
    [
      "snapshot and pause_info",
      '{"pause_info":{},"run_id":"a","snapshot":[],"status":"paused"}',
      "22022a00 3a0161 42023200 4805",
    ],
    [
      "members",
      '{"x":null,"run_id":"a","":true,"status":"completed"}',
      "3a0161 4803 7a11 0a070a017812020800 0a060a0012022001",
    ],
    ["a word", '{"run_id":"a","status":"odd"}', "3a0161 4800 7a0f 120d0a06737461747573 12036f6464"],
    ["an empty word", '{"run_id":"a","status":""}', "3a0161 4800 7a0c 120a0a06737461747573 1200"],
    [
      "a number text",
      '{"result":1.0,"run_id":"a","status":"completed"}',
      "320911000000000000f03f 3a0161 4803 7a0f 1a0d0a06726573756c74 1a03312e30",
    ],
    [
      "preserved comes last, whatever comes first",
      '{"x":true,"status":"odd","run_id":"a"}',
      "4800 3a0161 7a18 0a070a017812022001 120d0a06737461747573 12036f6464",
    ],
  ])("%s", (_, json, bytes) => {
    const binary = hex(bytes);
    expect(toHex(encode(json))).toBe(toHex(binary));
    expect(encode(decode(binary))).toEqual(binary);
    expect(JSON.parse(decode(binary))).toEqual(JSON.parse(json));
  });

  test("a number text in a tree", () => {
    const one = valueBytes(1);
    const result = len(6, len(6, len(1, valueBytes(0)), len(1, len(5, member(1, "k", one)))));
    const tree = len(3, str(1, "result"), len(4, int(2, 1), len(4, str(1, "k"), str(3, "1.0"))));
    const expected = cat(result, str(7, "a"), int(9, 3), len(15, tree));
    expect(toHex(encode('{"result":[0,{"k":1.0}],"run_id":"a","status":"completed"}'))).toBe(toHex(expected));
  });

  test("index 0 is written, for it is in a oneof", () => {
    const expected = cat(
      len(6, len(6, len(1, valueBytes(1)))),
      str(7, "a"),
      int(9, 3),
      len(15, len(3, str(1, "result"), len(4, int(2, 0), str(3, "1.0")))),
    );
    expect(toHex(encode('{"result":[1.0],"run_id":"a","status":"completed"}'))).toBe(toHex(expected));
  });

  test("members, words, numbers, in this order, numbers by fields then members", () => {
    const expected = cat(
      len(6, valueBytes(1)),
      str(7, "a"),
      int(9, 0),
      len(
        15,
        member(1, "x", valueBytes(2)),
        member(1, "y", valueBytes(null)),
        len(2, str(1, "status"), str(2, "odd")),
        len(3, str(1, "result"), str(3, "1.0")),
        len(3, str(1, "x"), str(3, "2.0")),
      ),
    );
    expect(toHex(encode('{"x":2.0,"result":1.0,"run_id":"a","status":"odd","y":null}'))).toBe(toHex(expected));
  });
});

describe("Protobuf-ES writes the same bytes when the JSON is in field order", () => {
  const inOrder = (text: string) => {
    const order = ["attempt", "error", "failure", "pauseInfo", "reason", "result", "runId", "snapshot", "status"];
    const members = Object.entries(JSON.parse(text) as object).sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
    return JSON.stringify(Object.fromEntries(members));
  };
  test.each(captures())("$name", ({ bytes }) => {
    const text = inOrder(new TextDecoder().decode(bytes));
    const binary = encode(text, { maxNesting: Number.POSITIVE_INFINITY });
    const message = fromBinary(Envelope, binary, { recursionLimit: 1000 });
    expect(toHex(toBinary(Envelope, message))).toBe(toHex(binary));
    expect(JSON.parse(decode(binary, CAMEL))).toEqual(JSON.parse(text));
  });

  test("a message made by create", () => {
    const message = create(Envelope, {
      attempt: 3n,
      error: "é",
      failure: fromJson(ValueSchema, { type: "factory_limit_reached", value: 1.5, list: [null, true, "x", {}] }),
      reason: "r",
      result: create(ValueSchema, { kind: { case: "nullValue", value: 0 } }),
      runId: "run",
      status: 7,
      preserved: { members: { x: create(ValueSchema, { kind: { case: "boolValue", value: false } }) } },
    });
    const binary = toBinary(Envelope, message);
    const text =
      '{"attempt":3,"error":"é","failure":{"type":"factory_limit_reached","value":1.5,"list":[null,true,"x",{}]},"reason":"r","result":null,"run_id":"run","status":"error","x":false}';
    expect(decode(binary)).toBe(text);
    expect(toHex(encode(text))).toBe(toHex(binary));
  });

  test("lengths are minimal at every width, at every depth", () => {
    for (const around of [127, 128, 16_383, 16_384]) {
      for (let slack = -40; slack <= 8; slack++) {
        const json = { result: { k: [{ s: "x".repeat(around + slack) }] }, run_id: "a", status: "completed" };
        const binary = encode(JSON.stringify(json));
        expect(toHex(toBinary(Envelope, fromBinary(Envelope, binary)))).toBe(toHex(binary));
      }
    }
  });

  test("2 MiB and a little", () => {
    for (const length of [2_097_120, 2_097_151, 2_097_152]) {
      const text = `{"result":["${"x".repeat(length)}"],"run_id":"a","status":"completed"}`;
      const binary = serdeJsonToBinary(Envelope, text);
      expect(toHex(toBinary(Envelope, fromBinary(Envelope, binary))) === toHex(binary)).toBe(true);
      expect(binaryToSerdeJsonString(Envelope, binary) === text).toBe(true);
    }
  });
});
