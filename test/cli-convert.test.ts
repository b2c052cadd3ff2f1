// encode and decode of one document, and every pair of formats.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { serdeJsonToBinary } from "../src/index.js";
import { folder, run } from "./cli/run-command.js";
import { Envelope } from "./support/entry-points.js";
import { capture } from "./support/material.js";
import { cat, hex, toHex, varint } from "./support/wire.js";

const utf8 = (text: string) => new TextEncoder().encode(text);
const json = capture("limit-ai-credits");
const binary = serdeJsonToBinary(Envelope, json);
const snake = '{"run_id":"r","status":"error","reason":"why"}';
const snakeBinary = serdeJsonToBinary(Envelope, snake);

/** The same envelope in every format. */
const FORMS: Record<string, Uint8Array> = {
  json: utf8(`${snake}\n`),
  ndjson: utf8(`${snake}\n`),
  binary: snakeBinary,
  delimited: cat(varint(snakeBinary.length), snakeBinary),
};

describe("one document", () => {
  test("from standard input to standard output, and back to the same text and one newline", async () => {
    const there = await run(["encode"], { stdin: json });
    expect(there).toMatchObject({ code: 0, stderr: "" });
    expect(toHex(there.stdout)).toBe(toHex(binary));
    const back = await run(["decode", "--keys", "camelCase"], { stdin: there.stdout });
    expect(back).toMatchObject({ code: 0, stderr: "" });
    expect(back.stdout.toString()).toBe(`${json}\n`);
  });

  test("from a file to a file, with - for standard input and output", async () => {
    const cwd = folder();
    writeFileSync(join(cwd, "run.json"), json);
    expect(await run(["encode", "run.json", "-o", "run.binpb"], { cwd })).toMatchObject({ code: 0, stderr: "" });
    expect(toHex(readFileSync(join(cwd, "run.binpb")))).toBe(toHex(binary));
    const back = await run(["decode", "-", "-o", "-", "--keys=camelCase"], {
      cwd,
      stdin: readFileSync(join(cwd, "run.binpb")),
    });
    expect(back.stdout.toString()).toBe(`${json}\n`);
  });

  test("--pretty adds white space and nothing else", async () => {
    const text =
      '{"runId":"r","status":"completed","result":{"10":1.0,"2":9007199254740993,"e":[],"o":{},"s":"a,\\"b\\":[{\\\\","n":[1,[2e400],{"k":null}]}}'.replace(
        "2e400",
        "-0.0",
      );
    const there = await run(["encode"], { stdin: text });
    const { stdout } = await run(["decode", "--pretty", "--keys", "camelCase"], { stdin: there.stdout });
    expect(stdout.toString()).toBe(`{
  "runId": "r",
  "status": "completed",
  "result": {
    "10": 1.0,
    "2": 9007199254740993,
    "e": [],
    "o": {},
    "s": "a,\\"b\\":[{\\\\",
    "n": [
      1,
      [
        -0.0
      ],
      {
        "k": null
      }
    ]
  }
}
`);
  });

  test("--pretty of a long document in its parts", async () => {
    const result = Array.from({ length: 3000 }, (_, i) => ({
      key: "x".repeat(i % 200),
      list: [i, "é".repeat(i % 50)],
    }));
    const text = JSON.stringify({ run_id: "x".repeat(200_000), status: "completed", result });
    const { stdout } = await run(["decode", "--from", "json", "--pretty"], { stdin: text });
    expect(stdout.toString()).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`);
  });

  test.each([
    ["--strict", ["--strict"], '{"run_id":"r","status":"error","x":1}', "<stdin>:1:32: /x: "],
    ["--unknown reject", ["--unknown", "reject"], '{"run_id":"r","status":"error","x":1}', "(unknown_member)"],
    ["--max-nesting", ["--max-nesting", "3"], '{"run_id":"r","status":"error","result":{"a":1}}', "(nesting_too_deep)"],
    ["--max-bytes", ["--max-bytes", "20"], snake, "limit of 20 bytes (too_large)"],
    [
      "--max-bytes in units",
      ["--max-bytes", "1k"],
      `{"run_id":"${"x".repeat(1100)}"`,
      "limit of 1024 bytes (too_large)",
    ],
  ])("%s refuses", async (_, args, stdin, stderr) => {
    const outcome = await run(["encode", ...args], { stdin });
    expect(outcome.code).toBe(1);
    expect(outcome.stdout).toHaveLength(0);
    expect(outcome.stderr).toContain(stderr);
  });

  test("--unknown drop, --numbers double and --max-nesting none are handed on", async () => {
    const deep = `${"[".repeat(60)}1.0${"]".repeat(60)}`;
    const stdin = `{"run_id":"r","status":"error","x":1,"result":${deep}}`;
    expect((await run(["encode"], { stdin })).code).toBe(1);
    const there = await run(["encode", "--unknown", "drop", "--numbers", "double", "--max-nesting", "none"], { stdin });
    const { stdout } = await run(["decode"], { stdin: there.stdout });
    expect(stdout.toString()).toBe(`{"run_id":"r","status":"error","result":${deep.replace("1.0", "1")}}\n`);
  });
});

describe("formats", () => {
  const SENSIBLE = [
    ["json", "binary"],
    ["json", "ndjson"],
    ["json", "delimited"],
    ["json", "json"],
    ["binary", "json"],
    ["binary", "ndjson"],
    ["binary", "delimited"],
    ["binary", "binary"],
    ["ndjson", "delimited"],
    ["ndjson", "ndjson"],
    ["delimited", "ndjson"],
    ["delimited", "delimited"],
  ] as const;

  test.each(SENSIBLE)("--from %s --to %s", async (from, to) => {
    const outcome = await run(["decode", "--from", from, "--to", to], { stdin: FORMS[from]! });
    expect(outcome).toMatchObject({ code: 0, stderr: "" });
    expect(toHex(outcome.stdout)).toBe(toHex(FORMS[to]!));
  });

  test.each([
    ["ndjson", "json"],
    ["ndjson", "binary"],
    ["delimited", "json"],
    ["delimited", "binary"],
  ])("--from %s --to %s makes no sense", async (from, to) => {
    const outcome = await run(["encode", "--from", from, "--to", to], { stdin: FORMS[from]! });
    expect(outcome).toMatchObject({ code: 2 });
    expect(outcome.stdout).toHaveLength(0);
    expect(outcome.stderr).toContain("does not fit into one");
  });

  test.each([
    ["encode", "a.json", "a.bin", "binary"],
    ["encode", "a.json", "a.delimited", "delimited"],
    ["encode", "a.ndjson", "a.out", "delimited"],
    ["encode", "a.jsonl", "a.delim", "delimited"],
    ["encode", "a.JSON", "a.out", "binary"],
    ["decode", "a.pb", "a.out", "json"],
    ["decode", "a.binpb", "a.ndjson", "ndjson"],
    ["decode", "a.delimited", "a.out", "ndjson"],
  ])("%s %s -o %s writes %s", async (command, from, to, format) => {
    const cwd = folder();
    const ending = from.split(".")[1]!.toLowerCase();
    const form = { pb: "binary", binpb: "binary", jsonl: "ndjson" }[ending] ?? ending;
    writeFileSync(join(cwd, from), FORMS[form]!);
    expect(await run([command, from, "-o", to], { cwd })).toMatchObject({ code: 0, stderr: "" });
    expect(toHex(readFileSync(join(cwd, to)))).toBe(toHex(FORMS[format]!));
  });

  test.each([
    ["JSON", ` \n${snake}`, `${snake}\n`],
    ["binary", snakeBinary, `${snake}\n`],
    [
      "binary that begins with a field of an unusual kind",
      serdeJsonToBinary(Envelope, '{"pause_info":{},"run_id":"r","status":"error"}'),
      '{"pause_info":{},"run_id":"r","status":"error"}\n',
    ],
    ["no bytes, which are an envelope in binary", "", '{"run_id":"","status":"Unknown"}\n'],
  ])("decode without a name knows %s by its first bytes", async (_, stdin, expected) => {
    const { stdout, code } = await run(["decode"], { stdin });
    expect(stdout.toString()).toBe(expected);
    expect(code).toBe(0);
  });

  test.each(["null", '"text"', "1", "", "\ufeff{}", "nope"])(
    "encode takes %j for the JSON that it should be",
    async (stdin) => {
      const outcome = await run(["encode"], { stdin });
      expect(outcome.code).toBe(1);
      expect(outcome.stderr).toMatch(/^<stdin>:1:[12]: .*\((syntax|wrong_type)\)\n$/);
    },
  );
});

describe("errors say where", () => {
  test("FILE:LINE:COLUMN: POINTER: message", async () => {
    const cwd = folder();
    writeFileSync(join(cwd, "run.json"), '{\n  "run_id": "r",\n  "status": "error", "attempt": "5"\n}\n');
    const outcome = await run(["encode", "run.json", "-o", "out.bin"], { cwd });
    expect(outcome.code).toBe(1);
    expect(outcome.stdout).toHaveLength(0);
    expect(outcome.stderr).toMatch(/^run\.json:3:33: \/attempt: [^\n]+ \(wrong_type\)\n$/);
  });

  test("FILE: byte OFFSET: POINTER: message, for binary", async () => {
    const outcome = await run(["decode", "--from", "binary"], { stdin: hex("4807 3a01ff") });
    expect(outcome).toMatchObject({ code: 1 });
    expect(outcome.stderr).toMatch(/^<stdin>: byte \d: \/run_id: [^\n]+ \(invalid_utf8\)\n$/);
  });

  test("a name and a key with control characters stay harmless", async () => {
    const cwd = folder();
    writeFileSync(join(cwd, "a\u001b[31m.json"), '{"run_id":"r","status":"error","a\\u001b[2J":1}');
    const outcome = await run(["encode", "a\u001b[31m.json", "--strict"], { cwd });
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toContain("a\\u001b[31m.json:1:32: /a\\u001b[2J: ");
    expect(outcome.stderr).not.toContain("\u001b");
  });

  test("a stream that is taken for one document gets a hint", async () => {
    const lines = await run(["encode"], { stdin: `${snake}\n${snake}\n` });
    expect(lines.stderr).toMatch(/^<stdin>:2:1: .*\n.*--from ndjson/);
    const records = await run(["decode"], { stdin: cat(FORMS.delimited!, FORMS.delimited!) });
    expect(records.code).toBe(1);
    expect(records.stderr).toContain("--from delimited");
    const told = await run(["encode", "--from", "json"], { stdin: `${snake}\n${snake}\n` });
    expect(told.stderr).not.toContain("--from ndjson");
  });

  test("a second step by the other wire does not point into a text that nobody has seen", async () => {
    const deep = `{"run_id":"r","status":"error","result":${'{"a":'.repeat(40)}1${"}".repeat(40)}}`;
    const stdin = serdeJsonToBinary(Envelope, deep, { maxNesting: 1000 });
    const outcome = await run(["encode", "--from", "binary"], { stdin });
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toMatch(/^<stdin>: byte 0: \/result\/a[^\n]*\(nesting_too_deep\)\n$/);
  });
});
