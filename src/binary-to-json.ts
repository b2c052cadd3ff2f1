import type { DescMessage } from "@bufbuild/protobuf";
import { mergedBinary } from "./binary-merge.js";
import { BinaryValuePrinter } from "./binary-value-printer.js";
import { WireError } from "./error.js";
import { UNUSUAL } from "./json-sink.js";
import { jsonToBinary } from "./json-to-binary.js";
import { blamed, type CheckedWriteOptions, checkReadOptions, checkWriteOptions, inputError } from "./limits.js";
import type { NumberNode } from "./number-tree.js";
import type { SerdeWriteOptions } from "./options.js";
import { type FieldPlan, Kind, type MessagePlan, planOf } from "./plan.js";
import { type PreservedParts, readPreserved } from "./preserved.js";
import { resultBytes } from "./result-bytes.js";
import { decodeUtf8, encodeUtf8 } from "./utf8.js";
import { WireReader } from "./wire-reader.js";

/**
 * Carries a message in Protobuf's binary encoding over to the JSON that serde
 * reads, as UTF-8.
 *
 * The JSON is compact, with members in the order in which the binary holds
 * them, and what the message's field of type `factory_run.v1.Preserved` keeps
 * is back in its place.
 *
 * Throws a {@link WireError} for bytes that are not the message, and for what
 * JSON or serde_json cannot hold (NaN, over 127 open containers).
 */
export function binaryToSerdeJson(schema: DescMessage, binary: Uint8Array, options?: SerdeWriteOptions): Uint8Array {
  return convert(planOf(schema), binary, checkWriteOptions(options), (printer) => printer.json());
}

/** {@link binaryToSerdeJson} as a string. Throws `too_large` when the platform has no string that long. */
export function binaryToSerdeJsonString(schema: DescMessage, binary: Uint8Array, options?: SerdeWriteOptions): string {
  return convert(planOf(schema), binary, checkWriteOptions(options), (printer) => printer.jsonString());
}

/**
 * Throws what {@link binaryToSerdeJson} would throw for these bytes, and gives
 * nothing: for bytes from outside, before they are stored or passed on.
 */
export function checkBinary(schema: DescMessage, binary: Uint8Array, options?: SerdeWriteOptions): void {
  convert(planOf(schema), binary, checkWriteOptions(options), () => undefined);
}

function convert<T>(
  plan: MessagePlan,
  binary: Uint8Array,
  options: CheckedWriteOptions,
  take: (printer: BinaryToJson) => T,
): T {
  const printer = idle ?? new BinaryToJson();
  idle = undefined;
  try {
    printer.run(plan, binary, options);
    return take(printer);
  } catch (error) {
    throw blamed(error);
  } finally {
    printer.reset();
    idle = printer;
  }
}

/** A printer that is not in use, kept for its buffers. */
let idle: BinaryToJson | undefined;

/** Inputs up to this size are copied into a buffer of our own, which has its view ready. */
const COPIED_INPUT = 4096;

/** How a preserved member is judged that a newer schema names: by nothing but the field. */
const JUDGED = checkReadOptions({ maxNesting: Infinity, maxBytes: Infinity });

class BinaryToJson extends BinaryValuePrinter {
  private keyStyle: "snake_case" | "camelCase" = "snake_case";
  private partial = false;
  private discarding = false;
  private plan!: MessagePlan;
  /** The input, where it had to be put in order first. */
  private original: Uint8Array | undefined;
  /** The fields of the open messages: index of the field, where its value starts, where it ends. */
  private spans = new Int32Array(192);
  private spanTop = 0;
  /** Which fields of the open messages are set, by their indices, from where {@link openSet} says. */
  private set = new Uint8Array(64);
  private setTop = 0;
  private readonly small = new Uint8Array(COPIED_INPUT + 16);
  private readonly smallView = new DataView(this.small.buffer);

