// check and inspect: what a person is told.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { serdeJsonToBinary } from "../src/index.js";
import { folder, run } from "./cli/run-command.js";
import { Envelope } from "./support/entry-points.js";
import { capture, captures } from "./support/material.js";
import { cat, hex, int, str, varint } from "./support/wire.js";

const utf8 = (text: string) => new TextEncoder().encode(text);
const good = '{"run_id":"r","status":"error"}';
const goodRecord = hex("05 3a0172 4807");

describe("check", () => {
  test.each([
    ["a good document", ["check"], good, 0, "<stdin>: good\n", /^$/],
    ["a good binary", ["check"], serdeJsonToBinary(Envelope, good), 0, "<stdin>: good\n", /^$/],
    ["a bad document", ["check"], '{"run_id":"r"}', 1, "<stdin>: bad\n", /^<stdin>:1:14: \/status: /],
    ["a bad binary", ["check"], hex("3a0561"), 1, "<stdin>: bad\n", /^<stdin>: byte \d: \/run_id: /],
    ["no input, which is no envelope", ["check"], "", 1, "<stdin>: bad\n", /^<stdin>:1:1: .*\(syntax\)/],
    ["a good stream", ["check", "--from", "ndjson"], `${good}\n`.repeat(3), 0, "<stdin>: 3 records, all good\n", /^$/],
    ["an empty stream", ["check", "--from", "ndjson"], "", 0, "<stdin>: 0 records, all good\n", /^$/],
    [
      "every bad record",
      ["check", "--from", "ndjson"],
      `${good}\nx\n${good}\n[]\n{"a`,
      1,
      "<stdin>: 5 records, 3 bad\n",
      /^<stdin>:2:1: .*\n<stdin>:4:1: .*\n<stdin>:5:\d: .*\(truncated\)\n$/,
    ],
    [
      "unknown members",
      ["check", "--strict"],
      '{"run_id":"r","status":"error","x":1}',
      1,
      "<stdin>: bad\n",
      /\/x: .*\(unknown_member\)/,
    ],
    ["quietly", ["check", "-q"], good, 0, "", /^$/],
  ])("%s", async (_, args, stdin, code, stdout, stderr) => {
    const outcome = await run(args, { stdin });
    expect(outcome.stdout.toString()).toBe(stdout);
    expect(outcome.stderr).toMatch(stderr);
    expect(outcome.code).toBe(code);
  });

  test("a stream whose framing is damaged is read as far as it goes", async () => {
    const stdin = cat(goodRecord, hex("02 3a05"), goodRecord, hex("ffffffffffffffffffff01"), goodRecord);
    const { code, stdout, stderr } = await run(["check", "--from", "delimited"], { stdin });
    expect(code).toBe(1);
    expect(stdout.toString()).toBe("<stdin>: 3 records, 1 bad, then the framing is lost\n");
    expect(stderr).toMatch(/record 2: .*\n.*byte 15: record 4: .*\(malformed_binary\)\n$/);
  });

  test("agrees with what encode does, on every envelope", async () => {
    const all = captures();
    const stdin = cat(...all.flatMap(({ bytes }) => [bytes, utf8("\n")]));
    const refused = all.filter(({ bytes }) => {
      try {
        serdeJsonToBinary(Envelope, bytes);
        return false;
      } catch {
        return true;
      }
    });
    expect(refused.length).toBeGreaterThan(5);
    const { stdout, stderr } = await run(["check", "--from", "ndjson"], { stdin });
    expect(stdout.toString()).toBe(`<stdin>: 167 records, ${refused.length} bad\n`);
    expect(stderr.trimEnd().split("\n")).toHaveLength(refused.length);
    const open = await run(["check", "--from", "ndjson", "--max-nesting", "none"], { stdin });
    expect(open).toMatchObject({ code: 0, stderr: "" });
  });
});

/** What is shown of an envelope, without the title. */
async function shown(stdin: string | Uint8Array, args: string[] = []): Promise<string> {
  const { code, stdout, stderr } = await run(["inspect", ...args], { stdin });
  expect(stderr).toBe("");
  expect(code).toBe(0);
  return stdout.toString();
}

