// Section 2 of docs/wire-format.md: what JSON is refused, as what, and where.
import { describe, expect, test } from "vitest";
import { type SerdeReadOptions, serdeJsonToBinary } from "../src/index.js";
import { Envelope, refusal, refuseJson } from "./support/entry-points.js";
import { DEEP, END, type Row, refuses } from "./support/refused-texts.js";
import { cat } from "./support/wire.js";

describe("a field twice", () => {
  refuses([
    ['{"run_id":"a",⌖"run_id":"a","status":"completed"}', "duplicate_field", "/run_id"],
    ['{"run_id":"a",⌖"runId":"a","status":"completed"}', "duplicate_field", "/run_id"],
    ['{"runId":"a", ⌖"run_id" :"a","status":"completed"}', "duplicate_field", "/run_id"],
    ['{"run_id":"a",⌖"\\u0072un_id":"a","status":"completed"}', "duplicate_field", "/run_id"],
    ['{"status":"completed",⌖"status":"completed","run_id":"a"}', "duplicate_field", "/status"],
    [`{"result":1,⌖"result":2${END}`, "duplicate_field", "/result"],
    [`{"result":null,⌖"result":null${END}`, "duplicate_field", "/result"],
    [`{"error":null,⌖"error":"x"${END}`, "duplicate_field", "/error"],
    [`{"attempt":null,⌖"attempt":null${END}`, "duplicate_field", "/attempt"],
    [`{"attempt":1,"x":1,⌖"attempt":"also wrong"${END}`, "duplicate_field", "/attempt"],
    [`{"pauseInfo":{},"y":{"pause_info":1},⌖"pause_info":{}${END}`, "duplicate_field", "/pause_info"],
    [`{"pause_info":{},⌖"pauseInfo":{}${END}`, "duplicate_field", "/pause_info"],
    [`{"failure":{"é":"é😀"},⌖"failure":{}${END}`, "duplicate_field", "/failure"],
  ]);
});

describe("an unknown member where none may be", () => {
  const options: SerdeReadOptions = { unknownMembers: "reject" };
  refuses([
    [`{⌖"x":1${END}`, "unknown_member", "/x", options],
    [`{ ⌖"x" : nonsense${END}`, "unknown_member", "/x", options],
    ['{"run_id":"a","status":"completed",⌖"preserved":{}}', "unknown_member", "/preserved", options],
    [`{⌖"a/b~c":1${END}`, "unknown_member", "/a~1b~0c", options],
    [`{⌖"":1${END}`, "unknown_member", "/", options],
    [`{⌖"__proto__":1${END}`, "unknown_member", "/__proto__", options],
    [`{"result":{"x":1},⌖"😀":1${END}`, "unknown_member", "/😀", options],
  ]);
});

describe("required fields", () => {
  refuses([
    ["{⌖}", "missing_field", "/run_id"],
    ['{"run_id":"a"⌖}', "missing_field", "/status"],
    ['{"status":"completed"\n ⌖}', "missing_field", "/run_id"],
    ['{"result":{"run_id":"a"},"status":"completed"⌖}', "missing_field", "/run_id"],
    ['{"x":1,"Run_id":"a","status":"completed"⌖}', "missing_field", "/run_id"],
    ['{"run_id":⌖null,"status":"completed"}', "wrong_type", "/run_id"],
    ['{"runId":⌖null,"status":"completed"}', "wrong_type", "/run_id"],
    ['{"run_id":"a","status":⌖null}', "wrong_type", "/status"],
  ]);
});

