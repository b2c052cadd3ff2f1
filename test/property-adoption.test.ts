// Arbitrary envelopes through a generation that does not know all of their members: nothing is lost on the way.
import { type DescMessage, fromBinary, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { binaryToSerdeJsonString, serdeJsonToBinary, toSerdeJsonString } from "../src/index.js";
import {
  AddedFieldsSchema,
  NewerEnvelopeSchema,
  OlderEnvelopeSchema,
  OldestEnvelopeSchema,
} from "./schemas/gen/wire_test/v1/generations_pb.js";
import { envelope } from "./support/arbitrary-json.js";
import { added, addedLists, withUnknown } from "./support/arbitrary-kinds.js";
import { decode, Envelope } from "./support/entry-points.js";
import { type JsonNode, membersOf, readTree, unordered } from "./support/json-tree.js";

/** null for an optional scalar that an older generation did not know: a newer one leaves it out, an older one cannot. */
function withoutNulls(node: JsonNode): JsonNode {
  const scalars = ["attempt", "error", "reason"];
  return {
    kind: "object",
    members: membersOf(node).filter(([key, value]) => !(scalars.includes(key) && value.kind === "null")),
  };
}

describe("an envelope that an older generation wrote", () => {
  test.each<[string, DescMessage]>([
    ["OlderEnvelope", OlderEnvelopeSchema],
    ["OldestEnvelope", OldestEnvelopeSchema],
  ])("%s", (_, older) => {
    fc.assert(
      fc.property(envelope, ({ written, printed }) => {
        const expected = unordered(readTree(printed));
        const binary = serdeJsonToBinary(older, written);
        expect(unordered(readTree(decode(binary)))).toEqual(expected);
        expect(unordered(readTree(decode(binary, { keys: "camelCase" }))).kind).toBe("object");
        const message = fromBinary(Envelope, binary);
        expect(unordered(readTree(toSerdeJsonString(Envelope, message)))).toEqual(expected);
        expect(unordered(readTree(binaryToSerdeJsonString(Envelope, toBinary(Envelope, message))))).toEqual(expected);
        // The older one's own print holds the same members under the names that they came with.
        const own = serdeJsonToBinary(Envelope, binaryToSerdeJsonString(older, binary));
        expect(unordered(withoutNulls(readTree(binaryToSerdeJsonString(Envelope, own))))).toEqual(expected);
      }),
      { numRuns: 700 },
    );
  });

  test("and a newer one that knows more", () => {
    const lists = ["all_children", "tag_list", "color_list", "sizes", "any_list"];
    fc.assert(
      fc.property(envelope, ({ written, printed }) => {
        const newer = membersOf(
          readTree(binaryToSerdeJsonString(NewerEnvelopeSchema, serdeJsonToBinary(Envelope, written))),
        );
        expect(
          newer.filter(([key, value]) => lists.includes(key) && value.kind === "array" && value.items.length === 0),
        ).toHaveLength(5);
        const rest: JsonNode = { kind: "object", members: newer.filter(([key]) => !lists.includes(key)) };
        expect(unordered(rest)).toEqual(unordered(readTree(printed)));
      }),
      { numRuns: 300 },
    );
  });
});

describe("fields of every kind that an older generation could only preserve", () => {
  test("one value each", () => {
    fc.assert(
      fc.property(withUnknown(added), ({ written, printed }) => {
        const binary = serdeJsonToBinary(OldestEnvelopeSchema, written);
        expect(decode(binary, {}, AddedFieldsSchema)).toBe(printed);
        const message = fromBinary(AddedFieldsSchema, binary);
        expect(unordered(readTree(toSerdeJsonString(AddedFieldsSchema, message)))).toEqual(
          unordered(readTree(printed)),
        );
        const camel = binaryToSerdeJsonString(AddedFieldsSchema, binary, { keys: "camelCase" });
        const again = serdeJsonToBinary(OldestEnvelopeSchema, camel);
        expect(decode(again, {}, AddedFieldsSchema)).toBe(printed);
      }),
      { numRuns: 600 },
    );
  });

  test("lists", () => {
    fc.assert(
      fc.property(withUnknown(addedLists), ({ written, printed }) => {
        const text = written.replace("{", '{"runId":"a","status":"odd",');
        const binary = serdeJsonToBinary(OldestEnvelopeSchema, text);
        const expected = printed.replace("{", '{"run_id":"a","status":"odd",');
        expect(unordered(readTree(decode(binary, {}, NewerEnvelopeSchema)))).toEqual(unordered(readTree(expected)));
        const direct = binaryToSerdeJsonString(NewerEnvelopeSchema, serdeJsonToBinary(NewerEnvelopeSchema, text));
        expect(unordered(readTree(direct))).toEqual(unordered(readTree(expected)));
      }),
      { numRuns: 400 },
    );
  });
});
