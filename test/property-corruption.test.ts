// Good binaries with a few bytes changed, put in, taken out or moved: a WireError, or what Protobuf-ES reads too.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { serdeJsonToBinary, WireError } from "../src/index.js";
import { foreignEnvelope, foreignEnvelopeToAdopt } from "./support/arbitrary-wire.js";
import { Envelope, encode } from "./support/entry-points.js";
import { judge } from "./support/judge.js";
import { capture } from "./support/material.js";

type Edit = [kind: "set" | "insert" | "remove" | "copy", at: number, value: number];
const edits = fc.array(
  fc.tuple(
    fc.constantFrom("set", "set", "insert", "remove", "copy") as fc.Arbitrary<Edit[0]>,
    fc.nat(),
    fc.oneof(
      fc.integer({ min: 0, max: 255 }),
      fc.constantFrom(0x00, 0x0a, 0x12, 0x1a, 0x2a, 0x32, 0x7a, 0x7f, 0x80, 0xff),
    ),
  ),
  { minLength: 1, maxLength: 4 },
);

function apply(bytes: Uint8Array, changes: Edit[]): Uint8Array {
  const result = bytes.length === 0 ? [0] : [...bytes];
  for (const [kind, at, value] of changes) {
    const place = at % (result.length + 1);
    if (kind === "set") result[Math.min(place, result.length - 1)] = value;
    else if (kind === "insert") result.splice(place, 0, value);
    else if (kind === "remove") result.splice(place, 1 + (value % 4));
    else result.splice(place, 0, ...result.slice(value % result.length, (value % result.length) + 8));
  }
  return Uint8Array.from(result);
}

describe("a few bytes changed", () => {
  const names = [
    "limit-timeout",
    "paused-checkpoint",
    "raw-keys-duplicate",
    "num-list",
    "uni-astral",
    "completed-null",
  ];
  test.each(names)("in the binary of %s", (name) => {
    const good = encode(capture(name));
    expect(judge(good)).toBe("read");
    fc.assert(
      fc.property(edits, (changes) => {
        judge(apply(good, changes));
      }),
      { numRuns: 1500 },
    );
  });

  test("in a binary that no writer would make", () => {
    fc.assert(
      fc.property(foreignEnvelope, edits, ({ bytes }, changes) => {
        judge(apply(bytes, changes));
      }),
      { numRuns: 3000 },
    );
  });

  test("in one whose preserved members name fields", () => {
    fc.assert(
      fc.property(foreignEnvelopeToAdopt, edits, (bytes, changes) => {
        judge(bytes);
        judge(apply(bytes, changes));
      }),
      { numRuns: 4000 },
    );
  });

  test("bytes that are anything", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        judge(bytes);
      }),
      { numRuns: 5000 },
    );
  });

  test.each(names)("in the text of %s: a WireError or a binary", (name) => {
    const good = new TextEncoder().encode(capture(name));
    fc.assert(
      fc.property(edits, (changes) => {
        try {
          expect(judge(serdeJsonToBinary(Envelope, apply(good, changes)))).toBe("read");
        } catch (error) {
          if (!(error instanceof WireError)) throw error;
        }
      }),
      { numRuns: 1000 },
    );
  });
});
