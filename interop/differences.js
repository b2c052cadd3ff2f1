// The differences between the package and its peers that are meant to be: each has a reason, each must occur.
import { readFileSync } from "node:fs";

/** @typedef {{ id: string, peers: string[], reason: string }} Difference */

const listed = JSON.parse(readFileSync(new URL("differences.json", import.meta.url), "utf8"));

export class Differences {
  /** @type {Map<string, number>} how often each was seen, by peer and id */
  #seen = new Map();

  /** Whether a difference is listed; counts it. @param {string} peer @param {string} id */
  allows(peer, id) {
    const difference = listed.find((entry) => entry.id === id && entry.peers.includes(peer));
    if (difference === undefined) return false;
    const key = `${peer} ${id}`;
    this.#seen.set(key, (this.#seen.get(key) ?? 0) + 1);
    return true;
  }

  /** Each listed difference of the peers that took part. @param {Set<string>} peers */
  summary(peers) {
    return listed.flatMap(({ id, peers: concerned, reason }) =>
      concerned
        .filter((peer) => peers.has(peer))
        .map((peer) => ({ peer, id, reason, count: this.#seen.get(`${peer} ${id}`) ?? 0 })),
    );
  }
}
