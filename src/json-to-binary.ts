import type { DescMessage } from "@bufbuild/protobuf";
import { withoutDuplicates } from "./json-duplicates.js";
import { JsonFieldReader } from "./json-field-reader.js";
import { HIGH_BITS } from "./json-string-reader.js";
import {
  blamed,
  type CheckedReadOptions,
  checkReadOptions,
  inputError,
  isBytes,
  MAX_CONTAINERS,
  utf8Size,
} from "./limits.js";
import type { SerdeReadOptions } from "./options.js";
import { TEXT_SLACK } from "./plain-text.js";
import { type MessagePlan, planOf } from "./plan.js";
import { ProtoSink, SLACK } from "./proto-sink.js";
import { encodeIllFormed, encodeUtf8, encodeUtf8Into, hasNativeUtf8, isUtf8, isWellFormed } from "./utf8.js";
import { varintSize } from "./varint.js";

/**
 * Carries the JSON that serde writes for a message over to Protobuf's binary
 * encoding.
 *
 * `json` is UTF-8, or a JS string. Members may stand in any order, under their
 * snake_case or camelCase names; the binary holds them in the same order. What
 * the schema has no place for is kept in the message's field of type
 * `factory_run.v1.Preserved`; a message without such a field has nowhere to keep
 * it.
 *
 * Throws a {@link WireError} for every text that serde_json would not read into
 * the struct, with the exceptions in docs/wire-format.md, and a TypeError for a
 * schema with a field of a kind that has no mapping.
 */
export function serdeJsonToBinary(
  schema: DescMessage,
  json: string | Uint8Array,
  options?: SerdeReadOptions,
): Uint8Array {
  return jsonToBinary(planOf(schema), json, checkReadOptions(options), false);
}

/**
 * The same by plan. In a `partial` message no member is missing.
 */
export function jsonToBinary(
  plan: MessagePlan,
  json: string | Uint8Array,
  options: CheckedReadOptions,
  partial: boolean,
): Uint8Array {
  const reader = idle ?? new JsonToBinary();
  idle = undefined;
  try {
    return reader.run(plan, json, options, partial);
  } catch (error) {
    throw blamed(error);
  } finally {
    reader.reset();
    idle = reader;
  }
}

/** A reader that is not in use, kept for its buffers. */
let idle: JsonToBinary | undefined;

/** Inputs up to this size are copied into a buffer of our own, which has its view ready. */
const COPIED_INPUT = 4096;
/** The size of that buffer: strings are encoded into it while they surely fit. */
const SMALL_BYTES = 16384;
/** Words are read beyond what stands in it. */
const SMALL_ROOM = SMALL_BYTES + 1 + TEXT_SLACK;

/** Longer strings are encoded into a buffer of their own. */
const MOST_KEPT = 1 << 22;

/** Field `words` of Preserved (factory_run.proto), as a tag. Its `members` have the tag that a Struct's entries have. */
const TAG_WORDS = 0x12;

/** A word that an enum does not name. */
interface Word {
  readonly name: Uint8Array;
  readonly word: Uint8Array;
}

class JsonToBinary extends JsonFieldReader {
  private unknownMembers: "keep" | "drop" | "reject" = "keep";
  private partial = false;
  /** Where members go that the schema does not name: they stand behind the fields. */
  private readonly side = new ProtoSink();
  /** Which fields of the open messages have been seen, by their indices from `seenBase` on. */
  private seen = new Uint8Array(64);
  private seenTop = 0;
  private readonly small = new Uint8Array(SMALL_ROOM);
  private readonly smallView = new DataView(this.small.buffer);
  private long = new Uint8Array(0);

  run(plan: MessagePlan, json: string | Uint8Array, options: CheckedReadOptions, partial: boolean): Uint8Array {
    this.root = plan;
    this.maxCost = options.maxNesting;
    this.exact = options.numbers === "exact";
    this.unknownMembers = options.unknownMembers;
    this.partial = partial;
    this.load(json, options.maxBytes);
    this.document();
    if (this.keys.repeated) {
      // What was written is void. The text is well-formed, so it can be rewritten without its duplicates and read again.
      const text = withoutDuplicates(this.src, this.end);
      super.reset();
      this.begin(text, new DataView(text.buffer), text.length);
      this.document();
    }
    return this.result();
  }

