// Runs the built command as a user does: arguments and standard input in, output, errors and exit code out.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach } from "vitest";

/** The file that the package's bin leads to; `npm test` has built it. */
export const MAIN = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

export interface Outcome {
  /** The exit code; null when a signal ended the command. */
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: Buffer;
  stderr: string;
}

export interface RunOptions {
  /** Standard input: whole, or in parts that are written one after the other. */
  stdin?: string | Uint8Array | readonly (string | Uint8Array)[];
  cwd?: string;
  env?: Record<string, string>;
}

/** Starts the command; the caller has its streams in hand. */
export function start(args: readonly string[], { cwd, env }: RunOptions = {}): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [MAIN, ...args], { cwd, env: { ...process.env, ...env } });
}

/** Runs the command to its end. */
export function run(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const child = start(args, options);
  const { stdin = "" } = options;
  // A command that has refused its input does not read the rest.
  child.stdin.on("error", () => {});
  for (const part of Array.isArray(stdin) ? stdin : [stdin]) child.stdin.write(part);
  child.stdin.end();
  return outcomeOf(child);
}

/** Runs a line of shell in which $FRW is the command. */
export function shell(line: string, options: RunOptions = {}): Promise<Outcome> {
  const env = { ...process.env, ...options.env, FRW: `${process.execPath} ${MAIN}` };
  const child = spawn("bash", ["-c", `set -o pipefail; ${line}`], { cwd: options.cwd, env });
  child.stdin.end();
  return outcomeOf(child);
}

/** Runs a line of shell on a terminal of its own; what it shows is the output. */
export async function onTerminal(line: string, options: RunOptions = {}): Promise<Outcome> {
  const env = { TERM: "xterm", NO_COLOR: "", ...options.env };
  const quoted = `'${line.replaceAll("'", "'\\''")}'`;
  const outcome = await shell(`script -qec ${quoted} /dev/null`, { ...options, env });
  return { ...outcome, stdout: Buffer.from(outcome.stdout.toString().replaceAll("\r\n", "\n")) };
}

export function outcomeOf(child: ChildProcessWithoutNullStreams): Promise<Outcome> {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on("data", (part) => stdout.push(part));
  child.stderr.on("data", (part) => stderr.push(part));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) =>
      resolve({ code, signal, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() }),
    );
  });
}

const folders: string[] = [];

/** A folder for one test. */
export function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "factory-run-wire-cli-"));
  folders.push(made);
  return made;
}

afterEach(() => {
  for (const made of folders.splice(0)) rmSync(made, { recursive: true, force: true });
});
