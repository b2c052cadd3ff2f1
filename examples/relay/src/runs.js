// The runs that the relay holds: the newest envelope of each, as bytes.

import { fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  checkBinary,
  FactoryRunStatus,
  fromSerdeJson,
  SessionFactoryRunFromToolResultSchema as schema,
  serdeJsonToBinary,
  WireError,
} from "factory-run-wire";

/** After these the runtime says nothing more about a run. */
const FINAL = new Set([FactoryRunStatus.COMPLETED, FactoryRunStatus.CANCELLED, FactoryRunStatus.ERROR]);

/**
 * The newest envelope of one run.
 *
 * @typedef {object} Run
 * @property {string} runId
 * @property {bigint} revision greater than that of any envelope before it
 * @property {Uint8Array} binary the envelope, as factory_run.v1.SessionFactoryRunFromToolResult
 * @property {boolean} final whether the run has come to its end
 */

/** What a reader gets that was watching a run which the relay has let go of. */
export class RunGone extends Error {
  /** @param {string} runId */
  constructor(runId) {
    super(`the relay no longer holds run ${runId}`);
    this.name = "RunGone";
  }
}

/** What a sender gets whose envelope is of another run than it said. */
export class WrongRun extends Error {
  /**
   * @param {string} expected
   * @param {string} runId
   */
  constructor(expected, runId) {
    super(`the envelope is of run ${runId}, not ${expected}`);
    this.name = "WrongRun";
  }
}

export class Runs {
  /** @type {Map<string, Run>} in the order in which they were last published */
  #runs = new Map();
  /** @type {Map<string, Set<() => void>>} by run: whom to wake when it changes */
  #waiting = new Map();
  #revision = 0n;
  #heldBytes = 0;
  #watchers = 0;
  #maxBytes;
  #maxHeldBytes;

  /**
   * @param {object} [options]
   * @param {number} [options.maxBytes] the largest envelope taken, as JSON and as binary. The default leaves room
   *   for the response around it within the 4 MiB that gRPC libraries take unasked.
   * @param {number} [options.maxHeldBytes] how many bytes of envelopes are held; beyond it the runs go that were
   *   published longest ago.
   */
  constructor({ maxBytes = 4 * 1024 * 1024 - 1024, maxHeldBytes = 256 * 1024 * 1024 } = {}) {
    this.#maxBytes = maxBytes;
    this.#maxHeldBytes = maxHeldBytes;
  }

  get status() {
    return { runs: this.#runs.size, heldBytes: this.#heldBytes, watchers: this.#watchers };
  }

  get maxBytes() {
    return this.#maxBytes;
  }

  /**
   * Takes an envelope as the SDK hands it over.
   *
   * @param {import("factory-run-wire").JsonObject} envelope
   * @throws {WireError} when it is no envelope, or too large
   */
  publish(envelope) {
    const message = fromSerdeJson(schema, envelope, { maxBytes: this.#maxBytes });
    return this.#put(toBinary(schema, message), message);
  }

  /**
   * Takes an envelope as JSON text.
   *
   * @param {Uint8Array | string} json
   * @param {string} [expected] the run that it must be of
   * @throws {WireError} when it is no envelope, or too large
   * @throws {WrongRun}
   */
  publishJson(json, expected) {
    const binary = serdeJsonToBinary(schema, json, { maxBytes: this.#maxBytes });
    return this.#put(binary, fromBinary(schema, binary), expected);
  }

  /**
   * Takes an envelope in Protobuf's encoding. It comes from outside, so it is checked before anyone reads it.
   *
   * @param {Uint8Array} binary kept as it is: the caller must not change it any more
   * @param {string} [expected] the run that it must be of
   * @throws {WireError} when it is no envelope, or too large
   * @throws {WrongRun}
   */
  publishBinary(binary, expected) {
    checkBinary(schema, binary, { maxBytes: this.#maxBytes });
    return this.#put(binary, fromBinary(schema, binary), expected);
  }

  /** @param {string} runId */
  get(runId) {
    return this.#runs.get(runId);
  }

  /**
   * The newest envelope of a run, then each newer one, until the run is final. Nothing is queued: a reader that comes
   * back late gets the envelope that is then the newest, so a watcher costs the same however slow it is.
   *
   * @param {string} runId
   * @param {AbortSignal} signal ends it
   * @returns {AsyncGenerator<Run, void, undefined>}
   * @throws {RunGone} when the relay lets go of the run meanwhile
   */
  async *watch(runId, signal) {
    let seen = 0n;
    this.#watchers++;
    // A peer that goes away while a write to it is pending leaves the generator suspended for good: no finally runs.
    const counted = once(() => this.#watchers--);
    signal.addEventListener("abort", counted, { once: true });
    try {
      while (!signal.aborted) {
        const run = this.#runs.get(runId);
        if (run === undefined && seen > 0n) throw new RunGone(runId);
        if (run === undefined || run.revision <= seen) {
          await this.#changed(runId, signal);
          continue;
        }
        seen = run.revision;
        yield run;
        if (run.final) return;
      }
    } finally {
      signal.removeEventListener("abort", counted);
      counted();
    }
  }

  /**
   * @param {Uint8Array} binary
   * @param {import("factory-run-wire").SessionFactoryRunFromToolResult} message the same envelope
   * @param {string} [expected]
   */
  #put(binary, { runId, status }, expected = runId) {
    if (runId !== expected) throw new WrongRun(expected, runId);
    if (binary.length > this.#maxBytes) {
      throw new WireError("too_large", `an envelope of ${binary.length} bytes; at most ${this.#maxBytes} are relayed`);
    }
    const run = { runId, revision: ++this.#revision, binary, final: FINAL.has(status) };
    this.#drop(runId);
    this.#runs.set(runId, run);
    this.#heldBytes += binary.length;
    for (const oldest of this.#runs.keys()) {
      if (this.#heldBytes <= this.#maxHeldBytes || oldest === runId) break;
      this.#drop(oldest);
      this.#wake(oldest);
    }
    this.#wake(runId);
    return run;
  }

  /** @param {string} runId */
  #drop(runId) {
    this.#heldBytes -= this.#runs.get(runId)?.binary.length ?? 0;
    this.#runs.delete(runId);
  }

  /** @param {string} runId */
  #wake(runId) {
    const waiting = this.#waiting.get(runId);
    this.#waiting.delete(runId);
    for (const wake of waiting ?? []) wake();
  }

  /**
   * @param {string} runId
   * @param {AbortSignal} signal
   * @returns {Promise<void>}
   */
  #changed(runId, signal) {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(runId) ?? new Set();
      this.#waiting.set(runId, waiting);
      const wake = () => {
        signal.removeEventListener("abort", wake);
        waiting.delete(wake);
        if (waiting.size === 0 && this.#waiting.get(runId) === waiting) this.#waiting.delete(runId);
        resolve();
      };
      waiting.add(wake);
      signal.addEventListener("abort", wake, { once: true });
    });
  }
}

/** @param {() => void} action */
function once(action) {
  let done = false;
  return () => {
    if (!done) action();
    done = true;
  };
}
