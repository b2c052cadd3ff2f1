// What the README says is run: each example in a folder like a user's, with its output compared, and each command.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as wire from "../src/index.js";
import { type Block, blocksOf, hexOf, tableOf } from "./support/markdown.js";
import { capture } from "./support/material.js";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const readme = readFileSync(join(root, "README.md"), "utf8");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const blocks = blocksOf(readme);

/** The files that the examples read, by the names they have there. */
const FILES = { "run.json": "raw-num-9007199254740993", "failed.json": "limit-ai-credits" };

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "factory-run-wire-readme-"));
  mkdirSync(join(folder, "node_modules/@bufbuild"), { recursive: true });
  mkdirSync(join(folder, "bin"));
  symlinkSync(root, join(folder, "node_modules/factory-run-wire"));
  symlinkSync(join(root, "node_modules/@bufbuild/protobuf"), join(folder, "node_modules/@bufbuild/protobuf"));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  for (const [file, name] of Object.entries(FILES)) writeFileSync(join(folder, file), capture(name));
  const command = join(root, manifest.bin["factory-run-wire"]);
  writeFileSync(join(folder, "bin/factory-run-wire"), `#!/bin/sh\nexec "${process.execPath}" "${command}" "$@"\n`, {
    mode: 0o755,
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ran {
  stdout: string;
  stderr: string;
  status: number | null;
}

function run(executable: string, args: string[]): Ran {
  const env = { ...process.env, PATH: `${join(folder, "bin")}:${process.env.PATH}`, NO_COLOR: "1" };
  return spawnSync(executable, args, { cwd: folder, encoding: "utf8", env, timeout: 60_000 });
}

function runModule(name: string, code: string): Ran {
  writeFileSync(join(folder, name), code);
  return run(process.execPath, [name]);
}

const isFile = (block: Block) => /^\/\/ \w+\.js\b/.test(block.text);
const examples = blocks.filter((block) => block.language === "js" && !isFile(block));
const commands = blocks.filter((block) => block.language === "sh" && block.text.startsWith("factory-run-wire "));

describe("examples", () => {
  test.each(examples.map((block) => [block.line, block] as const))("line %i", (line, block) => {
    expect(block.next?.language, "each example shows its output").toBe("text");
    const { stdout, stderr, status } = runModule(`line-${line}.js`, block.text);
    expect(stderr).toBe("");
    expect(stdout.trimEnd()).toBe(block.next!.text);
    expect(status).toBe(0);
  });

  test("there are all of them", () => {
    expect(examples.length).toBeGreaterThanOrEqual(6);
    const known = ["js", "sh", "text", "hex"];
    expect(blocks.filter(({ language }) => !known.includes(language))).toEqual([]);
    const shown = new Set(blocks.map(({ next }) => next));
    expect(blocks.filter((block) => block.language === "text" && !shown.has(block))).toEqual([blocks[0]]);
  });
});

test.each(commands.map((block) => [block.line, block] as const))("the command of line %i", (_, block) => {
  const { stdout, stderr, status } = run("sh", ["-e", "-c", block.text]);
  expect(stderr).toBe("");
  expect(stdout.trimEnd()).toBe(block.next?.text);
  expect(status).toBe(0);
});

test("the envelope of the first screen is a recorded one, and the bytes are what it becomes", () => {
  const [json, hex] = blocks;
  expect(json.text).toBe(capture(FILES["run.json"]));
  const binary = wire.serdeJsonToBinary(wire.SessionFactoryRunFromToolResultSchema, json.text);
  expect(hexOf(hex.text)).toBe(Buffer.from(binary).toString("hex"));
  expect(readme).toContain(`${json.text.length} bytes:`);
  expect(readme).toContain(`${binary.length} bytes, which`);
});

test("the page shows what the service stored", async () => {
  const [service, page] = blocks.filter(isFile);
  const port = await freePort();
  const here = (block: Block) => block.text.replaceAll("8080", String(port));
  writeFileSync(join(folder, "service.js"), here(service));
  const child = spawn(process.execPath, ["service.js"], { cwd: folder, stdio: "inherit" });
  try {
    await answers(port);
    const url = `http://localhost:${port}/runs/1`;
    const json = await fetch(url, { headers: { accept: "application/json" } });
    expect(json.headers.get("content-type")).toBe("application/json");
    expect(JSON.parse(await json.text())).toMatchObject({ status: "error" });
    // No browser is started here: of a page's document, the example uses the one property.
    const shows =
      "globalThis.document = { body: {} };\nprocess.on('exit', () => console.log(document.body.textContent));";
    const { stdout, stderr } = runModule("page.js", `${shows}\n${here(page)}`);
    expect(stderr).toBe("");
    expect(stdout.trimEnd()).toBe("error: Factory limit maxAiCredits=1.0 was reached");
  } finally {
    child.kill();
    await once(child, "exit");
  }
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

async function answers(port: number): Promise<void> {
  for (let left = 300; ; left--) {
    try {
      await (await fetch(`http://localhost:${port}/`)).arrayBuffer();
      return;
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

test("the demo shows that nothing changed, and an error", () => {
  const { stdout, stderr, status } = run(process.execPath, [join(root, "examples/demo.js")]);
  expect(stderr).toBe("");
  expect(stdout).toContain("315 bytes, the same byte for byte");
  expect(stdout).toContain("167 of 167 come back byte for byte");
  expect(stdout).toContain("WireError syntax: a lone surrogate (at /error, line 2 column 42)");
  const [, json, binary] = /([\d,]+) bytes of JSON, ([\d,]+) bytes of Protobuf/.exec(stdout)!;
  expect(readme).toMatch(new RegExp(`${json} bytes of JSON and ${binary} bytes of Protobuf`));
  expect(status).toBe(0);
});

describe("what it names exists", () => {
  test("scripts", () => {
    const named = [...readme.matchAll(/npm (?:run )?([a-z:]+)/g)].map(([, name]) => name);
    const own = named.filter((name) => !["ci", "install"].includes(name));
    expect(own).toEqual(expect.arrayContaining(["demo", "test", "bench", "size"]));
    for (const name of own) expect(manifest.scripts, `npm run ${name}`).toHaveProperty([name]);
    expect(readme).toContain(`npm install ${manifest.name} ${Object.keys(manifest.dependencies)[0]}`);
  });

  test("functions: all of them", () => {
    const named = tableOf(readme, "function", "from", "to").flatMap(([cell]) =>
      [...cell.matchAll(/`(\w+)/g)].map(([, name]) => name),
    );
    const exported = Object.entries(wire).filter(
      ([name, value]) => typeof value === "function" && name !== "WireError",
    );
    expect(named.sort()).toEqual(exported.map(([name]) => name).sort());
  });

  test("error codes and options: all of them", () => {
    const source = (file: string) => readFileSync(join(root, "src", file), "utf8");
    const codes = /type WireErrorCode =([^;]+);/.exec(source("error.ts"))![1].matchAll(/"(\w+)"/g);
    const rows = tableOf(readme, "code", "the input").map(([code]) => code);
    expect(rows).toEqual([...codes].map(([, code]) => `\`${code}\``));
    const options = [...source("options.ts").matchAll(/^ {2}(\w+)\?:/gm)].map(([, name]) => name);
    const listed = tableOf(readme, "option", "of", "default").map(([name]) => name.replaceAll("`", ""));
    expect(listed.sort()).toEqual([...new Set(options)].sort());
  });
});
