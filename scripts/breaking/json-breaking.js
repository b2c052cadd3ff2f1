// Compares what two schemas promise on the JSON wire. buf knows the binary wire and ProtoJSON; that a member is
// required, that a word is an enum value's name, that a key has two spellings, it does not.
import { serdeContract } from "./serde-contract.js";

/** @typedef {{ file: string, line: number, column: number, message: string }} Finding file as the image names it */

/**
 * @param {Uint8Array} before the buf image of the schema as released
 * @param {Uint8Array} after the buf image of the schema as it is, with source info
 * @returns {Finding[]} in the order of files and lines; none when JSON written and read under either schema is
 *   understood under the other
 */
export function jsonFindings(before, after) {
  const comparison = new Comparison(serdeContract(before), serdeContract(after));
  comparison.ofBefore();
  comparison.ofToday();
  return comparison.findings();
}

const presenceChanges = {
  "Option required": "is now required, was an Option: older writers may leave it out, and today's readers then refuse",
  "required Option": "is now an Option, was required: today's writers may leave it out, and older readers then refuse",
};

class Comparison {
  #before;
  #after;
  #lines = new Map();
  #compared = new Set();
  #seen = new Set();

  /**
   * @param {Map<string, import("./serde-contract.js").MessageContract>} before
   * @param {Map<string, import("./serde-contract.js").MessageContract>} after
   */
  constructor(before, after) {
    this.#before = before;
    this.#after = after;
  }

  findings() {
    return [...this.#lines.values()].sort(
      (a, b) =>
        compareTexts(a.file, b.file) || a.line - b.line || a.column - b.column || compareTexts(a.message, b.message),
    );
  }

  /** Two members may hold the same enum; what happened to it is said once. */
  #say(place, message) {
    this.#lines.set(`${place.file} ${place.line} ${place.column} ${message}`, { ...place, message });
  }

  /**
   * Messages that nothing holds come first: what they hold is compared where it is held, so that a new name for it is
   * no finding. Then those that only hold each other.
   */
  ofBefore() {
    const messages = [...this.#before.values()];
    const held = new Set(messages.flatMap((message) => message.members.map((member) => member.message)));
    const byName = new Map([...this.#after.values()].map((message) => [message.name, message]));
    const roots = messages.filter((message) => !held.has(message.fullName));
    for (const old of [...roots, ...messages]) {
      if (this.#seen.has(old)) continue;
      const now = this.#after.get(old.fullName) ?? byName.get(old.name);
      if (now) this.#compareMessages(old, now);
      else if (!held.has(old.fullName)) this.#sayGone(old);
    }
  }

  #sayGone({ name, place: { file } }) {
    this.#say({ file, line: 1, column: 1 }, `message "${name}" is gone: nothing reads or writes its JSON`);
  }

  /** What is wrong with the schema as it is, whatever it was. */
  ofToday() {
    for (const { name, members } of this.#after.values()) {
      const owners = new Map();
      for (const member of members) {
        if (member.unsupported) {
          this.#say(
            member.places.type,
            `"${member.key}" of "${name}" is ${member.unsupported}, which the JSON mapping refuses: the schema cannot be used`,
          );
        }
        for (const key of new Set([member.key, member.camelKey])) {
          const owner = owners.get(key);
          if (owner)
            this.#say(member.places.whole, `"${key}" of "${name}" is a key of both "${owner.key}" and "${member.key}"`);
          owners.set(key, member);
        }
      }
    }
  }

  #compareMessages(old, now) {
    const pair = `${old.fullName} ${now.fullName}`;
    if (this.#compared.has(pair)) return;
    this.#compared.add(pair);
    this.#seen.add(old);
    if (old.keepsUnknown && !now.keepsUnknown) {
      this.#say(
        now.place,
        `"${now.name}" has no sidecar any more: unknown members, unknown words and number texts are lost`,
      );
    }
    const matched = new Set();
    for (const member of old.members) {
      const successor = successorOf(member, old, now);
      if (successor === undefined) {
        this.#say(
          now.place,
          `"${member.key}" of "${now.name}" is gone: readers no longer know it, and older readers miss it`,
        );
      } else {
        matched.add(successor);
        this.#compareMembers(member, successor, now);
      }
    }
    for (const member of now.members) {
      if (!matched.has(member) && member.presence !== "Option") {
        this.#say(
          member.places.whole,
          `"${member.key}" of "${now.name}" is new and required: older writers do not send it`,
        );
      }
    }
  }

  #compareMembers(old, now, owner) {
    const subject = `"${now.key}" of "${owner.name}"`;
    if (old.key !== now.key) {
      this.#say(now.places.whole, `${subject} was "${old.key}": each side misses the other's snake_case key`);
    }
    if (old.camelKey !== now.camelKey) {
      this.#say(now.places.camelKey, `${subject} is spelt "${now.camelKey}" in camelCase, was "${old.camelKey}"`);
    }
    if (old.type !== now.type) {
      this.#say(now.places.type, `${subject} is now: ${now.type}, was: ${old.type}`);
      return;
    }
    const presence = presenceChanges[`${old.presence} ${now.presence}`];
    if (presence) this.#say(now.places.whole, `${subject} ${presence}`);
    if (old.enum && now.enum) this.#compareEnums(old.enum, now.enum);
    const [oldMessage, nowMessage] = [this.#before.get(old.message), this.#after.get(now.message)];
    if (oldMessage && nowMessage) this.#compareMessages(oldMessage, nowMessage);
  }

  #compareEnums(old, now) {
    const wordNow = new Map([...now.words].map(([word, value]) => [value.number, { word, ...value }]));
    for (const [word, { number }] of old.words) {
      if (now.words.has(word)) continue;
      const renamed = wordNow.get(number);
      if (renamed)
        this.#say(
          renamed.place,
          `word "${renamed.word}" of "${now.name}" was "${word}": each side takes the other's for an unknown one`,
        );
      else this.#say(now.place, `word "${word}" of "${now.name}" is gone: today's readers take it for an unknown one`);
    }
  }
}

/**
 * The key decides which member continues an old one; only where it is gone does the number tell a new name from a
 * member that went. A member whose key was there before continues that one, whatever its number.
 */
function successorOf(member, old, now) {
  const byKey = now.members.find((candidate) => candidate.key === member.key);
  if (byKey) return byKey;
  const byNumber = now.members.find((candidate) => candidate.number === member.number);
  return byNumber && !old.members.some((other) => other.key === byNumber.key) ? byNumber : undefined;
}

/** By code units, so that the order is the same on every machine. */
function compareTexts(a, b) {
  return a < b ? -1 : a > b ? 1 : 0;
}