describe("inspect of an envelope", () => {
  test("a limit that was reached", async () => {
    expect(await shown(capture("limit-ai-credits"))).toBe(`<stdin>: one envelope, JSON

  status     error: the factory failed, or a limit stopped it
  run id     d3ec54c8-d0a5-4ccd-b01d-58c9ff923843
  attempt    1
  error      Factory limit maxAiCredits=1.0 was reached
  failure    the limit maxAiCredits = 1.0 (AI credits) was reached; 2.0 is suggested (factory_limit_reached)
  progress   no lines
  journal    no finished steps
  result     none
  preserved  2 number texts that a double alone would not give back
               /failure/value  1.0  (a double alone gives 1)
               /failure/suggestedValue  2.0  (a double alone gives 2)
  sizes      JSON 316 bytes, binary 332 bytes (+5 %), 48 bytes of it preserved
  note       the same bytes come back from binary, with --keys camelCase
`);
  });

  test("progress and finished steps, the same from either wire", async () => {
    const json = await shown(capture("cancelled-cooperative"));
    expect(json).toContain(`
  progress   2 lines
             #1  2026-11-30 21:18:48.157 UTC  attempt 1  phase p0  One
             #2  2026-11-30 21:18:48.160 UTC  attempt 1  log p0    before cancel
  journal    2 finished steps
             2a8aa6e1f…d80  null
             664cc4ed9…2bf  {"b":1,"a":[1.5,null,"é"]}
`);
    const binary = await shown(serdeJsonToBinary(Envelope, capture("cancelled-cooperative")));
    const body = (text: string) => text.split("\n").filter((line) => !/^<stdin>|^ {2}note/.test(line));
    expect(body(binary)).toEqual(body(json));
  });

  test.each([
    ["paused-checkpoint", 'pause      it waits at the checkpoint "review-ready" (checkpoint)'],
    ["paused-user", "pause      a person asked for it (user)"],
    [
      "limit-timeout",
      "failure    the limit timeoutSeconds = 0.5 (seconds of time) was reached; no other value is suggested",
    ],
    ["limit-max-subagents", "(subagents in all) was reached; 2 is suggested"],
    ["halted-exit9", "failure    the process that provides the factory went away (factory_provider_disconnected)\n  "],
    [
      "durable-agent-charge-insert-true",
      "could not keep the run's state, in chargeCredit: usage_charge_failed (factory_durable_failure)",
    ],
    [
      "dbedit-failure-accounting",
      "could not be counted in full; nano-units drained: 123 (factory_accounting_incomplete)",
    ],
    ["dbedit-failure-unknown", "failure    something_else, which this version has no words for\n               x  1\n"],
    ["dbedit-pending-attempt0", "attempt    none has begun"],
    ["completed-null", "result     null\n"],
    ["completed-absent", "result     none\n"],
    [
      "large-array-100k",
      "array of 100,000 numbers, 589 kB\n               0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, … 99,988 more\n",
    ],
    ["depth-object-121", "note       too deep for most Protobuf readers, at /result/a/a"],
    ["dbedit-all-fields", 'snapshot   {"b":1,"a":[]}'],
  ])("%s", async (name, expected) => {
    expect(await shown(capture(name))).toContain(expected);
  });

  test("what was preserved, and why", async () => {
    const text = '{"runId":"r","status":"timed_out","retryAfter":5,"meta":{"x":[1.0,9007199254740993]},"result":1e2}';
    const found = await shown(text);
    expect(found).toContain(`
  status     timed_out, a status that this version does not know
`);
    expect(found).toContain(`
  preserved  2 members that the schema does not name
               retryAfter  5
               meta  {"x":[1.0,9007199254740993]}
             1 word that the schema's enum does not name
               status  "timed_out"
             3 number texts that a double alone would not give back
               /result  1e2  (a double alone gives 100)
               /meta/x/0  1.0  (a double alone gives 1)
               /meta/x/1  9007199254740993  (a double alone gives 9007199254740992)
`);
  });

  test("an outline of a large result", async () => {
    const findings = Array.from({ length: 30 }, (_, i) => ({
      file: `src/${i}.ts`,
      line: i,
      note: "a note of some length that goes on",
    }));
    const result = {
      findings,
      "odd key": "x".repeat(300),
      deep: { a: { b: { c: ["x".repeat(80)] } } },
      mixed: [1, "two", { three: "3".repeat(80) }],
    };
    const found = await shown(JSON.stringify({ run_id: "r", status: "completed", result }));
    expect(found).toContain("  result     object of 4 members, ");
    expect(found).toMatch(/ findings {3}array of 30 objects, 2\.\d kB\n/);
    expect(found).toContain("[0]   object of 3 members");
    expect(found).toContain("… 18 more\n");
    expect(found).toMatch(/"odd key" {2}"x+…x+" \(300 characters\)\n/);
    expect(found).toContain("array of 3: 1 number, 1 string, 1 object");
  });

  test("text from outside cannot steer the terminal", async () => {
    const evil = "\u001b[2J\u001b]0;t\u0007\u009b31m\u202e\u2066\r\b\u007f";
    const envelope = {
      run_id: evil,
      status: evil,
      error: `first\nsecond${evil}`,
      reason: evil,
      failure: { type: evil, [evil]: evil },
      pause_info: { type: "checkpoint", key: evil },
      snapshot: {
        journal: [{ journalKey: evil, resultJson: evil }],
        progress: [{ seq: 1, kind: evil, phaseId: evil, text: evil, recordedAt: 1 }],
      },
      result: { [evil]: evil },
      [`x${evil}`]: evil,
    };
    for (const args of [[], ["--from", "ndjson"]]) {
      const found = await shown(JSON.stringify(envelope), args);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      expect(found).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/);
    }
    expect(await shown(JSON.stringify(envelope))).toContain("  error      first\n             second\\u001b[2J");
  });

  test("snapshots and failures of no known shape are outlined", async () => {
    const text =
      '{"run_id":"r","status":"error","failure":["odd"],"pause_info":7,"snapshot":{"journal":[1],"progress":[{"kind":1},null]}}';
    const found = await shown(text);
    expect(found).toContain('failure    ["odd"]');
    expect(found).toContain("pause      7");
    expect(found).toContain('{"kind":1}');
  });

  test("another writer's binary", async () => {
    const foreign = cat(int(9, 7), str(7, "first"), str(7, "last"), str(77, "new"));
    const found = await shown(foreign);
    expect(found).toContain("run id     last\n");
    expect(found).toContain("note       another writer's layout: this package writes the same envelope in 8 bytes\n");
  });

  test("a bad envelope is reported, not shown", async () => {
    const outcome = await run(["inspect"], { stdin: '{"run_id":"r","status":3}' });
    expect(outcome).toMatchObject({ code: 1, stdout: Buffer.alloc(0) });
    expect(outcome.stderr).toMatch(/^<stdin>:1:24: \/status: /);
  });

  test("every capture can be shown, from either wire, into a file", async () => {
    const cwd = folder();
    for (const { name, bytes } of captures().filter((_, index) => index % 16 === 0)) {
      writeFileSync(join(cwd, "in.bin"), serdeJsonToBinary(Envelope, bytes, { maxNesting: Number.POSITIVE_INFINITY }));
      const outcome = await run(["inspect", "in.bin", "-o", "out.txt"], { cwd });
      expect(outcome, name).toMatchObject({ code: 0, stdout: Buffer.alloc(0), stderr: "" });
      expect(readFileSync(join(cwd, "out.txt"), "utf8")).toContain("\n  run id     ");
    }
  });
});

