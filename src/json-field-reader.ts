import { JsonValueReader } from "./json-value-reader.js";
import { MAX_CONTAINERS } from "./limits.js";
import { notAscii, plainEnd } from "./plain-text.js";
import { type FieldPlan, Kind, type MessagePlan } from "./plan.js";
import { SLACK } from "./proto-sink.js";
import { decodeUtf8 } from "./utf8.js";
import { varintSize } from "./varint.js";

const JSON_TYPE: { readonly [first: string]: string } = {
  '"': "a string",
  "{": "an object",
  "[": "an array",
  t: "a boolean",
  f: "a boolean",
  n: "null",
};

const INTEGERS: { readonly [kind: number]: readonly [low: bigint, high: bigint, name: string] } = {
  [Kind.INT32]: [-(2n ** 31n), 2n ** 31n - 1n, "32 bits"],
  [Kind.UINT32]: [0n, 2n ** 32n - 1n, "32 bits without a sign"],
  [Kind.INT64]: [-(2n ** 63n), 2n ** 63n - 1n, "64 bits"],
  [Kind.UINT64]: [0n, 2n ** 64n - 1n, "64 bits without a sign"],
};

/** The values of a message's fields, each by its kind. */
export abstract class JsonFieldReader extends JsonValueReader {
  /** Writes the message whose opening brace is at `pos`. Its cost counts messages around it, depth open containers. */
  protected abstract message(plan: MessagePlan, cost: number, depth: number): void;

  /** Writes a field, whose value is at `pos`. Gives the word of an enum that does not name it. */
  protected field(field: FieldPlan, cost: number, depth: number): Uint8Array | undefined {
    this.ensure(SLACK);
    const c = this.src[this.pos];
    if (!field.repeated) {
      if (c === 0x6e && !field.required && field.kind !== Kind.VALUE) {
        this.literal("null");
        return undefined;
      }
      this.tag(field);
      return this.single(field, c, cost, depth);
    }
    if (c !== 0x5b) this.wrongType("an array", c);
    if (depth >= MAX_CONTAINERS) this.tooDeep(`over ${MAX_CONTAINERS} containers are open`);
    const { o, delta, tail } = this;
    if (field.packed) {
      this.tag(field);
      this.o++;
    }
    const bodyAt = this.o;
    this.elements(field, cost, depth + 1);
    if (field.packed) {
      if (this.o > bodyAt) this.close(bodyAt - 1, 1, delta, tail);
      else this.o = o;
    }
    return undefined;
  }

  private elements(field: FieldPlan, cost: number, depth: number): void {
    this.pos++;
    let c = this.space();
    if (c === 0x5d) {
      this.pos++;
      return;
    }
    const log = this.log;
    for (let index = 0; ; index++) {
      const mark = log.length;
      this.ensure(SLACK);
      if (!field.packed) this.tag(field);
      this.single(field, c, cost, depth);
      if (log.length !== mark) log.index(mark, index);
      c = this.space();
      if (c !== 0x2c) break;
      this.pos++;
      c = this.space();
    }
    if (c !== 0x5d) this.unexpected(this.pos, "a comma or ]");
    this.pos++;
  }

  private tag({ tagBytes }: FieldPlan): void {
    for (let i = 0; i < tagBytes.length; i++) this.out[this.o++] = tagBytes[i];
  }

  /** Writes one value of a field behind its tag; its first byte is `c`. */
  private single(field: FieldPlan, c: number, cost: number, depth: number): Uint8Array | undefined {
    switch (field.kind) {
      case Kind.VALUE:
        this.value(false, cost + 1, depth, (field.index * 7 + 1) & 255);
        return undefined;
      case Kind.STRING:
        this.string(c);
        return undefined;
      case Kind.ENUM:
        return this.enum(field, c);
      case Kind.BOOL:
        if (c !== 0x74 && c !== 0x66) this.wrongType("a boolean", c);
        this.literal(c === 0x74 ? "true" : "false");
        this.out[this.o++] = c === 0x74 ? 1 : 0;
        return undefined;
      case Kind.DOUBLE:
        if (c !== 0x2d && !(c >= 0x30 && c <= 0x39)) this.wrongType("a number", c);
        this.view.setFloat64(this.o, this.number(), true);
        this.o += 8;
        return undefined;
      case Kind.MESSAGE: {
        if (c !== 0x7b) this.wrongType("an object", c);
        if (cost >= this.maxCost) this.tooDeep(`the nesting of messages takes over ${this.maxCost} levels`);
        const { o, delta, tail } = this;
        this.o++;
        this.message(field.message, cost + 1, depth);
        this.close(o, 1, delta, tail);
        return undefined;
      }
      default:
        this.integer(field.kind, c);
        return undefined;
    }
  }

