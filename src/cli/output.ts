import { fstatSync } from "node:fs";
import { stat } from "node:fs/promises";
import { ClosedPipe, fileError, isSystemError, UsageError } from "./errors.js";
import type { FileIdentity, Input } from "./input.js";
import { DirectFile, ReplacedFile } from "./output-file.js";

/** Where the command's data goes. */
export interface Output {
  /** Writes bytes; they may be used again when it is done. Waits for a slow reader. */
  write(bytes: Uint8Array): Promise<void>;
  /** Says that the output is whole. */
  finish(): Promise<void>;
  /** Gives the output up: nothing of it stays, as far as that can be. */
  discard(): Promise<void>;
}

const STDOUT = 1;

/**
 * Opens the output for what is made from an input.
 *
 * @throws UsageError when they are the same file.
 */
export async function openOutput(path: string | undefined, input: Input): Promise<Output> {
  if (path === undefined) {
    refuseSame(identityOfStdout(), input, "standard output");
    return new StandardOutput();
  }
  try {
    const facts = await existing(path);
    refuseSame(facts?.isFile() ? facts : undefined, input, path);
    // A device, a pipe or a socket takes bytes; put in its place, a file would destroy it.
    if (facts !== undefined && !facts.isFile()) return await DirectFile.open(path);
    return await ReplacedFile.open(path, facts?.mode);
  } catch (error) {
    throw fileError(`cannot write ${path}`, error);
  }
}

async function existing(path: string) {
  try {
    return await stat(path, { bigint: true });
  } catch (error) {
    if (isSystemError(error) && error.code === "ENOENT") return undefined;
    throw error;
  }
}

function identityOfStdout(): FileIdentity | undefined {
  try {
    const facts = fstatSync(STDOUT, { bigint: true });
    return facts.isFile() ? facts : undefined;
  } catch {
    // Not open; writing will say so.
    return undefined;
  }
}

function refuseSame(output: FileIdentity | undefined, input: Input, name: string): void {
  const { identity } = input;
  if (output === undefined || identity === undefined) return;
  if (output.dev === identity.dev && output.ino === identity.ino) {
    throw new UsageError(`the output ${name} is the input ${input.name}: write to another file`);
  }
}

/** Standard output, whatever it is. */
export class StandardOutput implements Output {
  #failed: unknown;

  constructor() {
    // An error comes as an event too, and would end the process if nobody listened.
    process.stdout.on("error", (error) => {
      this.#failed ??= error;
    });
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#failed !== undefined) throw outputError(this.#failed);
    await new Promise<void>((resolve, reject) => {
      process.stdout.write(bytes, (error) => (error ? reject(outputError(error)) : resolve()));
    });
  }

  async finish(): Promise<void> {}

  async discard(): Promise<void> {}
}

function outputError(error: unknown): unknown {
  if (isSystemError(error) && error.code === "EPIPE") return new ClosedPipe();
  return fileError("cannot write standard output", error);
}
