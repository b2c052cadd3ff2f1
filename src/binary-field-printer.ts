import { BinaryValuePrinter } from "./binary-value-printer.js";
import { UNUSUAL } from "./json-sink.js";
import { MAX_CONTAINERS } from "./limits.js";
import type { NumberNode } from "./number-tree.js";
import { type FieldPlan, Kind, type MessagePlan } from "./plan.js";
import { type PreservedParts, readPreserved } from "./preserved.js";
import { encodeUtf8 } from "./utf8.js";
import { WireReader } from "./wire-reader.js";

/** What is known of a field. */
export const UNSET = 0;
export const SET = 1;
/** Set to its default, or not at all, and given by a member of the sidecar. */
export const ADOPTED = 2;

/** The fields of a message: where they stand, and their values, each by its kind. */
export abstract class BinaryFieldPrinter extends BinaryValuePrinter {
  protected keyStyle: "snake_case" | "camelCase" = "snake_case";
  /** The fields of the open messages: index of the field, where its value starts, where it ends. */
  protected spans = new Int32Array(192);
  protected spanTop = 0;
  /** Which fields of the open messages are set, by their indices, from where {@link openSet} says. */
  protected set = new Uint8Array(64);
  protected setTop = 0;
  /** The input, where it had to be put in order first. */
  protected original: Uint8Array | undefined;

  /** Prints the message from `start` up to `end`, inside of `depth` containers. */
  protected abstract message(plan: MessagePlan, start: number, end: number, depth: number, isRoot: boolean): void;

  protected openSet(count: number): number {
    const start = this.setTop;
    this.setTop = start + count;
    if (this.setTop > this.set.length) {
      const larger = new Uint8Array(this.setTop * 2);
      larger.set(this.set);
      this.set = larger;
    }
    for (let i = start; i < this.setTop; i++) this.set[i] = UNSET;
    return start;
  }

  /** Notes where the fields of a message stand and which are set, and gives what its sidecar holds. */
  protected findFields(
    plan: MessagePlan,
    start: number,
    end: number,
    fields: number,
    isRoot: boolean,
  ): PreservedParts | undefined {
    let sidecarStart = -1;
    let sidecarEnd = 0;
    let last = -1;
    const src = this.src;
    for (let p = start; p < end; ) {
      let tag = src[p++];
      if (tag >= 0x80) {
        tag &= 0x7f;
        for (let place = 128; ; place *= 128) {
          const byte = src[p++];
          tag += (byte & 0x7f) * place;
          if (byte < 0x80) break;
          if (place >= 2 ** 28) throw UNUSUAL;
        }
        if (tag > 0xffff_ffff) throw UNUSUAL;
      }
      let stop: number;
      switch (tag & 7) {
        case 0:
          for (stop = p; src[stop] >= 0x80; stop++);
          stop++;
          if (stop - p > 10 || (stop - p === 10 && src[stop - 1] > 1)) throw UNUSUAL;
          break;
        case 1:
          stop = p + 8;
          break;
        case 2:
          stop = this.length(p, end);
          p = this.p;
          break;
        case 5:
          stop = p + 4;
          break;
        default:
          throw UNUSUAL;
      }
      if (stop > end) throw UNUSUAL;
      const field = tag < 0x80 ? plan.byShortTag[tag] : plan.byTag.get(tag);
      if (field !== undefined) {
        // A field that stands here twice is to be merged; the elements of a list stand together unless they are packed.
        if (this.set[fields + field.index] !== UNSET && (!field.repeated || field.packed || last !== field.index))
          throw UNUSUAL;
        this.set[fields + field.index] = SET;
        last = field.index;
        this.span(field.index, p, stop);
      } else if (plan.sidecar !== 0 && tag >>> 3 === plan.sidecar) {
        if (sidecarStart >= 0 || (tag & 7) !== 2) throw UNUSUAL;
        sidecarStart = p;
        sidecarEnd = stop;
      } else if (tag >>> 3 === 0 || plan.byNumber.has(tag >>> 3)) {
        throw UNUSUAL;
      }
      p = stop;
    }
    if (sidecarStart < 0) return undefined;
    const reader = new WireReader(this.src);
    reader.pointer = isRoot ? `/${plan.sidecarName}` : this.pointer;
    let kept: PreservedParts | undefined;
    try {
      kept = readPreserved(reader, sidecarStart, sidecarEnd);
    } catch (error) {
      // Reported from the input as it was, if there is a fault there.
      if (this.original === undefined) throw UNUSUAL;
      throw error;
    }
    if (kept === undefined) throw UNUSUAL;
    return kept;
  }

  private span(index: number, start: number, end: number): void {
    const at = this.spanTop;
    if (at + 3 > this.spans.length) {
      const larger = new Int32Array(this.spans.length * 2);
      larger.set(this.spans);
      this.spans = larger;
    }
    this.spans[at] = index;
    this.spans[at + 1] = start;
    this.spans[at + 2] = end;
    this.spanTop = at + 3;
  }

