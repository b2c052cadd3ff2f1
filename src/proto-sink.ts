import { WireError } from "./error.js";
import { resultBytes } from "./result-bytes.js";
import { varintSize, writeVarint } from "./varint.js";

/** The size of the buffer that is kept between calls; a larger one is let go after use. */
const KEPT_BYTES = 1 << 23;
/** Room beyond `cap`, so that short things are written without asking. */
export const SLACK = 128;
/** Bodies up to this size are moved when the guess of their length's width was wrong. */
const MOVED_BYTES = 4096;
/** Up to this length they are moved by hand: calling out costs about 100 ns. */
const MOVED_BY_HAND = 300;
/** Positions are 32-bit integers. */
const MAX_BYTES = 0x7fff_ffff - SLACK;

/**
 * A growing buffer of Protobuf bytes, with length prefixes that are known only
 * when what they measure has been written.
 *
 * The writer guesses the width of a length, leaves room, writes the body and
 * fills the length in. When the guess was wrong, a short body is moved. A long
 * one stays, and a patch is noted, for {@link ProtoSink.copyTo} to apply in one
 * linear copy: moving it would cost its size again for each level around it.
 */
export class ProtoSink {
  protected out = new Uint8Array(4096);
  protected view = new DataView(this.out.buffer);
  /** Where the next byte goes. */
  o = 0;
  /** How far `o` may go before the buffer must grow; short of its end by {@link SLACK}. */
  protected cap = 4096 - SLACK;
  /** By how much the patches will lengthen what has been written. */
  delta = 0;
  /** The last patch by position, or -1. */
  tail = -1;

  // The patches, a list in the order of their positions: the outer ones are found last and stand first.
  private first = -1;
  private next: number[] = [];
  private patchAt: number[] = [];
  private patchWidth: number[] = [];
  private patchLength: number[] = [];

  /** Makes sure that `count` bytes, and {@link SLACK} more, can be written. */
  protected ensure(count: number): void {
    if (this.o + count > this.cap) this.grow(count);
  }

  private grow(count: number): void {
    const needed = this.o + count + SLACK;
    if (needed > MAX_BYTES) throw new WireError("too_large", "the output is over 2 GiB");
    // Doubling keeps the copies linear; the last step is smaller, to keep the peak low on large input.
    const larger = new Uint8Array(
      Math.min(MAX_BYTES, Math.max(needed, Math.ceil(this.out.length * (this.out.length < 1 << 24 ? 2 : 1.5)))),
    );
    larger.set(this.out.subarray(0, this.o));
    this.out = larger;
    this.view = new DataView(larger.buffer);
    this.cap = larger.length - SLACK;
  }

  protected varint(value: number): void {
    this.o = writeVarint(this.out, this.o, value);
  }

  /**
   * Fills in the length whose room of `width` bytes is at `at`, of the body that
   * ends here. `delta` and `tail` are what the fields of that name held when the
   * room was left.
   */
  protected close(at: number, width: number, delta: number, tail: number): void {
    const start = at + width;
    const written = this.o - start;
    const length = written + this.delta - delta;
    const needed = varintSize(length);
    if (needed !== width) {
      if (written > MOVED_BYTES) {
        this.patch(at, width, length, needed - width, tail);
        return;
      }
      this.ensure(needed - width);
      this.move(start, this.o, needed - width);
      this.o += needed - width;
    }
    writeVarint(this.out, at, length);
  }

  /**
   * Fills in three lengths at once, of bodies that all end here: an entry's, its
   * Value's and what that holds. They would be three moves, one after the
   * other, when they were guessed wrong, and mostly they are wrong together.
   * `tag` stands before the innermost one. Without a key, there is no entry and
   * its width is 0.
   */
  protected closeEntry(
    entryAt: number,
    entryWidth: number,
    valueAt: number,
    valueWidth: number,
    innerWidth: number,
    delta: number,
    tail: number,
    tag: number,
  ): void {
    const start = valueAt + valueWidth + 1 + innerWidth;
    const inner = this.o - start + this.delta - delta;
    const innerNeeded = varintSize(inner);
    const value = 1 + innerNeeded + inner;
    const valueNeeded = varintSize(value);
    // What stands between the entry's length and the Value's: the key and two tags.
    const keyed = valueAt - entryAt - entryWidth;
    const entry = keyed + valueNeeded + value;
    const entryNeeded = keyed === 0 ? 0 : varintSize(entry);
    const entryMove = entryNeeded - entryWidth;
    const move = entryMove + valueNeeded - valueWidth + innerNeeded - innerWidth;
    if (entryMove !== 0 || valueNeeded !== valueWidth || innerNeeded !== innerWidth) {
      if (this.o - start > MOVED_BYTES) {
        this.out[valueAt + valueWidth] = tag;
        this.close(start - innerWidth, innerWidth, delta, tail);
        this.close(valueAt, valueWidth, delta, tail);
        if (keyed > 0) this.close(entryAt, entryWidth, delta, tail);
        return;
      }
      this.ensure(move);
      if (move !== 0) {
        this.move(start, this.o, move);
        this.o += move;
      }
      if (entryMove !== 0) this.move(entryAt + entryWidth, valueAt, entryMove);
    }
    const out = this.out;
    if (keyed > 0) writeVarint(out, entryAt, entry);
    const at = writeVarint(out, valueAt + entryMove, value);
    out[at] = tag;
    writeVarint(out, at + 1, inner);
  }

