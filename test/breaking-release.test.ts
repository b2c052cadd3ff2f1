// `npm run release:schema` moves the baseline with a fitting version and a CHANGELOG entry, and never without.
import { execFile } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const schemaPath = "proto/factory_run/v1/factory_run.proto";
const schemaText = readFileSync(join(root, schemaPath), "utf8");

const lastField = "optional Preserved preserved = 15;";
const lastValue = "FACTORY_RUN_STATUS_ERROR = 7;";
const edits = {
  none: ["// One answer", "// An answer"],
  field: [lastField, `${lastField}\n  // Seconds.\n  optional uint64 later_count = 1010;`],
  word: [lastValue, `${lastValue}\n  FACTORY_RUN_STATUS_LATER = 1008;`],
  message: [/$/, "\nmessage LaterCost {\n  string unit = 1;\n}\n"],
  option: ["optional string reason = 5;", "optional string reason = 5 [deprecated = true];"],
  json: [lastField, `${lastField}\n  string region = 1010;`],
  buf: ["reason = 5", "reason = 1000"],
  removed: ["optional string reason = 5;", ""],
} satisfies Record<string, [string | RegExp, string]>;

interface Case {
  from: string;
  edit: keyof typeof edits;
  to: string;
  entry: string | undefined;
  says: RegExp;
}

const moved: Case[] = [
  { from: "0.1.0", edit: "none", to: "0.1.1", entry: "- Fixed: a fault.", says: /0\.1\.0 -> 0\.1\.1 \(none\)/ },
  { from: "0.1.0", edit: "field", to: "0.1.1", entry: "- Member `later_count`.", says: /-> 0\.1\.1 \(addition\)/ },
  { from: "0.1.9", edit: "field", to: "0.2.0", entry: "- Member `laterCount`.", says: /-> 0\.2\.0 \(addition\)/ },
  { from: "1.0.0", edit: "field", to: "1.1.0", entry: "- Member `later_count`.", says: /-> 1\.1\.0 \(addition\)/ },
  { from: "0.9.0", edit: "none", to: "1.0.0", entry: "- Stable.", says: /-> 1\.0\.0 \(none\)/ },
  { from: "1.2.9", edit: "none", to: "1.2.10", entry: "- A fix.", says: /-> 1\.2\.10 \(none\)/ },
  { from: "0.1.0", edit: "word", to: "0.1.1", entry: "- Status `later`.", says: /\(addition\)/ },
  { from: "0.1.0", edit: "message", to: "0.1.1", entry: "- Message `LaterCost`.", says: /\(addition\)/ },
  { from: "0.1.0", edit: "option", to: "0.1.1", entry: "- `reason` goes away.", says: /\(addition\)/ },
  { from: "0.1.0", edit: "json", to: "0.2.0", entry: "- **Breaking**: `region` is required.", says: /\(breaking\)/ },
  { from: "0.1.0", edit: "buf", to: "0.2.0", entry: "- **Breaking**: number of `reason`.", says: /\(breaking\)/ },
  { from: "1.4.2", edit: "removed", to: "2.0.0", entry: "- **Breaking**: no `reason`.", says: /\(breaking\)/ },
];

