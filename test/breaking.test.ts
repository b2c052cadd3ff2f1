// Both checks of `npm run breaking` bite: each edit of the tables is made to a copy of a schema, and each check gives
// the verdict that the table says.
import { execFile } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { envelopeEdits, envelopeText, nestedEdits, nestedText } from "./breaking-edits.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const bufCommand = createRequire(import.meta.url).resolve("@bufbuild/buf/bin/buf");
const schemaPath = "proto/factory_run/v1/factory_run.proto";
const released = join(root, "schema", readdirSync(join(root, "schema")).find((name) => name.endsWith(".binpb"))!);
const place = /^proto\/[\w/]+\.proto:[1-9]\d*:[1-9]\d*:./;

const folder = mkdtempSync(join(tmpdir(), "breaking-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each([
  { schema: "the envelope's schema", path: schemaPath, text: envelopeText, table: envelopeEdits },
  { schema: "a schema of nested messages", path: "proto/nested/v1/nested.proto", text: nestedText, table: nestedEdits },
])("$schema", ({ path, text, table }) => {
  const before = projectWith(path, text);
  const baseline = join(before, "baseline.binpb");
  beforeAll(() => run(bufCommand, ["build", "--exclude-source-info", "-o", baseline], before));

  it.concurrent.each(table)("$name", async ({ edit, buf, json }) => {
    const edited = edit.reduce(replaced, text);
    const after = projectWith(path, edited);
    const { status, lines, stderr } = await breaking("--root", after, "--against", baseline);

    const jsonLines = lines.filter((line) => line.includes(":JSON: "));
    const bufLines = lines.filter((line) => !line.includes(":JSON: "));
    expectEach(bufLines, buf);
    expectEach(
      jsonLines,
      json.map(([message]) => message),
    );
    for (const line of jsonLines) expect(line).toMatch(place);
    expectEach(
      jsonLines.map((line) => edited.split("\n")[Number(line.split(":")[1]) - 1]!.trim()),
      json.map(([, target]) => target),
    );
    expect({ status, stderr: stderr.includes("nothing breaks") }).toEqual(
      buf.length + json.length > 0 ? { status: 1, stderr: false } : { status: 0, stderr: true },
    );
  });
});

describe("the baseline", () => {
  it("holds what the schema promises today", async () => {
    expect(await breaking("--root", root)).toMatchObject({ status: 0, lines: [] });
  });

  it("is missing", async () => {
    const project = projectWith(schemaPath, envelopeText);
    const { status, stderr } = await breaking("--root", project);
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining("no baseline") });
  });

  it("is there twice", async () => {
    const project = projectWith(schemaPath, envelopeText);
    mkdirSync(join(project, "schema"));
    for (const version of ["0.1.0", "0.2.0"]) writeFileSync(join(project, "schema", `released-${version}.binpb`), "");
    const { status, stderr } = await breaking("--root", project);
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining("2 baselines") });
  });

  it.each(["", "not an image"])("is not an image: %j", async (text) => {
    const project = projectWith(schemaPath, envelopeText);
    writeFileSync(join(project, "bad.binpb"), text);
    const { status, lines } = await breaking("--root", project, "--against", join(project, "bad.binpb"));
    expect({ status, lines }).toEqual({ status: 2, lines: [] });
  });

  it("is of another version than package.json", async () => {
    const project = projectWith(schemaPath, envelopeText);
    cpSync(join(root, "schema"), join(project, "schema"), { recursive: true });
    writeFileSync(join(project, "package.json"), JSON.stringify({ version: "99.0.0" }));
    const { status, stderr } = await breaking("--root", project);
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining("npm run release:schema") });
  });
});

it("gives no verdict on a schema that does not compile", async () => {
  const project = projectWith(schemaPath, envelopeText.replace("optional int64 attempt", "optional int65 attempt"));
  const { status, lines, stderr } = await breaking("--root", project, "--against", released);
  expect({ status, lines }).toEqual({ status: 2, lines: [] });
  expect(stderr).toMatch(/does not compile.*\n.*int65/);
});

function replaced(text: string, [from, to]: [string | RegExp, string]): string {
  const result = text.replace(from, () => to);
  expect(result, `${from} is in the schema`).not.toBe(text);
  return result;
}

function expectEach(texts: string[], patterns: RegExp[]): void {
  const unmatched = patterns.filter((pattern) => !texts.some((text) => pattern.test(text)));
  expect({ unmatched, texts: texts.length, seen: texts }).toEqual({
    unmatched: [],
    texts: patterns.length,
    seen: texts,
  });
}

function projectWith(path: string, text: string): string {
  const project = mkdtempSync(join(folder, "project-"));
  copyFileSync(join(root, "buf.yaml"), join(project, "buf.yaml"));
  mkdirSync(join(project, path, ".."), { recursive: true });
  writeFileSync(join(project, path), text);
  return project;
}

async function breaking(...args: string[]): Promise<{ status: number; lines: string[]; stderr: string }> {
  const { status, stdout, stderr } = await run(join(root, "scripts/breaking.js"), args, folder);
  return { status, lines: stdout.split("\n").filter(Boolean), stderr };
}

function run(script: string, args: string[], cwd: string): Promise<{ status: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { cwd }, (error, stdout, stderr) => {
      resolve({ status: error ? Number(error.code) : 0, stdout, stderr });
    });
  });
}
