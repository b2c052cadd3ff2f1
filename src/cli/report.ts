import type { WireError } from "../error.js";
import { type Format, factsOf } from "./formats.js";
import { harmless, shortened } from "./terminal.js";

/** A key may be as long as it likes; a message should not be. */
const LONGEST_POINTER = 200;

/**
 * A fault as editors and people know it: `FILE:LINE:COLUMN: POINTER: message`,
 * and for binary, which has no lines, `FILE: byte OFFSET: POINTER: message`.
 */
export function faultLine(name: string, format: Format, error: WireError): string {
  const { wire, isStream } = factsOf(format);
  const { line, column, offset, record, pointer } = error;
  const file = harmless(name);
  const parts: string[] = [];
  if (line !== undefined) parts.push(`${file}:${line}:${column ?? 1}`);
  else if (offset !== undefined) parts.push(file, `byte ${offset}`);
  else parts.push(file);
  if (isStream && wire === "binary" && record !== undefined) parts.push(`record ${record}`);
  if (pointer !== undefined && pointer !== "") parts.push(shortened(pointer, LONGEST_POINTER));
  parts.push(`${harmless(error.rawMessage)} (${error.code})`);
  return parts.join(": ");
}