describe("values of the wrong type", () => {
  const scalars = ["1", "-1", "1.5", "1e400", "true", "false"];
  refuses([
    ...scalars.flatMap((value): Row[] => [
      [`{"run_id": ⌖${value},"status":"completed"}`, "wrong_type", "/run_id"],
      [`{"run_id":"a","status":⌖${value} }`, "wrong_type", "/status"],
      [`{"error":⌖${value}${END}`, "wrong_type", "/error"],
      [`{"reason":⌖${value}${END}`, "wrong_type", "/reason"],
      [`⌖${value}`, "wrong_type", ""],
    ]),
    ...["{}", "[]", '{"completed":null}', "[nonsense", "{nonsense"].flatMap((value): Row[] => [
      [`{"run_id":⌖${value},"status":"completed"}`, "wrong_type", "/run_id"],
      [`{"run_id":"a","status":⌖${value}}`, "wrong_type", "/status"],
      [`{"error":⌖${value}${END}`, "wrong_type", "/error"],
      [`{"attempt":⌖${value}${END}`, "wrong_type", "/attempt"],
    ]),
    ['⌖["a",null]', "wrong_type", ""],
    ['⌖"text"', "wrong_type", ""],
    ["⌖null", "wrong_type", ""],
    [" \n⌖[]", "wrong_type", ""],
  ]);
});

describe("attempt", () => {
  refuses([
    ...[
      "1.0",
      "1.5",
      "1e2",
      "1E2",
      "1e400",
      "-1e400",
      "1e-400",
      "-0",
      "-0.0",
      "0.0",
      "0e0",
      "true",
      "false",
      '"5"',
      '""',
      '"x"',
    ].map((value): Row => [`{"attempt":⌖${value}${END}`, "wrong_type", "/attempt"]),
    ...[
      "9223372036854775808",
      "-9223372036854775809",
      "18446744073709551615",
      "18446744073709551616",
      "100000000000000000000",
      "-100000000000000000000",
      "9".repeat(30),
      "9".repeat(400),
      `-${"1".repeat(400)}`,
    ].map((value): Row => [`{"attempt":⌖${value}${END}`, "out_of_range", "/attempt"]),
    [`{"attempt":⌖0⌖1${END}`, "syntax", "/attempt"],
    [`{"attempt":⌖-⌖${END}`, "syntax", "/attempt"],
    [`{"attempt":⌖+⌖1${END}`, "syntax", "/attempt"],
    [`{"attempt":⌖"\\⌖x"${END}`, "syntax", "/attempt"],
  ]);
});

describe("numbers beyond a double", () => {
  refuses([
    [`{"result":⌖1e400${END}`, "out_of_range", "/result"],
    [`{"result":⌖-1e309${END}`, "out_of_range", "/result"],
    [`{"result":⌖1.7976931348623159e308${END}`, "out_of_range", "/result"],
    [`{"result":[0,{"a":⌖1e999999999999}]${END}`, "out_of_range", "/result/1/a"],
    [`{"result":⌖${"9".repeat(400)}${END}`, "out_of_range", "/result"],
    [`{"result":⌖17976931348623157${"0".repeat(292)}${END}`, "out_of_range", "/result"],
    [`{"result":⌖-17976931348623157${"0".repeat(292)}${END}`, "out_of_range", "/result"],
    [`{"a/b~":{"~":⌖1e400}${END}`, "out_of_range", "/a~1b~0/~0"],
    [`{"x":⌖1e400${END}`, "out_of_range", "/x", { unknownMembers: "drop" }],
    [`{"x":[{"y":⌖1e400}]${END}`, "out_of_range", "/x/0/y", { unknownMembers: "drop" }],
    [`{"result":{"a":⌖1e400,"a":1}${END}`, "out_of_range", "/result/a"],
    [`{"x":⌖1e400,"x":1${END}`, "out_of_range", "/x"],
    [`{"result":⌖1e400${END}`, "out_of_range", "/result", { numbers: "double" }],
  ]);
});

