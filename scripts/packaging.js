// Packs the package, installs the packed file into empty folders, and uses it there as users would: a line a consumer.
// With other runtimes (npm ci --prefix test/runtimes) and Chromium, as in CI, they are consumers too.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSync } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const runtimes = join(root, "test/runtimes/node_modules");
const chromium = process.env.CHROMIUM ?? "/usr/bin/chromium";
const work = mkdtempSync(join(tmpdir(), "factory-run-wire-packaging-"));
process.on("exit", () => rmSync(work, { recursive: true, force: true }));

run(process.execPath, [join(root, "scripts/build.js")]);
const [packed] = JSON.parse(run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", work]).stdout);
const tarball = join(work, packed.filename);
const rows = [["consumer", "with", "result"]];
let failures = 0;

line("the packed file", `${packed.files.length} files`, () => unwanted(packed.files.map(({ path }) => path)));
line("publint", versionOf("publint"), () => tool("publint", "src/cli.js", [tarball, "--strict"]));
line("attw", versionOf("@arethetypeswrong/cli"), () =>
  // ESM only: what CommonJS gets is tried out below.
  tool("@arethetypeswrong/cli", "dist/index.js", [tarball, "--profile", "esm-only", "--no-emoji", "--no-color"]),
);

const consumer = install("plain", { type: "module" });
cpSync(join(root, "test/consumers"), consumer, { recursive: true });
const nodes = [process.execPath, ...["node20", "node22", "node24"].map((name) => join(runtimes, name, "bin/node"))];
for (const node of nodes.filter(existsSync)) {
  const version = `Node ${run(node, ["-p", "process.versions.node"]).stdout.trim()}`;
  if (rows.some(([consumer, by]) => consumer === "import" && by === version)) continue;
  line("import", version, () => says("ok", node, ["import.js"]));
  line("import() from CommonJS", version, () => says("ok", node, ["dynamic-import.cjs"]));
  // From 20.19 and 22.12 on; older ones answer ERR_REQUIRE_ESM, and have import().
  line("require() from CommonJS", version, () => says("ok", node, ["require.cjs"]));
}
for (const [name, command] of [
  ["Bun", [join(runtimes, "bun/bin/bun.exe")]],
  ["Deno", [join(runtimes, "deno/deno"), "run", "-A"]],
]) {
  const [executable, ...args] = command;
  if (!existsSync(executable)) continue;
  const version = `${name} ${/[\d.]+/.exec(run(executable, ["--version"]).stdout)[0]}`;
  line("import", version, () => says("ok", executable, [...args, "import.js"]));
}
line("the .proto", "import.meta.resolve", () => says("ok", process.execPath, ["proto.js"]));
line("the command", "factory-run-wire encode | decode", commandRoundTrip);

for (const compiler of [join(runtimes, "typescript-5"), join(root, "node_modules/typescript")]) {
  for (const resolution of ["NodeNext", "Bundler"]) {
    line(`types, ${resolution}`, `TypeScript ${versionIn(compiler)}`, () => compiles(compiler, resolution));
  }
}
line("a page", existsSync(chromium) ? browserVersion() : "no Chromium", () => page());

const widths = [0, 1].map((i) => Math.max(...rows.map((row) => row[i].length)));
for (const [consumer, by, result] of rows)
  console.log(`${consumer.padEnd(widths[0])}  ${by.padEnd(widths[1])}  ${result}`);
console.log(`${rows.length - 1 - failures} passed, ${failures} failed`);
process.exitCode = failures === 0 ? 0 : 1;

/** Runs one check, which gives a word for the table or throws. */
function line(consumer, by, check) {
  try {
    rows.push([consumer, by, check() ?? "ok"]);
  } catch (error) {
    failures++;
    rows.push([consumer, by, "FAILED"]);
    console.error(`${consumer}, ${by}:\n${error.message}\n`);
  }
}

/** An empty project with the packed file in it, and what that depends on. */
function install(name, manifest) {
  const folder = join(work, name);
  mkdirSync(folder);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name, private: true, ...manifest }));
  run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", tarball], folder);
  return folder;
}

