// Single-byte changes of good binaries of schemas that are not the envelope, each byte to many others: refused exactly when the encoding
// specification says so or JSON cannot hold it, and else the same by bytes as through Protobuf-ES's message.
import { type DescMessage, fromBinary } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { binaryToSerdeJsonString, toSerdeJsonString, WireError } from "../src/index.js";
import {
  KindsSchema,
  ListsSchema,
  NamesSchema,
  OptionsSchema,
  TreeSchema,
} from "./schemas/gen/wire_test/v1/kinds_pb.js";
import { encode } from "./support/entry-points.js";
import { readTree, unordered } from "./support/json-tree.js";
import { wireFault } from "./support/strict-wire.js";
import { cat, hex, int, toHex } from "./support/wire.js";

const BINARIES: [schema: DescMessage, title: string, binary: Uint8Array][] = [
  [
    KindsSchema,
    "every kind",
    encode(
      '{"text":"é","flag":true,"small":-1,"count":300,"big":-5,"huge":7,"ratio":0.5,"color":"dark_blue"}',
      {},
      KindsSchema,
    ),
  ],
  [
    OptionsSchema,
    "nested",
    encode(
      '{"child":{"child_name":"c","color":"odd","x":1.0},"plain":{"name":"p","value":[true],"big":1},"any_value":null}',
      {},
      OptionsSchema,
    ),
  ],
  [
    ListsSchema,
    "lists",
    encode(
      '{"texts":["a",""],"flags":[true,false],"smalls":[1,-1],"counts":[300],"bigs":[5],"huges":[6],"ratios":[0.5],"colors":["red","negative"],"values":[null,1.0],"children":[{"child_name":"c","y":2.0}],"plains":[{"name":""}]}',
      {},
      ListsSchema,
    ),
  ],
  [ListsSchema, "unpacked lists", cat(int(3, 1), hex("1a020203"), int(8, 1), int(2, 1), hex("39 000000000000f03f"))],
  [TreeSchema, "a tree", encode('{"left":{"right":{"value":[1.0]},"name":"l"},"x":1}', {}, TreeSchema)],
  [NamesSchema, "long tags", encode('{"last":1,"mood":"glad","three_bytes":2,"x":1.0}', {}, NamesSchema)],
];

function outcome(run: () => string): { printed: string } | { code: string } {
  try {
    return { printed: run() };
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    return { code: error.code };
  }
}

function judge(schema: DescMessage, bytes: Uint8Array): boolean {
  const ours = outcome(() => binaryToSerdeJsonString(schema, bytes));
  const fault = wireFault(schema, bytes);
  const where = toHex(bytes);
  if (fault !== undefined) {
    if (!("code" in ours) || !["malformed_binary", "invalid_utf8"].includes(ours.code))
      throw new Error(`${fault} expected, not ${JSON.stringify(ours)}: ${where}`);
    return false;
  }
  const message = fromBinary(schema, bytes, { recursionLimit: 10_000 });
  const theirs = outcome(() => toSerdeJsonString(schema, message));
  if ("code" in ours || "code" in theirs) {
    expect(theirs, where).toEqual(ours);
    expect(["out_of_range", "wrong_type", "nesting_too_deep", "missing_field", "duplicate_field"], where).toContain(
      (ours as { code: string }).code,
    );
    return false;
  }
  expect(unordered(readTree(theirs.printed)), where).toEqual(unordered(readTree(ours.printed)));
  return true;
}

describe("single-byte changes and prefixes", () => {
  test.each(BINARIES)("of %s: %s", (schema, _, binary) => {
    expect(judge(schema, binary)).toBe(true);
    let read = 0;
    let refused = 0;
    for (let at = 0; at < binary.length; at++) {
      const changed = Uint8Array.from(binary);
      const was = binary[at]!;
      const flipped = Array.from({ length: 8 }, (_, bit) => was ^ (1 << bit));
      for (const value of [...flipped, was + 1, was - 1, 0, 2, 0x0a, 0x12, 0x7f, 0x80, 0xff].map(
        (byte) => byte & 0xff,
      )) {
        if (value === was) continue;
        changed[at] = value;
        if (judge(schema, changed)) read++;
        else refused++;
      }
      judge(schema, binary.slice(0, at));
    }
    expect(read).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
  });
});
