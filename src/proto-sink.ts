import { WireError } from "./error.js";
import { varintSize, writeVarint } from "./varint.js";

/** The size of the buffer that is kept between calls; a larger one is let go after use. */
const KEPT_BYTES = 1 << 23;
/** Room beyond `cap`, so that short things are written without asking. */
export const SLACK = 128;
/** Bodies up to this size are moved when the guess of their length's width was wrong. */
const MOVED_BYTES = 4096;
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
  protected o = 0;
  /** How far `o` may go before the buffer must grow; short of its end by {@link SLACK}. */
  protected cap = 4096 - SLACK;
  /** By how much the patches will lengthen what has been written. */
  protected delta = 0;
  /** The last patch by position, or -1. */
  protected tail = -1;

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
      this.out.copyWithin(at + needed, start, this.o);
      this.o += needed - width;
    }
    writeVarint(this.out, at, length);
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

  /** What {@link back} and the others take to find this point again. */
  mark(): [o: number, delta: number, tail: number] {
    return [this.o, this.delta, this.tail];
  }

  /** Forgets what was written since the point. */
  back(o: number, delta: number, tail: number): void {
    this.o = o;
    this.delta = delta;
    this.tail = tail;
    if (tail === -1) this.first = -1;
    else this.next[tail] = -1;
  }

  /** The size of what was written since the point. */
  sizeSince(o: number, delta: number): number {
    return this.o - o + this.delta - delta;
  }

  /** Copies what was written since the point to `target` at `at`, and gives the position after it. */
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
    if (this.first === -1) return this.out.slice(0, this.o);
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
    this.next.length = 0;
    this.patchAt.length = 0;
    this.patchWidth.length = 0;
    this.patchLength.length = 0;
    if (this.out.length > KEPT_BYTES) {
      this.out = new Uint8Array(4096);
      this.view = new DataView(this.out.buffer);
      this.cap = this.out.length - SLACK;
    }
  }
}
