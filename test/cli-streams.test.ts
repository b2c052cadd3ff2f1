// The command on streams: any chunks, bad records, hostile headers, closed pipes, memory.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { serdeJsonToBinary } from "../src/index.js";
import { folder, outcomeOf, run, shell, start } from "./cli/run-command.js";
import { Envelope } from "./support/entry-points.js";
import { captures } from "./support/material.js";
import { cat, hex, toHex, varint } from "./support/wire.js";

const utf8 = (text: string) => new TextEncoder().encode(text);
const good = '{"run_id":"r","status":"error"}';
const goodRecord = hex("05 3a0172 4807");
const envelopes = captures().filter(({ name }) => !name.startsWith("depth-"));
const ndjson = cat(...envelopes.flatMap(({ bytes }) => [bytes, utf8("\n")]));

function inChunks(bytes: Uint8Array, size: number): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) parts.push(bytes.subarray(at, at + size));
  return parts;
}

test("every envelope there and back through files is the same file", async () => {
  const cwd = folder();
  writeFileSync(join(cwd, "a.ndjson"), ndjson);
  expect(await run(["encode", "a.ndjson", "-o", "a.delimited"], { cwd })).toMatchObject({ code: 0, stderr: "" });
  expect(await run(["decode", "a.delimited", "--keys", "camelCase", "-o", "b.ndjson"], { cwd })).toMatchObject({
    code: 0,
    stderr: "",
  });
  expect(Buffer.compare(readFileSync(join(cwd, "b.ndjson")), ndjson)).toBe(0);
});

// A result of 200,000 characters through a pipe.
test.each([1, 4096, 65_536])("one long record in writes of %d bytes", async (size) => {
  const line = utf8(`{"run_id":"r","status":"completed","result":"${"x".repeat(200_000)}"}\n`);
  const there = await run(["encode", "--from", "ndjson"], { stdin: inChunks(line, size) });
  expect(there).toMatchObject({ code: 0, stderr: "" });
  const back = await run(["decode", "--from", "delimited"], { stdin: inChunks(there.stdout, size) });
  expect(Buffer.compare(back.stdout, line)).toBe(0);
});

test("CRLF, blank lines, a last line without an end, and line separators inside", async () => {
  const other = '{"run_id":"a\u2028\u2029b","status":"error"}';
  const { stdout, code } = await run(["encode", "--from", "ndjson", "--to", "ndjson"], {
    stdin: `\r\n${good}\r\n\n \n${other}`,
  });
  expect(stdout.toString()).toBe(`${good}\n${other}\n`);
  expect(code).toBe(0);
});

test("no records are no output, and no fault", async () => {
  expect(await run(["encode", "--from", "ndjson"])).toMatchObject({ code: 0, stdout: Buffer.alloc(0), stderr: "" });
  expect(await run(["decode", "--from", "delimited"])).toMatchObject({ code: 0, stdout: Buffer.alloc(0), stderr: "" });
});

describe("bad records", () => {
  const lines = `${good}\n\n{"run_id":"é","status":7}\n${good}\n{"run_id":"x"}\n${good}\n{"run`;

  test("stop the run at the first one, after all before it", async () => {
    const { code, stdout, stderr } = await run(["encode", "--from", "ndjson"], { stdin: lines });
    expect(code).toBe(1);
    expect(toHex(stdout)).toBe(toHex(goodRecord));
    expect(stderr).toMatch(/^<stdin>:3:24: \/status: [^\n]* \(wrong_type\)\n$/);
  });

  test("are reported and left out with --on-error skip, which ends with 1", async () => {
    const cwd = folder();
    const { code, stderr } = await run(["encode", "--from", "ndjson", "--on-error", "skip", "-o", "out.delimited"], {
      cwd,
      stdin: lines,
    });
    expect(code).toBe(1);
    expect(toHex(readFileSync(join(cwd, "out.delimited")))).toBe(toHex(cat(goodRecord, goodRecord, goodRecord)));
    const [wrong, missing, cut, closing, ...rest] = stderr.split("\n");
    expect(wrong).toMatch(/^<stdin>:3:24: \/status: .*\(wrong_type\)$/);
    expect(missing).toMatch(/^<stdin>:5:14: \/run_id: |^<stdin>:5:14: \/status: .*\(missing_field\)$/);
    expect(cut).toMatch(/^<stdin>:7:\d+: .*\(truncated\)$/);
    expect(closing).toBe("<stdin>: 3 of 6 records left out");
    expect(rest).toEqual([""]);
  });

  test("--quiet leaves the closing line out, not the reports", async () => {
    const { code, stderr } = await run(["encode", "--from", "ndjson", "--on-error", "skip", "-q"], { stdin: lines });
    expect(code).toBe(1);
    expect(stderr.trimEnd().split("\n")).toHaveLength(3);
  });

  test("in binary have their record and offset", async () => {
    const stdin = cat(goodRecord, hex("02 3a05"), goodRecord, hex("03 3a"));
    const { code, stdout, stderr } = await run(["decode", "--from", "delimited", "--on-error", "skip"], { stdin });
    expect(code).toBe(1);
    expect(stdout.toString()).toBe(`${good}\n${good}\n`);
    expect(stderr).toMatch(
      /^<stdin>: byte [789]: record 2: \/run_id: [^\n]*\(malformed_binary\)\n<stdin>: byte 15: record 4: [^\n]*\(truncated\)\n/,
    );
  });

  test("a document cannot be skipped", async () => {
    expect(await run(["encode", "--on-error", "skip"], { stdin: "{}" })).toMatchObject({
      code: 1,
      stdout: Buffer.alloc(0),
    });
  });
});