  /** Moves the bytes from `start` up to `end` by a few. */
  private move(start: number, end: number, by: number): void {
    const { out, view } = this;
    start |= 0;
    end |= 0;
    by |= 0;
    // By words, as they were written from `start` on: reading what was just written in other pieces makes a processor wait.
    // The last word may go beyond `end`, where that does not matter.
    if (end - start > MOVED_BY_HAND) out.copyWithin(start + by, start, end);
    else if (by < 0) for (let i = start; i < end; i += 4) view.setInt32(i + by, view.getInt32(i, true), true);
    else
      for (let i = start + ((end - start - 1) & ~3); i >= start; i -= 4)
        view.setInt32(i + by, view.getInt32(i, true), true);
  }

  private patch(at: number, width: number, length: number, delta: number, tail: number): void {
    const node = this.next.length;
    this.patchAt.push(at);
    this.patchWidth.push(width);
    this.patchLength.push(length);
    // All patches noted since the room was left stand in the body, so this one goes right before them.
    this.next.push(tail === -1 ? this.first : this.next[tail]);
    if (tail === -1) this.first = node;
    else this.next[tail] = node;
    if (this.next[node] === -1) this.tail = node;
    this.delta += delta;
  }

  /** Copies what stands from `start` to the end, with the patches from `node` on applied, to `target` at `at`. */
  protected copyTo(target: Uint8Array, at: number, start: number, node: number): number {
    for (let from = start; ; node = this.next[node]) {
      const to = node === -1 ? this.o : this.patchAt[node];
      target.set(this.out.subarray(from, to), at);
      at += to - from;
      if (node === -1) return at;
      at = writeVarint(target, at, this.patchLength[node]);
      from = to + this.patchWidth[node];
    }
  }

  /** Forgets what was written since `o`, `delta` and `tail` held these values. */
  back(o: number, delta: number, tail: number): void {
    this.o = o;
    this.delta = delta;
    this.tail = tail;
    if (tail === -1) this.first = -1;
    else this.next[tail] = -1;
  }

  /** The size of what was written since then. */
  sizeSince(o: number, delta: number): number {
    return this.o - o + this.delta - delta;
  }

  /** Copies what was written since then to `target` at `at`, and gives the position after it. */
  copySince(target: Uint8Array, at: number, o: number, tail: number): number {
    return this.copyTo(target, at, o, tail === -1 ? this.first : this.next[tail]);
  }

  /** Trades all that was written for what `other` holds: what is written next goes there. */
  protected swap(other: ProtoSink): void {
    [this.out, other.out] = [other.out, this.out];
    [this.view, other.view] = [other.view, this.view];
    [this.o, other.o] = [other.o, this.o];
    [this.cap, other.cap] = [other.cap, this.cap];
    [this.delta, other.delta] = [other.delta, this.delta];
    [this.tail, other.tail] = [other.tail, this.tail];
    [this.first, other.first] = [other.first, this.first];
    [this.next, other.next] = [other.next, this.next];
    [this.patchAt, other.patchAt] = [other.patchAt, this.patchAt];
    [this.patchWidth, other.patchWidth] = [other.patchWidth, this.patchWidth];
    [this.patchLength, other.patchLength] = [other.patchLength, this.patchLength];
  }

  /** The bytes that were written, in an array of their own. */
  protected result(): Uint8Array {
    if (this.first === -1) return resultBytes(this.out, this.view, this.o);
    const bytes = new Uint8Array(this.o + this.delta);
    this.copyTo(bytes, 0, 0, this.first);
    return bytes;
  }

  /** Makes the sink empty, whatever happened before. */
  reset(): void {
    this.o = 0;
    this.delta = 0;
    this.tail = -1;
    this.first = -1;
    // Emptying an array that is empty is not free.
    if (this.next.length > 0) {
      this.next.length = 0;
      this.patchAt.length = 0;
      this.patchWidth.length = 0;
      this.patchLength.length = 0;
    }
    if (this.out.length > KEPT_BYTES) {
      this.out = new Uint8Array(4096);
      this.view = new DataView(this.out.buffer);
      this.cap = this.out.length - SLACK;
    }
  }
}