  /** Prints the message into the buffer. */
  run(
    plan: MessagePlan,
    binary: Uint8Array,
    { keys, maxBytes }: CheckedWriteOptions,
    partial = false,
    depth = 0,
  ): void {
    if (!(binary instanceof Uint8Array)) throw inputError(undefined, maxBytes, "binary");
    if (binary.length > maxBytes) throw inputError(binary.length, maxBytes, "binary");
    this.keyStyle = keys;
    this.partial = partial;
    this.original = undefined;
    this.load(binary);
    this.plan = plan;
    if (this.printed(binary, depth)) return;
    const merged = mergedBinary(plan, binary);
    this.begin();
    this.original = binary;
    this.load(merged);
    if (!this.printed(merged, depth)) throw new Error("the merged layout is not the usual one");
  }

  /** Prints the input, unless its layout is unusual. */
  private printed(binary: Uint8Array, depth: number): boolean {
    try {
      this.message(this.plan, 0, binary.length, depth, true);
      return true;
    } catch (error) {
      if (error === UNUSUAL) return false;
      throw error;
    }
  }

  json(): Uint8Array {
    return resultBytes(this.out, this.view, this.o);
  }

  jsonString(): string {
    return decodeUtf8(this.out, 0, this.o);
  }

  private load(binary: Uint8Array): void {
    const size = binary.length;
    if (size <= COPIED_INPUT) {
      const small = this.small;
      small.set(binary);
      this.src = small;
      this.srcView = this.smallView;
    } else {
      // A view of our own: the code that reads it then sees one kind of array only, not Buffers as well.
      this.src = new Uint8Array(binary.buffer, binary.byteOffset, size);
      this.srcView = new DataView(binary.buffer, binary.byteOffset, size);
      this.ensure(size);
    }
  }

  private message(plan: MessagePlan, start: number, end: number, depth: number, isRoot: boolean): void {
    if (depth >= 127) this.tooDeep(start);
    const base = this.spanTop;
    const fields = this.openSet(plan.fields.length);
    const kept = this.findFields(plan, start, end, fields, isRoot);
    const top = this.spanTop;
    const adopted =
      kept === undefined || kept.members.length === 0 ? undefined : this.adoptable(plan, kept, fields, base, top);

    this.ensure(0);
    this.out[this.o++] = 0x7b;
    const first = this.o;
    // Required fields that the binary lacks, in the order of their numbers.
    const required = this.partial && isRoot ? NONE : plan.required;
    let lacking = 0;
    for (let at = base; at < top; ) {
      const field = plan.fields[this.spans[at]];
      for (; lacking < required.length && required[lacking].number < field.number; lacking++) {
        if (this.set[fields + required[lacking].index] === UNSET) this.standard(required[lacking], first, kept);
      }
      const next = this.endOfRun(field, at, top);
      if (this.set[fields + field.index] !== ADOPTED) {
        if (isRoot) this.pointer = `/${field.name}`;
        this.key(field, first);
        this.field(field, at, next, depth + 1, kept);
      }
      at = next;
    }
    for (; lacking < required.length; lacking++) {
      if (this.set[fields + required[lacking].index] === UNSET) this.standard(required[lacking], first, kept);
    }
    this.spanTop = base;
    this.setTop = fields;
    if (kept !== undefined) {
      if (isRoot) this.pointer = `/${plan.sidecarName}`;
      this.members(plan, kept, adopted, first, depth + 1, isRoot);
    }
    this.ensure(0);
    this.out[this.o++] = 0x7d;
    if (isRoot) this.pointer = "";
  }

