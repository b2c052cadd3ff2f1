/**
 * What kind of fault a {@link WireError} reports.
 *
 * - `syntax`: the text is not JSON (RFC 8259) as serde_json reads it.
 * - `invalid_utf8`: bytes that should be UTF-8 are not, or a JS string holds a
 *   lone surrogate.
 * - `missing_field`: a required member is not there.
 * - `duplicate_field`: a member that the schema names stands there twice.
 * - `unknown_member`: a member that the schema does not name, where
 *   `unknownMembers: "reject"` was asked for.
 * - `wrong_type`: a value of another type than the field's.
 * - `out_of_range`: a number that its field, or JSON, cannot hold.
 * - `nesting_too_deep`: more levels than the other side can read.
 * - `too_large`: more bytes than `maxBytes`, or than a string can hold.
 * - `malformed_binary`: bytes that are not the message in Protobuf's encoding.
 * - `truncated`: a stream that ends inside a record.
 */
export type WireErrorCode =
  | "syntax"
  | "invalid_utf8"
  | "missing_field"
  | "duplicate_field"
  | "unknown_member"
  | "wrong_type"
  | "out_of_range"
  | "nesting_too_deep"
  | "too_large"
  | "malformed_binary"
  | "truncated";

/** Where a fault stands. Every part that can be known is there. */
export interface WireErrorPlace {
  /**
   * The value at fault as a JSON Pointer (RFC 6901). The envelope's fields go
   * by their names in the .proto. In binary it ends at the envelope's field.
   */
  pointer?: string | undefined;
  /**
   * The first byte of the key or value at fault, from 0: in bytes of UTF-8 for
   * JSON (also for a JS string), else in bytes of the binary.
   */
  offset?: number | undefined;
  /** For JSON text: the line, from 1. */
  line?: number | undefined;
  /** For JSON text: the column in code points, from 1. */
  column?: number | undefined;
  /** In a stream: the number of the record, from 1. */
  record?: number | undefined;
}

/**
 * The one error for input that cannot be carried over.
 *
 * Nothing else is thrown for bad input, and no partial output is returned
 * beside it.
 */
export class WireError extends Error implements WireErrorPlace {
  override readonly name = "WireError";
  /** What kind of fault it is, for programs. */
  readonly code: WireErrorCode;
  /** What is wrong, in one line, without code and place. */
  readonly rawMessage: string;
  readonly pointer: string | undefined;
  readonly offset: number | undefined;
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly record: number | undefined;

  constructor(code: WireErrorCode, rawMessage: string, place: WireErrorPlace = {}) {
    super(`${code}: ${rawMessage}${placeText(place)}`);
    this.code = code;
    this.rawMessage = rawMessage;
    this.pointer = place.pointer;
    this.offset = place.offset;
    this.line = place.line;
    this.column = place.column;
    this.record = place.record;
  }

  /** The same fault, with a place that is known better further out. */
  at(place: WireErrorPlace): WireError {
    return new WireError(this.code, this.rawMessage, { ...placeOf(this), ...place });
  }
}

function placeOf(error: WireErrorPlace): WireErrorPlace {
  const { pointer, offset, line, column, record } = error;
  return { pointer, offset, line, column, record };
}

function placeText({ pointer, offset, line, column, record }: WireErrorPlace): string {
  const parts: string[] = [];
  if (record !== undefined) parts.push(`record ${record}`);
  if (pointer !== undefined && pointer !== "") parts.push(`at ${oneLine(pointer)}`);
  if (line !== undefined) parts.push(`line ${line} column ${column}`);
  else if (offset !== undefined) parts.push(`byte ${offset}`);
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

/** Keys may hold anything; a message stays on one line and keeps its length. */
function oneLine(text: string): string {
  const short = text.length > 200 ? `${text.slice(0, 100)}…${text.slice(-100)}` : text;
  return short.replace(/[\p{Cc}\u2028\u2029]/gu, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
