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
  while (value >= 0x80) {
    out[at++] = (value & 0x7f) | 0x80;
    value >>>= 7;
  }
  out[at++] = value;
  return at;
}
