// Builds what the tests start - the package and the Rust client - and runs them.
// Arguments go to node --test: npm test -- --test-name-pattern=Rust

import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const tests = readdirSync(join(root, "test"))
  .filter((file) => file.endsWith(".test.js"))
  .map((file) => join("test", file));

const steps = [
  [process.execPath, ["scripts/build.js"], join(root, "..", "..")],
  ["cargo", ["build", "--quiet", "--locked"], join(root, "rust")],
  // Of each file: one that has nothing left to do and does not end is a fault too.
  [process.execPath, ["--test", "--test-timeout=120000", ...process.argv.slice(2), ...tests], root],
];
for (const [command, args, cwd] of steps) {
  const { status, error } = spawnSync(command, args, { cwd, stdio: "inherit" });
  if (error !== undefined) console.error(`${command}: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}
