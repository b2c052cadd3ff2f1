// What the command does where a person watches: colour, the progress bar, no binary on the screen.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { progressLine } from "../src/cli/progress.js";
import { harmless, painter, shortened, size } from "../src/cli/terminal.js";
import { folder, onTerminal, run } from "./cli/run-command.js";
import { capture } from "./support/material.js";

const good = '{"run_id":"r","status":"error"}';

function prepared(): string {
  const cwd = folder();
  writeFileSync(join(cwd, "run.json"), capture("limit-ai-credits"));
  writeFileSync(join(cwd, "good.ndjson"), `${good}\n`.repeat(3));
  return cwd;
}

describe("a terminal", () => {
  test("inspect has colour there, not with NO_COLOR, not on a dumb one, not in a pipe", async () => {
    const cwd = prepared();
    const coloured = (await onTerminal("$FRW inspect run.json", { cwd })).stdout.toString();
    expect(coloured).toContain("\u001b[31merror\u001b[39m");
    const plain = (await onTerminal("$FRW inspect run.json", { cwd, env: { NO_COLOR: "1" } })).stdout.toString();
    expect(plain).toContain("  status     error: the factory failed");
    expect(plain).not.toContain("\u001b");
    expect((await onTerminal("$FRW inspect run.json", { cwd, env: { TERM: "dumb" } })).stdout.toString()).toBe(plain);
    expect((await onTerminal("$FRW inspect run.json | cat", { cwd })).stdout.toString()).toBe(plain);
    const { code } = await onTerminal("$FRW inspect run.json -o out.txt", { cwd });
    expect(code).toBe(0);
    expect(readFileSync(join(cwd, "out.txt"), "utf8")).toBe(plain);
  });

  test("gets no binary unless it is forced to take it", async () => {
    const cwd = prepared();
    const refused = await onTerminal("$FRW encode run.json", { cwd });
    expect(refused.code).toBe(2);
    expect(refused.stdout.toString()).toMatch(/binary is not written to a terminal/);
    expect((await onTerminal("$FRW encode run.json -o -", { cwd })).code).toBe(2);
    const forced = await onTerminal("$FRW encode run.json --force", { cwd });
    expect(forced.code).toBe(0);
    expect(forced.stdout.toString()).toContain(":$d3ec54c8");
    expect(await onTerminal("$FRW encode run.json > out.bin", { cwd })).toMatchObject({
      code: 0,
      stdout: Buffer.alloc(0),
    });
  });
});

describe("the progress bar", () => {
  /** A stream whose writer takes its time. */
  const slow = "{ cat good.ndjson; sleep 1.4; echo bad; cat good.ndjson; sleep 0.6; }";

  test("shows on a terminal after a second, above it the reports, and goes away at the end", async () => {
    const cwd = prepared();
    const line = `${slow} | $FRW encode --from ndjson --on-error skip -o out.delimited`;
    const { stdout } = await onTerminal(line, { cwd });
    const seen = stdout.toString();
    expect(seen).toMatch(/\d+ bytes {2}\d records {2}\d+ bytes\/s/);
    expect(seen).toMatch(/<stdin>:4:1: [^\n]*\n/);
    expect(seen).toContain("<stdin>: 1 of 7 records left out\n");
    // The bar's last act is to clear its line.
    const last = seen.slice(seen.lastIndexOf("bytes/s"));
    expect(last).toContain("\u001b[2K");
  });

  test.each([
    ["with --quiet", `${slow} | $FRW encode --from ndjson --on-error skip -o out.delimited --quiet`],
    ["when the data goes to the same terminal", `${slow} | $FRW encode --from ndjson --to ndjson --on-error skip`],
    [
      "when standard error is no terminal",
      `${slow} | $FRW encode --from ndjson --on-error skip -o out.delimited 2> err.txt; cat err.txt`,
    ],
    ["before a second is over", "$FRW encode good.ndjson -o out.delimited"],
  ])("does not show %s", async (_, line) => {
    const { stdout } = await onTerminal(line, { cwd: prepared() });
    expect(stdout.toString()).not.toContain("bytes/s");
    expect(stdout.toString()).not.toContain("\u001b");
  });

  test("says bytes, records, rate and time left", () => {
    const state = { bytes: 150_000_000, total: 300_000_000, records: 1234, seconds: 2 };
    expect(progressLine(state)).toBe(
      " 50 % [============            ] 150 MB of 300 MB  1,234 records  75 MB/s  2 s left",
    );
    expect(progressLine({ ...state, bytes: 1_000_000 })).toContain("  9 min 58 s left");
    expect(progressLine({ ...state, bytes: 10_000 })).toContain("  16 h 39 min left");
    expect(progressLine({ ...state, bytes: 0, seconds: 0 })).toContain(
      "  0 % [                        ] 0 bytes of 300 MB",
    );
    expect(progressLine({ ...state, bytes: 400_000_000 })).toContain("100 % [========================]");
    expect(progressLine({ ...state, total: undefined, records: 1 })).toBe("150 MB  1 record  75 MB/s");
  });
});

describe("text for terminals", () => {
  test("is made harmless", () => {
    expect(harmless("a\u001b[2Jb\r\n\u0085\u200f\u2028\u202e\ufeff é 漢 👨‍👩‍👧")).toBe(
      "a\\u001b[2Jb\\u000d\\u000a\\u0085\\u200f\\u2028\\u202e\\ufeff é 漢 👨‍👩‍👧",
    );
  });

  test("is shortened in the middle, without half characters", () => {
    expect(shortened("abcdefghij", 10)).toBe("abcdefghij");
    expect(shortened("abcdefghijk", 10)).toBe("abcdefg…jk");
    for (let length = 12; length < 40; length++) {
      expect(shortened("😀".repeat(50), length).isWellFormed()).toBe(true);
    }
  });

  test.each([
    [0, "0 bytes"],
    [1, "1 byte"],
    [999, "999 bytes"],
    [1000, "1.0 kB"],
    [9999, "10.0 kB"],
    [12_345_678, "12 MB"],
    [999_600, "1.0 MB"],
    [5e12, "5.0 TB"],
  ])("size of %d is %s", (bytes, text) => {
    expect(size(bytes)).toBe(text);
  });

  test("has colour only where it should", () => {
    const coloured = painter({ isTTY: true }, { TERM: "xterm" });
    expect(coloured("red", "x")).toBe("\u001b[31mx\u001b[39m");
    for (const env of [{ NO_COLOR: "1" }, { TERM: "dumb" }])
      expect(painter({ isTTY: true }, env)("red", "x")).toBe("x");
    expect(painter({ isTTY: true }, { NO_COLOR: "" })("red", "x")).toBe("\u001b[31mx\u001b[39m");
    expect(painter({}, {})("red", "x")).toBe("x");
  });
});

test("without a terminal nothing but the data is written", async () => {
  expect((await run(["encode"], { stdin: good })).stderr).toBe("");
});
