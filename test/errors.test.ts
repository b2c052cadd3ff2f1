// Section 6 of docs/wire-format.md: one class, one line, and nothing left behind.
import { describe, expect, test } from "vitest";
import {
  binaryToSerdeJson,
  binaryToSerdeJsonString,
  checkBinary,
  fromSerdeJson,
  fromSerdeJsonString,
  serdeJsonToBinary,
  toSerdeJsonString,
  WireError,
} from "../src/index.js";
import {
  decode,
  Envelope,
  encode,
  isWellFormed,
  marked,
  refusal,
  refuseBinary,
  refuseJson,
} from "./support/entry-points.js";
import { capture } from "./support/material.js";
import { cat, hex, int, len, REQUIRED, str, toHex, valueBytes, withResult } from "./support/wire.js";

const END = ',"run_id":"a","status":"completed"}';

describe("WireError", () => {
  test("is an Error with a code and places", () => {
    const error = refuseJson(`{\n "result":[1,{"é":1e400}]${END}`, { code: "out_of_range", pointer: "/result/1/é" });
    expect(error).toBeInstanceOf(Error);
    expect(error).toBeInstanceOf(WireError);
    expect(Object.prototype.toString.call(error)).toBe("[object Error]");
    expect(error.name).toBe("WireError");
    expect(error.stack).toContain("WireError");
    expect(error.line).toBe(2);
    expect(error.column).toBe(19);
    expect(error.offset).toBe(21);
  });

  test.each([
    ["a newline in a key", `{"result":{"a\\nb\\r\\u2028\\u0085":1e400}${END}`],
    ["a newline in a word", `{"attempt":"a\\nb"${END}`],
    ["a newline in the text", `{"result":\n\n!\n${END}`],
    ["a control", `{"\\u0000\\u001b[31m":1e400${END}`],
    ["a long key", `{"${"k".repeat(100_000)}":1e400${END}`],
    ["a long number", `{"attempt":${"9".repeat(100_000)}${END}`],
    ["a long literal", `{"result":${"n".repeat(100_000)}${END}`],
    ["a long path", `{"result":${'{"key":['.repeat(30)}1e400`],
  ])("has a message in one line, of a sane length: %s", (_, text) => {
    for (const run of [() => serdeJsonToBinary(Envelope, text), () => fromSerdeJsonString(Envelope, text)]) {
      const error = refusal(run, { code: ["out_of_range", "wrong_type", "syntax", "nesting_too_deep"] });
      expect(error.message).not.toMatch(/\p{Cc}/u);
      expect(error.message.length).toBeLessThan(1000);
      expect(isWellFormed(error.message)).toBe(true);
    }
  });

  test.each([
    ['{"a~b":{"c/d":⌖1e400}', "/a~0b/c~1d"],
    ['{"~1":[[⌖1e400', "/~01/0/0"],
    ['{"":{"":⌖1e400', "//"],
    ['{"result":{"0":[{"-":⌖1e400', "/result/0/0/-"],
    ['{"result":{"a":{"b":[]},"c":[{},{},[0,⌖1e400', "/result/c/2/1"],
    ['{"result":[{"a":1},{"b":{"c":2}},⌖1e400', "/result/2"],
    ['{"result":{"a":1,"a":{"b":⌖1e400', "/result/a/b"],
    ['{"result":{"\\u0061\\n":⌖1e400', "/result/a\n"],
    ['{"failure":{"x":[1,2,3]},"result":⌖1e400', "/result"],
    ['{"pauseInfo":{"pauseInfo":⌖1e400', "/pause_info/pauseInfo"],
    ['{"__proto__":{"constructor":⌖1e400', "/__proto__/constructor"],
  ])("points: %s → %s", (textWithMark, pointer) => {
    const { text, offset } = marked(textWithMark);
    refuseJson(text, { code: "out_of_range", pointer, offset });
  });

  test.each([
    ["after LF", '\n\n  {"x":\n⌖1e400', 4, 1],
    ["CR is no line end of its own", '{"x":\r⌖1e400', 1, 7],
    ["CR LF ends one line", '\r\n{"x":\r\n ⌖1e400', 3, 2],
    ["columns are code points", '{"é€😀":"é€😀","x":⌖1e400', 1, 18],
    ["escapes count as written", '{"\\u00e9":⌖1e400', 1, 11],
    ["U+2028 ends no line", '{"\u2028":⌖1e400', 1, 6],
    ["tabs count once", '\t\t{\t"x":⌖1e400', 1, 9],
  ])("counts lines and columns: %s", (_, textWithMark, line, column) => {
    const { text, offset } = marked(textWithMark);
    refuseJson(text, { code: "out_of_range", offset, line, column });
  });

  test("has neither line nor column for binary, and no place that does not exist for objects", () => {
    const binary = refuseBinary(cat(REQUIRED, hex("00")), { code: "malformed_binary", offset: 5 });
    expect(binary.line).toBeUndefined();
    const object = refusal(() => fromSerdeJson(Envelope, { run_id: "a", status: "running", result: [Number.NaN] }), {
      code: "out_of_range",
      pointer: "/result/0",
    });
    expect([object.offset, object.line, object.column]).toEqual([undefined, undefined, undefined]);
  });
});

