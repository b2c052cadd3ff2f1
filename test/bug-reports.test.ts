// Fifteen public bug reports of other projects, each as a family of cases. What concerns streams (a short read taken
// for a whole message, a declared length that is trusted) is tested with the streams.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { create, fromBinary, fromJsonString, type JsonObject, toBinary, toJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { FactoryRunStatus } from "../gen/factory_run/v1/factory_run_pb.js";
import { fromSerdeJson, fromSerdeJsonString, serdeJsonToBinary, toSerdeJson, toSerdeJsonString } from "../src/index.js";
import {
  CAMEL,
  decode,
  Envelope,
  encode,
  refusal,
  refuseBinary,
  refuseJson,
  throughMessage,
} from "./support/entry-points.js";
import { cat, hex, len, REQUIRED, toHex, valueBytes, withResult } from "./support/wire.js";

// https://github.com/protobufjs/protobuf.js/issues/1671
describe("H1: integers of more than 16 digits lose precision", () => {
  test.each([
    "9007199254740993",
    "9223372036854775807",
    "-9223372036854775808",
    "1000000000000000001",
    "-9007199254740993",
  ])("attempt %s", (attempt) => {
    const text = `{"runId":"r1","status":"running","attempt":${attempt}}`;
    expect(fromSerdeJsonString(Envelope, text).attempt).toBe(BigInt(attempt));
    expect(decode(encode(text), CAMEL)).toBe(text);
    expect(JSON.parse(throughMessage(text, {}, CAMEL))).toEqual(JSON.parse(text));
    expect(throughMessage(text)).toContain(`"attempt":${attempt},`);
  });
  test("on the wire", () => {
    expect(toHex(encode('{"runId":"r1","status":"running","attempt":9007199254740993}'))).toBe(
      "3a027231480208" + "8180808080808010",
    );
  });
  test("one more than an i64 holds is refused, not rounded", () => {
    refuseJson('{"runId":"r1","status":"running","attempt":9223372036854775808}', {
      code: "out_of_range",
      pointer: "/attempt",
    });
  });
});

// https://github.com/neoeinstein/protoc-gen-prost/issues/47
describe("H2: 64-bit integers written as strings", () => {
  test.each([0n, 5n, -5n, 2n ** 53n, 2n ** 63n - 1n, -(2n ** 63n)])("%s comes out as a bare integer", (attempt) => {
    const message = create(Envelope, { runId: "a", status: 3, attempt });
    expect(toSerdeJsonString(Envelope, message)).toBe(`{"attempt":${attempt},"run_id":"a","status":"completed"}`);
    expect(decode(toBinary(Envelope, message))).toBe(`{"attempt":${attempt},"run_id":"a","status":"completed"}`);
  });
  test.each(['"5"', '"0x10"', '" 7 "', '""', '"-0"', '"1e3"'])("%s coming in is wrong_type", (attempt) => {
    refuseJson(`{"run_id":"a","status":"running","attempt":${attempt}}`, { code: "wrong_type", pointer: "/attempt" });
    refusal(() => fromSerdeJson(Envelope, { run_id: "a", status: "running", attempt: JSON.parse(attempt) }), {
      code: "wrong_type",
      pointer: "/attempt",
    });
  });
});

// https://github.com/golang/protobuf/issues/1501
describe("H3: a 64-bit integer inside a Value is rounded", () => {
  test.each([
    "9223372036854775807",
    "9007199254740993",
    "18446744073709551615",
    "-9223372036854775808",
    "123456789012345678901234567890",
  ])("%s", (seq) => {
    for (const value of [`{"seq":${seq}}`, `[[${seq}]]`, seq]) {
      const text = `{"runId":"r1","status":"completed","result":${value}}`;
      const binary = encode(text);
      expect(decode(binary, CAMEL)).toBe(text);
      expect(throughMessage(text, {}, CAMEL)).toContain(seq);
      // A peer without knowledge of the sidecar has the double.
      expect(JSON.stringify(toJson(Envelope, fromBinary(Envelope, binary)))).toContain(String(Number(seq)));
    }
  });
  test("the text stands under its own path", () => {
    const message = fromBinary(
      Envelope,
      encode('{"runId":"r1","status":"completed","result":{"seq":9223372036854775807}}'),
    );
    expect(message.preserved!.numbers).toMatchObject([
      {
        place: { case: "key", value: "result" },
        children: [{ place: { case: "key", value: "seq" }, text: "9223372036854775807" }],
      },
    ]);
    expect(toJson(ValueSchema, message.result!)).toEqual({ seq: 2 ** 63 });
  });
});

