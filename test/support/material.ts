// The recorded material that the tests read.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

// A path is not put into a URL: some names hold a "#".
const folder = fileURLToPath(new URL("..", import.meta.url));
const here = (path: string) => folder + path;

export interface Capture {
  name: string;
  bytes: Uint8Array;
  /** What INDEX.tsv says of its size. */
  indexedSize: number;
}

/** The runtime's envelopes, byte for byte, in the order of the index. */
export function captures(): Capture[] {
  const [, ...rows] = readFileSync(here("captures/INDEX.tsv"), "utf8").trimEnd().split("\n");
  return rows.map((row) => {
    const [name, , size] = row.split("\t");
    return { name: name!, bytes: readFileSync(here(`captures/${name}.json`)), indexedSize: Number(size) };
  });
}

/** One envelope by its name in the index, as text. */
export function capture(name: string): string {
  return readFileSync(here(`captures/${name}.json`), "utf8");
}

/** How many capture files there are, whatever the index says. */
export function captureFileCount(): number {
  return readdirSync(here("captures")).filter((file) => file.endsWith(".json")).length;
}

export interface SuiteFile {
  name: string;
  bytes: Uint8Array;
  verdict: "accept" | "reject";
}

/** JSONTestSuite's files with what serde_json says of each in place of `result`'s value. */
export function jsonTestSuite(): SuiteFile[] {
  const rows = readFileSync(here("json-test-suite/serde-verdicts.tsv"), "utf8").trimEnd().split("\n");
  return rows.map((row) => {
    const [name, verdict] = row.split("\t");
    if (verdict !== "accept" && verdict !== "reject") throw new Error(`no verdict: ${row}`);
    return { name: name!, bytes: readFileSync(here(`json-test-suite/test_parsing/${name}`)), verdict };
  });
}
