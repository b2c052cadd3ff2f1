// What the matrix prints: one line for each peer and check.

const SHOWN = 3;

export class Report {
  faults = 0;
  checked = 0;
  #last = Date.now();

  /**
   * @param {string} peer
   * @param {string} check
   * @param {number} count of what was checked
   * @param {string[]} faults
   * @param {string} [note]
   */
  line(peer, check, count, faults, note = "") {
    const seconds = ((Date.now() - this.#last) / 1000).toFixed(1);
    this.#last = Date.now();
    // A check that looked at nothing has shown nothing.
    const failed = faults.length > 0 || count === 0;
    const outcome = failed ? `${faults.length} FAULTS` : "ok";
    console.log(
      `${outcome.padEnd(9)} ${peer.padEnd(12)} ${check.padEnd(58)} ${String(count).padStart(6)}  ${seconds} s${note && `  ${note}`}`,
    );
    for (const fault of faults.slice(0, SHOWN)) console.log(`          ${fault}`);
    this.checked += count;
    this.faults += failed ? Math.max(faults.length, 1) : 0;
  }
}

/** Bytes or a text for a report, short enough to read and long enough to try again. @param {Uint8Array | string} input */
export function shown(input) {
  const all = typeof input === "string" ? JSON.stringify(input) : `hex ${Buffer.from(input).toString("hex")}`;
  return all.length > 1200 ? `${all.slice(0, 1200)}… (${all.length})` : all;
}
