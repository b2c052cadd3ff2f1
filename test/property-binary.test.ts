// Arbitrary binaries: canonical ones that Protobuf-ES wrote, and legal ones that no writer would make.
import { create, fromBinary, fromJson, type JsonValue, toBinary, toJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { binaryToSerdeJsonString, serdeJsonToBinary, toSerdeJsonString } from "../src/index.js";
import { foreignEnvelope } from "./support/arbitrary-wire.js";
import { decode, Envelope, encode } from "./support/entry-points.js";
import { readTree, unordered, withDoubles } from "./support/json-tree.js";
import { envelopeNode } from "./support/peer-model.js";
import { wireFault } from "./support/strict-wire.js";
import { toHex } from "./support/wire.js";

const json = fc.jsonValue({ maxDepth: 6, stringUnit: "binary" });
const text = fc.string({ unit: "binary", maxLength: 30 });
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

describe("canonical binary that Protobuf-ES wrote", () => {
  const message = fc
    .record({
      attempt: optional(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
      error: optional(text),
      failure: optional(json),
      pauseInfo: optional(json),
      reason: optional(text),
      result: optional(json),
      runId: text.filter((id) => id !== ""),
      snapshot: optional(json),
      status: fc.integer({ min: 1, max: 7 }),
      members: fc.dictionary(
        text.map((key) => `x${key}`),
        json,
        { maxKeys: 4 },
      ),
    })
    .map(({ failure, pauseInfo, result, snapshot, members, ...scalars }) => {
      const value = (given: typeof failure) =>
        given === undefined ? undefined : fromJson(ValueSchema, given as JsonValue);
      const kept = Object.entries(members).map(
        ([key, member]) => [key, fromJson(ValueSchema, member as JsonValue)] as const,
      );
      return create(Envelope, {
        ...scalars,
        failure: value(failure),
        pauseInfo: value(pauseInfo),
        result: value(result),
        snapshot: value(snapshot),
        preserved: kept.length === 0 ? undefined : { members: Object.fromEntries(kept) },
      } as Parameters<typeof create<typeof Envelope>>[1]);
    });

  test("prints what ProtoJSON's Value mapping says, in field order, and is what we write", () => {
    fc.assert(
      fc.property(message, (made) => {
        const binary = toBinary(Envelope, made);
        const printed = decode(binary);
        const parsed = JSON.parse(printed) as Record<string, unknown>;
        for (const [key, value] of [
          ["failure", made.failure],
          ["pause_info", made.pauseInfo],
          ["result", made.result],
          ["snapshot", made.snapshot],
        ] as const) {
          expect(key in parsed).toBe(value !== undefined);
          if (value !== undefined) expect(parsed[key]).toEqual(toJson(ValueSchema, value));
        }
        for (const [key, value] of Object.entries(made.preserved?.members ?? {})) {
          expect(parsed[key]).toEqual(toJson(ValueSchema, value));
        }
        expect(withDoubles(unordered(readTree(printed)))).toEqual(unordered(envelopeNode(made)));
        expect(toSerdeJsonString(Envelope, made)).toBe(printed);
        expect(toHex(encode(printed, { maxNesting: Number.POSITIVE_INFINITY }))).toBe(toHex(binary));
      }),
      { numRuns: 800 },
    );
  });
});

describe("legal binary that no writer would make", () => {
  test("prints what Protobuf-ES read, the fields and members in the order of their first place", () => {
    fc.assert(
      fc.property(foreignEnvelope, ({ bytes, fields }) => {
        expect(wireFault(Envelope, bytes)).toBeUndefined();
        const message = fromBinary(Envelope, bytes, { recursionLimit: 10_000 });
        const printed = decode(bytes);
        const tree = readTree(printed);
        const expected = envelopeNode(message);
        expect(withDoubles(unordered(tree))).toEqual(unordered(expected));
        // Below the envelope the order is Protobuf-ES's own: no key here is integer-like.
        const inOrder = (node: typeof tree) => (node.kind === "object" ? new Map(node.members) : new Map());
        for (const [key, node] of inOrder(expected)) expect(withDoubles(inOrder(tree).get(key)!)).toEqual(node);
        const keys = [...inOrder(tree).keys()];
        expect(keys.slice(0, fields.length)).toEqual(fields);
        expect(keys.slice(fields.length)).toEqual(Object.keys(message.preserved?.members ?? {}));
        // What it prints is at home: it reads back into the same text.
        expect(
          binaryToSerdeJsonString(
            Envelope,
            serdeJsonToBinary(Envelope, printed, { maxNesting: Number.POSITIVE_INFINITY }),
          ),
        ).toBe(printed);
        expect(unordered(readTree(toSerdeJsonString(Envelope, message)))).toEqual(unordered(tree));
      }),
      { numRuns: 3000 },
    );
  });
});