  private load(json: string | Uint8Array, maxBytes: number): void {
    if (typeof json === "string") {
      // A code unit takes one to three bytes, so that mostly the length decides.
      if (json.length * 3 > maxBytes) {
        const size = utf8Size(json);
        if (size > maxBytes) throw inputError(size, maxBytes, "JSON");
      }
      if (json.length * 3 <= SMALL_BYTES && isWellFormed(json)) {
        this.begin(this.small, this.smallView, encodeUtf8Into(json, this.small), SMALL_ROOM);
        this.small[this.end] = 0;
        this.doubtful = 0;
      } else {
        let bytes = this.encoded(json);
        // A lone surrogate becomes U+FFFD, which begins with this byte: where it is nowhere, there was none.
        const wellFormed = bytes.indexOf(0xef) < 0 || isWellFormed(json);
        if (!wellFormed) bytes = encodeIllFormed(json);
        this.begin(bytes, new DataView(bytes.buffer, bytes.byteOffset, bytes.length), bytes.length);
        if (wellFormed) this.doubtful = 0;
      }
      return;
    }
    if (!isBytes(json)) throw inputError(undefined, maxBytes, "JSON");
    const size = json.length;
    if (size > maxBytes) throw inputError(size, maxBytes, "JSON");
    if (size <= COPIED_INPUT) {
      const small = this.small;
      small.set(json);
      small[size] = 0;
      this.begin(small, this.smallView, size, SMALL_ROOM);
    } else {
      // A view of our own: the code that reads it then sees one kind of array only, not Buffers as well.
      const bytes = new Uint8Array(json.buffer, json.byteOffset, size);
      this.begin(bytes, new DataView(json.buffer, json.byteOffset, size), size);
      this.ensure(size + (size >> 2));
    }
    // A short input has few strings, which are then checked one by one, and only if they are not ASCII.
    if (hasNativeUtf8 && size >= 256 && isUtf8(this.src, 0, size)) this.doubtful = 0;
  }

  /** The UTF-8 of a long string, in a buffer that is kept if the size allows: making one takes longer than filling it. */
  private encoded(text: string): Uint8Array {
    // Room for a text that is mostly ASCII.
    const room = text.length + (text.length >> 2);
    if (room > MOST_KEPT) return encodeUtf8(text);
    if (room > this.long.length) this.long = new Uint8Array(room);
    const size = encodeUtf8Into(text, this.long);
    // What may be missing did not fit into the last bytes.
    return size + 4 > this.long.length ? encodeUtf8(text) : this.long.subarray(0, size);
  }

  /** Takes `size` bytes as the input; `room` may be read. */
  private begin(src: Uint8Array, view: DataView, size: number, room = size): void {
    this.src = src;
    this.srcView = view;
    this.pos = 0;
    this.end = size;
    this.lastWord = room - 4;
    this.lastBlock = room - TEXT_SLACK;
    this.kbuf = src;
  }

  private document(): void {
    const c = this.space();
    if (c !== 0x7b) this.wrongType("an object", c);
    this.message(this.root, 0, 0);
    this.space();
    if (this.pos < this.end) this.unexpected(this.pos, "the end");
  }

  protected override message(plan: MessagePlan, cost: number, depth: number): void {
    if (depth >= MAX_CONTAINERS) this.tooDeep(`over ${MAX_CONTAINERS} containers are open`);
    const { side, log } = this;
    const { o: sideO, delta: sideDelta, tail: sideTail } = side;
    const mark = log.length;
    const base = this.keys.count;
    const seenBase = this.seenTop;
    this.openSeen(plan.fields.length);
    plan.keys.begin();
    let keys: Set<string> | undefined;
    let words: Word[] | undefined;

    this.pos++;
    let c = this.space();
    while (c !== 0x7d) {
      if (c !== 0x22) this.unexpected(this.pos, "a key");
      const quote = this.pos;
      const before = log.length;
      let field = plan.keys.expected(this.srcView, quote, this.lastWord);
      let start = quote;
      if (field !== undefined) {
        this.pos = quote + plan.keys.size;
        if (this.src[this.pos] <= 0x20) this.space();
      } else {
        start = this.key();
        field = plan.keys.find(this.kbuf, this.ks, this.ke);
      }
      if (field === undefined) {
        keys = this.unknown(plan, quote, base, keys, cost, depth + 1, start, this.pos - 1, before);
      } else {
        if (this.seen[seenBase + field.index] !== 0)
          this.fail("duplicate_field", `the field ${field.name} stands here a second time`, quote, field.name);
        this.seen[seenBase + field.index] = 1;
        if (start !== quote) this.colon();
        const word = this.field(field, cost, depth + 1);
        if (word !== undefined) {
          words ??= [];
          words.push({ name: field.nameBytes, word });
        }
        if (log.length !== before) log.name(before, field.index, field.nameBytes.length);
      }
      c = this.src[this.pos];
      if (c <= 0x20) c = this.space();
      if (c === 0x2c) {
        c = this.src[++this.pos];
        if (c <= 0x20) c = this.space();
        if (c !== 0x22) this.unexpected(this.pos, "a key");
      } else if (c !== 0x7d) {
        this.unexpected(this.pos, "a comma or }");
      }
    }
    if (!(this.partial && depth === 0)) {
      for (const field of plan.required) {
        if (this.seen[seenBase + field.index] === 0)
          this.fail("missing_field", `the field ${field.name} is missing`, this.pos, field.name);
      }
    }
    this.pos++;
    this.seenTop = seenBase;
    this.keys.count = base;
    if (words !== undefined || log.length !== mark || side.o !== sideO) {
      if (plan.sidecar !== 0) this.preserved(plan, sideO, sideDelta, sideTail, words, mark);
      log.truncate(mark);
      side.back(sideO, sideDelta, sideTail);
    }
  }

