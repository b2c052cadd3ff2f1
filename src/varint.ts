/** How many bytes the varint of an unsigned 32-bit number takes. */
export function varintSize(value: number): number {
  return value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x200000 ? 3 : value < 0x10000000 ? 4 : 5;
}

/** Writes an unsigned 32-bit number as a varint of minimal length and gives the position after it. */
export function writeVarint(out: Uint8Array, at: number, value: number): number {
  if (value < 0x80) {
    out[at] = value;
    return at + 1;
  }
  if (value < 0x4000) {
    out[at] = value | 0x80;
    out[at + 1] = value >> 7;
    return at + 2;
  }
  return writeLongVarint(out, at, value);
}

// By itself, so that where one is written stays short enough for compilers to have it in line.
function writeLongVarint(out: Uint8Array, at: number, value: number): number {
  while (value >= 0x80) {
    out[at++] = value | 0x80;
    value >>>= 7;
  }
  out[at++] = value;
  return at;
}

/** Where {@link varintAt} or {@link lengthAt} stopped reading. */
export let position = 0;

/** Reads the varint at `p`: NaN, or more than 32 bits, for what is none of 32 bits. */
export function varintAt(src: Uint8Array, p: number): number {
  let value = src[p++];
  if (value >= 0x80) {
    value &= 0x7f;
    for (let place = 128; ; place *= 128) {
      const byte = src[p++];
      value += (byte & 0x7f) * place;
      if (!(byte >= 0x80)) {
        if (byte === undefined) value = Number.NaN;
        break;
      }
      if (place >= 2 ** 28) return Number.NaN;
    }
  }
  position = p;
  return value;
}

/** Reads the length at `p` and gives where what it measures ends. */
export function lengthAt(src: Uint8Array, p: number): number {
  const length = varintAt(src, p);
  return position + length;
}