// https://github.com/serde-rs/json/issues/1143
describe("H4: null and missing cannot be told apart", () => {
  test.each(["result", "failure", "snapshot", "pauseInfo"])("%s", (key) => {
    const withNull = `{"runId":"r1","status":"completed","${key}":null}`;
    const without = '{"runId":"r1","status":"completed"}';
    expect(decode(encode(withNull), CAMEL)).toBe(withNull);
    expect(decode(encode(without), CAMEL)).toBe(without);
    expect(throughMessage(withNull, {}, CAMEL)).toContain(`"${key}":null`);
    expect(throughMessage(without, {}, CAMEL)).toBe(without);
    expect(key in toSerdeJson(Envelope, fromSerdeJsonString(Envelope, withNull), CAMEL)).toBe(true);
    expect(key in toSerdeJson(Envelope, fromSerdeJsonString(Envelope, without), CAMEL)).toBe(false);
  });
  test("on the wire", () => {
    expect(toHex(encode('{"runId":"r1","status":"completed","result":null}'))).toBe("3a0272314803" + "32020800");
    expect(toHex(encode('{"runId":"r1","status":"completed"}'))).toBe("3a0272314803");
  });
});

// https://github.com/influxdata/pbjson/issues/100
describe("H5: null as a Value with no kind", () => {
  test.each<[title: string, binary: Uint8Array, expected: string]>([
    ["32 00", cat(hex("3200"), REQUIRED), "null"],
    ["in an array", withResult(len(6, len(1), len(1, len(6, len(1))))), "[null,[null]]"],
    ["in an object", withResult(hex("2a 07 0a 05 0a 01 61 12 00")), '{"a":null}'],
  ])("%s prints as null and is never written", (_, binary, expected) => {
    expect(decode(binary)).toBe(`{"result":${expected},"run_id":"a","status":"completed"}`);
    expect(toSerdeJsonString(Envelope, fromBinary(Envelope, binary))).toBe(
      `{"result":${expected},"run_id":"a","status":"completed"}`,
    );
    const rewritten = encode(decode(binary));
    expect(toHex(rewritten)).toBe(toHex(withResult(valueBytes(JSON.parse(expected)))));
    expect(() => toJson(Envelope, fromBinary(Envelope, binary))).toThrow(/must have a value/);
  });
});

// https://github.com/influxdata/pbjson/issues/92
describe("H6: an unknown enum name fails the whole message", () => {
  test.each(["timed_out", "TIMED_OUT", "", "Completed", "__proto__", "😀"])("%j", (word) => {
    const text = `{"runId":"r1","status":${JSON.stringify(word)}}`;
    const message = fromSerdeJsonString(Envelope, text);
    expect(message.status).toBe(FactoryRunStatus.UNSPECIFIED);
    expect(Object.entries(message.preserved!.words)).toEqual([["status", word]]);
    expect(decode(encode(text), CAMEL)).toBe(text);
    expect(throughMessage(text, {}, CAMEL)).toBe(text);
  });
});

// https://github.com/github/copilot-sdk/pull/2283
describe("H7: one lone surrogate made serde_json refuse the frame", () => {
  const fields: [text: string, pointer: string][] = [
    ['{"runId":"r1","status":"error","error":"cut @"}', "/error"],
    ['{"runId":"r1","status":"error","reason":"cut @"}', "/reason"],
    ['{"runId":"r1","status":"error","result":"cut @"}', "/result"],
    ['{"runId":"r1","status":"error","result":{"a":["cut @"]}}', "/result/a/0"],
    ['{"runId":"cut @","status":"error"}', "/run_id"],
    ['{"runId":"r1","status":"cut @"}', "/status"],
    ['{"runId":"r1","status":"error","more":"cut @"}', "/more"],
  ];
  test.each(fields)("reported with line, column and pointer: %s", (text, pointer) => {
    const escaped = refuseJson(`\n${text.replace("@", "\\ud83d")}`, { code: "syntax", pointer, line: 2 });
    expect(escaped.column).toBeGreaterThan(1);
    const raw = refuseJson(`\n${text.replace("@", "\ud83d")}`, { code: "invalid_utf8", pointer, line: 2 });
    expect(raw.column).toBeGreaterThan(1);
    // The same text with the pair whole is fine.
    expect(decode(encode(text.replace("@", "\\ud83d\\ude00")), CAMEL)).toBe(text.replace("@", "😀"));
  });
  test("never written", () => {
    const message = create(Envelope, { runId: "r1", result: { kind: { case: "stringValue", value: "cut \ud83d" } } });
    refusal(() => toSerdeJsonString(Envelope, message), { code: "invalid_utf8" });
    refuseBinary(withResult(hex("1a 03 eda0bd")), { code: "invalid_utf8", pointer: "/result" });
  });
});

