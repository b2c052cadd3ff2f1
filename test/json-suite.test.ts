// JSONTestSuite, each file in place of result's value: accepted exactly where serde_json accepts it.
import { describe, expect, test } from "vitest";
import { decode, encode, refuseJson } from "./support/entry-points.js";
import { jsonTestSuite } from "./support/material.js";
import { cat } from "./support/wire.js";

const BEFORE = new TextEncoder().encode('{"run_id":"r","status":"completed","result":');
const AFTER = new TextEncoder().encode("}");
const files = jsonTestSuite();
/** Deeper than protobuf decoders read, but not than serde_json: the suite judges JSON alone. */
const OPTIONS = { maxNesting: Number.POSITIVE_INFINITY };

describe("JSONTestSuite", () => {
  test("318 files, 100 accepted", () => {
    expect(files).toHaveLength(318);
    expect(files.filter(({ verdict }) => verdict === "accept")).toHaveLength(100);
  });

  test.each(files.filter(({ verdict }) => verdict === "accept"))("$name is accepted", ({ bytes }) => {
    const text = cat(BEFORE, bytes, AFTER);
    const binary = encode(text, OPTIONS);
    const printed = decode(binary);
    expect(JSON.parse(printed)).toEqual(JSON.parse(new TextDecoder().decode(text)));
    expect(encode(printed, OPTIONS)).toEqual(binary);
  });

  test.each(files.filter(({ verdict }) => verdict === "reject"))("$name is refused", ({ bytes }) => {
    const text = cat(BEFORE, bytes, AFTER);
    const error = refuseJson(
      text,
      { code: ["syntax", "invalid_utf8", "out_of_range", "nesting_too_deep"], offset: [0, text.length] },
      OPTIONS,
    );
    expect(error.line).toBeGreaterThan(0);
  });
});
