// What happens to files: whole or not at all, never onto the input, nothing left behind.
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folder, outcomeOf, run, shell, start } from "./cli/run-command.js";

const good = '{"run_id":"r","status":"error"}';

/** A folder with a good and a bad stream, and an output that is there already. */
function prepared(): string {
  const cwd = folder();
  writeFileSync(join(cwd, "good.ndjson"), `${good}\n`.repeat(3));
  writeFileSync(join(cwd, "bad.ndjson"), `${good}\n{"run_id":"r"}\n${good}\n`);
  writeFileSync(join(cwd, "old.delimited"), "old");
  return cwd;
}

const FILES = ["bad.ndjson", "good.ndjson", "old.delimited"];

describe("the output", () => {
  test("a good run replaces a file and leaves nothing beside it", async () => {
    const cwd = prepared();
    chmodSync(join(cwd, "old.delimited"), 0o640);
    expect(await run(["encode", "good.ndjson", "-o", "old.delimited"], { cwd })).toMatchObject({ code: 0, stderr: "" });
    expect(readFileSync(join(cwd, "old.delimited")).length).toBe(3 * 6);
    expect(statSync(join(cwd, "old.delimited")).mode & 0o777).toBe(0o640);
    expect(readdirSync(cwd)).toEqual(FILES);
  });

  test("a failed run leaves no output and no temporary", async () => {
    const cwd = prepared();
    expect(await run(["encode", "bad.ndjson", "-o", "new.delimited"], { cwd })).toMatchObject({ code: 1 });
    expect(await run(["encode", "bad.ndjson", "-o", "old.delimited"], { cwd })).toMatchObject({ code: 1 });
    expect(readFileSync(join(cwd, "old.delimited"), "utf8")).toBe("old");
    expect(readdirSync(cwd)).toEqual(FILES);
  });

  test("what is there under its name is whole at every moment", async () => {
    const cwd = prepared();
    const child = start(["encode", "--from", "ndjson", "-o", "old.delimited"], { cwd });
    const ended = outcomeOf(child);
    child.stdin.write(`${good}\n`);
    await eventually(() => readdirSync(cwd).length === FILES.length + 1);
    expect(readFileSync(join(cwd, "old.delimited"), "utf8")).toBe("old");
    const [temporary] = readdirSync(cwd).filter((name) => !FILES.includes(name));
    expect(temporary).toMatch(/^\.old\.delimited\./);
    child.stdin.end();
    expect(await ended).toMatchObject({ code: 0 });
    expect(readdirSync(cwd)).toEqual(FILES);
  });

  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("%s leaves no output and no temporary", async (signal) => {
    const cwd = prepared();
    const child = start(["encode", "--from", "ndjson", "-o", "new.delimited"], { cwd });
    const ended = outcomeOf(child);
    child.stdin.write(`${good}\n`);
    await eventually(() => readdirSync(cwd).length === FILES.length + 1);
    child.kill(signal);
    expect(await ended).toMatchObject({ code: null, signal, stderr: "" });
    expect(readdirSync(cwd)).toEqual(FILES);
  });

  test("a symbolic link stays one, and its file is replaced", async () => {
    const cwd = prepared();
    mkdirSync(join(cwd, "store"));
    writeFileSync(join(cwd, "store", "real"), "old");
    symlinkSync("store/real", join(cwd, "link.delimited"));
    expect(await run(["encode", "good.ndjson", "-o", "link.delimited"], { cwd })).toMatchObject({ code: 0 });
    expect(readlinkSync(join(cwd, "link.delimited"))).toBe("store/real");
    expect(readFileSync(join(cwd, "store", "real")).length).toBe(3 * 6);
    expect(readdirSync(join(cwd, "store"))).toEqual(["real"]);
  });

  test("a device or a pipe is written, not replaced", async () => {
    const cwd = prepared();
    expect(await run(["encode", "good.ndjson", "-o", "/dev/null"], { cwd })).toMatchObject({ code: 0 });
    expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
    const piped = await shell("mkfifo pipe && { $FRW encode good.ndjson --to ndjson -o pipe & cat pipe; wait; }", {
      cwd,
    });
    expect(piped.stdout.toString()).toBe(`${good}\n`.repeat(3));
    expect(readdirSync(cwd)).toEqual([...FILES, "pipe"]);
  });
});

