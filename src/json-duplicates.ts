import { decodeUtf8 } from "./utf8.js";

/**
 * Rewrites a well-formed JSON text so that no object has a key twice: the last
 * value stands in the first one's place, as serde_json has it.
 *
 * The text is cut into pieces, which are put in order as linked lists, so that
 * the cost is linear however the objects nest.
 */
export function withoutDuplicates(text: Uint8Array, end: number): Uint8Array {
  const rewriter = new Rewriter(text);
  rewriter.value(rewriter.space(0));
  return rewriter.join(end);
}

class Rewriter {
  // Pieces of the text, each with the piece that follows it, or -1.
  private readonly start: number[] = [];
  private readonly end: number[] = [];
  private readonly next: number[] = [];
  // The pieces of the value that was read last.
  private head = -1;
  private tail = -1;

  constructor(private readonly text: Uint8Array) {}

  /** Reads the value at `p` into pieces and gives the position after it. */
  value(p: number): number {
    const c = this.text[p];
    if (c === 0x7b) return this.object(p);
    if (c === 0x5b) return this.array(p);
    const end = c === 0x22 ? this.string(p) : this.scalar(p);
    this.head = this.tail = this.piece(p, end);
    return end;
  }

  private array(start: number): number {
    let p = this.space(start + 1);
    const head = this.piece(start, p);
    let tail = head;
    while (this.text[p] !== 0x5d) {
      p = this.value(p);
      tail = this.link(tail);
      const after = this.space(p);
      if (this.text[after] !== 0x2c) {
        p = after;
        break;
      }
      p = this.space(after + 1);
      tail = this.append(tail, after, p);
    }
    tail = this.append(tail, p, p + 1);
    this.head = head;
    this.tail = tail;
    return p + 1;
  }

  private object(start: number): number {
    const text = this.text;
    // The members by key, each as the key's piece and the first and last piece of its value.
    const members = new Map<string, [key: number, head: number, tail: number]>();
    let p = this.space(start + 1);
    while (text[p] !== 0x7d) {
      const keyEnd = this.string(p);
      const key = keyOf(text, p, keyEnd);
      const colon = this.space(keyEnd);
      const keyStart = p;
      p = this.value(this.space(colon + 1));
      const before = members.get(key);
      if (before === undefined) {
        members.set(key, [this.piece(keyStart, keyEnd), this.head, this.tail]);
      } else {
        before[1] = this.head;
        before[2] = this.tail;
      }
      p = this.space(p);
      if (text[p] === 0x2c) p = this.space(p + 1);
    }
    const head = this.constant(OPEN);
    let tail = head;
    let first = true;
    for (const [key, valueHead, valueTail] of members.values()) {
      if (!first) tail = this.follow(tail, this.constant(COMMA));
      first = false;
      tail = this.follow(tail, key);
      tail = this.follow(tail, this.constant(COLON));
      this.head = valueHead;
      this.tail = valueTail;
      tail = this.link(tail);
    }
    tail = this.follow(tail, this.constant(CLOSE));
    this.head = head;
    this.tail = tail;
    return p + 1;
  }

  private piece(start: number, end: number): number {
    this.start.push(start);
    this.end.push(end);
    return this.next.push(-1) - 1;
  }

  /** A piece of one byte that stands in no text: its start is the byte's complement. */
  private constant(byte: number): number {
    return this.piece(~byte, 0);
  }

  private append(tail: number, start: number, end: number): number {
    return this.follow(tail, this.piece(start, end));
  }

  private follow(tail: number, piece: number): number {
    this.next[tail] = piece;
    return piece;
  }

  /** Puts the value that was read last behind `tail`. */
  private link(tail: number): number {
    this.next[tail] = this.head;
    return this.tail;
  }

  join(most: number): Uint8Array {
    const out = new Uint8Array(most);
    let o = 0;
    for (let piece = this.head; piece !== -1; piece = this.next[piece]) {
      const start = this.start[piece];
      if (start < 0) {
        out[o++] = ~start;
        continue;
      }
      for (let p = start; p < this.end[piece]; p++) out[o++] = this.text[p];
    }
    return out.slice(0, o);
  }

  space(p: number): number {
    let c = this.text[p];
    while (c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09) c = this.text[++p];
    return p;
  }

  private string(p: number): number {
    for (p++; this.text[p] !== 0x22; p++) if (this.text[p] === 0x5c) p++;
    return p + 1;
  }

  private scalar(p: number): number {
    for (let c = this.text[p]; c > 0x20 && c !== 0x2c && c !== 0x5d && c !== 0x7d; c = this.text[p]) p++;
    return p;
  }
}

const OPEN = 0x7b;
const CLOSE = 0x7d;
const COMMA = 0x2c;
const COLON = 0x3a;

/** The key in quotes from `start` up to `end`, unescaped. */
function keyOf(text: Uint8Array, start: number, end: number): string {
  const escaped = text.subarray(start, end).includes(0x5c);
  return escaped ? JSON.parse(decodeUtf8(text, start, end)) : decodeUtf8(text, start + 1, end - 1);
}
