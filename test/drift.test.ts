// `npm run drift` sees every way in which the runtime's envelope and the schema can come apart.
import { execFile } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fromSerdeJson, outcomeOf, SessionFactoryRunFromToolResultSchema } from "../src/index.js";
import { apiSchema, protoText } from "./drift-api-schema.js";
import { changes } from "./drift-changes.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const schemaPath = "proto/factory_run/v1/factory_run.proto";
const factsPath = "schema/runtime-facts.json";

const folder = mkdtempSync(join(tmpdir(), "drift-"));
const base = mkdtempSync(join(folder, "base-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeAll(async () => {
  copyFileSync(join(root, "buf.yaml"), join(base, "buf.yaml"));
  mkdirSync(join(base, schemaPath, ".."), { recursive: true });
  writeFileSync(join(base, schemaPath), protoText);
  expect(await drift(base, sdkPackage(apiSchema(), "1.0.0"), "--update")).toMatchObject({ status: 0, lines: [] });
});

describe("what is told when", () => {
  it.concurrent.each(changes)("$name", async ({ runtime, ours, lines }) => {
    const schema = apiSchema();
    runtime?.(schema);
    const project = projectWith(ours);
    const result = await drift(project, sdkPackage(schema, "1.1.0"));
    expect(result.lines).toEqual(lines);
    expect(result.status).toBe(lines.length > 0 ? 1 : 0);
    expect(result.stderr).toMatch(/a-runtime 1\.1\.0, held against 1\.0\.0 before/);
  });

  it("all that concerns our schema is told without the package, too", async () => {
    const kept = JSON.parse(readFileSync(join(base, factsPath), "utf8"));
    kept.members.status.words.push("expired");
    kept.members.retryAfter = { required: false, type: "integer" };
    const project = projectWith(["optional int64 attempt = 1;", ""]);
    writeFileSync(join(project, factsPath), JSON.stringify(kept));
    expect(await drift(project)).toMatchObject({
      status: 1,
      lines: [
        "the schema lacks: attempt (integer 1..4294967295, optional)",
        'the schema lacks: status = "expired"',
        "the schema lacks: retryAfter (integer, optional)",
      ],
    });
  });
});

describe("--update", () => {
  it("keeps what is new, and the schema goes on being told what it lacks", async () => {
    const schema = apiSchema();
    schema.definitions.FactoryRunStatus.enum.push("expired");
    const project = projectWith(undefined);
    const lacks = 'the schema lacks: status = "expired"';
    expect(await drift(project, sdkPackage(schema, "1.1.0"), "--update")).toMatchObject({
      status: 1,
      lines: ['kept: new in the runtime: status = "expired" (word)', lacks],
    });
    expect(await drift(project)).toMatchObject({ status: 1, lines: [lacks] });
    expect(JSON.parse(readFileSync(join(project, factsPath), "utf8"))).toMatchObject({
      package: "a-runtime",
      version: "1.1.0",
    });
  });

  it("retires what the runtime stopped sending, which the schema goes on having", async () => {
    const without = apiSchema();
    Reflect.deleteProperty(without.definitions.FactoryRunResult.properties, "reason");
    without.definitions.FactoryRunStatus.enum.splice(4, 1);
    const project = projectWith(undefined);
    expect(await drift(project, sdkPackage(without, "1.1.0"), "--update")).toMatchObject({ status: 0 });
    expect(JSON.parse(readFileSync(join(project, factsPath), "utf8")).retired).toEqual({
      members: ["reason"],
      words: ["status = paused"],
    });
    expect(await drift(project)).toMatchObject({ status: 0, lines: [] });
    // It stays so over the versions, until the runtime sends it again.
    expect(await drift(project, sdkPackage(without, "1.2.0"), "--update")).toMatchObject({ status: 0, lines: [] });
    expect(await drift(project)).toMatchObject({ status: 0, lines: [] });
    expect(await drift(project, sdkPackage(apiSchema(), "1.3.0"), "--update")).toMatchObject({ status: 0 });
    expect(JSON.parse(readFileSync(join(project, factsPath), "utf8")).retired).toEqual({ members: [], words: [] });
  });

  it("does not retire what the runtime never had", async () => {
    const project = projectWith([
      "optional Preserved preserved = 15;",
      "optional Preserved preserved = 15;\n  optional string region = 10;",
    ]);
    const result = await drift(project, sdkPackage(apiSchema(), "1.1.0"), "--update");
    expect(result).toMatchObject({ status: 1, lines: [expect.stringContaining("the runtime lacks: region")] });
  });
});