  private openSeen(count: number): void {
    const top = this.seenTop + count;
    if (top > this.seen.length) {
      const larger = new Uint8Array(top * 2);
      larger.set(this.seen);
      this.seen = larger;
    }
    for (let i = this.seenTop; i < top; i++) this.seen[i] = 0;
    this.seenTop = top;
  }

  /** Reads a member that the schema does not name, whose key was read last. */
  private unknown(
    plan: MessagePlan,
    quote: number,
    base: number,
    keys: Set<string> | undefined,
    cost: number,
    depth: number,
    start: number,
    end: number,
    mark: number,
  ): Set<string> | undefined {
    if (this.unknownMembers === "reject") {
      const key = this.text(start, end, this.kbuf !== this.src);
      this.fail("unknown_member", "a member that the schema does not name", quote, key);
    }
    // Its Value will stand in the sidecar, in an entry: three messages deep. One that is dropped is checked all the same.
    const keep = this.unknownMembers === "keep" && plan.sidecar !== 0;
    if (keep) keys = this.remember(base, keys);
    const { o, delta, tail } = this.side;
    this.swap(this.side);
    this.entry(start, end, cost + 3, depth, mark);
    this.swap(this.side);
    if (!keep) {
      this.side.back(o, delta, tail);
      this.log.truncate(mark);
    }
    return keys;
  }

  /** Writes the sidecar of the message that ends here, if there is anything for it to hold. */
  private preserved(
    plan: MessagePlan,
    sideO: number,
    sideDelta: number,
    sideTail: number,
    words: Word[] | undefined,
    mark: number,
  ): void {
    const { side, log } = this;
    const membersSize = side.sizeSince(sideO, sideDelta);
    const numbersSize = log.sizeSince(mark);
    let wordsSize = 0;
    for (const { name, word } of words ?? []) {
      const size = entrySize(name, word);
      wordsSize += 1 + varintSize(size) + size;
    }
    const size = membersSize + wordsSize + numbersSize;
    if (size === 0) return;
    this.ensure(size + SLACK);
    this.varint(((plan.sidecar << 3) | 2) >>> 0);
    this.varint(size);
    const out = this.out;
    this.o = side.copySince(out, this.o, sideO, sideTail);
    for (const { name, word } of words ?? []) {
      out[this.o++] = TAG_WORDS;
      this.varint(entrySize(name, word));
      this.bytes(0x0a, name);
      this.bytes(0x12, word);
    }
    if (numbersSize > 0) {
      const end = this.o + numbersSize;
      log.write(mark, out, this.view, end, this.src, this.srcView, plan.names);
      this.o = end;
    }
  }

  private bytes(tag: number, bytes: Uint8Array): void {
    this.out[this.o++] = tag;
    this.varint(bytes.length);
    this.out.set(bytes, this.o);
    this.o += bytes.length;
  }

  override reset(): void {
    super.reset();
    this.side.reset();
    this.log.reset();
    this.keys.reset();
    this.seenTop = 0;
    this.doubtful = HIGH_BITS;
    // What was passed in is not kept.
    if (this.src !== this.small) this.begin(this.small, this.smallView, 0, SMALL_ROOM);
  }
}

function entrySize(key: Uint8Array, value: Uint8Array): number {
  return 2 + varintSize(key.length) + key.length + varintSize(value.length) + value.length;
}
