// Arbitrary JSON text there and back. Judges: the parts that the text was built from, and a lossless JSON reader.
import fc from "fast-check";
import { LosslessNumber, parse } from "lossless-json";
import { describe, expect, test } from "vitest";
import { binaryToSerdeJsonString, fromSerdeJsonString, serdeJsonToBinary, toSerdeJsonString } from "../src/index.js";
import { envelope, value } from "./support/arbitrary-json.js";
import { decode, Envelope, encode } from "./support/entry-points.js";
import { readTree, unordered } from "./support/json-tree.js";
import { printedNumber } from "./support/number-rule.js";
import { toHex } from "./support/wire.js";

/** lossless-json, told to keep the last of duplicates, as serde_json does. */
function lossless(text: string, number: (token: string) => string): unknown {
  return parse(text, undefined, {
    parseNumber: (token) => new LosslessNumber(number(token)),
    onDuplicateKey: ({ newValue }) => newValue,
  });
}

describe("arbitrary JSON text", () => {
  test("as the result: the same number texts, strings, order; duplicates as serde_json has them", () => {
    fc.assert(
      fc.property(value, ({ written, printed }) => {
        const text = `{"run_id":"a","status":"completed","result":${written}}`;
        const binary = encode(text);
        const out = decode(binary);
        expect(out).toBe(`{"run_id":"a","status":"completed","result":${printed}}`);
        expect(lossless(out, (token) => token)).toEqual(lossless(text, printedNumber));
        expect(toHex(encode(out))).toBe(toHex(binary));
      }),
      { numRuns: 1500 },
    );
  });

  test("as a whole envelope", () => {
    fc.assert(
      fc.property(envelope, ({ written, printed }) => {
        const binary = encode(written);
        const out = decode(binary);
        expect(out).toBe(printed);
        expect(toHex(encode(out))).toBe(toHex(binary));
        const camel = binaryToSerdeJsonString(Envelope, binary, { keys: "camelCase" });
        expect(toHex(serdeJsonToBinary(Envelope, camel))).toBe(toHex(binary));
      }),
      { numRuns: 1500 },
    );
  });

  test("through messages the same value and number texts", () => {
    fc.assert(
      fc.property(envelope, ({ written, printed }) => {
        const out = toSerdeJsonString(Envelope, fromSerdeJsonString(Envelope, written));
        expect(unordered(readTree(out))).toEqual(unordered(readTree(printed)));
      }),
      { numRuns: 700 },
    );
  });

  test('numbers: "double" gives what JSON.parse gives', () => {
    fc.assert(
      fc.property(value, ({ written }) => {
        const text = `{"run_id":"a","status":"completed","result":${written}}`;
        const out = binaryToSerdeJsonString(Envelope, serdeJsonToBinary(Envelope, text, { numbers: "double" }));
        expect(JSON.parse(out)).toEqual(JSON.parse(text));
      }),
      { numRuns: 500 },
    );
  });
});
