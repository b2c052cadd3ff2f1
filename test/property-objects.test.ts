// Arbitrary JS values: fromSerdeJson means what the text of the same value means, and toSerdeJson is its inverse.
import { equals } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fromSerdeJson, fromSerdeJsonString, toSerdeJson, toSerdeJsonString } from "../src/index.js";
import { envelope } from "./support/arbitrary-json.js";
import { CAMEL, Envelope } from "./support/entry-points.js";

type Input = Parameters<typeof fromSerdeJson>[1];
const key = fc.oneof(
  fc.constantFrom("a", "b", "", "1", "__proto__", "constructor", "toString"),
  fc.string({ unit: "binary", maxLength: 8 }),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthIdentifier: "objects" },
    fc.constantFrom(null, true, false),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.maxSafeInteger(),
    fc.string({ unit: "binary" }),
    fc.array(tie("value"), { maxLength: 5, depthIdentifier: "objects" }),
    fc.dictionary(key, tie("value"), { maxKeys: 6, depthIdentifier: "objects", noNullPrototype: false }),
  ),
}));

describe("arbitrary JS values", () => {
  test("mean what their text means", () => {
    fc.assert(
      fc.property(value, value, (result, more) => {
        const object = { runId: "a", status: "completed", result, more } as Input;
        const message = fromSerdeJson(Envelope, object);
        // JSON.stringify writes -0 as 0, we do not: compare where there is none.
        const text = JSON.stringify(object, (_, part: unknown) => (Object.is(part, -0) ? 0 : part));
        const plain = JSON.parse(text) as Input;
        expect(equals(Envelope, fromSerdeJson(Envelope, plain), fromSerdeJsonString(Envelope, text))).toBe(true);
        expect(toSerdeJsonString(Envelope, fromSerdeJson(Envelope, plain))).toBe(
          toSerdeJsonString(Envelope, fromSerdeJsonString(Envelope, text)),
        );
        const back = toSerdeJson(Envelope, message, CAMEL) as { result: unknown; more: unknown };
        // -0 included; a null prototype on either side says nothing.
        expect(back.result).toEqual(structuredClone(result));
        expect(back.more).toEqual(structuredClone(more));
      }),
      { numRuns: 1000 },
    );
  });

  test("bigints are integer tokens, there and back", () => {
    const integer = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });
    fc.assert(
      fc.property(fc.array(integer), integer, (list, more) => {
        const message = fromSerdeJson(Envelope, {
          runId: "a",
          status: "completed",
          result: { list },
          more,
        } as unknown as Input);
        const text = `{"result":{"list":[${list.join(",")}]},"run_id":"a","status":"completed","more":${more}}`;
        expect(toSerdeJsonString(Envelope, message)).toBe(text);
        const back = toSerdeJson(Envelope, message, { integers: "bigint" }) as unknown as {
          result: { list: unknown[] };
          more: unknown;
        };
        expect([...back.result.list, back.more].map((item) => BigInt(item as number))).toEqual([...list, more]);
        expect(toSerdeJson(Envelope, message)).toEqual(JSON.parse(text));
      }),
      { numRuns: 300 },
    );
  });

  test("toSerdeJson is JSON.parse of toSerdeJsonString", () => {
    fc.assert(
      fc.property(envelope, ({ written }) => {
        const message = fromSerdeJsonString(Envelope, written);
        for (const keys of ["snake_case", "camelCase"] as const) {
          const object = toSerdeJson(Envelope, message, { keys });
          const parsed: unknown = JSON.parse(toSerdeJsonString(Envelope, message, { keys }));
          expect(object).toEqual(parsed);
          expect(JSON.stringify(object)).toBe(JSON.stringify(parsed));
        }
      }),
      { numRuns: 700 },
    );
  });
});