  private openSet(count: number): number {
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
  private findFields(
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
      const field = plan.byTag.get(tag);
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
  private endOfRun(field: FieldPlan, at: number, top: number): number {
    let next = at + 3;
    if (field.repeated) while (next < top && this.spans[next] === field.index) next += 3;
    return next;
  }

  /**
   * Which members of the sidecar are fields of this schema, by their places in
   * it, and for each the field where it takes effect. A required field gives way
   * when it holds its default, and is marked.
   */
  private adoptable(
    plan: MessagePlan,
    kept: PreservedParts,
    fields: number,
    base: number,
    top: number,
  ): Map<number, FieldPlan | undefined> | undefined {
    let adopted: Map<number, FieldPlan | undefined> | undefined;
    kept.members.forEach(([keyStart, keyEnd], i) => {
      const field = plan.keys.find(this.src, keyStart, keyEnd);
      if (field === undefined) return;
      adopted ??= new Map();
      const gives = field.required
        ? this.set[fields + field.index] !== ADOPTED && this.holdsDefault(field, base, top, kept)
        : this.set[fields + field.index] === UNSET;
      adopted.set(i, gives ? field : undefined);
      // An optional member may turn out to be null, which gives nothing; a required one cannot.
      if (gives && field.required) this.set[fields + field.index] = ADOPTED;
    });
    return adopted;
  }

  private holdsDefault(field: FieldPlan, base: number, top: number, kept: PreservedParts): boolean {
    let at = base;
    while (at < top && this.spans[at] !== field.index) at += 3;
    if (at >= top) return !(field.kind === Kind.ENUM && kept.words.has(field.name));
    const start = this.spans[at + 1];
    const end = this.spans[at + 2];
    if (field.repeated) return field.packed && start === end;
    if (field.kind === Kind.STRING) return start === end;
    if (field.kind === Kind.ENUM && kept.words.has(field.name)) return false;
    // biome-ignore lint/suspicious/noDoubleEquals: of a number and a bigint.
    if (field.wireType === 0) return this.integerOf(field, start, end) == 0;
    for (let p = start; p < end; p++) if (this.src[p] !== 0) return false;
    return true;
  }

  private key(field: FieldPlan, first: number): void {
    this.ensure(0);
    if (this.o > first) this.out[this.o++] = 0x2c;
    this.bytes(this.keyStyle === "camelCase" ? field.camelCase : field.snakeCase);
  }

  /** Prints a required field that the binary lacks. */
  private standard(field: FieldPlan, first: number, kept: PreservedParts | undefined): void {
    this.key(field, first);
    if (field.repeated) this.ascii("[]");
    else if (field.kind === Kind.ENUM) this.word(field, 0, kept);
    else this.ascii(field.kind === Kind.STRING ? '""' : field.kind === Kind.BOOL ? "false" : "0");
  }

  /** Prints the value of a field, whose spans are those from `at` up to `next`. */
  private field(field: FieldPlan, at: number, next: number, depth: number, kept: PreservedParts | undefined): void {
    const texts = kept?.numbers.keys?.get(field.name);
    if (!field.repeated) {
      this.single(field, this.spans[at + 1], this.spans[at + 2], depth, texts, kept);
      return;
    }
    if (depth >= 127) this.tooDeep(this.spans[at + 1]);
    this.ensure(0);
    this.out[this.o++] = 0x5b;
    let index = 0;
    const element = (start: number, end: number) => {
      this.ensure(0);
      if (index > 0) this.out[this.o++] = 0x2c;
      this.single(field, start, end, depth + 1, texts?.indexes?.get(index), undefined);
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
  private integerOf({ kind }: FieldPlan, start: number, end: number): number | bigint {
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
    const preserved = number === 0 ? kept?.words.get(field.name) : undefined;
    if (preserved !== undefined) this.bytes(encodeUtf8(JSON.stringify(preserved)));
    else this.bytes(field.wordOf.get(number) ?? field.wordOf.get(0)!);
  }

  /** Prints the members of the sidecar. */
  private members(
    plan: MessagePlan,
    kept: PreservedParts,
    adopted: Map<number, FieldPlan | undefined> | undefined,
    first: number,
    depth: number,
    isRoot: boolean,
  ): void {
    const given = new Set<FieldPlan>();
    const seen = new Set<string>();
    kept.members.forEach(([keyStart, keyEnd, valueStart, valueEnd], i) => {
      const key = this.text(keyStart, keyEnd);
      if (seen.has(key)) throw UNUSUAL;
      seen.add(key);
      const texts = kept.numbers.keys?.get(key);
      if (adopted?.has(i)) {
        const field = adopted.get(i);
        if (field === undefined || given.has(field)) {
          this.discard(valueStart, valueEnd, depth);
          return;
        }
        if (this.adopt(plan, field, key, valueStart, valueEnd, texts, first, depth, isRoot)) given.add(field);
        return;
      }
      this.ensure(0);
      if (this.o > first) this.out[this.o++] = 0x2c;
      this.string(keyStart, keyEnd);
      this.out[this.o++] = 0x3a;
      this.value(valueStart, valueEnd, depth, texts);
    });
  }

  /** Reads a Value that is not printed: its encoding is judged all the same. */
  private discard(start: number, end: number, depth: number): void {
    const { o } = this;
    this.discarding = true;
    this.value(start, end, depth, undefined);
    this.discarding = false;
    this.o = o;
  }

  /**
   * Prints a member of the sidecar as the field that this schema has for it.
   *
   * Whoever wrote it did not know the field, so it is judged now as the JSON
   * reader would judge it, by that reader: as text, it becomes a message with
   * this one field, which is printed. Says whether that gave a member.
   */
  private adopt(
    plan: MessagePlan,
    field: FieldPlan,
    key: string,
    start: number,
    end: number,
    texts: NumberNode | undefined,
    first: number,
    depth: number,
    isRoot: boolean,
  ): boolean {
    const at = this.o;
    this.bytes(encodeUtf8(`{${JSON.stringify(key)}:`));
    this.value(start, end, depth, texts);
    this.ensure(0);
    this.out[this.o++] = 0x7d;
    const text = this.out.slice(at, this.o);
    this.o = at;
    let printed: Uint8Array;
    try {
      const printer = new BinaryToJson();
      printer.run(
        plan,
        jsonToBinary(plan, text, JUDGED, true),
        { keys: this.keyStyle, maxBytes: Infinity },
        true,
        depth - 1,
      );
      printed = printer.json();
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      throw new WireError(error.code, error.rawMessage, {
        pointer: isRoot ? `/${field.name}` : this.pointer,
        offset: this.original === undefined ? start : this.fieldOffset(this.original),
      });
    }
    if (printed.length === 2) {
      // An empty list leaves no trace in binary; anything else that leaves none was null.
      if (!field.repeated) return false;
      this.key(field, first);
      this.ascii("[]");
      return true;
    }
    this.ensure(printed.length);
    if (this.o > first) this.out[this.o++] = 0x2c;
    this.bytes(printed.subarray(1, -1));
    return true;
  }

  /** Whether it is to be printed at all, where an input gives something twice, is found out when that is put in order. */
  protected override notFinite(at: number): void {
    if (this.discarding) return;
    if (this.original === undefined) throw UNUSUAL;
    this.fail("out_of_range", "JSON has no number for infinity and NaN", at);
  }

  protected override text(start: number, end: number): string {
    return decodeUtf8(this.src, start, end);
  }

  /** Offsets of an input that had to be put in order are not those of the input: the field's own is said instead. */
  protected override fail(code: WireError["code"], message: string, offset: number): never {
    super.fail(code, message, this.original === undefined ? offset : this.fieldOffset(this.original));
  }

  /** Where the last value of the field that is being read stands in a well-formed input. */
  private fieldOffset(binary: Uint8Array): number {
    const reader = new WireReader(binary);
    let offset = 0;
    while (reader.pos < binary.length) {
      const start = reader.pos;
      const tag = reader.tag(binary.length);
      reader.skip(tag, start, binary.length);
      const name = tag >>> 3 === this.plan.sidecar ? this.plan.sidecarName : this.plan.byNumber.get(tag >>> 3)?.name;
      if (`/${name}` === this.pointer) offset = start;
    }
    return offset;
  }

  private begin(): void {
    super.reset();
    this.spanTop = 0;
    this.setTop = 0;
    this.discarding = false;
  }

  override reset(): void {
    this.begin();
    this.original = undefined;
    this.src = this.small;
    this.srcView = this.smallView;
  }
}

const UNSET = 0;
const SET = 1;
/** Set to its default, or not at all, and given by a member of the sidecar. */
const ADOPTED = 2;

const NONE: readonly FieldPlan[] = [];
