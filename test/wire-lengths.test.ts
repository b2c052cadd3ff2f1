// Lengths are minimal at every width and depth: byte for byte what Protobuf-ES writes.
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { binaryToSerdeJsonString, serdeJsonToBinary } from "../src/index.js";
import { Envelope } from "./support/entry-points.js";
import { toHex } from "./support/wire.js";

const DEEP = { maxNesting: Number.POSITIVE_INFINITY };

describe("lengths", () => {
  let seed = 4;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return (seed >>> 9) % below;
  };
  const same = (json: unknown) => {
    const binary = serdeJsonToBinary(Envelope, JSON.stringify(json), DEEP);
    const theirs = toBinary(Envelope, fromBinary(Envelope, binary, { recursionLimit: 1000 }));
    expect(toHex(binary) === toHex(theirs), "byte for byte what Protobuf-ES writes").toBe(true);
    expect(binaryToSerdeJsonString(Envelope, binary)).toBe(JSON.stringify(json));
  };

  test.each([127, 128, 16_383, 16_384])("around %i at every depth", (width) => {
    for (let depth = 0; depth < 30; depth++) {
      for (const slack of [0, 1, 2, 3, 5, 8, 13]) {
        let result: unknown = "x".repeat(Math.max(0, width - slack));
        for (let level = 0; level < depth; level++) result = level % 2 === 0 ? [result] : { k: result };
        same({ result, run_id: "a", status: "completed" });
      }
    }
  });

  // Short strings, long ones and those with something in them are written by different code.
  test.each<[what: string, make: (size: number) => string]>([
    ["ASCII", (size) => "x".repeat(size)],
    ["a quote first", (size) => `"${"x".repeat(size)}`],
    ["a line end last", (size) => `${"x".repeat(size)}\n`],
    ["a backslash in the middle", (size) => `${"x".repeat(size >> 1)}\\${"x".repeat(size - (size >> 1))}`],
    ["not ASCII first", (size) => `é${"x".repeat(size)}`],
    ["not ASCII last", (size) => `${"x".repeat(size)}漢`],
    ["nothing but escapes", (size) => '"'.repeat(size)],
    ["nothing but controls", (size) => "\u0001".repeat(size)],
  ])("strings and keys of every size: %s", (_, make) => {
    const sizes = [...Array(140).keys(), 255, 256, ...Array.from({ length: 24 }, (_, i) => 790 + i), 16_380, 16_384];
    for (const size of sizes) {
      const text = make(size);
      const list = [text, 1, text];
      for (const result of [
        text,
        list,
        { a: text },
        { [text]: 1 },
        { [text]: text },
        { [text]: list, b: { c: text } },
      ]) {
        // Not empty: a required field that holds its default is written too.
        same({ result, run_id: `r${text}`, status: "completed" });
      }
    }
    for (let size = 0; size < 130; size++) {
      for (let keySize = 50; keySize < 66; keySize++) {
        same({ result: { [make(keySize)]: "v".repeat(size) }, run_id: "a", status: "completed" });
      }
    }
  });

  test("bodies of a few kilobytes, 30 deep, with random widths around each edge", () => {
    for (let round = 0; round < 300; round++) {
      const text = () =>
        "y".repeat(
          [random(5), 120 + random(10), 250 + random(10), 1000 + random(3000), 16_370 + random(20)][
            random(round % 10 === 0 ? 5 : 4)
          ]!,
        );
      let result: unknown = text();
      for (let level = 0; level < 30; level++) {
        const shape = random(4);
        if (shape === 0) result = [text(), result];
        else if (shape === 1) result = [result, text()];
        else if (shape === 2) result = { [`a${text()}`]: 1.5, k: result };
        else result = { k: result, [`b${random(9)}`]: [text(), null] };
      }
      same({
        attempt: round,
        failure: result,
        result: [result, { r: result }],
        run_id: "a",
        status: "completed",
        more: result,
      });
    }
  });

  test("siblings that grow past the edges one byte at a time", () => {
    for (const count of [1, 2, 3, 40]) {
      for (let width = 100; width < 140; width++)
        same({
          result: Array.from({ length: count }, () => ({ a: ["z".repeat(width)] })),
          run_id: "a",
          status: "completed",
        });
      for (let width = 5400; width < 5470; width++)
        if (count === 3)
          same({ result: Array.from({ length: count }, () => ["z".repeat(width)]), run_id: "a", status: "completed" });
    }
  });
});
