// Measurements that need a process of their own.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Runs a script that prints one JSON value, and returns the value. */
export function measureInProcess(script, args) {
  const { status, stdout, stderr, signal } = spawnSync(process.execPath, [...process.execArgv, script, ...args], {
    encoding: "utf8",
    timeout: 120_000,
  });
  if (status !== 0) throw new Error(`${script} ${args.join(" ")} ended with ${status ?? signal}\n${stderr}`);
  return JSON.parse(stdout);
}

/**
 * Puts bytes into files for as long as `use` runs.
 * @template T
 * @param {Record<string, Uint8Array>} contents
 * @param {(paths: Record<string, string>) => T} use
 * @returns {T}
 */
export function withFiles(contents, use) {
  const folder = mkdtempSync(join(tmpdir(), "factory-run-wire-bench-"));
  try {
    const paths = {};
    for (const [name, bytes] of Object.entries(contents)) {
      paths[name] = join(folder, name);
      writeFileSync(paths[name], bytes);
    }
    return use(paths);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