describe("a failed call changes nothing", () => {
  const goodText = capture("dbedit-all-fields");
  const goodBinary = encode(goodText);
  const expected = { binary: toHex(goodBinary), text: decode(goodBinary) };
  const unaffected = () => {
    expect(toHex(serdeJsonToBinary(Envelope, goodText))).toBe(expected.binary);
    expect(binaryToSerdeJsonString(Envelope, goodBinary)).toBe(expected.text);
    expect(new TextDecoder().decode(binaryToSerdeJson(Envelope, goodBinary))).toBe(expected.text);
    checkBinary(Envelope, goodBinary);
  };

  test("whatever failed, wherever", () => {
    const badTexts = [
      `{"result":${'{"a":['.repeat(20)}1.0,`,
      `{"x":{"y":[1.0,2.0,{"z":1e400`,
      '{"run_id":"a","result":{"a":1.0,"a":{"b":[2.0,',
      `{"result":"${"é".repeat(5000)}\\ud800"`,
      `{"x":${"[".repeat(200)}`,
      '{"status":"odd","x":[1.0],"run_id":1',
      '{"attempt":9007199254740993,"attempt":1}',
      "",
      `{"result":{${'"k":1.0,'.repeat(500)}`,
    ];
    const badBinaries = [
      withResult(hex("2a 0a")),
      cat(REQUIRED, len(15, len(3, str(1, "result"), hex("20 01")))),
      cat(REQUIRED, len(15, len(1, str(1, "x"), len(2, hex("ff"))))),
      withResult(len(6, ...Array.from({ length: 200 }, () => len(1, valueBytes("x"))), len(1, hex("18 01")))),
      withResult(valueBytes([[1, { a: Number.NaN }]])),
      cat(len(15, len(1, str(1, "status"), len(2, valueBytes(1))))),
    ];
    for (let round = 0; round < 3; round++) {
      for (const text of badTexts) {
        expect(() => serdeJsonToBinary(Envelope, text)).toThrow(WireError);
        unaffected();
        expect(() => serdeJsonToBinary(Envelope, new TextEncoder().encode(text))).toThrow(WireError);
        expect(() => fromSerdeJsonString(Envelope, text)).toThrow(WireError);
        unaffected();
      }
      for (const binary of badBinaries) {
        for (const run of [binaryToSerdeJson, binaryToSerdeJsonString, checkBinary]) {
          expect(() => run(Envelope, binary)).toThrow(WireError);
          unaffected();
        }
      }
    }
  });

  test("a result is not changed by the calls after it, nor by changing another", () => {
    const first = serdeJsonToBinary(Envelope, goodText);
    const json = binaryToSerdeJson(Envelope, first);
    const texts = [toHex(first), toHex(json)];
    for (let i = 0; i < 50; i++) {
      serdeJsonToBinary(Envelope, `{"result":"${"x".repeat(i * 100)}"${END}`).fill(0xee);
      binaryToSerdeJson(Envelope, withResult(valueBytes("y".repeat(i * 100)))).fill(0xee);
    }
    expect([toHex(first), toHex(json)]).toEqual(texts);
  });

  test("calls may be nested in one another", () => {
    const inner: string[] = [];
    const value = {
      run_id: "a",
      status: "running",
      get result() {
        inner.push(toSerdeJsonString(Envelope, fromSerdeJsonString(Envelope, goodText)));
        expect(() => serdeJsonToBinary(Envelope, '{"x":[')).toThrow(WireError);
        return [1, { a: 2 }];
      },
    };
    const message = fromSerdeJson(Envelope, value);
    expect(toSerdeJsonString(Envelope, message)).toBe('{"result":[1,{"a":2}],"run_id":"a","status":"running"}');
    expect(JSON.parse(inner[0]!)).toEqual(JSON.parse(expected.text));
  });

  test("input that is changed afterwards changes no result", () => {
    const bytes = new TextEncoder().encode(goodText);
    const binary = serdeJsonToBinary(Envelope, bytes);
    bytes.fill(0x20);
    expect(toHex(binary)).toBe(expected.binary);
    const copy = Uint8Array.from(binary);
    const message = fromSerdeJsonString(Envelope, goodText);
    const text = binaryToSerdeJson(Envelope, copy);
    copy.fill(0);
    expect(new TextDecoder().decode(text)).toBe(expected.text);
    expect(JSON.parse(toSerdeJsonString(Envelope, message))).toEqual(JSON.parse(expected.text));
  });
});

test("offsets count UTF-8, also for a JS string", () => {
  const { text, offset } = marked(`{"é😀":"€","attempt":⌖true${END}`);
  refuseJson(text, { code: "wrong_type", pointer: "/attempt", offset });
  expect(offset).toBe(Buffer.byteLength('{"é😀":"€","attempt":'));
});

test("status is read as int32 wherever it stands", () => {
  expect(decode(cat(int(9, 3), str(7, "a")))).toBe('{"status":"completed","run_id":"a"}');
});