  private string(c: number): void {
    if (c !== 0x22) this.wrongType("a string", c);
    const start = this.pos + 1;
    let end = plainEnd(this.srcView, start, this.lastBlock) | 0;
    let size = end - start;
    if (this.src[end] === 0x22 && size < 0x80 && (notAscii & this.doubtful) === 0) {
      this.out[this.o] = size;
      this.pos = end + 1;
      this.o += 1;
      this.copy(start, end);
      return;
    }
    this.bits = notAscii;
    end = this.plain(end, start);
    size = end - start;
    if (this.src[end] !== 0x5c) {
      this.endString(start, end);
      this.pos = end + 1;
      this.varint(size);
      this.copy(start, end);
      return;
    }
    const { o, delta, tail } = this;
    const width = varintSize(size);
    this.o += width;
    this.copy(start, end);
    this.pos = this.unescape(end, start) + 1;
    this.close(o, width, delta, tail);
  }

  private enum(field: FieldPlan, c: number): Uint8Array | undefined {
    if (c !== 0x22) this.wrongType("a string", c);
    this.key();
    const number = field.numberOf.find(this.kbuf, this.ks, this.ke);
    this.signed(number ?? 0);
    // Elements of a list have no name to keep a word under.
    return number === undefined && !field.repeated ? this.kbuf.slice(this.ks, this.ke) : undefined;
  }

  private integer(kind: Kind, c: number): void {
    const start = this.pos;
    const { src } = this;
    let p = start | 0;
    let small = 0;
    for (let digit = c ^ 0x30; digit <= 9 && p - start < 9; digit = src[++p] ^ 0x30) small = small * 10 + digit;
    if (p > start && (src[p] === 0x2c || src[p] === 0x7d) && (c !== 0x30 || p - start === 1)) {
      // Up to nine digits are within all bounds.
      this.varint(small);
      this.pos = p;
      return;
    }
    if (c !== 0x2d && !(c >= 0x30 && c <= 0x39)) this.wrongType("an integer", c);
    if (!this.integerToken()) this.fail("wrong_type", "expected an integer, found another number", start);
    const size = this.pos - start;
    const [low, high, name] = INTEGERS[kind]!;
    // No bound has over 20 characters: longer tokens need not be worked out, however long they are. Up to 15 digits are
    // exact as a double, which is much cheaper than a BigInt.
    const value =
      size > 20 ? undefined : size <= 15 ? this.shortInteger(start) : BigInt(decodeUtf8(this.src, start, this.pos));
    if (value === undefined || value < low || value > high)
      this.fail("out_of_range", `an integer beyond ${name}`, start);
    this.signed(value);
  }

  private shortInteger(start: number): number {
    const negative = this.src[start] === 0x2d;
    let value = 0;
    for (let p = negative ? start + 1 : start; p < this.pos; p++) value = value * 10 + this.src[p] - 0x30;
    return negative ? -value : value;
  }

  /** Writes an integer as the varint of its 64 bits. */
  private signed(value: number | bigint): void {
    if (value >= 0 && value <= 0xffff_ffff) {
      this.varint(Number(value));
      return;
    }
    let rest = BigInt.asUintN(64, BigInt(value));
    while (rest > 0x7fn) {
      this.out[this.o++] = Number(rest & 0x7fn) | 0x80;
      rest >>= 7n;
    }
    this.out[this.o++] = Number(rest);
  }

  /** Refuses a value whose first byte is `c`. A scalar is read whole first: it may not be one. */
  protected wrongType(wanted: string, c: number): never {
    const start = this.pos;
    const number = c === 0x2d || (c >= 0x30 && c <= 0x39);
    if (c === 0x22) {
      const end = this.scan(start + 1);
      if (this.escaped) this.text(start + 1, end, true);
    } else if (number) this.integerToken();
    else this.literalOf(c);
    const found = number ? "a number" : JSON_TYPE[String.fromCharCode(c)];
    if (found === undefined) this.unexpected(start, wanted);
    this.fail("wrong_type", `expected ${wanted}, found ${found}`, start);
  }
}