describe("inspect of a stream", () => {
  const lines = [
    capture("limit-timeout"),
    capture("limit-ai-credits"),
    capture("halted-exit9"),
    capture("paused-user"),
    capture("completed-object"),
    capture("paused-two-3-completed-attempt3"),
    '{"run_id":"x","status":"timed_out","retryAfter":5}',
  ];
  const binaries = lines.map((line) => serdeJsonToBinary(Envelope, line));
  const stdin = {
    ndjson: utf8(lines.join("\n")),
    delimited: cat(...binaries.flatMap((one) => [varint(one.length), one])),
  };

  test.each(["ndjson", "delimited"] as const)("is a summary: %s", async (format) => {
    const found = await shown(stdin[format], ["--from", format]);
    expect(found).toMatch(/^<stdin>: 7 records, /);
    expect(found).toContain(`
  status     error      2   28.6 %
             completed  2   28.6 %
             halted     1   14.3 %
             paused     1   14.3 %
             timed_out  1   14.3 %
  failures   factory_limit_reached          2   28.6 %
             factory_provider_disconnected  1   14.3 %
  attempts   1     5   71.4 %
             3     1   14.3 %
             none  1   14.3 %
`);
    expect(found).toMatch(/\n {2}sizes {6}JSON 1\.9 kB, binary 1\.8 kB \(.\d+\.\d %\), without framing\n/);
    expect(found).toMatch(
      /\n {2}largest {4}record 1 at (line 1|byte 2) {2}JSON 51\d bytes, binary 504 bytes {2}run 08e9a81d/,
    );
    expect(found).toContain(`
  preserved  in 2 records
             members that the schema does not name
               retryAfter  1   14.3 %
             words that the schema's enum does not name
               timed_out  1   14.3 %
             2 number texts that a double alone would not give back, in 1 record
`);
  });

  test("bad records are reported, counted, and end with 1", async () => {
    const outcome = await run(["inspect", "--from", "ndjson"], { stdin: `${good}\nbad\n${good}` });
    expect(outcome.code).toBe(1);
    expect(outcome.stderr).toMatch(/^<stdin>:2:1: /);
    expect(outcome.stdout.toString()).toContain("<stdin>: 3 records, NDJSON\n");
    expect(outcome.stdout.toString()).toContain("  bad        1 record, reported on standard error\n");
  });

  test("preserved members that have become fields count as what they are now", async () => {
    // An older schema kept the attempt, 4, as a member that it did not know.
    const binary = serdeJsonToBinary(Envelope, good);
    const member = cat(hex("0a07"), utf8("attempt"), hex("1209 110000000000001040"));
    const preserved = cat(hex("0a"), varint(member.length), member);
    const record = cat(binary, hex("7a"), varint(preserved.length), preserved);
    const found = await shown(cat(varint(record.length), record), ["--from", "delimited"]);
    expect(found).toContain("  attempts   4  1  100.0 %\n");
    expect(found).toContain("preserved  nothing");
  });

  test("an empty stream", async () => {
    expect(await shown("", ["--from", "ndjson"])).toBe("<stdin>: 0 records, NDJSON\n");
  });

  test("statuses without number are counted in bounded memory", async () => {
    const many = Array.from({ length: 3000 }, (_, i) => `{"run_id":"r","status":"s${i}"}`).join("\n");
    const found = await shown(many, ["--from", "ndjson"]);
    expect(found).toContain("… others 2,988\n");
  });
});