  /** The spans of a list stand behind one another. */
  protected endOfRun(field: FieldPlan, at: number, top: number): number {
    let next = at + 3;
    if (field.repeated) while (next < top && this.spans[next] === field.index) next += 3;
    return next;
  }

  protected key(field: FieldPlan, first: number): void {
    this.ensure(0);
    if (this.o > first) this.out[this.o++] = 0x2c;
    this.packed(this.keyStyle === "camelCase" ? field.camelCase : field.snakeCase);
  }

  /** Prints a required field that the binary lacks. */
  protected standard(field: FieldPlan, first: number, kept: PreservedParts | undefined): void {
    this.key(field, first);
    if (field.repeated) this.ascii("[]");
    else if (field.kind === Kind.ENUM) this.word(field, 0, kept);
    // Of a zero, too, there may be a text.
    else if (field.kind === Kind.DOUBLE) this.number(0, 0, this.textsOf(field, kept));
    else this.ascii(field.kind === Kind.STRING ? '""' : field.kind === Kind.BOOL ? "false" : "0");
  }

  /** Prints the value of a field, whose spans are those from `at` up to `next`. */
  protected field(field: FieldPlan, at: number, next: number, depth: number, kept: PreservedParts | undefined): void {
    const texts = this.textsOf(field, kept);
    if (field.repeated) this.list(field, at, next, depth, texts);
    else this.single(field, this.spans[at + 1], this.spans[at + 2], depth, texts, kept);
  }

  private textsOf({ nameBytes }: FieldPlan, kept: PreservedParts | undefined): NumberNode | undefined {
    return kept?.numbers?.member(nameBytes, 0, nameBytes.length);
  }

  private list(field: FieldPlan, at: number, next: number, depth: number, texts: NumberNode | undefined): void {
    if (depth >= MAX_CONTAINERS) this.tooDeep(this.spans[at + 1]);
    this.ensure(0);
    this.out[this.o++] = 0x5b;
    let index = 0;
    const element = (start: number, end: number) => {
      this.ensure(0);
      if (index > 0) this.out[this.o++] = 0x2c;
      this.single(field, start, end, depth + 1, texts?.element(index), undefined);
      index++;
    };
    for (; at < next; at += 3) {
      const end = this.spans[at + 2];
      if (!field.packed) element(this.spans[at + 1], end);
      else {
        for (let p = this.spans[at + 1]; p < end; ) {
          let stop = p + 8;
          if (field.wireType === 0) for (stop = p + 1; this.src[stop - 1] >= 0x80; stop++);
          if (stop > end || stop - p > 10 || (stop - p === 10 && this.src[stop - 1] > 1)) throw UNUSUAL;
          element(p, stop);
          p = stop;
        }
      }
    }
    this.ensure(0);
    this.out[this.o++] = 0x5d;
  }

  /** Prints one value of a field, which stands from `start` up to `end`. */
  private single(
    field: FieldPlan,
    start: number,
    end: number,
    depth: number,
    texts: NumberNode | undefined,
    kept: PreservedParts | undefined,
  ): void {
    switch (field.kind) {
      case Kind.VALUE:
        this.value(start, end, depth, texts);
        return;
      case Kind.STRING:
        this.string(start, end);
        return;
      case Kind.DOUBLE:
        this.number(this.srcView.getFloat64(start, true), start, texts);
        return;
      case Kind.MESSAGE:
        this.message(field.message, start, end, depth, false);
        return;
      default:
        this.integer(field, start, end, kept);
    }
  }

  private integer(field: FieldPlan, start: number, end: number, kept: PreservedParts | undefined): void {
    const number = this.integerOf(field, start, end);
    // biome-ignore lint/suspicious/noDoubleEquals: of a number and a bigint.
    if (field.kind === Kind.BOOL) this.ascii(number == 0 ? "false" : "true");
    else if (field.kind === Kind.ENUM) this.word(field, Number(number), kept);
    else if (typeof number === "number") this.double(number);
    else this.ascii(String(number));
  }

  /** The integer whose varint stands from `start` up to `end`. What is wider than its field is cut, as the specification says. */
  protected integerOf({ kind }: FieldPlan, start: number, end: number): number | bigint {
    const src = this.src;
    if (end - start <= 4) {
      let number = 0;
      for (let p = end - 1; p >= start; p--) number = number * 128 + (src[p] & 0x7f);
      return number;
    }
    let bits = 0n;
    for (let p = end - 1; p >= start; p--) bits = (bits << 7n) | BigInt(src[p] & 0x7f);
    if (kind === Kind.INT64) return BigInt.asIntN(64, bits);
    if (kind === Kind.UINT64 || kind === Kind.BOOL) return BigInt.asUintN(64, bits);
    return Number(kind === Kind.UINT32 ? BigInt.asUintN(32, bits) : BigInt.asIntN(32, bits));
  }

  private word(field: FieldPlan, number: number, kept: PreservedParts | undefined): void {
    const preserved = number === 0 ? kept?.words?.get(field.name) : undefined;
    if (preserved !== undefined) this.bytes(encodeUtf8(JSON.stringify(preserved)));
    else this.packed(field.wordOf.get(number) ?? field.wordOf.get(0)!);
  }
}
