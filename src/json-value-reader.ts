import { JsonScalarReader } from "./json-scalar-reader.js";
import { KeyStack } from "./key-stack.js";
import { MAX_CONTAINERS } from "./limits.js";
import { SLACK } from "./proto-sink.js";
import { varintSize, writeVarint } from "./varint.js";

/** Tags of google.protobuf.Value, by what it holds. */
const NUMBER = 0x11;
const STRING = 0x1a;
const STRUCT = 0x2a;
const LIST = 0x32;

/**
 * JSON values to google.protobuf.Value, in one pass.
 *
 * Costs are message levels as prost counts them: a Value at cost c stands there,
 * its struct or list at c + 1, an element at c + 2, a member's value at c + 3.
 */
export abstract class JsonValueReader extends JsonScalarReader {
  /** The highest cost that may be reached. */
  protected maxCost = 100;
  /** The key that was read last: bytes from `ks` up to `ke` of `kbuf`, unescaped. */
  protected kbuf: Uint8Array = this.src;
  protected ks = 0;
  protected ke = 0;

  protected readonly keys = new KeyStack();

  /**
   * How long the container under a key was last time, for guessing the widths of
   * the lengths: a wrong guess costs a move, and never changes what is written.
   */
  private readonly guesses = new Int32Array(256);

  private unescapedKey = new Uint8Array(64);

  /** Reads the key whose quote is at `pos` into `kbuf`, `ks` and `ke`, and gives where its text starts. */
  protected key(): number {
    const start = this.pos + 1;
    const end = this.scan(start);
    this.pos = end + 1;
    if (this.escaped) {
      this.kbuf = this.unescaped(start);
      this.ks = 0;
      this.ke = this.kbuf.length;
    } else {
      this.kbuf = this.src;
      this.ks = start;
      this.ke = end;
    }
    return start;
  }

  /** The bytes that the string of the text at `start` stands for. They are good until the next call. */
  private unescaped(start: number): Uint8Array {
    const o = this.o;
    this.unescape(start);
    const size = this.o - o;
    if (size > this.unescapedKey.length) this.unescapedKey = new Uint8Array(size * 2);
    this.unescapedKey.set(this.out.subarray(o, this.o));
    this.o = o;
    return this.unescapedKey.subarray(0, size);
  }

  /** Adds the key that was read last to those of the object whose first key is number `base`. */
  protected remember(base: number, keys: Set<string> | undefined): Set<string> | undefined {
    return this.keys.add(base, keys, this.src, this.kbuf, this.ks, this.ke);
  }

  /**
   * Writes the value at `pos` as a Value with its length before it. The tag of
   * the field that it is goes first, or when it is `keyed`, the tag of the map
   * entry: then the entry's length and the key that was read last are written
   * too.
   */
  protected value(keyed: boolean, cost: number, depth: number, slot: number): void {
    if (cost > this.maxCost) this.tooDeep(`the nesting of Values takes over ${this.maxCost} message levels`);
    const c = this.src[this.pos];
    if (c === 0x22) {
      const start = this.pos + 1;
      const end = this.scanPlain(start);
      if (this.src[end] === 0x5c) {
        this.measured(keyed, STRING, cost, depth, slot);
        return;
      }
      if (end >= this.end) this.stringFault(start);
      this.pos = end + 1;
      const size = end - start;
      const o = this.head(keyed, 1 + varintSize(size) + size, size);
      const out = this.out;
      out[o] = STRING;
      if (size < 0x80) {
        out[o + 1] = size;
        this.o = o + 2;
      } else {
        this.o = writeVarint(out, o + 1, size);
      }
      this.copy(start, end);
    } else if (c === 0x7b || c === 0x5b) {
      if (depth >= MAX_CONTAINERS) this.tooDeep(`over ${MAX_CONTAINERS} containers are open`);
      if (cost >= this.maxCost) this.tooDeep(`the nesting of Values takes over ${this.maxCost} message levels`);
      this.measured(keyed, c === 0x7b ? STRUCT : LIST, cost, depth, slot);
    } else if (c === 0x2d || (c >= 0x30 && c <= 0x39)) {
      const number = this.number();
      const o = this.head(keyed, 9, 0);
      this.out[o] = NUMBER;
      this.view.setFloat64(o + 1, number, true);
      this.o = o + 9;
    } else {
      if (c === 0x74) this.literal("true");
      else if (c === 0x66) this.literal("false");
      else if (c === 0x6e) this.literal("null");
      else this.unexpected(this.pos, "a value");
      const o = this.head(keyed, 2, 0);
      this.out[o] = c === 0x6e ? 0x08 : 0x20;
      this.out[o + 1] = c === 0x74 ? 1 : 0;
      this.o = o + 2;
    }
  }

  /**
   * Writes what stands before a Value of known size, for an entry its length and
   * key and then the Value's length, and gives the position after it. There is
   * room for `more` bytes then, and for a little beside.
   */
  private head(keyed: boolean, size: number, more: number): number {
    if (!keyed) {
      this.ensure(more + SLACK);
      return writeVarint(this.out, this.o, size);
    }
    const keySize = this.ke - this.ks;
    this.ensure(keySize + more + SLACK);
    const entry = 2 + varintSize(keySize) + keySize + varintSize(size) + size;
    return writeVarint(this.out, this.keyAt(writeVarint(this.out, this.o, entry), keySize), size);
  }