describe("writing onto the input is refused", () => {
  test.each([
    ["under its name", ["encode", "good.ndjson", "-o", "good.ndjson"]],
    ["under another spelling", ["encode", "good.ndjson", "-o", "./x/../good.ndjson"]],
    ["by a hard link", ["encode", "good.ndjson", "-o", "hard.delimited"]],
    ["by a symbolic link", ["encode", "soft.ndjson", "-o", "good.ndjson"]],
    ["in check", ["check", "good.ndjson", "-o", "good.ndjson"]],
    ["in inspect", ["inspect", "good.ndjson", "-o", "hard.delimited"]],
  ])("%s", async (_, args) => {
    const cwd = prepared();
    mkdirSync(join(cwd, "x"));
    linkSync(join(cwd, "good.ndjson"), join(cwd, "hard.delimited"));
    symlinkSync("good.ndjson", join(cwd, "soft.ndjson"));
    const outcome = await run(args, { cwd });
    expect(outcome.code).toBe(2);
    expect(outcome.stderr).toMatch(/is the input/);
    expect(readFileSync(join(cwd, "good.ndjson"), "utf8")).toBe(`${good}\n`.repeat(3));
    expect(readdirSync(cwd)).toHaveLength(FILES.length + 3);
  });

  test.each([
    ["a redirected input", "$FRW encode --from ndjson -o good.ndjson < good.ndjson"],
    ["a redirected output", "$FRW encode good.ndjson >> good.ndjson"],
  ])("by %s", async (_, line) => {
    const cwd = prepared();
    const outcome = await shell(line, { cwd });
    expect(outcome.code).toBe(2);
    expect(outcome.stderr).toMatch(/is the input/);
    expect(readFileSync(join(cwd, "good.ndjson"), "utf8")).toBe(`${good}\n`.repeat(3));
  });

  test("a copy is another file", async () => {
    const cwd = prepared();
    const outcome = await shell("cp good.ndjson copy.ndjson && $FRW encode good.ndjson --to ndjson -o copy.ndjson", {
      cwd,
    });
    expect(outcome).toMatchObject({ code: 0, stderr: "" });
  });
});

describe("files that cannot be read or written", () => {
  test.each([
    ["a missing input", ["encode", "none.json"], /cannot read none\.json: no such file or directory/],
    ["a folder as input", ["inspect", "."], /cannot read \.: it is a directory/],
    ["a folder as output", ["encode", "good.ndjson", "-o", "."], /cannot write \.: it is a directory/],
    [
      "an output in a missing folder",
      ["encode", "good.ndjson", "-o", "none/a.delimited"],
      /cannot write none\/a\.delimited: no such file/,
    ],
    [
      "an output below a file",
      ["encode", "good.ndjson", "-o", "good.ndjson/a"],
      /cannot write good\.ndjson\/a: a part of the path is no directory/,
    ],
    ["a full disk", ["encode", "good.ndjson", "-o", "/dev/full"], /cannot write \/dev\/full: no space left/],
  ])("%s", async (_, args, message) => {
    const cwd = prepared();
    const outcome = await run(args, { cwd });
    expect(outcome.code).toBe(2);
    expect(outcome.stdout).toHaveLength(0);
    expect(outcome.stderr).toMatch(message);
    expect(outcome.stderr).not.toMatch(/\n\s+at /);
    expect(readdirSync(cwd)).toEqual(FILES);
  });

  test("a full disk behind standard output", async () => {
    const outcome = await shell("$FRW encode good.ndjson > /dev/full", { cwd: prepared() });
    expect(outcome).toMatchObject({
      code: 2,
      stderr: "factory-run-wire: cannot write standard output: no space left on the device\n",
    });
  });

  test("a closed standard input", async () => {
    const outcome = await shell("$FRW encode <&-", { cwd: prepared() });
    expect([1, 2]).toContain(outcome.code);
    expect(outcome.stderr).not.toMatch(/\n\s+at /);
  });
});

async function eventually(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries++) {
    if (tries > 2000) throw new Error("it did not come");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
