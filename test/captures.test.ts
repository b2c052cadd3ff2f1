// Every recorded envelope of the runtime, there and back.
import { fromBinary, isMessage, toBinary } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import {
  fromSerdeJson,
  fromSerdeJsonString,
  type SerdeReadOptions,
  toSerdeJson,
  toSerdeJsonString,
} from "../src/index.js";
import { CAMEL, decode, Envelope, encode, throughMessage } from "./support/entry-points.js";
import { readTree, unordered, withDoubles } from "./support/json-tree.js";
import { captureFileCount, captures } from "./support/material.js";
import { toHex } from "./support/wire.js";

const all = captures();

/** These nest deeper than most protobuf decoders read, which is refused unless asked for. */
function optionsFor(name: string): SerdeReadOptions {
  return name.startsWith("depth-") ? { maxNesting: Number.POSITIVE_INFINITY } : {};
}

describe("captures", () => {
  test("all 167 are here, as long as the index says", () => {
    expect(all).toHaveLength(167);
    expect(captureFileCount()).toBe(167);
    expect(new Set(all.map(({ name }) => name)).size).toBe(167);
    for (const { name, bytes, indexedSize } of all) expect(bytes.length, name).toBe(indexedSize);
  });

  test.each(all)("$name: JSON to binary to JSON is the same file", ({ name, bytes }) => {
    const binary = encode(bytes, optionsFor(name));
    expect(decode(binary, CAMEL)).toBe(new TextDecoder().decode(bytes));
  });

  test.each(all)("$name: snake_case output reads back into the same binary", ({ name, bytes }) => {
    const binary = encode(bytes, optionsFor(name));
    const snake = decode(binary);
    expect(snake).toMatch(/^\{"run_id":"/);
    expect(toHex(encode(snake, optionsFor(name)))).toBe(toHex(binary));
  });

  test.each(all)("$name: through the message functions the same value and number texts", ({ name, bytes }) => {
    const text = new TextDecoder().decode(bytes);
    const message = fromSerdeJsonString(Envelope, bytes, optionsFor(name));
    expect(isMessage(message, Envelope)).toBe(true);
    const printed = toSerdeJsonString(Envelope, message, CAMEL);
    expect(unordered(readTree(printed))).toEqual(unordered(readTree(text)));
    expect(throughMessage(bytes, optionsFor(name), CAMEL)).toBe(printed);
  });

  // Protobuf-ES writes nested messages by recursion, which is deep enough for these too.
  test.each(all)("$name: through JS objects the same value", ({ name, bytes }) => {
    const text = new TextDecoder().decode(bytes);
    const message = fromSerdeJsonString(Envelope, bytes, optionsFor(name));
    const object = toSerdeJson(Envelope, message, CAMEL);
    expect(object).toEqual(JSON.parse(text));
    const again = fromSerdeJson(Envelope, object, optionsFor(name));
    const printed = toSerdeJsonString(Envelope, again, CAMEL);
    expect(withDoubles(unordered(readTree(printed)))).toEqual(withDoubles(unordered(readTree(text))));
  });

  test.each(all)("$name: Protobuf-ES reads the binary and writes the same fields", ({ name, bytes }) => {
    const binary = encode(bytes, optionsFor(name));
    const message = fromBinary(Envelope, binary, { recursionLimit: 1000 });
    const rewritten = toBinary(Envelope, message);
    expect(unordered(readTree(decode(rewritten, CAMEL)))).toEqual(unordered(readTree(decode(binary, CAMEL))));
    expect(message.$unknown).toBeUndefined();
  });
});
