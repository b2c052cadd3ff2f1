#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { check } from "./check.js";
import { convert } from "./encode-decode.js";
import { ClosedPipe, FileError, UsageError } from "./errors.js";
import { inspect } from "./inspect.js";
import { COMMANDS, type Command, parseRequest, type Request } from "./options.js";
import { StandardOutput } from "./output.js";
import { harmless } from "./terminal.js";
import { commandUsage, usage } from "./usage.js";

const DONE = 0;
const WRONG_USAGE = 2;

const RUN: Record<Command, (request: Request) => Promise<number>> = {
  encode: convert,
  decode: convert,
  check,
  inspect,
};

/** Does what the arguments say; the result is the exit code. */
async function main(args: string[]): Promise<number> {
  const [first, ...rest] = args;
  if (first === "--version") return print(`${version()}\n`);
  if (first === "--help" || first === "-h" || first === "help") return print(helpFor(rest[0]));
  if (first === undefined) {
    process.stderr.write(usage());
    return WRONG_USAGE;
  }
  if (!isCommand(first)) {
    return refuse(
      `there is no command ${JSON.stringify(first)}; there are ${COMMANDS.join(", ")}`,
      "factory-run-wire --help",
    );
  }
  try {
    const request = parseRequest(first, rest);
    return request === undefined ? await print(commandUsage(first)) : await RUN[first](request);
  } catch (error) {
    return failed(first, error);
  }
}

function failed(command: Command, error: unknown): number {
  if (error instanceof ClosedPipe) return DONE;
  if (error instanceof UsageError) return refuse(error.message, `factory-run-wire ${command} --help`);
  if (error instanceof FileError) return refuse(error.message);
  throw error;
}

/** Says what is wrong with the call, and where help is. */
function refuse(message: string, help?: string): number {
  const more = help === undefined ? "" : `\nTry: ${help}`;
  process.stderr.write(`factory-run-wire: ${harmless(message)}${more}\n`);
  return WRONG_USAGE;
}

async function print(text: string): Promise<number> {
  try {
    await new StandardOutput().write(new TextEncoder().encode(text));
    return DONE;
  } catch (error) {
    if (error instanceof ClosedPipe) return DONE;
    throw error;
  }
}

function helpFor(command: string | undefined): string {
  return isCommand(command) ? commandUsage(command) : usage();
}

function isCommand(word: string | undefined): word is Command {
  return COMMANDS.some((command) => command === word);
}

function version(): string {
  const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}

// Nobody reads what cannot be said; the exit code still tells.
process.stderr.on("error", () => {});

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const trace = error instanceof Error ? error.stack : String(error);
  process.stderr.write(`factory-run-wire: a fault of the program itself\n${trace}\n`);
  process.exitCode = WRONG_USAGE;
}
