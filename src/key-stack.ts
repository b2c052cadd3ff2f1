import { decodeUtf8 } from "./utf8.js";

/** Up to this many keys of an object are compared with one another; beyond, a Set finds the one that is there twice. */
const COMPARED_KEYS = 24;

/**
 * The keys of all open objects, for finding one that an object has twice.
 *
 * Keys are ranges of the input; a few bytes of each serve as its signature, so
 * that hardly any two are compared whole. No hash of our own for large objects:
 * its collisions could be written on purpose.
 */
export class KeyStack {
  /** How many keys there are. An object's keys are those from the count at its start. */
  count = 0;
  /** A few bytes of the key that was added last. */
  sign = 0;
  /** Whether an object had a key twice. */
  repeated = false;

  /** Of each key its signature, where it starts and its size. */
  private entries = new Int32Array(768);
  /** The keys that do not stand in the input as they are, by the places of their entries. */
  private readonly texts = new Map<number, string>();

  /**
   * Adds the key from `start` up to `end` of `buffer` to the object whose first
   * key is number `base`; `src` is the input, which `buffer` is unless the key
   * had to be unescaped. Gives the set of the object's keys when it has many.
   */
  add(
    base: number,
    keys: Set<string> | undefined,
    src: Uint8Array,
    buffer: Uint8Array,
    start: number,
    end: number,
  ): Set<string> | undefined {
    const size = end - start;
    const sign =
      size === 0 ? 0 : (size << 24) ^ (buffer[start] << 16) ^ (buffer[(start + end) >> 1] << 8) ^ buffer[end - 1];
    this.sign = sign;
    if (keys !== undefined) {
      const before = keys.size;
      keys.add(decodeUtf8(buffer, start, end));
      if (keys.size === before) this.repeated = true;
      return keys;
    }
    const { count } = this;
    let { entries } = this;
    const top = count * 3;
    for (let i = base * 3; i < top; i += 3) {
      if (entries[i] === sign && this.is(i, src, buffer, start, end)) {
        this.repeated = true;
        return undefined;
      }
    }
    if (top === entries.length) entries = this.grow();
    entries[top] = sign;
    entries[top + 1] = start;
    entries[top + 2] = size;
    if (buffer !== src) {
      entries[top + 2] = -1;
      this.texts.set(top, decodeUtf8(buffer, start, end));
    }
    this.count = count + 1;
    if (count - base < COMPARED_KEYS) return undefined;
    const all = new Set<string>();
    for (let i = base * 3; i <= top; i += 3) all.add(this.text(i, src));
    return all;
  }

  private is(i: number, src: Uint8Array, buffer: Uint8Array, start: number, end: number): boolean {
    const size = this.entries[i + 2];
    if (size < 0) return this.text(i, src) === decodeUtf8(buffer, start, end);
    if (size !== end - start) return false;
    const from = this.entries[i + 1];
    for (let k = 0; k < size; k++) if (src[from + k] !== buffer[start + k]) return false;
    return true;
  }

  private text(i: number, src: Uint8Array): string {
    const start = this.entries[i + 1];
    const size = this.entries[i + 2];
    return size < 0 ? this.texts.get(i)! : decodeUtf8(src, start, start + size);
  }

  private grow(): Int32Array<ArrayBuffer> {
    const larger = new Int32Array(this.entries.length * 2);
    larger.set(this.entries);
    this.entries = larger;
    return larger;
  }

  reset(): void {
    this.count = 0;
    this.repeated = false;
    if (this.texts.size > 0) this.texts.clear();
  }
}
