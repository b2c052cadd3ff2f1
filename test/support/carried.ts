// There and back, on any schema.
import { type DescMessage, fromBinary, type Message } from "@bufbuild/protobuf";
import { expect } from "vitest";
import { toSerdeJson } from "../../src/index.js";
import { decode, encode, throughMessage } from "./entry-points.js";
import { readTree, unordered } from "./json-tree.js";
import { toHex } from "./wire.js";

/** Carries a text over, through bytes and messages, and compares with Protobuf-ES. */
export function carried(schema: DescMessage, text: string, expected = text): Message {
  const binary = encode(text, {}, schema);
  expect(decode(binary, {}, schema)).toBe(expected);
  expect(toHex(encode(expected, {}, schema))).toBe(toHex(binary));
  expect(unordered(readTree(throughMessage(text, {}, {}, schema)))).toEqual(unordered(readTree(expected)));
  const message = fromBinary(schema, binary);
  expect(message.$unknown).toBeUndefined();
  expect(toSerdeJson(schema, message)).toEqual(JSON.parse(expected));
  return message;
}
