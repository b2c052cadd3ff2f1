// Tables of JSON texts that must be refused. In a text `⌖` marks the place of the fault; two marks are the first and
// the last place that can be called right (a token that is cut short or misspelt).
import { test } from "vitest";
import type { SerdeReadOptions, WireErrorCode } from "../../src/index.js";
import { marked, refuseJson } from "./entry-points.js";

export type Row = [text: string, code: WireErrorCode | WireErrorCode[], pointer: string, options?: SerdeReadOptions];

export const DEEP: SerdeReadOptions = { maxNesting: Number.POSITIVE_INFINITY };

export const END = ',"run_id":"a","status":"completed"}';

/** Each text must be refused as its row says, where it is marked, also further in. */
export function refuses(rows: Row[]): void {
  test.each(rows)("%j → %s at %s", (textWithMarks, code, pointer, options) => {
    const { text, offset } = marked(textWithMarks);
    refuseJson(text, { code, pointer, offset }, options);
    // The same text further in, with lines and wide characters before it.
    const indent = "\n\n \t";
    const shift = Buffer.byteLength(indent);
    const shifted: number | [number, number] = Array.isArray(offset)
      ? [offset[0] + shift, offset[1] + shift]
      : offset + shift;
    if (text !== "" && !text.startsWith("\ufeff"))
      refuseJson(indent + text, { code, pointer, offset: shifted }, options);
  });
}