  /** Writes the key that was read last at `o`, as field 1 of an entry, and the tag of field 2, for which there is room. */
  private keyAt(o: number, size: number): number {
    const { kbuf, ks, out } = this;
    out[o++] = 0x0a;
    o = writeVarint(out, o, size);
    const end = o + size;
    if (size > 64 || kbuf !== this.src) {
      out.set(kbuf.subarray(ks, ks + size), o);
    } else {
      const { srcView, view } = this;
      let p = ks;
      // As in copy(): the last word may go beyond the key.
      for (const last = Math.min(ks + size - 1, this.lastWord); p <= last; p += 4, o += 4) {
        view.setInt32(o, srcView.getInt32(p, true), true);
      }
      for (; o < end; o++) out[o] = kbuf[p++];
    }
    out[end] = 0x12;
    return end + 1;
  }

  /**
   * Writes a Value whose size is known only at its end: a container, or a string
   * with escapes. Its lengths are guessed from what stood there last time.
   */
  private measured(keyed: boolean, tag: number, cost: number, depth: number, slot: number): void {
    const { delta, tail } = this;
    const guess = this.guesses[slot];
    const innerWidth = varintSize(guess);
    const valueSize = 1 + innerWidth + guess;
    const valueWidth = varintSize(valueSize);
    const keySize = keyed ? this.ke - this.ks : 0;
    this.ensure(keySize + SLACK);
    const entryAt = this.o;
    const entryWidth = keyed ? varintSize(2 + varintSize(keySize) + keySize + valueWidth + valueSize) : 0;
    const valueAt = keyed ? this.keyAt(entryAt + entryWidth, keySize) : entryAt;
    const body = valueAt + valueWidth + 1 + innerWidth;
    this.o = body;
    if (tag === STRUCT) this.object(cost, depth + 1);
    else if (tag === LIST) this.array(cost, depth + 1, slot);
    else this.pos = this.unescape(this.pos + 1) + 1;
    this.guesses[slot] = this.o - body + this.delta - delta;
    this.closeEntry(entryAt, entryWidth, valueAt, valueWidth, innerWidth, delta, tail, tag);
  }

  private object(cost: number, depth: number): void {
    const { src, log, keys } = this;
    let c = src[++this.pos];
    if (c <= 0x20) c = this.space();
    if (c === 0x7d) {
      this.pos++;
      return;
    }
    const base = keys.count;
    let many: Set<string> | undefined;
    for (;;) {
      if (c !== 0x22) this.unexpected(this.pos, "a key");
      const mark = log.length;
      const start = this.key();
      const end = this.pos - 1;
      many = keys.add(base, many, src, this.kbuf, this.ks, this.ke);
      this.entry(start, end, cost + 3, depth, mark);
      c = src[this.pos];
      if (c <= 0x20) c = this.space();
      if (c !== 0x2c) break;
      c = src[++this.pos];
      if (c <= 0x20) c = this.space();
    }
    if (c !== 0x7d) this.unexpected(this.pos, "a comma or }");
    this.pos++;
    keys.count = base;
  }

  /** Writes the entry of the key that was read last, whose text is from `start` up to `end`. */
  protected entry(start: number, end: number, cost: number, depth: number, mark: number): void {
    const sign = this.keys.sign;
    const keySize = this.ke - this.ks;
    const escaped = this.kbuf !== this.src;
    this.colon();
    this.ensure(SLACK);
    this.out[this.o++] = 0x0a;
    this.value(true, cost, depth, (sign ^ (sign >>> 8) ^ (sign >>> 16) ^ (sign >>> 24) ^ (depth * 29)) & 255);
    if (this.log.length !== mark) this.log.key(mark, start, end, escaped, keySize);
  }

  /** Passes over the colon, and white space around it. */
  protected colon(): void {
    const src = this.src;
    let c = src[this.pos];
    if (c <= 0x20) c = this.space();
    if (c !== 0x3a) this.unexpected(this.pos, "a colon");
    c = src[++this.pos];
    if (c <= 0x20) this.space();
  }

  private array(cost: number, depth: number, slot: number): void {
    const { src, log } = this;
    let c = src[++this.pos];
    if (c <= 0x20) c = this.space();
    if (c === 0x5d) {
      this.pos++;
      return;
    }
    const inner = (slot * 5 + 3) & 255;
    const shallow = cost + 2 <= this.maxCost;
    for (let index = 0; ; index++) {
      this.ensure(SLACK);
      const mark = log.length;
      if (c <= 0x39 && c >= 0x2d && c !== 0x2e && c !== 0x2f && shallow) {
        // Long arrays are mostly of numbers, whose Values all have one size: no need to go through value().
        const number = this.smallInteger();
        const { o, out } = this;
        out[o] = 0x0a;
        out[o + 1] = 9;
        out[o + 2] = NUMBER;
        this.view.setFloat64(o + 3, number, true);
        this.o = o + 11;
      } else {
        this.out[this.o++] = 0x0a;
        this.value(false, cost + 2, depth, inner);
      }
      if (log.length !== mark) log.index(mark, index);
      c = src[this.pos];
      if (c <= 0x20) c = this.space();
      if (c !== 0x2c) break;
      c = src[++this.pos];
      if (c <= 0x20) c = this.space();
    }
    if (c !== 0x5d) this.unexpected(this.pos, "a comma or ]");
    this.pos++;
  }

  /** Reads a number; one of up to nine digits and no more, with a comma or a bracket after it, without further calls. */
  private smallInteger(): number {
    const src = this.src;
    let p = this.pos;
    let c = src[p] ^ 0x30;
    if (c === 0 || c > 9) return this.number();
    let value = 0;
    do {
      value = (Math.imul(value, 10) + c) | 0;
      c = src[++p] ^ 0x30;
    } while (c <= 9);
    // 0x2c and 0x5d, the comma and the bracket, as they are now.
    if ((c !== 0x1c && c !== 0x6d) || p - this.pos > 9) return this.number();
    this.pos = p;
    return value;
  }

  protected tooDeep(message: string): never {
    this.fail("nesting_too_deep", message, this.pos);
  }
}
