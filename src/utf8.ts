const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The UTF-8 of a string that holds no lone surrogate. */
export function encodeUtf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Up to this many bytes, making a string by hand is faster than calling the decoder. */
const DECODED_BY_HAND = 24;

/** The string of UTF-8 that is known to be valid. A leading U+FEFF is a character of it. */
export function decodeUtf8(bytes: Uint8Array, start = 0, end = bytes.length): string {
  if (end - start <= DECODED_BY_HAND) {
    let text = "";
    let p = start;
    // Four at a time, each piece of which is a string to be joined.
    for (; p + 4 <= end && (bytes[p] | bytes[p + 1] | bytes[p + 2] | bytes[p + 3]) < 0x80; p += 4) {
      text += String.fromCharCode(bytes[p], bytes[p + 1], bytes[p + 2], bytes[p + 3]);
    }
    for (; p < end && bytes[p] < 0x80; p++) text += String.fromCharCode(bytes[p]);
    if (p === end) return text;
  }
  return decoder.decode(start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end));
}

/** Writes the UTF-8 of a string into `out` and gives the number of bytes, which are at most three a code unit. */
export function encodeUtf8Into(text: string, out: Uint8Array): number {
  return encoder.encodeInto(text, out).written;
}

/**
 * The UTF-8 of a string, in which a lone surrogate becomes three bytes that no
 * valid UTF-8 has, where an encoder would put U+FFFD: the reader then finds the
 * fault in its place.
 */
export function encodeIllFormed(text: string): Uint8Array {
  const parts: Uint8Array[] = [];
  let length = 0;
  const add = (bytes: Uint8Array) => {
    parts.push(bytes);
    length += bytes.length;
  };
  let start = 0;
  for (const { index } of text.matchAll(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g)) {
    add(encoder.encode(text.slice(start, index)));
    const unit = text.charCodeAt(index);
    add(Uint8Array.of(0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)));
    start = index + 1;
  }
  add(encoder.encode(text.slice(start)));
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Whether a string holds no lone surrogate. */
export function isWellFormed(text: string): boolean {
  const native = (text as { isWellFormed?(): boolean }).isWellFormed;
  return native === undefined ? !LONE_SURROGATE.test(text) : native.call(text);
}

/**
 * Node's own check, which is several times faster than ours on long text.
 * Chosen once; elsewhere the portable one does the same.
 */
const nativeIsUtf8: ((bytes: Uint8Array) => boolean) | undefined = (() => {
  const { process } = globalThis as { process?: { getBuiltinModule?(name: string): unknown } };
  const buffer = process?.getBuiltinModule?.("node:buffer") as { isUtf8?(bytes: Uint8Array): boolean } | undefined;
  return typeof buffer?.isUtf8 === "function" ? buffer.isUtf8 : undefined;
})();

/** From this many bytes on, calling out for the check pays. */
const NATIVE_FROM = 256;

/** Whether the native check is at hand, so that a whole input can be checked for next to nothing. */
export const hasNativeUtf8 = nativeIsUtf8 !== undefined;

/** Whether the bytes from `start` up to `end` are valid UTF-8. */
export function isUtf8(src: Uint8Array, start: number, end: number): boolean {
  if (nativeIsUtf8 !== undefined && end - start >= NATIVE_FROM) return nativeIsUtf8(src.subarray(start, end));
  return invalidUtf8At(src, start, end) < 0;
}

/**
 * Gives the position of the first byte of the first ill-formed sequence
 * (Unicode 15, table 3-7) from `start` up to `end`, or -1 when there is none.
 */
export function invalidUtf8At(src: Uint8Array, start: number, end: number): number {
  let p = start;
  while (p < end) {
    const lead = src[p];
    if (lead < 0x80) {
      p++;
    } else if (lead < 0xe0) {
      if (lead < 0xc2 || p + 2 > end || (src[p + 1] & 0xc0) !== 0x80) return p;
      p += 2;
    } else if (lead < 0xf0) {
      if (p + 3 > end || (src[p + 1] & 0xc0) !== 0x80 || (src[p + 2] & 0xc0) !== 0x80) return p;
      // E0 80..9F would be overlong, ED A0..BF a surrogate.
      if (lead === 0xe0 ? src[p + 1] < 0xa0 : lead === 0xed && src[p + 1] >= 0xa0) return p;
      p += 3;
    } else {
      if (lead > 0xf4 || p + 4 > end) return p;
      if ((src[p + 1] & 0xc0) !== 0x80 || (src[p + 2] & 0xc0) !== 0x80 || (src[p + 3] & 0xc0) !== 0x80) return p;
      // F0 80..8F would be overlong, F4 90..BF beyond U+10FFFF.
      if (lead === 0xf0 ? src[p + 1] < 0x90 : lead === 0xf4 && src[p + 1] >= 0x90) return p;
      p += 4;
    }
  }
  return -1;
}
