// Runs the test suite on each runtime that the package is made for, and prints one line a runtime.
//
//   node scripts/runtimes.js [RUNTIME...] [-- VITEST-ARGUMENT...]
//
// The runtimes come from test/runtimes (npm ci --prefix test/runtimes), Chromium from the system. Unless it is asked for
// by name, the Node that runs this script is left to npm test, which runs every test there is on it.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { testFilesFor } from "../test/runtimes/test-files.js";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const installed = join(root, "test/runtimes/node_modules");
const vitest = join(root, "node_modules/vitest/vitest.mjs");
const chromium = process.env.CHROMIUM ?? "/usr/bin/chromium";
const { browser: portable, nodeOnly } = testFilesFor(root);

/** The command is for Node; what starts the project's other tools (buf, tsc) tests those, and runs in npm test alone. */
const ofTheCommand = nodeOnly.filter((file) => /^test\/cli-/.test(file));
const ofTheTools = nodeOnly.filter((file) => !ofTheCommand.includes(file));

/** The longest that one runtime may take, in milliseconds. */
const LIMIT = 15 * 60_000;

/** By name: how vitest is started there, and which test files run. */
const runtimes = {
  "Node 20": onNode("node20"),
  "Node 22": onNode("node22"),
  "Node 24": onNode("node24"),
  Bun: { command: [join(installed, "bun/bin/bun.exe"), "--bun", vitest], files: portable },
  // vitest ends its threads by a call that Deno has not got.
  Deno: { command: [join(installed, "deno/deno"), "run", "-A", vitest, "--pool=forks"], files: portable },
  Chromium: {
    command: [process.execPath, vitest, "--config", join(root, "test/runtimes/vitest.browser.config.js")],
    executable: chromium,
    files: portable,
  },
};

function onNode(name) {
  return {
    command: [join(installed, name, "bin/node"), vitest],
    files: [...portable, ...ofTheCommand],
  };
}

const separator = process.argv.indexOf("--");
const chosen = process.argv.slice(2, separator < 0 ? undefined : separator);
const vitestArguments = separator < 0 ? [] : process.argv.slice(separator + 1);
const isThisNode = (name) => name.startsWith("Node") && versionOf(runtimes[name]) === process.versions.node;
const names = chosen.length > 0 ? chosen : Object.keys(runtimes).filter((name) => !isThisNode(name));
for (const name of names) {
  if (runtimes[name] === undefined) fail(`no runtime ${name}: there are ${Object.keys(runtimes).join(", ")}`);
}

const folder = mkdtempSync(join(tmpdir(), "factory-run-wire-runtimes-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const totals = { passed: 0, failed: 0, skipped: 0 };
let allGood = true;

printRow(["runtime", "version", "files", "passed", "failed", "skipped", "seconds"]);
if (chosen.length === 0) {
  for (const name of Object.keys(runtimes).filter(isThisNode)) printRow([name, process.versions.node, "npm test"]);
}
// Each keeps about one core busy.
const waiting = [...names];
await Promise.all(cpus().slice(0, 2).map(worker));
console.log(`In npm test alone: ${ofTheTools.map((file) => file.slice("test/".length)).join(", ")}`);
console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exitCode = allGood ? 0 : 1;

async function worker() {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const started = Date.now();
    const { status, files, complaints, ...counts } = await run(name);
    const seconds = ((Date.now() - started) / 1000).toFixed(0);
    printRow([name, versionOf(runtimes[name]), files, counts.passed, counts.failed, counts.skipped, seconds]);
    for (const [kind, count] of Object.entries(counts)) totals[kind] += count;
    if (status === 0 && counts.passed > 0 && counts.failed === 0) continue;
    allGood = false;
    console.log(`  exit status ${status}\n${complaints}`);
  }
}

function printRow(cells) {
  const widths = [10, 16, 7, 8, 8, 9, 7];
  console.log(
    cells
      .map((cell, i) => String(cell).padEnd(widths[i]))
      .join("")
      .trimEnd(),
  );
}

async function run(name) {
  const { command, files } = runtimes[name];
  const report = join(folder, `${name}.json`);
  const [executable, ...before] = command;
  const wanted = vitestArguments.length > 0 ? vitestArguments : files;
  const args = [...before, "run", "--reporter=json", `--outputFile=${report}`, ...wanted];
  // Colours are for terminals.
  const env = { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined };
  const child = spawn(executable, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"], env, timeout: LIMIT });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => output.push(chunk));
  const status = await new Promise((resolve) => {
    child.on("error", (error) => {
      output.push(Buffer.from(`${error.message}: npm ci --prefix test/runtimes\n`));
      resolve(1);
    });
    child.on("close", resolve);
  });
  const text = Buffer.concat(output).toString();
  return { status, ...(existsSync(report) ? outcomeOf(report, text) : nothing(text)) };
}

function nothing(output) {
  return { files: 0, passed: 0, failed: 1, skipped: 0, complaints: output.slice(-4_000) };
}

/** A file that fails before its first test (a broken import) counts as one failure. */
function outcomeOf(report, output) {
  const { testResults, ...counts } = JSON.parse(readFileSync(report, "utf8"));
  const failures = testResults.flatMap(({ status, name, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === "failed");
    if (status === "failed" && failed.length === 0) return [`${name}: ${message}`];
    return failed.map((test) => `${name}: ${test.fullName}\n${String(test.failureMessages[0]).slice(0, 600)}`);
  });
  // All of them by name, the first few in full.
  const shown = failures.map((failure, i) => (i < 5 ? failure.replaceAll("\n", "\n    ") : failure.split("\n")[0]));
  return {
    files: testResults.length,
    passed: counts.numPassedTests,
    failed: failures.length,
    skipped: counts.numPendingTests + counts.numTodoTests,
    complaints: failures.length === 0 ? output.slice(-4_000) : shown.join("\n").replaceAll(`${root}/`, ""),
  };
}

function versionOf({ command, executable = command[0] }) {
  const { stdout } = spawnSync(executable, ["--version"], { encoding: "utf8" });
  return /\d+(?:\.\d+)+/.exec(stdout ?? "")?.[0] ?? "not there";
}

function fail(message) {
  console.error(message);
  process.exit(2);
}