describe("127 open containers", () => {
  const arrays = (depth: number, inner = "") => "[".repeat(depth) + inner + "]".repeat(depth);
  const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
  const refusedAt = (before: string, value: string, depthOfFault: number, step: number) =>
    `${before}${value.slice(0, depthOfFault * step)}⌖${value.slice(depthOfFault * step)}${END}`;
  refuses([
    [refusedAt('{"result":', arrays(127), 126, 1), "nesting_too_deep", `/result${"/0".repeat(126)}`, DEEP],
    [refusedAt('{"result":', objects(127), 126, 5), "nesting_too_deep", `/result${"/a".repeat(126)}`, DEEP],
    [refusedAt('{"x":', arrays(127), 126, 1), "nesting_too_deep", `/x${"/0".repeat(126)}`, DEEP],
    [
      refusedAt('{"x":', arrays(127), 126, 1),
      "nesting_too_deep",
      `/x${"/0".repeat(126)}`,
      { ...DEEP, unknownMembers: "drop" },
    ],
    [refusedAt('{"result":', arrays(5000), 126, 1), "nesting_too_deep", `/result${"/0".repeat(126)}`, DEEP],
  ]);

  test("126 below the envelope are read", () => {
    for (const value of [arrays(126), arrays(126, "1.0"), objects(126)]) {
      for (const key of ["result", "x"]) serdeJsonToBinary(Envelope, `{"${key}":${value}${END}`, DEEP);
    }
  });

  test("a duplicate's first value counts all the same", () => {
    refuseJson(`{"result":{"a":${arrays(126)},"a":1}${END}`, { code: "nesting_too_deep" }, DEEP);
    refuseJson(`{"x":${arrays(127)},"x":1${END}`, { code: "nesting_too_deep" }, DEEP);
  });
});

describe("the first fault in text order", () => {
  refuses([
    [`{"attempt":⌖"x","result":1e400${END}`, "wrong_type", "/attempt"],
    ['{"run_id":⌖1,"run_id":2,', "wrong_type", "/run_id"],
    ['{"result":⌖1e400', "out_of_range", "/result"],
    ['{"result":[⌖1e400,nonsense', "out_of_range", "/result/0"],
    ['{"result":[⌖nonsense⌖,1e400', "syntax", "/result/0"],
    ["{⌖} trailing", "missing_field", "/run_id"],
    [`{"attempt":⌖9223372036854775808,"attempt":1${END}`, "out_of_range", "/attempt"],
  ]);
});

describe("size", () => {
  const text = '{"run_id":"é😀","status":"completed"}';
  const bytes = Buffer.byteLength(text);
  test("maxBytes counts UTF-8, also of a string", () => {
    expect(text.length).toBeLessThan(bytes);
    serdeJsonToBinary(Envelope, text, { maxBytes: bytes });
    refuseJson(text, { code: "too_large" }, { maxBytes: bytes - 1 });
    refuseJson(text, { code: "too_large" }, { maxBytes: text.length });
    refuseJson(text, { code: "too_large" }, { maxBytes: 0 });
  });

  test("comes before any other fault", () => {
    refuseJson(`nonsense${" ".repeat(100)}`, { code: "too_large" }, { maxBytes: 100 });
    refuseJson(cat(Uint8Array.of(0xff), new Uint8Array(100)), { code: "too_large" }, { maxBytes: 100 });
  });

  test("is 64 MiB unless said otherwise", () => {
    const limit = 64 * 1024 * 1024;
    refusal(() => serdeJsonToBinary(Envelope, new Uint8Array(limit + 1)), { code: "too_large" });
    refusal(() => serdeJsonToBinary(Envelope, new Uint8Array(limit)), { code: "syntax", offset: 0 });
    refusal(() => serdeJsonToBinary(Envelope, "é".repeat(limit / 2 + 1)), { code: "too_large" });
    refusal(() => serdeJsonToBinary(Envelope, new Uint8Array(limit + 1), { maxBytes: Number.POSITIVE_INFINITY }), {
      code: "syntax",
    });
  });
});

describe("neither a string nor bytes", () => {
  test.each([
    [null],
    [undefined],
    [1],
    [{}],
    [[1]],
    [new ArrayBuffer(2)],
    [new Uint16Array(2)],
    [new DataView(new ArrayBuffer(1))],
  ])("%o", (input) => {
    refusal(() => serdeJsonToBinary(Envelope, input as unknown as string), { code: "wrong_type" });
  });
});
