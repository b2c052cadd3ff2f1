// Carries one input through every entry point that takes it, in every shape that the entry point takes, and holds
// them all to one answer.
import type { DescMessage, MessageShape } from "@bufbuild/protobuf";
import { expect } from "vitest";
import { SessionFactoryRunFromToolResultSchema } from "../../gen/factory_run/v1/factory_run_pb.js";
import {
  binaryToSerdeJson,
  binaryToSerdeJsonString,
  checkBinary,
  fromSerdeJsonString,
  type SerdeReadOptions,
  type SerdeWriteOptions,
  serdeJsonToBinary,
  toSerdeJsonString,
  WireError,
  type WireErrorCode,
} from "../../src/index.js";
import { toHex } from "./wire.js";

export const Envelope = SessionFactoryRunFromToolResultSchema;
export const CAMEL: SerdeWriteOptions = { keys: "camelCase" };

/** Every shape in which the same bytes can be handed over. */
export function byteShapes(bytes: Uint8Array): Uint8Array[] {
  const around = new Uint8Array(bytes.length + 24).fill(0xff);
  around.set(bytes, 11);
  return [Uint8Array.from(bytes), Buffer.from(bytes), around.subarray(11, 11 + bytes.length)];
}

/** Every shape in which the same text can be handed over; a text with lone surrogates has no bytes. */
export function textShapes(text: string | Uint8Array): (string | Uint8Array)[] {
  if (typeof text === "string") {
    return isWellFormed(text) ? [text, ...byteShapes(new TextEncoder().encode(text))] : [text];
  }
  try {
    return [new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(text), ...byteShapes(text)];
  } catch {
    return byteShapes(text);
  }
}

/** Whether a string holds no lone surrogate. */
export function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

/** JSON to binary, the same from a string, bytes, a Buffer and a part of a larger buffer. */
export function encode(
  text: string | Uint8Array,
  options?: SerdeReadOptions,
  schema: DescMessage = Envelope,
): Uint8Array {
  const [first, ...others] = textShapes(text).map((shape) => {
    const before = typeof shape === "string" ? shape : toHex(shape);
    const binary = serdeJsonToBinary(schema, shape, options);
    expect(typeof shape === "string" ? shape : toHex(shape), "the input is left alone").toBe(before);
    return binary;
  });
  expect(first).toBeInstanceOf(Uint8Array);
  for (const other of others) expect(toHex(other)).toBe(toHex(first!));
  return first!;
}

/** Binary to JSON, the same to bytes and to a string, from every shape of the binary; checkBinary agrees. */
export function decode(binary: Uint8Array, options?: SerdeWriteOptions, schema: DescMessage = Envelope): string {
  const texts = byteShapes(binary).flatMap((shape) => {
    const bytes = binaryToSerdeJson(schema, shape, options);
    expect(bytes).toBeInstanceOf(Uint8Array);
    checkBinary(schema, shape, options);
    return [
      new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes),
      binaryToSerdeJsonString(schema, shape, options),
    ];
  });
  for (const text of texts) expect(text).toBe(texts[0]);
  return texts[0]!;
}

/** JSON to a message and back. */
export function throughMessage(
  text: string | Uint8Array,
  read?: SerdeReadOptions,
  write?: SerdeWriteOptions,
  schema: DescMessage = Envelope,
): string {
  const texts = textShapes(text).map((shape) =>
    toSerdeJsonString(schema, fromSerdeJsonString(schema, shape, read) as MessageShape<DescMessage>, write),
  );
  for (const other of texts) expect(other).toBe(texts[0]);
  return texts[0]!;
}

/** What a refusal must say. Only what is given is compared, but the code always. */
export interface Refusal {
  code: WireErrorCode | WireErrorCode[];
  pointer?: string | undefined;
  /** One offset, or the first and the last that are right. */
  offset?: number | [number, number] | undefined;
  line?: number | undefined;
  column?: number | undefined;
}

