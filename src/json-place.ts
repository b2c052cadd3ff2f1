import type { WireErrorPlace } from "./error.js";
import { Kind, type MessagePlan } from "./plan.js";
import { pointerToken } from "./pointer.js";

/** A container that is open at the place. */
interface Frame {
  /** The plan of the message that the object is; none inside Values. */
  readonly plan: MessagePlan | undefined;
  /** The key or index of the value that is being read, or undefined between values. */
  token: string | number | undefined;
  /** The plan of that value, where it is a nested message or a list of them. */
  inner: MessagePlan | undefined;
  readonly isArray: boolean;
  /** In an array: the index of the value after the next comma. */
  next: number;
}

/**
 * Works out where a byte of a JSON text stands. It reads the text up to there
 * once more, which is done only when there is a fault to report; up to its
 * first fault the text is known to be well-formed.
 *
 * `member` names a member of the innermost object that the fault is about, by
 * the name it has in pointers. `start` is where the token at fault starts, when
 * that is not at `offset`.
 */
export function placeInJson(
  text: Uint8Array,
  offset: number,
  plan: MessagePlan,
  member?: string,
  start = offset,
): WireErrorPlace {
  return { pointer: pointerTo(text, start, plan, member), offset, ...lineAndColumn(text, offset) };
}

function lineAndColumn(text: Uint8Array, offset: number): { line: number; column: number } {
  let line = 1;
  let start = 0;
  for (let p = text.indexOf(0x0a); p >= 0 && p < offset; p = text.indexOf(0x0a, p + 1)) {
    line++;
    start = p + 1;
  }
  let column = 1;
  // A column is a code point; those have one byte each that continues none.
  for (let p = start; p < offset; p++) if ((text[p] & 0xc0) !== 0x80) column++;
  return { line, column };
}

function pointerTo(text: Uint8Array, offset: number, plan: MessagePlan, member: string | undefined): string {
  const frames: Frame[] = [];
  let expectKey = false;
  for (let p = 0; p < offset; p++) {
    const frame = frames[frames.length - 1];
    switch (text[p]) {
      case 0x7b: // {
      case 0x5b: {
        const isArray = text[p] === 0x5b;
        const inner = frame === undefined ? plan : frame.inner;
        frames.push({
          plan: isArray ? undefined : inner,
          token: isArray ? 0 : undefined,
          inner: isArray ? inner : undefined,
          isArray,
          next: 1,
        });
        expectKey = !isArray;
        break;
      }
      case 0x7d: // }
      case 0x5d:
        frames.pop();
        endValue(frames[frames.length - 1]);
        break;
      case 0x2c: // ,
        if (frame?.isArray) frame.token = frame.next++;
        expectKey = frame !== undefined && !frame.isArray;
        break;
      case 0x22: {
        const end = closingQuote(text, p);
        // The fault is inside this string, or at its end.
        if (end >= offset) p = offset;
        else if (expectKey && frame !== undefined) {
          setKey(frame, JSON.parse(new TextDecoder().decode(text.subarray(p, end + 1))));
          expectKey = false;
          p = end;
        } else {
          endValue(frame);
          p = end;
        }
        break;
      }
      default:
        if (isScalarByte(text[p])) {
          while (p + 1 < offset && isScalarByte(text[p + 1])) p++;
          if (p + 1 < offset || (offset < text.length && !isScalarByte(text[offset]))) endValue(frame);
        }
    }
  }
  let pointer = "";
  for (const frame of frames) if (frame.token !== undefined) pointer += pointerToken(frame.token);
  return member === undefined ? pointer : pointer + pointerToken(member);
}

/** After a value the place is the container's again. */
function endValue(frame: Frame | undefined): void {
  if (frame !== undefined) frame.token = undefined;
}

function setKey(frame: Frame, key: string): void {
  const field = frame.plan?.keys.get(key);
  frame.token = field?.name ?? key;
  frame.inner = field?.kind === Kind.MESSAGE ? field.message : undefined;
}

function closingQuote(text: Uint8Array, start: number): number {
  let p = start + 1;
  while (p < text.length && text[p] !== 0x22) p += text[p] === 0x5c ? 2 : 1;
  return p;
}

/** Part of a number or a word: neither white space nor punctuation. */
function isScalarByte(c: number): boolean {
  return c > 0x20 && c !== 0x2c && c !== 0x3a && c !== 0x5b && c !== 0x5d && c !== 0x7b && c !== 0x7d && c !== 0x22;
}
