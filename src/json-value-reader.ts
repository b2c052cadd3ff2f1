import { JsonReader } from "./json-reader.js";
import { KeyStack } from "./key-stack.js";
import { SLACK } from "./proto-sink.js";
import { varintSize, writeVarint } from "./varint.js";

/** serde_json opens no more containers than this within one another. */
export const MAX_CONTAINERS = 127;

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
export abstract class JsonValueReader extends JsonReader {
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
      this.kbuf = this.unescaped(start, end);
      this.ks = 0;
      this.ke = this.kbuf.length;
    } else {
      this.kbuf = this.src;
      this.ks = start;
      this.ke = end;
    }
    return start;
  }

  /** The bytes of the text as they stand there. */
  raw(start: number, end: number): Uint8Array {
    return this.src.subarray(start, end);
  }

  /** The bytes that a string of the text stands for. They are good until the next call. */
  unescaped(start: number, end: number): Uint8Array {
    const o = this.o;
    this.unescape(start, end);
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
      const end = this.scan(start);
      if (this.escaped) {
        this.measured(keyed, STRING, end - start, cost, depth, slot);
        this.pos = end + 1;
        return;
      }
      this.pos = end + 1;
      const size = end - start;
      this.head(keyed, 1 + varintSize(size) + size);
      this.out[this.o++] = STRING;
      this.o = writeVarint(this.out, this.o, size);
      this.copy(this.src, start, end);
    } else if (c === 0x7b || c === 0x5b) {
      if (depth >= MAX_CONTAINERS) this.tooDeep(`over ${MAX_CONTAINERS} containers are open`);
      if (cost >= this.maxCost) this.tooDeep(`the nesting of Values takes over ${this.maxCost} message levels`);
      this.measured(keyed, c === 0x7b ? STRUCT : LIST, this.guesses[slot], cost, depth, slot);
    } else if (c === 0x2d || (c >= 0x30 && c <= 0x39)) {
      const number = this.number();
      this.head(keyed, 9);
      const o = this.o;
      this.out[o] = NUMBER;
      this.view.setFloat64(o + 1, number, true);
      this.o = o + 9;
    } else {
      if (c === 0x74) this.literal("true");
      else if (c === 0x66) this.literal("false");
      else if (c === 0x6e) this.literal("null");
      else this.unexpected(this.pos, "a value");
      this.head(keyed, 2);
      const out = this.out;
      out[this.o] = c === 0x6e ? 0x08 : 0x20;
      out[this.o + 1] = c === 0x74 ? 1 : 0;
      this.o += 2;
    }
  }

  /** Writes what stands before a Value of known size: for an entry its length and key, and the Value's length. */
  private head(keyed: boolean, size: number): void {
    if (!keyed) {
      this.ensure(SLACK);
      this.o = writeVarint(this.out, this.o, size);
      return;
    }
    const { kbuf, ks, ke } = this;
    const keySize = ke - ks;
    this.ensure(keySize + SLACK);
    const out = this.out;
    let o = writeVarint(out, this.o, 2 + varintSize(keySize) + keySize + varintSize(size) + size);
    out[o++] = 0x0a;
    o = writeVarint(out, o, keySize);
    if (keySize > 64) {
      out.set(kbuf.subarray(ks, ke), o);
      o += keySize;
    } else {
      for (let p = ks; p < ke; p++) out[o++] = kbuf[p];
    }
    out[o++] = 0x12;
    this.o = writeVarint(out, o, size);
  }

  /** Writes a Value whose size is known only at its end: a container, or a string with escapes. */
  private measured(keyed: boolean, tag: number, guess: number, cost: number, depth: number, slot: number): void {
    const { delta, tail } = this;
    const innerWidth = varintSize(guess);
    const valueSize = 1 + innerWidth + guess;
    const valueWidth = varintSize(valueSize);
    let entryAt = 0;
    let entryWidth = 0;
    if (keyed) {
      const { kbuf, ks, ke } = this;
      const keySize = ke - ks;
      this.ensure(keySize + SLACK);
      const out = this.out;
      entryAt = this.o;
      entryWidth = varintSize(2 + varintSize(keySize) + keySize + valueWidth + valueSize);
      let o = entryAt + entryWidth;
      out[o++] = 0x0a;
      o = writeVarint(out, o, keySize);
      if (keySize > 64) {
        out.set(kbuf.subarray(ks, ke), o);
        o += keySize;
      } else {
        for (let p = ks; p < ke; p++) out[o++] = kbuf[p];
      }
      out[o++] = 0x12;
      this.o = o;
    } else {
      this.ensure(SLACK);
    }
    const valueAt = this.o;
    const innerAt = valueAt + valueWidth + 1;
    this.out[innerAt - 1] = tag;
    this.o = innerAt + innerWidth;
    if (tag === STRUCT) this.object(cost, depth + 1);
    else if (tag === LIST) this.array(cost, depth + 1, slot);
    else this.unescape(this.pos + 1, this.pos + 1 + guess);
    if (tag !== STRING) this.guesses[slot] = this.o - innerAt - innerWidth + this.delta - delta;
    this.close(innerAt, innerWidth, delta, tail);
    this.close(valueAt, valueWidth, delta, tail);
    if (keyed) this.close(entryAt, entryWidth, delta, tail);
  }

  private object(cost: number, depth: number): void {
    this.pos++;
    let c = this.space();
    if (c === 0x7d) {
      this.pos++;
      return;
    }
    const base = this.keys.count;
    let keys: Set<string> | undefined;
    const log = this.log;
    for (;;) {
      if (c !== 0x22) this.unexpected(this.pos, "a key");
      keys = this.member(base, keys, cost + 3, depth, log.length);
      c = this.space();
      if (c !== 0x2c) break;
      this.pos++;
      c = this.space();
    }
    if (c !== 0x7d) this.unexpected(this.pos, "a comma or }");
    this.pos++;
    this.keys.count = base;
  }

  /** Writes a member of an object, whose key's quote is at `pos`, as an entry of the map in field 1. */
  protected member(
    base: number,
    keys: Set<string> | undefined,
    cost: number,
    depth: number,
    mark: number,
  ): Set<string> | undefined {
    const start = this.key();
    const end = this.pos - 1;
    const set = this.remember(base, keys);
    this.entry(start, end, cost, depth, mark);
    return set;
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
    if (this.space() !== 0x3a) this.unexpected(this.pos, "a colon");
    this.pos++;
    this.space();
  }

  private array(cost: number, depth: number, slot: number): void {
    this.pos++;
    let c = this.space();
    if (c === 0x5d) {
      this.pos++;
      return;
    }
    const log = this.log;
    const inner = (slot * 5 + 3) & 255;
    for (let index = 0; ; index++) {
      const mark = log.length;
      this.ensure(SLACK);
      this.out[this.o++] = 0x0a;
      this.value(false, cost + 2, depth, inner);
      if (log.length !== mark) log.index(mark, index);
      c = this.space();
      if (c !== 0x2c) break;
      this.pos++;
      this.space();
    }
    if (c !== 0x5d) this.unexpected(this.pos, "a comma or ]");
    this.pos++;
  }

  protected tooDeep(message: string): never {
    this.fail("nesting_too_deep", message, this.pos);
  }
}
