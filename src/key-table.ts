import { encodeUtf8 } from "./utf8.js";

interface Entry<T> {
  readonly bytes: Uint8Array;
  readonly value: T;
}

/**
 * A table from keys to values that is asked with bytes, so that a key need not
 * become a string first. It is filled from a schema, never from input, so a
 * simple hash serves.
 */
export class KeyTable<T> {
  private readonly buckets: Entry<T>[][] = Array.from({ length: 64 }, () => []);

  set(key: string, value: T): void {
    const bytes = encodeUtf8(key);
    this.buckets[hash(bytes, 0, bytes.length)].push({ bytes, value });
  }

  get(key: string): T | undefined {
    const bytes = encodeUtf8(key);
    return this.find(bytes, 0, bytes.length);
  }

  /** Gives the value of the key that stands in `src` from `start` up to `end`. */
  find(src: Uint8Array, start: number, end: number): T | undefined {
    const bucket = this.buckets[hash(src, start, end)];
    next: for (let i = 0; i < bucket.length; i++) {
      const { bytes, value } = bucket[i];
      if (bytes.length !== end - start) continue;
      for (let k = 0; k < bytes.length; k++) if (bytes[k] !== src[start + k]) continue next;
      return value;
    }
    return undefined;
  }
}

function hash(src: Uint8Array, start: number, end: number): number {
  return end === start ? 0 : ((end - start) * 7 + src[start] * 3 + src[end - 1] * 5) & 63;
}
