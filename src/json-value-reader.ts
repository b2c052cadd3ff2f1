import { JsonScalarReader } from "./json-scalar-reader.js";
import { KeyStack } from "./key-stack.js";
import { MAX_CONTAINERS } from "./limits.js";
import { copyText, firstBit, notAscii, plainEnd, TEXT_SLACK } from "./plain-text.js";
import { SLACK } from "./proto-sink.js";
import { varintSize, writeVarint } from "./varint.js";

/** Tags of google.protobuf.Value, by what it holds. */
const NULL = 0x08;
const NUMBER = 0x11;
const STRING = 0x1a;
const BOOL = 0x20;
const STRUCT = 0x2a;
const LIST = 0x32;

/** Keys are copied while they are read up to this length. */
const SHORT_KEY = 56;
/** When a string and its key have no more bytes than this, each length around them takes one. */
const ONE_BYTE_LENGTHS = 121;
/** Room for an entry with such a key and such a string, and for what may be written too much. */
const ENTRY_ROOM = SHORT_KEY + ONE_BYTE_LENGTHS + 8 + TEXT_SLACK;

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

  /** The same for strings with escapes. */
  private escapedGuess = 0;

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
    this.bits = 0;
    this.unescape(start, start);
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
      this.bits = 0;
      this.stringValue(keyed, start, start);
    } else if (c === 0x7b || c === 0x5b) {
      if (depth >= MAX_CONTAINERS) this.tooDeep(`over ${MAX_CONTAINERS} containers are open`);
      if (cost >= this.maxCost) this.tooDeep(`the nesting of Values takes over ${this.maxCost} message levels`);
      this.container(keyed, c, cost, depth, slot);
    } else if (c === 0x2d || (c >= 0x30 && c <= 0x39)) {
      const number = this.number();
      const o = this.head(keyed, 9, 0);
      this.out[o] = NUMBER;
      this.view.setFloat64(o + 1, number, true);
      this.o = o + 9;
    } else {
      // At the very end of the input there are no four bytes to be read as a word.
      if (!this.word(c) && !this.literalOf(c)) this.unexpected(this.pos, "a value");
      const o = this.head(keyed, 2, 0);
      this.out[o] = c === 0x6e ? NULL : BOOL;
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

  /** Writes a Value that is a string, whose first byte is at `start`. What is before `p` is seen already and needs no escape. */
  private stringValue(keyed: boolean, start: number, p: number): void {
    if (this.src[p] !== 0x22) {
      p = this.plain(p, start) | 0;
      if (this.src[p] === 0x5c) {
        this.escapedString(keyed, start, p);
        return;
      }
    }
    this.endString(start, p);
    this.pos = p + 1;
    const size = p - start;
    const o = this.head(keyed, 1 + varintSize(size) + size, size);
    this.out[o] = STRING;
    this.o = writeVarint(this.out, o + 1, size);
    this.copy(start, p);
  }

  /** The same where a backslash is at `p`. How long it gets is guessed from what such strings had last. */
  private escapedString(keyed: boolean, start: number, p: number): void {
    const keySize = keyed ? this.ke - this.ks : 0;
    this.ensure(keySize + SLACK);
    const width = this.escapedGuess > ONE_BYTE_LENGTHS ? 2 : 1;
    const entryAt = this.o;
    const valueAt = keyed ? this.keyAt(entryAt + width, keySize) : entryAt;
    const at = valueAt + 2 * width + 1;
    this.o = at;
    this.copy(start, p);
    this.pos = this.unescape(p, start) + 1;
    this.escapedGuess = nextGuess(this.escapedGuess, this.o - at);
    this.closeEntry(entryAt, keyed ? width : 0, valueAt, width, width, this.delta, this.tail, STRING);
  }

  /** Writes a Value that is a container, whose opening bracket is `c`. Its lengths are guessed from what stood there last time. */
  private container(keyed: boolean, c: number, cost: number, depth: number, slot: number): void {
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
    if (c === 0x7b) this.object(cost, depth + 1);
    else this.array(cost, depth + 1, slot);
    this.guesses[slot] = nextGuess(guess, this.o - body + this.delta - delta);
    this.closeEntry(entryAt, entryWidth, valueAt, valueWidth, innerWidth, delta, tail, c === 0x7b ? STRUCT : LIST);
  }

  /** Writes the entries of the object whose brace is at `pos`, whose Value costs `cost`. */
  private object(cost: number, depth: number): void {
    const { src, srcView, log, keys, lastWord, lastBlock, doubtful } = this;
    let c = src[++this.pos];
    if (c <= 0x20) c = this.space() | 0;
    if (c === 0x7d) {
      this.pos++;
      return;
    }
    const base = keys.count;
    const shallow = cost + 3 <= this.maxCost;
    const open = depth < MAX_CONTAINERS && cost + 3 < this.maxCost;
    let many: Set<string> | undefined;
    for (;;) {
      if (c !== 0x22) this.unexpected(this.pos, "a key");
      const mark = log.length;
      this.ensure(ENTRY_ROOM);
      // The usual member has a short key without escapes: it is written while it is read, behind its tags and lengths.
      const o = this.o;
      const start = this.pos + 1;
      let p = start;
      let seen = 0;
      // As in plainEnd(), but by four bytes, since keys are short.
      for (const limit = Math.min(lastWord, start + SHORT_KEY), view = this.view; p <= limit; p += 4) {
        const word = srcView.getInt32(p, true);
        const hit = (((word ^ 0x02020202) - 0x21212121) | ((word ^ 0x5c5c5c5c) - 0x01010101)) & ~word & 0x80808080;
        view.setInt32(o + 4 + p - start, word, true);
        seen |= word;
        if (hit !== 0) {
          p += firstBit(hit) >> 3;
          break;
        }
      }
      if (src[p] !== 0x22 || !shallow || (seen & doubtful) !== 0) {
        many = this.member(base, many, cost + 3, depth, mark);
      } else {
        many = keys.add(base, many, src, src, start, p);
        const keyEnd = p;
        const keySize = p - start;
        const v = o + 4 + keySize;
        const out = this.out;
        out[o] = 0x0a;
        out[o + 2] = 0x0a;
        out[o + 3] = keySize;
        out[v] = 0x12;
        c = src[p + 2];
        if (src[++p] === 0x3a && c > 0x20) {
          p++;
        } else {
          this.pos = p;
          c = this.colon() | 0;
          p = this.pos;
        }
        if (c === 0x22) {
          const from = p + 1;
          p = plainEnd(srcView, from, lastBlock) | 0;
          const size = p - from;
          if (src[p] !== 0x22 || keySize + size > ONE_BYTE_LENGTHS || (notAscii & doubtful) !== 0) {
            this.plainKey(start, keyEnd);
            this.o = o + 1;
            this.bits = notAscii;
            this.stringValue(true, from, p);
          } else {
            out[o + 1] = 6 + keySize + size;
            out[v + 1] = 2 + size;
            out[v + 2] = STRING;
            out[v + 3] = size;
            copyText(srcView, from, p, this.view, v + 4, lastBlock);
            this.o = v + 4 + size;
            this.pos = p + 1;
          }
        } else {
          this.pos = p;
          if ((c >= 0x30 && c <= 0x39) || c === 0x2d) {
            const number = this.shortNumber();
            out[o + 1] = 13 + keySize;
            out[v + 1] = 9;
            out[v + 2] = NUMBER;
            this.view.setFloat64(v + 3, number, true);
            this.o = v + 11;
          } else if (c !== 0x7b && c !== 0x5b && this.word(c)) {
            out[o + 1] = 6 + keySize;
            out[v + 1] = 2;
            out[v + 2] = c === 0x6e ? NULL : BOOL;
            out[v + 3] = c === 0x74 ? 1 : 0;
            this.o = v + 4;
          } else {
            this.plainKey(start, keyEnd);
            this.o = o + 1;
            if ((c === 0x7b || c === 0x5b) && open) this.container(true, c, cost + 3, depth, this.slot(depth));
            else this.value(true, cost + 3, depth, 0);
          }
          if (log.length !== mark) log.key(mark, start, keyEnd, false, keySize);
        }
      }
      c = src[this.pos];
      if (c <= 0x20) c = this.space() | 0;
      if (c !== 0x2c) break;
      c = src[++this.pos];
      if (c <= 0x20) c = this.space() | 0;
    }
    if (c !== 0x7d) this.unexpected(this.pos, "a comma or }");
    this.pos++;
    keys.count = base;
  }

  /** Notes the key that stands in the text from `start` up to `end` as the one that was read last. */
  private plainKey(start: number, end: number): void {
    // Storing a reference is not free, and mostly it is there.
    if (this.kbuf !== this.src) this.kbuf = this.src;
    this.ks = start;
    this.ke = end;
  }

  /** Where the guess for a container under the key that was read last is kept. */
  private slot(depth: number): number {
    const sign = this.keys.sign;
    return (sign ^ (sign >>> 8) ^ (sign >>> 16) ^ (sign >>> 24) ^ (depth * 29)) & 255;
  }

  /** Reads a member whose key is long, or has escapes, or is to be judged. */
  private member(
    base: number,
    many: Set<string> | undefined,
    cost: number,
    depth: number,
    mark: number,
  ): Set<string> | undefined {
    const start = this.key();
    const end = this.pos - 1;
    many = this.remember(base, many);
    this.entry(start, end, cost, depth, mark);
    return many;
  }

  /** Writes the entry of the key that was read last, whose text is from `start` up to `end`. */
  protected entry(start: number, end: number, cost: number, depth: number, mark: number): void {
    const keySize = this.ke - this.ks;
    const escaped = this.kbuf !== this.src;
    const slot = this.slot(depth);
    this.colon();
    this.ensure(SLACK);
    this.out[this.o++] = 0x0a;
    this.value(true, cost, depth, slot);
    if (this.log.length !== mark) this.log.key(mark, start, end, escaped, keySize);
  }

  /** Passes over the colon, and white space around it, and gives the byte that is read next. */
  protected colon(): number {
    if (this.space() !== 0x3a) this.unexpected(this.pos, "a colon");
    this.pos++;
    return this.space();
  }

  /** Writes the elements of the array whose bracket is at `pos`, likewise. */
  private array(cost: number, depth: number, slot: number): void {
    const { src, srcView, log, lastBlock, doubtful } = this;
    let c = src[++this.pos];
    if (c <= 0x20) c = this.space() | 0;
    if (c === 0x5d) {
      this.pos++;
      return;
    }
    const inner = (slot * 5 + 3) & 255;
    const shallow = cost + 2 <= this.maxCost;
    const open = depth < MAX_CONTAINERS && cost + 2 < this.maxCost;
    for (let index = 0; ; index++) {
      this.ensure(ENTRY_ROOM);
      let mark = log.length;
      if (c <= 0x39 && c >= 0x2d && c !== 0x2e && c !== 0x2f && shallow) {
        // Long arrays are mostly of numbers, whose Values all have one size.
        index = this.numbers(index) | 0;
        mark = log.length;
      } else if (c === 0x22 && shallow) {
        const { o, out } = this;
        const from = this.pos + 1;
        const p = plainEnd(srcView, from, lastBlock) | 0;
        const size = p - from;
        out[o] = 0x0a;
        if (src[p] !== 0x22 || size > ONE_BYTE_LENGTHS || (notAscii & doubtful) !== 0) {
          this.o = o + 1;
          this.bits = notAscii;
          this.stringValue(false, from, p);
        } else {
          out[o + 1] = 2 + size;
          out[o + 2] = STRING;
          out[o + 3] = size;
          copyText(srcView, from, p, this.view, o + 4, lastBlock);
          this.o = o + 4 + size;
          this.pos = p + 1;
        }
      } else {
        this.out[this.o++] = 0x0a;
        if (c === 0x7b && open) this.container(false, c, cost + 2, depth, inner);
        else this.value(false, cost + 2, depth, inner);
      }
      if (log.length !== mark) log.index(mark, index);
      c = src[this.pos];
      if (c <= 0x20) c = this.space() | 0;
      if (c !== 0x2c) break;
      c = src[++this.pos];
      if (c <= 0x20) c = this.space() | 0;
    }
    if (c !== 0x5d) this.unexpected(this.pos, "a comma or ]");
    this.pos++;
  }

  protected tooDeep(message: string): never {
    this.fail("nesting_too_deep", message, this.pos);
  }
}

/** What to guess after `size`, when `guess` was guessed: moving a body that is shorter costs less, so it is slow to fall. */
function nextGuess(guess: number, size: number): number {
  return size > guess ? size : guess - ((guess - size) >> 2);
}
