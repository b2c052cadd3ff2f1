// Judged by Rust and C++ with neither installed: test/vectors holds what they made (npm run vectors makes it anew).
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  binaryToSerdeJsonString,
  checkBinary,
  SessionFactoryRunFromToolResultSchema as schema,
  serdeJsonToBinary,
  WireError,
} from "../src/index.js";

interface Vector {
  name: string;
  /** The text as a sender wrote it. */
  json: string;
  /** The same, as it must come out of a library's bytes: fields by number, keys sorted. */
  printed: string;
  /** What the structs of Rust print when they have read the text. */
  snakeStruct: string;
  camelStruct: string;
  /** The message in hex. */
  prost: string;
  protoc: string;
}

interface TextVerdict {
  hex: string;
  /** What the struct prints, or null where it refuses. */
  snakeStruct: string | null;
  camelStruct: string | null;
}

interface BinaryVerdict {
  hex: string;
  prost: boolean;
  cpp: boolean;
  /** What prost's message must print as, the order of members aside; null where it refuses or JSON has no such value. */
  json: string | null;
}

const { vectors } = load<{ vectors: Vector[] }>("vectors");
const { verdicts: texts } = load<{ verdicts: TextVerdict[] }>("text-verdicts");
const { verdicts: binaries } = load<{ verdicts: BinaryVerdict[] }>("binary-verdicts");

describe("vectors", () => {
  it.each(vectors)("$name: the bytes of prost and of protoc print the same text", ({ printed, prost, protoc }) => {
    for (const hex of [prost, protoc]) {
      const binary = Buffer.from(hex, "hex");
      checkBinary(schema, binary);
      expect(binaryToSerdeJsonString(schema, binary)).toBe(printed);
    }
  });

  it.each(vectors)("$name: the text becomes the bytes that C++ writes", ({ json, printed, protoc }) => {
    // C++ writes fields by number and keys sorted, as the printed text has them; it leaves out required defaults.
    const sorted = serdeJsonToBinary(schema, printed);
    const defaults = ["3a00", "4800"].filter((hex) => hexOf(sorted).includes(hex) && !protoc.includes(hex));
    const expected =
      defaults.length === 0 ? hexOf(sorted) : hexOf(sorted).replace(new RegExp(defaults.join("|"), "g"), "");
    expect(expected).toBe(protoc);
    expect(JSON.parse(binaryToSerdeJsonString(schema, serdeJsonToBinary(schema, json)))).toEqual(JSON.parse(printed));
  });

  it.each(vectors)("$name: what the structs print comes back byte for byte", ({ snakeStruct, camelStruct }) => {
    expect(binaryToSerdeJsonString(schema, serdeJsonToBinary(schema, snakeStruct))).toBe(snakeStruct);
    expect(binaryToSerdeJsonString(schema, serdeJsonToBinary(schema, camelStruct), { keys: "camelCase" })).toBe(
      camelStruct,
    );
  });

  it.each(vectors)("$name: our JSON holds what the structs hold", ({ json, snakeStruct, camelStruct }) => {
    const binary = serdeJsonToBinary(schema, json);
    expect(asStruct(binaryToSerdeJsonString(schema, binary))).toEqual(JSON.parse(snakeStruct));
    const camel = binaryToSerdeJsonString(schema, binary, { keys: "camelCase" });
    expect(binaryToSerdeJsonString(schema, serdeJsonToBinary(schema, camel))).toBe(
      binaryToSerdeJsonString(schema, binary),
    );
    expect(Object.keys(JSON.parse(camel))).toEqual(expect.arrayContaining(Object.keys(JSON.parse(camelStruct))));
  });
});

describe("verdicts", () => {
  it("accepts the damaged texts that serde_json accepts, and no others", () => {
    for (const { hex, snakeStruct, camelStruct } of texts) {
      const text = Buffer.from(hex, "hex");
      const accepted = attempt(() => serdeJsonToBinary(schema, text, { maxNesting: Number.POSITIVE_INFINITY }));
      expect(accepted !== undefined, text.toString()).toBe(snakeStruct !== null || camelStruct !== null);
      if (accepted === undefined) continue;
      const ours = asStruct(binaryToSerdeJsonString(schema, accepted));
      const theirs = snakeStruct === null ? inSnakeCase(camelStruct!) : JSON.parse(snakeStruct);
      expect(ours, text.toString()).toEqual(theirs);
    }
  });

  it("refuses the damaged binaries that prost or C++ refuses, and prints the others as they read them", () => {
    for (const { hex, prost, cpp, json } of binaries) {
      const binary = Buffer.from(hex, "hex");
      const printed = attempt(() => binaryToSerdeJsonString(schema, binary));
      if (!prost || !cpp || json === null) expect(printed, hex).toBeUndefined();
      else expect(JSON.parse(printed ?? "null"), hex).toEqual(JSON.parse(json));
    }
  });

  it("has both outcomes in each table", () => {
    const accepted = texts.filter(
      ({ snakeStruct, camelStruct }) => snakeStruct !== null || camelStruct !== null,
    ).length;
    expect(Math.min(accepted, texts.length - accepted)).toBeGreaterThan(100);
    const read = binaries.filter(({ json }) => json !== null).length;
    expect(Math.min(read, binaries.length - read)).toBeGreaterThan(100);
  });
});

function load<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`vectors/${name}.json`, import.meta.url), "utf8"));
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

/** What a struct keeps of an envelope: no unknown member, None for null, Unknown for a word it does not know. */
function asStruct(json: string): unknown {
  const names = schema.fields.map((field) => field.name).filter((name) => name !== "preserved");
  const envelope: Record<string, unknown> = JSON.parse(json);
  const kept = Object.entries(envelope).filter(([key, value]) => names.includes(key) && value !== null);
  const words = ["pending", "running", "completed", "halted", "paused", "cancelled", "error"];
  return Object.fromEntries(
    kept.map(([key, value]) => [key, key === "status" && !words.includes(String(value)) ? "Unknown" : value]),
  );
}

/** What the camelCase struct holds, in snake_case. */
function inSnakeCase(camel: string): unknown {
  const keys = new Map([
    ["runId", "run_id"],
    ["pauseInfo", "pause_info"],
  ]);
  return Object.fromEntries(Object.entries(JSON.parse(camel)).map(([key, value]) => [keys.get(key) ?? key, value]));
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (error instanceof WireError) return undefined;
    throw error;
  }
}
