// Inputs that once went wrong, replayed: test/regressions/README.md says what a file holds.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  binaryToSerdeJsonString,
  checkBinary,
  SessionFactoryRunFromToolResultSchema as schema,
  serdeJsonToBinary,
  WireError,
} from "../src/index.js";

interface Regression {
  kind: "json" | "binary";
  why: string;
  hex: string;
  binary?: string;
  json?: string;
  error?: string;
}

const folder = new URL("regressions/", import.meta.url);
const names = readdirSync(folder).filter((name) => name.endsWith(".json"));

describe("regressions", () => {
  it("are there", () => {
    expect(names.length).toBeGreaterThan(0);
  });

  it.each(names)("%s", (name) => {
    const { kind, hex, binary, json, error }: Regression = JSON.parse(readFileSync(new URL(name, folder), "utf8"));
    const input = Buffer.from(hex, "hex");
    if (error !== undefined) {
      expect(codeOf(() => (kind === "json" ? serdeJsonToBinary(schema, input) : checkBinary(schema, input)))).toBe(
        error,
      );
      return;
    }
    expect(json).toBeDefined();
    const wire = kind === "json" ? serdeJsonToBinary(schema, input) : input;
    if (kind === "json") expect(Buffer.from(wire).toString("hex")).toBe(binary);
    checkBinary(schema, wire);
    expect(binaryToSerdeJsonString(schema, wire)).toBe(json);
  });
});

function codeOf(action: () => void): string | undefined {
  try {
    action();
  } catch (error) {
    if (error instanceof WireError) return error.code;
    throw error;
  }
  return undefined;
}
