// Section 4 of docs/wire-format.md: how JSON is written. Adoption has a file of its own.
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { toSerdeJson, toSerdeJsonString } from "../src/index.js";
import { CAMEL, decode, Envelope, encode, refuseBinary } from "./support/entry-points.js";
import {
  beforeElement,
  cat,
  int,
  len,
  member,
  nest,
  REQUIRED,
  str,
  toHex,
  valueBytes,
  withResult,
} from "./support/wire.js";

const RUN_ID = str(7, "a");
const STATUS = int(9, 3);
const ERROR = str(2, "e");
const ATTEMPT = int(1, 5);
const RESULT = len(6, valueBytes([]));
const SNAPSHOT = len(8, valueBytes({}));

describe("form", () => {
  test("compact, UTF-8, without a newline", () => {
    const text = decode(withResult(valueBytes({ a: [1, "é", { b: null }], c: true })));
    expect(text).toBe('{"result":{"a":[1,"é",{"b":null}],"c":true},"run_id":"a","status":"completed"}');
  });

  test("every character: escaped as serde_json does, else raw", () => {
    const named: Record<number, string> = {
      8: "\\b",
      9: "\\t",
      10: "\\n",
      12: "\\f",
      13: "\\r",
      34: '\\"',
      92: "\\\\",
    };
    const units = Array.from({ length: 0x300 }, (_, i) => i).concat([
      0x2028, 0x2029, 0xd7ff, 0xe000, 0xfeff, 0xfffd, 0xffff, 0x10000, 0x10ffff,
    ]);
    for (const unit of units) {
      const escaped =
        named[unit] ?? (unit < 0x20 ? `\\u${unit.toString(16).padStart(4, "0")}` : String.fromCodePoint(unit));
      const char = String.fromCodePoint(unit);
      const binary = cat(
        str(2, `<${char}>`),
        len(6, valueBytes({ [char]: char })),
        str(7, char),
        STATUS,
        len(15, member(1, `x${char}`, valueBytes(char))),
      );
      expect(decode(binary)).toBe(
        `{"error":"<${escaped}>","result":{"${escaped}":"${escaped}"},"run_id":"${escaped}","status":"completed","x${escaped}":"${escaped}"}`,
      );
    }
  });
});

describe("keys", () => {
  const binary = encode(
    '{"runId":"a","attempt":1,"status":"paused","result":{"run_id":1,"pauseInfo":2,"pause_info":3},"pauseInfo":{"runId":1},"some_key":{"run_id":1},"someKey":2}',
  );
  test("snake_case unless asked", () => {
    const snake =
      '{"run_id":"a","attempt":1,"status":"paused","result":{"run_id":1,"pauseInfo":2,"pause_info":3},"pause_info":{"runId":1},"some_key":{"run_id":1},"someKey":2}';
    expect(decode(binary)).toBe(snake);
    expect(decode(binary, { keys: "snake_case" })).toBe(snake);
  });
  test("camelCase: only the envelope's own", () => {
    expect(decode(binary, CAMEL)).toBe(
      '{"runId":"a","attempt":1,"status":"paused","result":{"run_id":1,"pauseInfo":2,"pause_info":3},"pauseInfo":{"runId":1},"some_key":{"run_id":1},"someKey":2}',
    );
  });
  test("both through the message functions", () => {
    const message = create(Envelope, {
      runId: "a",
      status: 5,
      pauseInfo: { kind: { case: "boolValue", value: true } },
    });
    expect(toSerdeJsonString(Envelope, message)).toBe('{"pause_info":true,"run_id":"a","status":"paused"}');
    expect(toSerdeJsonString(Envelope, message, CAMEL)).toBe('{"pauseInfo":true,"runId":"a","status":"paused"}');
    expect(toSerdeJson(Envelope, message)).toEqual({ pause_info: true, run_id: "a", status: "paused" });
    expect(Object.keys(toSerdeJson(Envelope, message, CAMEL))).toEqual(["pauseInfo", "runId", "status"]);
  });
});

