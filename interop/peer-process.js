// A peer, asked over its stdin and stdout: a length of four bytes (little endian), then so many bytes.
import { spawn } from "node:child_process";

/** How many requests wait in the pipe at once: enough to keep both sides busy, few enough to stay small. */
const IN_FLIGHT = 256;

/** @typedef {{ ok: true, body: Buffer } | { ok: false, reason: string }} Answer */

export class PeerProcess {
  #child;
  /** @type {{ resolve: (answer: Answer) => void, reject: (error: Error) => void }[]} */
  #waiting = [];
  #head = 0;
  /** @type {Buffer[]} */
  #chunks = [];
  #buffered = 0;
  #errors = "";
  #closing = false;

  /** @param {string} name @param {string[]} command */
  constructor(name, command) {
    this.name = name;
    this.#child = spawn(command[0], command.slice(1), { stdio: ["pipe", "pipe", "pipe"] });
    this.#child.stdout.on("data", (chunk) => this.#receive(chunk));
    this.#child.stderr.on("data", (chunk) => {
      this.#errors = (this.#errors + chunk).slice(-4000);
    });
    this.#child.stdin.on("error", () => {});
    this.#child.on("error", (error) => this.#fail(error));
    this.#child.on("close", (code) => {
      if (!this.#closing) this.#fail(new Error(`${name} ended with ${code}\n${this.#errors}`));
    });
  }

  /** @param {string} operation one letter @param {Uint8Array | string} body @returns {Promise<Answer>} */
  ask(operation, body) {
    const bytes = typeof body === "string" ? Buffer.from(body) : body;
    const head = Buffer.alloc(5);
    head.writeUInt32LE(bytes.length + 1);
    head.write(operation, 4, "latin1");
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#child.stdin.write(Buffer.concat([head, bytes]));
    });
  }

  /** As many requests, the answers in their order. @param {string} operation @param {(Uint8Array | string)[]} bodies */
  async askAll(operation, bodies) {
    /** @type {Answer[]} */
    const answers = [];
    for (let from = 0; from < bodies.length; from += IN_FLIGHT) {
      const batch = bodies.slice(from, from + IN_FLIGHT).map((body) => this.ask(operation, body));
      for (const answer of await Promise.all(batch)) answers.push(answer);
    }
    return answers;
  }

  close() {
    this.#closing = true;
    this.#child.stdin.end();
  }

  #receive(chunk) {
    this.#chunks.push(chunk);
    this.#buffered += chunk.length;
    while (this.#buffered >= 4) {
      const first = this.#chunks[0].length >= 4 ? this.#chunks[0] : this.#joined();
      const length = first.readUInt32LE();
      if (this.#buffered < 4 + length) return;
      const all = this.#joined();
      this.#take(all.subarray(4, 4 + length));
      this.#chunks = [all.subarray(4 + length)];
      this.#buffered -= 4 + length;
    }
  }

  #joined() {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0];
  }

  #take(frame) {
    const { resolve } = this.#waiting[this.#head++];
    if (this.#head === this.#waiting.length) {
      this.#waiting = [];
      this.#head = 0;
    }
    const body = frame.subarray(1);
    resolve(frame[0] === 0x6f ? { ok: true, body } : { ok: false, reason: body.toString() });
  }

  #fail(error) {
    for (const { reject } of this.#waiting.slice(this.#head)) reject(error);
    this.#waiting = [];
    this.#head = 0;
  }
}