describe("no verdict on", () => {
  it.each<[string, (project: string) => string[], RegExp]>([
    ["a path that is not there", () => ["/no/such/path"], /no such file or folder/],
    ["a folder without the schema", (project) => [project], /no schemas\/api\.schema\.json/],
    ["a file that is not JSON", (project) => [join(project, schemaPath)], /is not JSON/],
    [
      "a schema without the envelope",
      () => [sdkPackage({ definitions: {} }, "1.1.0")],
      /no object definition FactoryRunResult/,
    ],
    ["two paths", () => ["a", "b"], /usage/],
    ["--update without a path", () => ["--update"], /usage/],
  ])("%s", async (_, args, says) => {
    const project = projectWith(undefined);
    const { status, lines, stderr } = await drift(project, ...args(project));
    expect({ status, lines, stderr }).toEqual({ status: 2, lines: [], stderr: expect.stringMatching(says) });
  });

  it("no facts", async () => {
    const project = projectWith(undefined);
    rmSync(join(project, factsPath));
    expect(await drift(project)).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/runtime-facts\.json is missing/),
    });
  });

  it("a reference that leads nowhere", async () => {
    const schema = apiSchema();
    Reflect.deleteProperty(schema.definitions, "FactoryRunStatus");
    const { status, stderr } = await drift(projectWith(undefined), sdkPackage(schema, "1.1.0"));
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringMatching(/FactoryRunStatus, which is not there/),
    });
  });
});

describe("the facts kept in the repository", () => {
  const kept = JSON.parse(readFileSync(join(root, factsPath), "utf8"));
  const examples = (variants: Record<string, Record<string, { type: string; required: boolean }>>) =>
    Object.entries(variants).map(([type, members]) => {
      const required = Object.entries(members).filter(([, member]) => member.required);
      return {
        type,
        ...Object.fromEntries(required.map(([name, member]) => [name, member.type === "string" ? "x" : 1])),
      };
    });

  it("agree with the schema", async () => {
    expect(await drift(root)).toMatchObject({ status: 0, lines: [] });
  });

  it.each(examples(kept.members.failure.variants))("name a failure that the package can tell: $type", (failure) => {
    const message = fromSerdeJson(SessionFactoryRunFromToolResultSchema, { runId: "r", status: "error", failure });
    expect(outcomeOf(message)).toMatchObject({ failure: { type: failure.type } });
  });

  it.each(examples(kept.members.pauseInfo.variants))("name a pause that the package can tell: $type", (pauseInfo) => {
    const message = fromSerdeJson(SessionFactoryRunFromToolResultSchema, { runId: "r", status: "paused", pauseInfo });
    expect(outcomeOf(message)).toMatchObject({ pauseInfo: { type: pauseInfo.type } });
  });
});

function projectWith(edit: [from: string, to: string] | undefined): string {
  const project = mkdtempSync(join(folder, "project-"));
  cpSync(base, project, { recursive: true });
  if (edit !== undefined) {
    const edited = protoText.replace(edit[0], () => edit[1]);
    expect(edited).not.toBe(protoText);
    writeFileSync(join(project, schemaPath), edited);
  }
  return project;
}

function sdkPackage(schema: object, version: string): string {
  const path = mkdtempSync(join(folder, "sdk-"));
  mkdirSync(join(path, "schemas"));
  writeFileSync(join(path, "schemas/api.schema.json"), JSON.stringify(schema));
  writeFileSync(join(path, "package.json"), JSON.stringify({ name: "a-runtime", version }));
  return path;
}

function drift(project: string, ...args: string[]): Promise<{ status: number; lines: string[]; stderr: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(root, "scripts/drift.js"), "--root", project, ...args],
      (error, stdout, stderr) => {
        resolve({ status: error ? Number(error.code) : 0, lines: stdout.split("\n").filter(Boolean), stderr });
      },
    );
  });
}
