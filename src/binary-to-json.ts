import type { DescMessage } from "@bufbuild/protobuf";
import { ADOPTED, BinaryFieldPrinter, UNSET } from "./binary-field-printer.js";
import { mergedBinary } from "./binary-merge.js";
import { WireError } from "./error.js";
import { UNUSUAL } from "./json-sink.js";
import { jsonToBinary } from "./json-to-binary.js";
import {
  blamed,
  type CheckedWriteOptions,
  checkReadOptions,
  checkWriteOptions,
  inputError,
  isBytes,
  MAX_CONTAINERS,
} from "./limits.js";
import type { NumberNode } from "./number-tree.js";
import type { SerdeWriteOptions } from "./options.js";
import { type FieldPlan, Kind, type MessagePlan, planOf } from "./plan.js";
import type { PreservedParts } from "./preserved.js";
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
/** The size of that buffer: words are read beyond what stands in it. */
const SMALL_ROOM = COPIED_INPUT + 16;

/** How a preserved member is judged that a newer schema names: by nothing but the field. */
const JUDGED = checkReadOptions({ maxNesting: Infinity, maxBytes: Infinity });

class BinaryToJson extends BinaryFieldPrinter {
  private partial = false;
  private discarding = false;
  private plan!: MessagePlan;
  private readonly small = new Uint8Array(SMALL_ROOM);
  private readonly smallView = new DataView(this.small.buffer);

  /** Prints the message into the buffer. */
  run(
    plan: MessagePlan,
    binary: Uint8Array,
    { keys, maxBytes }: CheckedWriteOptions,
    partial = false,
    depth = 0,
  ): void {
    if (!isBytes(binary)) throw inputError(undefined, maxBytes, "binary");
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
      this.endStrings(0);
      return true;
    } catch (error) {
      if (error === UNUSUAL) return false;
      // A fault of the encoding, perhaps further on, goes before one of what it says.
      if (this.original === undefined) mergedBinary(this.plan, binary);
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
      this.small.set(binary);
      this.read(this.small, this.smallView, SMALL_ROOM);
    } else {
      // A view of our own: the code that reads it then sees one kind of array only, not Buffers as well.
      const bytes = new Uint8Array(binary.buffer, binary.byteOffset, size);
      this.read(bytes, new DataView(binary.buffer, binary.byteOffset, size), size);
      this.ensure(size);
    }
  }

  /** Takes `src` as the input, of which `room` bytes may be read. */
  private read(src: Uint8Array, view: DataView, room: number): void {
    // Mostly it is the same as before.
    if (this.src !== src) {
      this.src = src;
      this.srcView = view;
    }
    this.lastWord = room - 4;
  }

  protected override message(plan: MessagePlan, start: number, end: number, depth: number, isRoot: boolean): void {
    if (depth >= MAX_CONTAINERS) this.tooDeep(start);
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
        if (isRoot) this.pointer = field.pointer;
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
    if (kept !== undefined && kept.members.length > 0) {
      if (isRoot) this.pointer = `/${plan.sidecarName}`;
      this.members(plan, kept, adopted, first, depth + 1, isRoot);
    }
    this.ensure(0);
    this.out[this.o++] = 0x7d;
    if (isRoot) this.pointer = "";
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
    if (at >= top) return !(field.kind === Kind.ENUM && kept.words?.has(field.name) === true);
    const start = this.spans[at + 1];
    const end = this.spans[at + 2];
    if (field.repeated) return field.packed && start === end;
    if (field.kind === Kind.STRING) return start === end;
    if (field.kind === Kind.ENUM && kept.words?.has(field.name) === true) return false;
    // biome-ignore lint/suspicious/noDoubleEquals: of a number and a bigint.
    if (field.wireType === 0) return this.integerOf(field, start, end) == 0;
    for (let p = start; p < end; p++) if (this.src[p] !== 0) return false;
    return true;
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
      const key = decodeUtf8(this.src, keyStart, keyEnd);
      if (seen.has(key)) throw UNUSUAL;
      seen.add(key);
      const texts = kept.numbers?.member(this.src, keyStart, keyEnd);
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
    this.endStrings(o);
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
    this.endStrings(at);
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
        pointer: isRoot ? field.pointer : this.pointer,
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
    // What was passed in is not kept.
    this.original = undefined;
    this.read(this.small, this.smallView, SMALL_ROOM);
  }
}

const NONE: readonly FieldPlan[] = [];
