const SMALLEST = 1024;
/** A buffer that one large record has blown up is not kept beyond this. */
const LARGEST_KEPT = 4 * 1024 * 1024;

/** A growing row of bytes that is filled, read and emptied again. */
export class ByteBuffer {
  #bytes = new Uint8Array(0);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** What has been added. Valid until the buffer is touched again. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
    if (this.#bytes.length > LARGEST_KEPT) this.#bytes = new Uint8Array(0);
  }

  add(bytes: Uint8Array): void {
    const start = this.#length;
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, start);
    this.#length = start + bytes.length;
  }

  addByte(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = byte;
  }

  /** Adds a whole number below 2^53 as a varint. */
  addVarint(value: number): void {
    this.#reserve(8);
    let rest = value;
    for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) this.#bytes[this.#length++] = (rest & 0x7f) | 0x80;
    this.#bytes[this.#length++] = rest;
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2, SMALLEST));
    grown.set(this.view());
    this.#bytes = grown;
  }
}
