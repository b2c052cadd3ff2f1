import { WireError } from "./error.js";
import type { SerdeObjectOptions, SerdeReadOptions, SerdeWriteOptions } from "./options.js";

/** Options with their defaults filled in. */
export type CheckedReadOptions = Required<SerdeReadOptions>;
export type CheckedWriteOptions = Required<SerdeWriteOptions>;

/** serde_json opens no more containers than this within one another. */
export const MAX_CONTAINERS = 127;

const MIB = 1 << 20;

const READ_DEFAULTS: CheckedReadOptions = {
  maxNesting: 100,
  maxBytes: 64 * MIB,
  numbers: "exact",
  unknownMembers: "keep",
};
const WRITE_DEFAULTS: CheckedWriteOptions = { keys: "snake_case", maxBytes: 512 * MIB };

/** Positions in an input are 32-bit integers. */
const MOST_BYTES = 0x7fff_0000;

/** Fills in the defaults. Options of no sense are the caller's mistake, not bad input: a TypeError. */
export function checkReadOptions(options: SerdeReadOptions | undefined): CheckedReadOptions {
  if (options === undefined) return READ_DEFAULTS;
  const numbers = oneOf("numbers", options.numbers, ["exact", "double"]);
  const unknownMembers = oneOf("unknownMembers", options.unknownMembers, ["keep", "drop", "reject"]);
  return {
    maxNesting: count("maxNesting", options.maxNesting, READ_DEFAULTS.maxNesting),
    maxBytes: Math.min(MOST_BYTES, count("maxBytes", options.maxBytes, READ_DEFAULTS.maxBytes)),
    numbers,
    unknownMembers,
  };
}

/** Fills in the defaults, likewise. */
export function checkWriteOptions(options: SerdeWriteOptions | undefined): CheckedWriteOptions {
  if (options === undefined) return WRITE_DEFAULTS;
  return {
    keys: oneOf("keys", options.keys, ["snake_case", "camelCase"]),
    maxBytes: Math.min(MOST_BYTES, count("maxBytes", options.maxBytes, WRITE_DEFAULTS.maxBytes)),
  };
}

/** Whether integers are to be bigints where a double would round them. */
export function wantsBigInts(options: SerdeObjectOptions | undefined): boolean {
  return oneOf("integers", options?.integers, ["number", "bigint"]) === "bigint";
}

function count(name: string, value: number | undefined, standard: number): number {
  if (value === undefined) return standard;
  if (typeof value !== "number" || !(value >= 0)) throw new TypeError(`the option ${name} takes a number, 0 or more`);
  return value;
}

/** The first of the choices is the default. */
function oneOf<T extends string>(name: string, value: T | undefined, choices: readonly T[]): T {
  if (value === undefined) return choices[0];
  if (!choices.includes(value)) throw new TypeError(`the option ${name} takes one of ${choices.join(", ")}`);
  return value;
}

/** The size of a string in UTF-8, with three bytes for a lone surrogate. */
export function utf8Size(text: string): number {
  let size = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0x80) size += unit < 0x800 ? 1 : 2;
    // The four bytes of a pair, for its two units.
    if (unit >= 0xdc00 && unit < 0xe000 && i > 0 && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800) size -= 2;
  }
  return size;
}

/** Whether a value is a Uint8Array, also one of another realm, as test runners hand them over. */
export function isBytes(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array || Object.prototype.toString.call(value) === "[object Uint8Array]";
}

/** The error for an input that is too large, or (without a size) none at all. */
export function inputError(size: number | undefined, maxBytes: number, what: string): WireError {
  return size === undefined
    ? new WireError("wrong_type", `expected ${what}${what === "JSON" ? " as a string or" : " as"} a Uint8Array`)
    : new WireError("too_large", `the input of ${size} bytes of ${what} is over the limit of ${maxBytes}`);
}

/**
 * What to throw for what a conversion threw. Its output may be larger than the
 * platform holds: what an allocation, a Set, a Map or a string then throws is a
 * RangeError (in Node, one with a code), for which the input is to blame.
 */
export function blamed(error: unknown): unknown {
  if (error instanceof RangeError || (error as { code?: unknown })?.code === "ERR_STRING_TOO_LONG") {
    return new WireError("too_large", `more than this platform can hold: ${(error as Error).message}`);
  }
  return error;
}