describe("limits", () => {
  test.each([
    ["ffffffff0f", "4294967295"],
    ["808080800800", "2147483648"],
    ["8180802000", "67108865"],
  ])("the header %s is refused at once, while the writer still waits", async (header, size) => {
    const child = start(["decode", "--from", "delimited"]);
    child.stdin.on("error", () => {});
    child.stdin.write(hex(header));
    const { code, stderr } = await outcomeOf(child);
    expect(code).toBe(1);
    expect(stderr).toBe(
      `<stdin>: byte 0: record 1: a record of ${size} bytes is over the limit of 67108864 bytes for one record (too_large)\n`,
    );
  });

  test("a line is refused as soon as it exceeds the limit, while the writer still waits", async () => {
    const child = start(["encode", "--from", "ndjson", "--max-bytes", "100"]);
    child.stdin.on("error", () => {});
    child.stdin.write(`${good}\n${"x".repeat(101)}`);
    const { code, stderr } = await outcomeOf(child);
    expect(code).toBe(1);
    expect(stderr).toBe(
      "<stdin>:2:1: a line of at least 101 bytes is over the limit of 100 bytes for one record (too_large)\n",
    );
  });

  test("a document without end is refused, while the writer still waits", async () => {
    const child = start(["encode", "--max-bytes", "100"]);
    child.stdin.on("error", () => {});
    child.stdin.write("x".repeat(101));
    const { code, stderr } = await outcomeOf(child);
    expect(code).toBe(1);
    expect(stderr).toMatch(/at least 101 bytes is over the limit of 100 bytes \(too_large\)\n$/);
  });
});

describe("pipes", () => {
  test("a reader that goes away is no fault, and nothing is said about it", async () => {
    const cwd = folder();
    writeFileSync(join(cwd, "big.ndjson"), cat(...Array.from({ length: 8 }, () => ndjson)));
    for (const line of [
      "$FRW encode big.ndjson --to ndjson --keys camelCase | head -1",
      "$FRW encode big.ndjson | head -c 1",
      "$FRW encode big.ndjson -o /dev/stdout | head -c 1",
    ]) {
      const { code, stderr } = await shell(line, { cwd });
      expect(stderr).toBe("");
      expect(code).toBe(0);
    }
    expect((await shell("$FRW --help | true", { cwd })).stderr).toBe("");
  });

  test("a reader of the errors that goes away is no fault either", async () => {
    const cwd = folder();
    writeFileSync(join(cwd, "bad.ndjson"), `bad\n${good}\n`.repeat(5000));
    const { stdout } = await shell(
      "$FRW encode bad.ndjson --on-error skip -o out.delimited 2> >(head -1 >/dev/null); echo $?",
      { cwd },
    );
    expect(stdout.toString()).toBe("1\n");
    expect(readFileSync(join(cwd, "out.delimited")).length).toBe(5000 * goodRecord.length);
  });

  test("a slow reader holds the writer back", async () => {
    const child = start(["encode", "--from", "ndjson"]);
    child.stdin.on("error", () => {});
    const block = utf8(`{"run_id":"r","status":"completed","result":"${"x".repeat(1000)}"}\n`.repeat(100));
    let written = 0;
    for (let waited = 0; waited < 10; ) {
      if (child.stdin.writableNeedDrain) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        waited++;
      } else {
        child.stdin.write(block);
        written += block.length;
        waited = 0;
      }
      if (written > 50_000_000) break;
    }
    child.kill();
    await outcomeOf(child);
    expect(written).toBeLessThan(10_000_000);
  });

  test("memory stays where it is, however long the stream", async () => {
    const records = envelopes.filter(({ bytes }) => bytes.length < 50_000);
    const block = cat(...Array.from({ length: 30 }, () => records.flatMap(({ bytes }) => [bytes, utf8("\n")])).flat());
    const child = start(["encode", "--from", "ndjson"]);
    let received = 0;
    child.stdout.on("data", (part: Buffer) => {
      received += part.length;
    });
    for (let sent = 0; sent < 80_000_000; sent += block.length) {
      await new Promise<void>((resolve) => child.stdin.write(block, () => resolve()));
    }
    // Linux keeps the largest resident size that a process has had.
    const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
    child.stdin.end();
    const { code } = await outcomeOf(child);
    expect(code).toBe(0);
    expect(received).toBeGreaterThan(40_000_000);
    expect(Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)![1])).toBeLessThan(200 * 1024);
  });
});

test("the framing is what Protobuf's own tools write", async () => {
  const binary = serdeJsonToBinary(Envelope, envelopes[0]!.bytes);
  const { stdout } = await run(["encode", "--to", "delimited"], { stdin: envelopes[0]!.bytes });
  expect(toHex(stdout)).toBe(toHex(cat(varint(binary.length), binary)));
});
