import { fstat, read } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { promisify } from "node:util";
import { FileError, fileError } from "./errors.js";

const statOf = promisify(fstat);
const readInto = promisify(read);
const STDIN = 0;

/** Large enough that a read costs next to nothing beside the work on it. */
const CHUNK_BYTES = 1024 * 1024;

/** Which file something is, whatever names lead to it. */
export interface FileIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
}

/** The bytes that the command reads: a file, or standard input. */
export class Input {
  /** How messages call it. */
  readonly name: string;
  /** Its bytes as far as they are known beforehand, for files. */
  readonly size: number | undefined;
  /** For regular files only. */
  readonly identity: FileIdentity | undefined;
  /** Bytes handed out so far. */
  bytesRead = 0;
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #close: () => Promise<void>;
  #first: Promise<IteratorResult<Uint8Array>> | undefined;

  private constructor(
    name: string,
    chunks: AsyncIterable<Uint8Array>,
    close: () => Promise<void>,
    facts: { size: number; identity: FileIdentity } | undefined,
  ) {
    this.name = name;
    this.size = facts?.size;
    this.identity = facts?.identity;
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.#close = close;
  }

  /** Opens a file; standard input when there is no path. */
  static async open(path: string | undefined): Promise<Input> {
    if (path === undefined) return Input.#openStdin();
    let handle: FileHandle | undefined;
    try {
      handle = await open(path, "r");
      const facts = await factsOf(handle.fd, path);
      const file = handle;
      return new Input(path, chunksOf(file.fd), () => file.close(), facts);
    } catch (error) {
      await handle?.close();
      throw fileError(`cannot read ${path}`, error);
    }
  }

  static async #openStdin(): Promise<Input> {
    const name = "<stdin>";
    let facts: Awaited<ReturnType<typeof factsOf>>;
    try {
      facts = await factsOf(STDIN, name);
    } catch (error) {
      throw fileError("cannot read standard input", error);
    }
    // Large reads for a file; whatever else it is, Node's own stream knows how to wait for it.
    if (facts !== undefined) return new Input(name, chunksOf(STDIN), async () => {}, facts);
    const close = async () => {
      process.stdin.destroy();
    };
    return new Input(name, process.stdin, close, undefined);
  }

  /** The first bytes, without taking them; undefined when there are none. */
  async firstChunk(): Promise<Uint8Array | undefined> {
    this.#first ??= this.#next();
    const { done, value } = await this.#first;
    return done ? undefined : value;
  }

  /** The bytes, in chunks that are valid until the next one is asked for. */
  async *chunks(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const { done, value } = await (this.#first ?? this.#next());
      this.#first = undefined;
      if (done) return;
      this.bytesRead += value.length;
      yield value;
    }
  }

  async close(): Promise<void> {
    await this.#chunks.return?.();
    await this.#close();
  }

  async #next(): Promise<IteratorResult<Uint8Array>> {
    try {
      return await this.#chunks.next();
    } catch (error) {
      throw fileError(`cannot read ${this.name}`, error);
    }
  }
}

/** Size and identity, for a regular file. */
async function factsOf(fd: number, name: string) {
  const stat = await statOf(fd, { bigint: true });
  if (stat.isDirectory()) throw new FileError(`cannot read ${name}: it is a directory`);
  return stat.isFile() ? { size: Number(stat.size), identity: { dev: stat.dev, ino: stat.ino } } : undefined;
}

/** Reads a file by its descriptor, from where it stands, with the next read under way during the work on the last. */
async function* chunksOf(fd: number): AsyncGenerator<Uint8Array> {
  // Not Buffers: cutting pieces out of those costs more.
  let filling = new Uint8Array(CHUNK_BYTES);
  let working = new Uint8Array(CHUNK_BYTES);
  let pending = readInto(fd, filling, 0, CHUNK_BYTES, null);
  try {
    for (;;) {
      const { bytesRead } = await pending;
      if (bytesRead === 0) return;
      [filling, working] = [working, filling];
      pending = readInto(fd, filling, 0, CHUNK_BYTES, null);
      yield working.subarray(0, bytesRead);
    }
  } finally {
    // The file is closed next, which must not happen under a read.
    await pending.catch(() => {});
  }
}