describe("order", () => {
  test.each([
    [
      "as in the binary",
      cat(STATUS, SNAPSHOT, RUN_ID, RESULT, ATTEMPT),
      '{"status":"completed","snapshot":{},"run_id":"a","result":[],"attempt":5}',
    ],
    [
      "a field twice keeps its first place",
      cat(str(2, "x"), RUN_ID, STATUS, str(2, "y")),
      '{"error":"y","run_id":"a","status":"completed"}',
    ],
    ["a required field twice", cat(str(7, "x"), STATUS, RUN_ID, int(9, 7)), '{"run_id":"a","status":"error"}'],
    [
      "a Value twice",
      cat(len(6, valueBytes(1)), REQUIRED, len(6, valueBytes("2"))),
      '{"result":"2","run_id":"a","status":"completed"}',
    ],
    [
      "preserved first",
      cat(len(15, member(1, "x", valueBytes(1))), STATUS, RUN_ID),
      '{"status":"completed","run_id":"a","x":1}',
    ],
    [
      "preserved in two parts",
      cat(len(15, member(1, "x", valueBytes(1))), STATUS, len(15, member(1, "y", valueBytes(2))), RUN_ID),
      '{"status":"completed","run_id":"a","x":1,"y":2}',
    ],
    [
      "a preserved member twice",
      cat(
        REQUIRED,
        len(15, member(1, "x", valueBytes(1)), member(1, "y", valueBytes(2)), member(1, "x", valueBytes(3))),
      ),
      '{"run_id":"a","status":"completed","x":3,"y":2}',
    ],
  ])("%s", (_, binary, expected) => {
    expect(decode(binary)).toBe(expected);
  });

  test("a message made by a library comes out in field order", () => {
    const message = fromBinary(Envelope, cat(STATUS, SNAPSHOT, RUN_ID, RESULT, ATTEMPT));
    expect(toSerdeJsonString(Envelope, message)).toBe(
      '{"attempt":5,"result":[],"run_id":"a","snapshot":{},"status":"completed"}',
    );
    expect(decode(toBinary(Envelope, message))).toBe(
      '{"attempt":5,"result":[],"run_id":"a","snapshot":{},"status":"completed"}',
    );
  });
});

describe("required fields", () => {
  test("are written even at their default", () => {
    expect(toHex(encode('{"run_id":"","status":"Unknown"}'))).toBe("3a004800");
    expect(toHex(encode('{"status":"Unknown","run_id":""}'))).toBe("48003a00");
    expect(decode(encode('{"status":"Unknown","result":1,"run_id":""}'))).toBe(
      '{"status":"Unknown","result":1,"run_id":""}',
    );
  });

  test.each([
    ["nothing", new Uint8Array(0), '{"run_id":"","status":"Unknown"}'],
    ["only run_id", RUN_ID, '{"run_id":"a","status":"Unknown"}'],
    ["only status", STATUS, '{"run_id":"","status":"completed"}'],
    ["only lower fields", cat(ERROR, ATTEMPT), '{"error":"e","attempt":5,"run_id":"","status":"Unknown"}'],
    [
      "run_id lacks before a higher one",
      cat(ERROR, SNAPSHOT, ATTEMPT),
      '{"error":"e","run_id":"","snapshot":{},"attempt":5,"status":"Unknown"}',
    ],
    [
      "before the first higher one",
      cat(SNAPSHOT, STATUS, ERROR),
      '{"run_id":"","snapshot":{},"status":"completed","error":"e"}',
    ],
    ["status first", cat(STATUS, ERROR), '{"run_id":"","status":"completed","error":"e"}'],
    ["status lacks", cat(RESULT, RUN_ID, SNAPSHOT), '{"result":[],"run_id":"a","snapshot":{},"status":"Unknown"}'],
    [
      "both lack, then members",
      cat(ERROR, len(15, member(1, "x", valueBytes(1)))),
      '{"error":"e","run_id":"","status":"Unknown","x":1}',
    ],
    [
      "both lack, members in front",
      cat(len(15, member(1, "x", valueBytes(1))), ERROR),
      '{"error":"e","run_id":"","status":"Unknown","x":1}',
    ],
  ])("that a foreign binary lacks: %s", (_, binary, expected) => {
    expect(decode(binary)).toBe(expected);
    expect(decode(encode(expected))).toBe(expected);
  });
});

