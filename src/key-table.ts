import { type PackedBytes, packed } from "./packed-bytes.js";
import { encodeUtf8 } from "./utf8.js";

interface Entry<T> {
  readonly bytes: Uint8Array;
  /** The key in quotes, and the colon. */
  readonly member: PackedBytes;
  readonly value: T;
  /** What was asked for after it the last time. */
  follower: Entry<T> | undefined;
}

/**
 * A table from keys to values that is asked with bytes, so that a key need not
 * become a string first. It is filled from a schema, never from input, so a
 * simple hash serves.
 */
export class KeyTable<T> {
  private readonly buckets: Entry<T>[][] = Array.from({ length: 64 }, () => []);
  private first: Entry<T> | undefined;
  private current: Entry<T> | undefined;
  /** How many bytes {@link expected} found the key to take, with its quotes and the colon. */
  size = 0;

  set(key: string, value: T): void {
    const bytes = encodeUtf8(key);
    const member = packed(`${JSON.stringify(key)}:`);
    this.buckets[hash(bytes, 0, bytes.length)].push({ bytes, member, value, follower: undefined });
  }

  get(key: string): T | undefined {
    const bytes = encodeUtf8(key);
    return this.entry(bytes, 0, bytes.length)?.value;
  }

  /** Gives the value of the key that stands in `src` from `start` up to `end`. */
  find(src: Uint8Array, start: number, end: number): T | undefined {
    const entry = this.entry(src, start, end);
    if (entry === undefined) return undefined;
    if (this.current === undefined) this.first = entry;
    else this.current.follower = entry;
    this.current = entry;
    return entry.value;
  }

  /** Begins an object: its first key is expected to be the one that was first the last time. */
  begin(): void {
    this.current = undefined;
  }

  /**
   * Gives the value of the key whose quote is at `at`, if it is the one that
   * stood in this place the last time, spelt the same, with its colon right
   * behind it. Mostly it is, and one comparison then does for all. From `last`
   * on, no words can be read.
   */
  expected(src: DataView, at: number, last: number): T | undefined {
    const entry = this.current === undefined ? this.first : this.current.follower;
    if (entry === undefined) return undefined;
    const { words, size, mask } = entry.member;
    if (at + size > last) return undefined;
    const end = words.length - 1;
    let p = at;
    for (let i = 0; i < end; i++, p += 4) if (src.getInt32(p, true) !== words[i]) return undefined;
    if (((src.getInt32(p, true) ^ words[end]) & mask) !== 0) return undefined;
    this.current = entry;
    this.size = size;
    return entry.value;
  }

  private entry(src: Uint8Array, start: number, end: number): Entry<T> | undefined {
    const bucket = this.buckets[hash(src, start, end)];
    next: for (let i = 0; i < bucket.length; i++) {
      const { bytes } = bucket[i];
      if (bytes.length !== end - start) continue;
      for (let k = 0; k < bytes.length; k++) if (bytes[k] !== src[start + k]) continue next;
      return bucket[i];
    }
    return undefined;
  }
}

function hash(src: Uint8Array, start: number, end: number): number {
  return end === start ? 0 : ((end - start) * 7 + src[start] * 3 + src[end - 1] * 5) & 63;
}
