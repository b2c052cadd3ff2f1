import { randomBytes } from "node:crypto";
import { closeSync, openSync, unlinkSync } from "node:fs";
import { type FileHandle, open, realpath, rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ClosedPipe, fileError, isSystemError } from "./errors.js";
import type { Output } from "./output.js";

/** The signals that end the command and that it can still clean up for. */
const ENDING_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** An output that is neither a file nor ours to replace: it is written as it is. */
export class DirectFile implements Output {
  readonly #path: string;
  readonly #handle: FileHandle;

  private constructor(path: string, handle: FileHandle) {
    this.#path = path;
    this.#handle = handle;
  }

  static async open(path: string): Promise<DirectFile> {
    return new DirectFile(path, await open(path, "w"));
  }

  async write(bytes: Uint8Array): Promise<void> {
    await writeWhole(this.#handle, bytes, this.#path);
  }

  async finish(): Promise<void> {
    await this.#handle.close();
  }

  async discard(): Promise<void> {
    await this.#handle.close();
  }
}

/**
 * A file that appears under its name only when it is whole.
 *
 * It is written beside its place, so that the last step is a rename within one
 * file system, and taken away again whatever ends the run before that.
 */
export class ReplacedFile implements Output {
  readonly #target: string;
  readonly #temporary: string;
  #handle!: FileHandle;
  readonly #onSignal = (signal: NodeJS.Signals) => {
    this.#forget();
    this.#remove();
    // Whoever started the command must see that the signal ended it.
    process.kill(process.pid, signal);
  };
  readonly #onExit = () => this.#remove();

  private constructor(target: string, temporary: string) {
    this.#target = target;
    this.#temporary = temporary;
    for (const signal of ENDING_SIGNALS) process.on(signal, this.#onSignal);
    process.on("exit", this.#onExit);
  }

  /** @param mode the mode of the file that is there already, which the new one is to have. */
  static async open(path: string, mode: bigint | undefined): Promise<ReplacedFile> {
    // A symbolic link stays one: the file that it leads to is replaced.
    const target = mode === undefined ? path : await realpath(path);
    const neighbour = `.${basename(target)}.${process.pid}-${randomBytes(4).toString("hex")}.tmp`;
    const temporary = join(dirname(target), neighbour);
    // It listens for signals before there is a file, which is made in one step with no wait in it: a signal finds both or none.
    const file = new ReplacedFile(target, temporary);
    try {
      closeSync(openSync(temporary, "wx"));
    } catch (error) {
      file.#forget();
      throw error;
    }
    try {
      file.#handle = await open(temporary, "r+");
      if (mode !== undefined) await file.#handle.chmod(Number(mode & 0o7777n));
      return file;
    } catch (error) {
      await file.discard();
      throw error;
    }
  }

  async write(bytes: Uint8Array): Promise<void> {
    await writeWhole(this.#handle, bytes, this.#target);
  }

  async finish(): Promise<void> {
    try {
      await this.#handle.close();
      await rename(this.#temporary, this.#target);
    } catch (error) {
      this.#remove();
      throw fileError(`cannot write ${this.#target}`, error);
    } finally {
      this.#forget();
    }
  }

  async discard(): Promise<void> {
    this.#forget();
    await this.#handle?.close().catch(() => {});
    this.#remove();
  }

  #forget(): void {
    for (const signal of ENDING_SIGNALS) process.off(signal, this.#onSignal);
    process.off("exit", this.#onExit);
  }

  #remove(): void {
    try {
      unlinkSync(this.#temporary);
    } catch {
      // Gone already, or out of reach; there is nothing left to do about it.
    }
  }
}

async function writeWhole(handle: FileHandle, bytes: Uint8Array, path: string): Promise<void> {
  try {
    for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at)).bytesWritten;
  } catch (error) {
    if (isSystemError(error) && error.code === "EPIPE") throw new ClosedPipe();
    throw fileError(`cannot write ${path}`, error);
  }
}