describe("status", () => {
  test.each([8, 99, 2147483647, -1, -2147483648])(
    "the number %i, which the schema does not name, prints as Unknown",
    (number) => {
      expect(decode(cat(RUN_ID, int(9, number)))).toBe('{"run_id":"a","status":"Unknown"}');
      expect(toSerdeJsonString(Envelope, create(Envelope, { runId: "a", status: number }))).toBe(
        '{"run_id":"a","status":"Unknown"}',
      );
    },
  );
});

describe("a Value with no kind prints as null", () => {
  const empty = new Uint8Array(0);
  test.each([
    ["a field", withResult(empty), '{"result":null,"run_id":"a","status":"completed"}'],
    [
      "an element",
      withResult(len(6, len(1, empty), len(1, valueBytes(1)), len(1))),
      '{"result":[null,1,null],"run_id":"a","status":"completed"}',
    ],
    ["a member", withResult(len(5, member(1, "a", empty))), '{"result":{"a":null},"run_id":"a","status":"completed"}'],
    [
      "an entry without a value",
      withResult(len(5, len(1, str(1, "a")))),
      '{"result":{"a":null},"run_id":"a","status":"completed"}',
    ],
    ["an entry without anything", withResult(len(5, len(1))), '{"result":{"":null},"run_id":"a","status":"completed"}'],
    [
      "a preserved member",
      cat(REQUIRED, len(15, member(1, "x", empty))),
      '{"run_id":"a","status":"completed","x":null}',
    ],
    ["with an unknown field only", withResult(int(99, 1)), '{"result":null,"run_id":"a","status":"completed"}'],
    ["a null_value of another number", withResult(int(1, 7)), '{"result":null,"run_id":"a","status":"completed"}'],
  ])("%s", (_, binary, expected) => {
    expect(decode(binary)).toBe(expected);
  });
});

describe("whatever comes out, serde_json reads", () => {
  const arrays = (depth: number) => nest(depth - 1, valueBytes([]), beforeElement);
  test.each(["result", "preserved"])("127 open containers below %s and no more", (place) => {
    const binary = (depth: number) =>
      place === "result" ? withResult(arrays(depth)) : cat(REQUIRED, len(15, member(1, "x", arrays(depth))));
    const text = decode(binary(126));
    expect(text).toContain(`${"[".repeat(126)}${"]".repeat(126)}`);
    for (const depth of [127, 128, 1000, 10_000]) {
      refuseBinary(binary(depth), { code: "nesting_too_deep", pointer: place === "result" ? "/result" : undefined });
    }
  });

  test("no duplicate key, however the entries stand", () => {
    const a = (n: number) => member(1, "a", valueBytes(n));
    const b = member(1, "b", valueBytes("b"));
    expect(decode(withResult(len(5, a(1), b, a(2))))).toBe(
      '{"result":{"a":2,"b":"b"},"run_id":"a","status":"completed"}',
    );
    expect(decode(withResult(len(5, a(1), a(2), b, b, a(3))))).toBe(
      '{"result":{"a":3,"b":"b"},"run_id":"a","status":"completed"}',
    );
  });
});

describe("maxBytes of binary", () => {
  test("counts the binary's bytes", () => {
    const binary = withResult(valueBytes("x".repeat(100)));
    expect(decode(binary, { maxBytes: binary.length })).toContain("xxx");
    refuseBinary(binary, { code: "too_large" }, { maxBytes: binary.length - 1 });
    refuseBinary(new Uint8Array(200).fill(0xff), { code: "too_large" }, { maxBytes: 199 });
  });
});
