// Every vector of docs/wire-format.md.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { WireError } from "../src/index.js";
import { decode, encode } from "./support/entry-points.js";
import { tableOf } from "./support/markdown.js";
import { hex, toHex } from "./support/wire.js";

const page = readFileSync(fileURLToPath(new URL("../docs/wire-format.md", import.meta.url)), "utf8");

/** A table's rows with the code marks taken off. */
function rows(...header: string[]): string[][] {
  return tableOf(page, ...header).map((cells) => cells.map((cell) => cell.replace(/^`(.*)`$/, "$1")));
}

function faultOf(work: () => unknown): WireError {
  try {
    work();
  } catch (error) {
    if (error instanceof WireError) return error;
    throw error;
  }
  throw new Error("was not refused");
}

const bothWays = tableOf(page.replaceAll("| JSON | binary | JSON out |", ""), "what", "JSON", "binary");

describe("vectors", () => {
  test.each(bothWays.map((cells) => cells.map((cell) => cell.replaceAll("`", ""))))(
    "both ways: %s",
    (_, json, bytes) => {
      expect(toHex(encode(json))).toBe(toHex(hex(bytes)));
      expect(decode(hex(bytes))).toBe(json);
    },
  );

  test.each(rows("what", "JSON", "binary", "JSON out"))("another form: %s", (_, json, bytes, out) => {
    expect(toHex(encode(json))).toBe(toHex(hex(bytes)));
    expect(decode(hex(bytes))).toBe(out);
  });

  test.each(rows("what", "binary", "JSON out"))("unusual: %s", (_, bytes, out) => {
    expect(decode(hex(bytes))).toBe(out);
  });

  test.each(rows("JSON", "code", "pointer", "offset"))("refused: %s", (json, code, pointer, offset) => {
    const fault = faultOf(() => encode(json));
    expect([fault.code, fault.pointer ?? "", fault.offset]).toEqual([code, pointer, Number(offset)]);
  });

  test.each(rows("what", "binary", "code", "pointer", "offset"))("refused: %s", (_, bytes, code, pointer, offset) => {
    const fault = faultOf(() => decode(hex(bytes)));
    expect([fault.code, fault.pointer ?? "", fault.offset]).toEqual([code, pointer, Number(offset)]);
  });

  test("are all read", () => {
    expect(bothWays.length).toBeGreaterThanOrEqual(17);
    expect(rows("what", "binary", "JSON out").length).toBeGreaterThanOrEqual(10);
  });
});
