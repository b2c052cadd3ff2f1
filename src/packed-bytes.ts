import { encodeUtf8 } from "./utf8.js";

/**
 * The UTF-8 of a short text from a schema, as little-endian words, so that it
 * can be compared and copied four bytes at a time.
 */
export interface PackedBytes {
  /** The bytes, with zeros behind. */
  readonly words: Int32Array;
  /** How many bytes they are. */
  readonly size: number;
  /** The bits of the last word that count. */
  readonly mask: number;
}

export function packed(text: string): PackedBytes {
  const bytes = encodeUtf8(text);
  const size = bytes.length;
  const words = new Int32Array((size + 3) >> 2);
  for (let i = 0; i < size; i++) words[i >> 2] |= bytes[i] << ((i & 3) << 3);
  return { words, size, mask: -1 >>> (((4 - size) & 3) << 3) };
}