// https://github.com/protocolbuffers/protobuf/issues/6537
describe("H8: a Struct nested 34 deep is written and its own parser refuses it", () => {
  const objects = (depth: number) =>
    `{"runId":"a","status":"completed","result":${'{"a":'.repeat(depth)}1${"}".repeat(depth)}}`;
  const arrays = (depth: number) =>
    `{"runId":"a","status":"completed","result":${"[".repeat(depth)}1${"]".repeat(depth)}}`;
  test.each<[title: string, text: string]>([
    ["33 objects", objects(33)],
    ["49 arrays", arrays(49)],
  ])("%s pass", (_, text) => {
    expect(decode(encode(text), CAMEL)).toBe(text);
  });
  test.each<[title: string, text: string]>([
    ["34 objects", objects(34)],
    ["49 objects", objects(49)],
    ["50 objects", objects(50)],
    ["50 arrays", arrays(50)],
  ])("%s are refused, and pass when asked for", (_, text) => {
    const error = refuseJson(text, { code: "nesting_too_deep" });
    expect(error.pointer).toMatch(/^\/result\/[a0]/);
    expect(error.message).toContain("100");
    refusal(() => fromSerdeJson(Envelope, JSON.parse(text)), { code: "nesting_too_deep" });
    expect(decode(encode(text, { maxNesting: Number.POSITIVE_INFINITY }), CAMEL)).toBe(text);
    expect(throughMessage(text, { maxNesting: 200 }, CAMEL)).toContain("1");
  });
});

// https://github.com/googleapis/google-cloud-swift/pull/842
describe("H9: NaN and infinities have no JSON form", () => {
  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])("%d", (score) => {
    refusal(() => fromSerdeJson(Envelope, { run_id: "a", status: "error", result: { score } }), {
      code: "out_of_range",
      pointer: "/result/score",
    });
    refuseBinary(withResult(valueBytes({ score })), { code: "out_of_range" });
    const message = create(Envelope, { runId: "a", result: { kind: { case: "numberValue", value: score } } });
    refusal(() => toSerdeJsonString(Envelope, message), { code: "out_of_range", pointer: "/result" });
    refusal(() => toSerdeJson(Envelope, message), { code: "out_of_range", pointer: "/result" });
  });
  test.each([
    ["1e400", "out_of_range"],
    ["-1e400", "out_of_range"],
    ["NaN", "syntax"],
    ["Infinity", "syntax"],
    ["-Infinity", "syntax"],
  ] as const)("the text %s is %s", (number, code) => {
    refuseJson(`{"run_id":"a","status":"error","result":${number}}`, { code, pointer: "/result" });
    refuseJson(`{"run_id":"a","status":"error","result":{"score":[${number}]}}`, { code, pointer: "/result/score/0" });
  });
  test.each(['"NaN"', '"Infinity"'])("the string %s is a string", (text) => {
    expect(decode(encode(`{"run_id":"a","status":"error","result":${text}}`))).toContain(`"result":${text}`);
  });
});

// https://github.com/github/copilot-sdk/pull/2114
describe("H10: a result need not be an object", () => {
  const results = ['"text"', "42", "false", "null", "[]", undefined];
  test("six results stay six", () => {
    const binaries = results.map((result) => {
      const text = `{"runId":"a","status":"completed"${result === undefined ? "" : `,"result":${result}`}}`;
      const binary = encode(text);
      expect(decode(binary, CAMEL)).toBe(text);
      expect(JSON.parse(throughMessage(text, {}, CAMEL))).toEqual(JSON.parse(text));
      expect(toSerdeJson(Envelope, fromSerdeJson(Envelope, JSON.parse(text)), CAMEL)).toEqual(JSON.parse(text));
      return toHex(binary);
    });
    expect(new Set(binaries).size).toBe(6);
  });
  test("nothing is coerced on the way from JS", () => {
    const from = (result: unknown) =>
      toSerdeJson(Envelope, fromSerdeJson(Envelope, { runId: "a", status: "completed", result } as never));
    expect("result" in from(undefined)).toBe(false);
    expect(from({ a: undefined, b: 1 }).result).toEqual({ b: 1 });
    expect(from(1n).result).toBe(1);
    refusal(() => from({ a: [Number.NaN] }), { code: "out_of_range", pointer: "/result/a/0" });
    refusal(() => from([undefined]), { code: "wrong_type", pointer: "/result/0" });
    const cycle: unknown[] = [];
    cycle.push({ cycle });
    refusal(() => from(cycle), { code: "wrong_type", pointer: "/result/0/cycle" });
  });
});