function unwanted(files) {
  const allowed = /^(?:dist|gen|proto)\/|^(?:package\.json|README\.md|LICENSE|CHANGELOG\.md)$/;
  const wrong = files.filter((file) => !allowed.test(file) || /\.test\.|\.tsbuildinfo$|\.map$/.test(file));
  if (wrong.length > 0) throw new Error(`should not be packed: ${wrong.join(", ")}`);
  for (const needed of ["README.md", "LICENSE", "proto/factory_run/v1/factory_run.proto", "dist/index.d.ts"]) {
    if (!files.includes(needed)) throw new Error(`should be packed: ${needed}`);
  }
  return `ok, ${(packed.size / 1000).toFixed(0)} kB`;
}

function tool(name, file, args) {
  run(process.execPath, [join(root, "node_modules", name, file), ...args], work);
}

function says(expected, executable, args) {
  const { stdout } = run(executable, args, consumer);
  if (stdout.trim() !== expected) throw new Error(`said ${stdout}`);
}

function commandRoundTrip() {
  const command = join(consumer, "node_modules/.bin/factory-run-wire");
  const text = '{"run_id":"r1","status":"completed","result":1.0}';
  const input = join(consumer, "run.json");
  const binary = join(consumer, "run.bin");
  writeFileSync(input, text);
  run(command, ["encode", input, "-o", binary], consumer);
  const { stdout } = run(command, ["decode", binary], consumer);
  if (stdout.trimEnd() !== text) throw new Error(`gave back ${stdout}`);
}

function compiles(compiler, moduleResolution) {
  const config = {
    compilerOptions: {
      target: "ES2022",
      lib: ["ES2022", "DOM"],
      module: moduleResolution === "Bundler" ? "ESNext" : "NodeNext",
      moduleResolution,
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      verbatimModuleSyntax: true,
      isolatedModules: true,
      skipLibCheck: false,
      noEmit: true,
    },
    files: ["types.ts"],
  };
  const file = join(consumer, `tsconfig.${moduleResolution}.json`);
  writeFileSync(file, JSON.stringify(config));
  run(process.execPath, [join(compiler, "bin/tsc"), "-p", file], consumer);
}

/** Bundled, in a real browser, without Buffer and process. */
function page() {
  if (!existsSync(chromium)) throw new Error(`${chromium} is not there: install Debian's chromium, or set CHROMIUM`);
  const { outputFiles } = buildSync({
    entryPoints: [join(consumer, "page.js")],
    bundle: true,
    minify: true,
    write: false,
  });
  const html = join(consumer, "page.html");
  writeFileSync(html, `<!doctype html><meta charset="utf-8"><body><script>${outputFiles[0].text}</script>`);
  const quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-quic"];
  const profile = `--user-data-dir=${join(work, "profile")}`;
  const args = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", ...quiet, profile, "--dump-dom"];
  const { stdout } = run(chromium, [...args, `file://${html}`]);
  if (!stdout.includes("outcome: ok.")) throw new Error(/outcome: [^<]*/.exec(stdout)?.[0] ?? stdout);
}

function browserVersion() {
  return `Chromium ${/[\d.]+/.exec(run(chromium, ["--version"]).stdout)[0]}, bundled by esbuild ${versionOf("esbuild")}`;
}

function versionOf(name) {
  return versionIn(join(root, "node_modules", name));
}

function versionIn(folder) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version;
}

function run(command, args, cwd = root) {
  const result = spawnSync(command, args, {
    cwd,
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1" },
    timeout: 180_000,
  });
  if (result.error !== undefined) throw result.error;
  if (result.status !== 0) throw new Error(`${command} ${args.join(" ")}\n${result.stdout}${result.stderr}`);
  return result;
}
