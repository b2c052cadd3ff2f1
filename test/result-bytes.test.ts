import { expect, test } from "vitest";
import { binaryToSerdeJson, SessionFactoryRunFromToolResultSchema as Run, serdeJsonToBinary } from "../src/index.js";

/** Envelopes of 70 bytes to some 5 KB on the wire, on both sides of every way to hand out a result. */
const envelopes = Array.from(
  { length: 120 },
  (_, i) => `{"run_id":"${String(i).padStart(60, "r")}","status":"completed","result":"${"x".repeat(i * 45)}"}`,
);

test("results stay what they are when others are made, changed or transferred", () => {
  const binaries = envelopes.map((json) => serdeJsonToBinary(Run, json));
  const texts = binaries.map((binary) => binaryToSerdeJson(Run, binary));
  expect(texts.map((text) => new TextDecoder().decode(text))).toEqual(envelopes);

  // Whoever has a result may do with it what they like: each second one is spoilt, each third handed to another thread.
  binaries.forEach((binary, i) => {
    if (i % 2 === 0) binary.fill(0xff);
  });
  binaries.forEach((binary, i) => {
    if (i % 3 !== 0) return;
    try {
      structuredClone(binary, { transfer: [binary.buffer] });
    } catch (error) {
      // Newer versions of Node refuse to transfer what is shared, where older ones copy it.
      expect((error as Error).name).toBe("DataCloneError");
    }
  });
  const rest = binaries.map((binary, i) => (i % 2 === 0 || i % 3 === 0 ? undefined : binaryToSerdeJson(Run, binary)));
  rest.forEach((text, i) => {
    if (text !== undefined) expect(new TextDecoder().decode(text)).toBe(envelopes[i]);
  });
  expect(serdeJsonToBinary(Run, envelopes[0])).toEqual(serdeJsonToBinary(Run, new TextEncoder().encode(envelopes[0])));
});

test("a result has the length that it says, and no more can be reached through it by its own methods", () => {
  for (const json of envelopes) {
    const binary = serdeJsonToBinary(Run, json);
    expect(binary.byteLength).toBe(binary.length);
    expect(binary.slice()).toEqual(binary);
    expect(binary.constructor).toBe(Uint8Array);
  }
});