/** Runs what must throw a WireError of the described kind, and gives it back. */
export function refusal(run: () => unknown, expected: Refusal): WireError {
  let error: unknown;
  let result: unknown;
  try {
    result = run();
  } catch (caught) {
    error = caught;
  }
  if (error === undefined) {
    const shown = result instanceof Uint8Array ? toHex(result.subarray(0, 200)) : String(result).slice(0, 200);
    throw new Error(`nothing was thrown, ${JSON.stringify(expected)} was expected; the result is ${shown}`);
  }
  if (!(error instanceof WireError)) throw error;
  expect(error.name).toBe("WireError");
  expect(error.message, "a message in one line").not.toMatch(/[\n\r\u2028\u2029]/);
  expect([expected.code].flat(), error.message).toContain(error.code);
  if (expected.pointer !== undefined) expect(error.pointer ?? "", error.message).toBe(expected.pointer);
  if (Array.isArray(expected.offset)) {
    expect(error.offset, error.message).toBeGreaterThanOrEqual(expected.offset[0]);
    expect(error.offset, error.message).toBeLessThanOrEqual(expected.offset[1]);
  } else if (expected.offset !== undefined) {
    expect(error.offset, error.message).toBe(expected.offset);
  }
  if (expected.line !== undefined) expect(error.line, error.message).toBe(expected.line);
  if (expected.column !== undefined) expect(error.column, error.message).toBe(expected.column);
  return error;
}

/** Line and column, from 1 and in code points, of a byte offset in a text. */
export function lineAndColumn(text: string | Uint8Array, offset: number): { line: number; column: number } {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  const before = bytes.subarray(0, offset);
  const lineStart = before.lastIndexOf(0x0a) + 1;
  let column = 1;
  for (const byte of before.subarray(lineStart)) if ((byte & 0xc0) !== 0x80) column++;
  let line = 1;
  for (const byte of before) if (byte === 0x0a) line++;
  return { line, column };
}

/** A JSON text that every entry point must refuse, with the same code and place. */
export function refuseJson(
  text: string | Uint8Array,
  expected: Refusal,
  options?: SerdeReadOptions,
  schema: DescMessage = Envelope,
): WireError {
  const errors = textShapes(text).flatMap((shape) => [
    refusal(() => serdeJsonToBinary(schema, shape, options), expected),
    refusal(() => fromSerdeJsonString(schema, shape, options), expected),
  ]);
  for (const error of errors) {
    expect(error.message).toBe(errors[0]!.message);
    if (error.offset !== undefined) {
      const { line, column } = lineAndColumn(text, error.offset);
      expect([error.line, error.column], error.message).toEqual([line, column]);
    }
  }
  return errors[0]!;
}

/** A binary that every entry point must refuse, with the same code and place. */
export function refuseBinary(
  binary: Uint8Array,
  expected: Refusal,
  options?: SerdeWriteOptions,
  schema: DescMessage = Envelope,
): WireError {
  const errors = byteShapes(binary).flatMap((shape) => [
    refusal(() => binaryToSerdeJson(schema, shape, options), expected),
    refusal(() => binaryToSerdeJsonString(schema, shape, options), expected),
    refusal(() => checkBinary(schema, shape, options), expected),
  ]);
  for (const error of errors) {
    expect(error.message).toBe(errors[0]!.message);
    expect(error.line).toBeUndefined();
    expect(error.column).toBeUndefined();
  }
  return errors[0]!;
}

/** Splits `⌖` out of a text: one mark is the place of the fault, two are the first and the last place that is right. */
export function marked(textWithMarks: string): { text: string; offset: number | [number, number] } {
  const [before, ...rest] = textWithMarks.split("⌖");
  if (rest.length < 1 || rest.length > 2) throw new Error(`one mark or two: ${textWithMarks}`);
  const start = Buffer.byteLength(before!);
  const text = before! + rest.join("");
  return { text, offset: rest.length === 1 ? start : [start, start + Buffer.byteLength(rest[0]!)] };
}
