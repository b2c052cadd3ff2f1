// Help, version, and command lines that make no sense.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { run } from "./cli/run-command.js";

const COMMANDS = ["encode", "decode", "check", "inspect"];

describe("help", () => {
  test.each([[["--help"]], [["-h"]], [["help"]]])("%j shows the whole", async (args) => {
    const { code, stdout, stderr } = await run(args);
    expect(code).toBe(0);
    expect(stderr).toBe("");
    for (const command of COMMANDS) expect(stdout.toString()).toMatch(new RegExp(`^  ${command} `, "m"));
    expect(stdout.toString()).toContain("Exit code: 0 done, 1 bad input, 2 wrong usage");
  });

  test.each(COMMANDS)("%s --help shows its options, and each it shows it takes", async (command) => {
    const { code, stdout } = await run([command, "--help"]);
    expect(code).toBe(0);
    const help = stdout.toString();
    expect(help).toContain(`Usage: factory-run-wire ${command} [FILE|-] [-o FILE] [options]`);
    for (const line of help.split("\n")) expect(line.length, line).toBeLessThanOrEqual(90);
    expect((await run(["help", command])).stdout.toString()).toBe(help);
    const values: Record<string, string> = {
      from: "json",
      to: "binary",
      output: "-",
      keys: "camelCase",
      unknown: "keep",
      numbers: "double",
      "max-nesting": "9",
      "max-bytes": "1M",
      "on-error": "skip",
    };
    const shown = [...help.matchAll(/^ {2}(?:-\w, | {4})--([\w-]+)( [A-Z]+)?/gm)].map(
      ([, name, value]) => [name!, value] as const,
    );
    expect(shown.length).toBeGreaterThanOrEqual(8);
    const args = shown
      .filter(([name]) => !["help", "strict", "pretty"].includes(name))
      .flatMap(([name, value]) => (value === undefined ? [`--${name}`] : [`--${name}`, values[name]!]));
    const stdin = '{"run_id":"r","status":"error"}';
    expect(await run([command, ...args], { stdin })).toMatchObject({ code: 0, stderr: "" });
  });

  test("no command at all shows the help as an error", async () => {
    const { code, stdout, stderr } = await run([]);
    expect(code).toBe(2);
    expect(stdout).toHaveLength(0);
    expect(stderr).toContain("Usage:");
  });

  test("--version", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
      version: string;
    };
    expect(await run(["--version"])).toMatchObject({ code: 0, stdout: Buffer.from(`${version}\n`), stderr: "" });
  });
});

test.each([
  ["an unknown command", ["convert"], /no command "convert"/],
  ["an unknown option", ["encode", "--bogus"], /--bogus/],
  ["an option of another command", ["inspect", "--pretty"], /--pretty/],
  ["two inputs", ["encode", "a", "b"], /one input at a time/],
  ["an option without its value", ["encode", "-o"], /-o/],
  ["a format that is none", ["encode", "--from", "yaml"], /--from is one of json, ndjson, binary, delimited/],
  ["a style that is none", ["decode", "--keys", "kebab-case"], /--keys is one of snake_case, camelCase/],
  ["a nesting that is none", ["encode", "--max-nesting", "-1"], /--max-nesting/],
  ["a limit that is none", ["encode", "--max-bytes", "1TB"], /--max-bytes is a number/],
  ["an order that contradicts itself", ["encode", "--strict", "--unknown", "drop"], /exclude each other/],
  ["pretty binary", ["encode", "--pretty"], /--pretty is for one JSON document/],
  ["pretty lines", ["decode", "--from", "delimited", "--pretty"], /--pretty is for one JSON document/],
])("%s is wrong usage", async (_, args, message) => {
  const outcome = await run(args, { stdin: '{"run_id":"r","status":"error"}' });
  expect(outcome.code).toBe(2);
  expect(outcome.stdout).toHaveLength(0);
  expect(outcome.stderr).toMatch(/^factory-run-wire: /);
  expect(outcome.stderr).toMatch(message);
  expect(outcome.stderr).not.toMatch(/\n\s+at /);
});