const refused: Case[] = [
  { from: "0.1.0", edit: "field", to: "0.1.0", entry: "- `later_count`.", says: /still says version 0\.1\.0/ },
  { from: "0.2.0", edit: "field", to: "0.1.9", entry: "- `later_count`.", says: /lower than the baseline's 0\.2\.0/ },
  { from: "0.1.0", edit: "field", to: "0.2.0-rc.1", entry: "- `later_count`.", says: /not of the form/ },
  { from: "1.0.0", edit: "field", to: "1.0.1", entry: "- `later_count`.", says: /must be 1\.1\.0 or higher/ },
  { from: "0.1.0", edit: "json", to: "0.1.1", entry: "- Breaking: `region`.", says: /must be 0\.2\.0 or higher/ },
  { from: "1.0.0", edit: "removed", to: "1.1.0", entry: "- Breaking: `reason`.", says: /must be 2\.0\.0 or higher/ },
  { from: "0.1.0", edit: "field", to: "0.1.1", entry: undefined, says: /no entry "## \[0\.1\.1\] - YYYY-MM-DD"/ },
  { from: "0.1.0", edit: "none", to: "0.1.1", entry: undefined, says: /no entry "## \[0\.1\.1\]/ },
  { from: "0.1.0", edit: "none", to: "0.1.1", entry: "", says: /says nothing under 0\.1\.1/ },
  { from: "0.1.0", edit: "field", to: "0.1.1", entry: "- A member.", says: /does not name later_count/ },
  { from: "0.1.0", edit: "field", to: "0.1.1", entry: "- `later_countwards`.", says: /does not name later_count/ },
  { from: "0.1.0", edit: "word", to: "0.1.1", entry: "- A status.", says: /does not name FACTORY_RUN_STATUS_LATER/ },
  { from: "0.1.0", edit: "message", to: "0.1.1", entry: "- A message.", says: /does not name LaterCost$/m },
  {
    from: "0.1.0",
    edit: "removed",
    to: "0.2.0",
    entry: "- `reason` is gone.",
    says: /does not say that the change is breaking/,
  },
  { from: "0.1.0", edit: "removed", to: "0.2.0", entry: "- Breaking.", says: /does not name reason/ },
];

const folder = mkdtempSync(join(tmpdir(), "release-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const first = mkdtempSync(join(folder, "first-"));
beforeAll(async () => {
  copyFileSync(join(root, "buf.yaml"), join(first, "buf.yaml"));
  mkdirSync(join(first, schemaPath, ".."), { recursive: true });
  writeFileSync(join(first, schemaPath), schemaText);
  prepare(first, undefined, "0.0.1", "- The first release.");
  expect(await script("release-schema.js", first, "--first")).toMatchObject({ status: 0 });
});

it.concurrent.each(moved)("moves the baseline: $from -> $to, $edit", async ({ from, edit, to, entry, says }) => {
  const project = releasedProject(from);
  prepare(project, edit, to, entry);
  const { status, output } = await script("release-schema.js", project);
  expect({ status, output }).toEqual({ status: 0, output: expect.stringMatching(says) });
  expect(baselines(project)).toEqual([`released-${to}.binpb`]);
});

it.concurrent.each(refused)("refuses: $from -> $to, $edit: $says", async ({ from, edit, to, entry, says }) => {
  const project = releasedProject(from);
  const before = readFileSync(join(project, "schema", `released-${from}.binpb`));
  prepare(project, edit, to, entry);
  const { status, output } = await script("release-schema.js", project);
  expect({ status, output }).toEqual({ status: 1, output: expect.stringMatching(says) });
  expect(baselines(project)).toEqual([`released-${from}.binpb`]);
  expect(readFileSync(join(project, "schema", `released-${from}.binpb`)).equals(before)).toBe(true);
});

describe("around a release", () => {
  it("the breaking check fails until the baseline has moved, and a dry run moves nothing", async () => {
    const project = releasedProject("0.1.0");
    prepare(project, "json", "0.2.0", "- **Breaking**: `region` is required.");
    expect(await script("breaking.js", project)).toMatchObject({ status: 1 });
    expect(await script("release-schema.js", project, "--dry-run")).toMatchObject({
      status: 0,
      output: expect.stringMatching(/would move the baseline 0\.1\.0 -> 0\.2\.0 \(breaking\)/),
    });
    expect(baselines(project)).toEqual(["released-0.1.0.binpb"]);
    expect(await script("release-schema.js", project)).toMatchObject({ status: 0 });
    expect(await script("breaking.js", project)).toMatchObject({ status: 0 });
    expect(await script("release-schema.js", project)).toMatchObject({
      status: 0,
      output: expect.stringMatching(/nothing to do/),
    });
  });

  it("an entry of another version, or without its day, does not do", async () => {
    const project = releasedProject("0.1.0");
    prepare(project, "field", "0.1.1", undefined);
    for (const heading of ["## [Unreleased]", "## [0.1.10] - 2026-12-01", "## [0.1.1]", "## [0x1.1] - 2026-12-01"]) {
      writeFileSync(join(project, "CHANGELOG.md"), `# Changelog\n\n${heading}\n\n- \`later_count\`.\n`);
      const { status, output } = await script("release-schema.js", project);
      expect({ status, output }).toEqual({ status: 1, output: expect.stringMatching(/no entry/) });
    }
  });

  it("nothing is said without a baseline, and a first one is made once", async () => {
    const project = releasedProject("0.1.0");
    expect(await script("release-schema.js", project, "--first")).toMatchObject({ status: 2 });
    rmSync(join(project, "schema"), { recursive: true });
    const { status, output } = await script("release-schema.js", project);
    expect({ status, output }).toEqual({ status: 2, output: expect.stringMatching(/no baseline/) });
  });
});

/** A project whose schema was released as this version. */
function releasedProject(version: string): string {
  const project = mkdtempSync(join(folder, "project-"));
  cpSync(first, project, { recursive: true });
  renameSync(join(project, "schema", "released-0.0.1.binpb"), join(project, "schema", `released-${version}.binpb`));
  return project;
}

function prepare(
  project: string,
  edit: keyof typeof edits | undefined,
  version: string,
  entry: string | undefined,
): void {
  const changelog = join(project, "CHANGELOG.md");
  const older = existsSync(changelog) ? readFileSync(changelog, "utf8").replace(/^# Changelog\n\n/, "") : "";
  const newest = entry === undefined ? "" : `## [${version}] - 2026-12-01\n\n${entry}\n\n`;
  writeFileSync(changelog, `# Changelog\n\n${newest}${older}`);
  writeFileSync(join(project, "package.json"), JSON.stringify({ version }));
  if (edit !== undefined) {
    const [from, to] = edits[edit];
    const edited = schemaText.replace(from, () => to);
    expect(edited).not.toBe(schemaText);
    writeFileSync(join(project, schemaPath), edited);
  }
}

function baselines(project: string): string[] {
  return readdirSync(join(project, "schema"));
}

function script(name: string, project: string, ...args: string[]): Promise<{ status: number; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [join(root, "scripts", name), "--root", project, ...args], (error, stdout, stderr) => {
      resolve({ status: error ? Number(error.code) : 0, output: stdout + stderr });
    });
  });
}