// https://github.com/github/copilot-sdk/issues/29
describe("H11: a payload above 64 KiB", () => {
  test.each([65_535, 65_536, 65_537, 200_000])("a result of %i characters is one document", (length) => {
    for (const unit of ["x", "é", "😀"]) {
      const text = `{"runId":"a","status":"completed","result":"${unit.repeat(length)}"}`;
      expect(decode(encode(text), CAMEL)).toBe(text);
    }
  });
});

// https://github.com/bufbuild/protobuf-es/pull/1468
describe("H12: a declared length was trusted", () => {
  test.each(["32 ff ff ff ff 0f", "32 80 80 80 80 08 00", "3a 81 80 80 20 00"])("%s is refused at once", (bytes) => {
    refuseBinary(hex(bytes), { code: "malformed_binary" });
  });
});

// https://github.com/connectrpc/connect-es/issues/613
describe("H13: one added field broke every client", () => {
  const text = '{"runId":"r1","status":"completed","retryAfter":5,"meta":{"x":[1]}}';
  test("kept by default and printed again", () => {
    expect(decode(encode(text), CAMEL)).toBe(text);
    expect(throughMessage(text, {}, CAMEL)).toBe(text);
    expect(Object.keys(fromSerdeJsonString(Envelope, text).preserved!.members)).toEqual(["retryAfter", "meta"]);
    expect(() => fromJsonString(Envelope, text)).toThrow();
  });
  test("dropped or refused when asked", () => {
    expect(decode(encode(text, { unknownMembers: "drop" }), CAMEL)).toBe('{"runId":"r1","status":"completed"}');
    refuseJson(text, { code: "unknown_member", pointer: "/retryAfter" }, { unknownMembers: "reject" });
    expect(
      refusal(() => serdeJsonToBinary(Envelope, text, { unknownMembers: "reject" }), { code: "unknown_member" })
        .message,
    ).toContain("retryAfter");
  });
  test("an unknown field of the binary is skipped", () => {
    expect(decode(cat(REQUIRED, hex("a006 05")))).toBe('{"run_id":"a","status":"completed"}');
  });
});

// https://github.com/protobufjs/protobuf.js/issues/1489
describe("H14: plain objects where a Value wants its kind vanish", () => {
  const result: JsonObject = { a: 1, b: [null, { c: "x" }] };
  test("fromSerdeJson takes plain JSON and makes the right Value", () => {
    const message = fromSerdeJson(Envelope, { runId: "a", status: "completed", result });
    expect(message.result!.kind.case).toBe("structValue");
    expect(toJson(ValueSchema, message.result!)).toEqual(result);
    expect(toSerdeJson(Envelope, message).result).toEqual(result);
    expect(toBinary(Envelope, message)).toEqual(encode(JSON.stringify({ result, run_id: "a", status: "completed" })));
  });
  test.each([
    { kind: 1 },
    { kind: { case: "numberValue", value: 1 } },
    { $typeName: "google.protobuf.Value" },
    { fields: {} },
    { values: [] },
    { nullValue: 0 },
  ])("%j is no wrapper but plain JSON", (plain) => {
    const message = fromSerdeJson(Envelope, { runId: "a", status: "completed", result: plain as JsonObject });
    expect(toSerdeJson(Envelope, message).result).toEqual(plain);
  });
});

// https://github.com/bufbuild/buf/pull/2927
describe("H15: a change of presence must count as breaking", () => {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const require = createRequire(import.meta.url);
  const buf = join(dirname(require.resolve("@bufbuild/buf/package.json")), "bin", "buf");
  const run = (...args: string[]) =>
    execFileSync(process.execPath, [buf, ...args], { cwd: root, encoding: "utf8", stdio: "pipe" });

  test("optional int64 attempt to int64 attempt", () => {
    const folder = mkdtempSync(join(tmpdir(), "presence-"));
    try {
      const image = join(folder, "today.binpb");
      run("build", "-o", image);
      const proto = readFileSync(join(root, "proto/factory_run/v1/factory_run.proto"), "utf8");
      const changed = proto.replace("optional int64 attempt = 1", "int64 attempt = 1");
      expect(changed).not.toBe(proto);
      mkdirSync(join(folder, "proto/factory_run/v1"), { recursive: true });
      const bufYaml = join(folder, "buf.yaml");
      writeFileSync(bufYaml, readFileSync(join(root, "buf.yaml")));
      writeFileSync(join(folder, "proto/factory_run/v1/factory_run.proto"), proto);
      run("breaking", folder, "--against", image);
      writeFileSync(join(folder, "proto/factory_run/v1/factory_run.proto"), changed);
      let report = "";
      try {
        run("breaking", folder, "--against", image);
      } catch (error) {
        report = String((error as { stdout: string }).stdout);
      }
      expect(report).toContain("attempt");
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
