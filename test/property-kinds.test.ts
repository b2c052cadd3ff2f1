// Arbitrary JSON for schemas that are not the envelope: every kind, with either presence, and lists of each.
import { type DescMessage, fromBinary, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toSerdeJsonString } from "../src/index.js";
import { DefaultsSchema } from "./schemas/gen/wire_test/v1/defaults_pb.js";
import { KindsSchema, ListsSchema, OptionsSchema, TreeSchema } from "./schemas/gen/wire_test/v1/kinds_pb.js";
import { Proto2Schema } from "./schemas/gen/wire_test/v1/proto2_pb.js";
import type { Piece } from "./support/arbitrary-json.js";
import { kinds, lists, options, tree, withUnknown } from "./support/arbitrary-kinds.js";
import { decode, encode, throughMessage } from "./support/entry-points.js";
import { readTree, unordered } from "./support/json-tree.js";
import { toHex } from "./support/wire.js";

describe("arbitrary JSON of", () => {
  test.each<[name: string, schema: DescMessage, text: fc.Arbitrary<Piece>]>([
    ["Kinds", KindsSchema, withUnknown(kinds)],
    ["Options", OptionsSchema, withUnknown(options)],
    ["Defaults", DefaultsSchema, withUnknown(options)],
    ["Proto2", Proto2Schema, withUnknown(options)],
    ["Lists", ListsSchema, withUnknown(lists)],
    ["Tree", TreeSchema, tree],
  ])("%s comes back, and Protobuf-ES carries it", (_, schema, text) => {
    fc.assert(
      fc.property(text, ({ written, printed }) => {
        const binary = encode(written, {}, schema);
        expect(decode(binary, {}, schema)).toBe(printed);
        expect(toHex(encode(printed, {}, schema))).toBe(toHex(binary));
        expect(unordered(readTree(throughMessage(printed, {}, {}, schema)))).toEqual(unordered(readTree(printed)));
        const message = fromBinary(schema, binary);
        expect(unordered(readTree(decode(toBinary(schema, message), {}, schema)))).toEqual(
          unordered(readTree(printed)),
        );
        expect(unordered(readTree(toSerdeJsonString(schema, message, { keys: "camelCase" }))).kind).toBe("object");
      }),
      { numRuns: 400 },
    );
  });
});
