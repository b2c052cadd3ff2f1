import { DelimitedReader } from "../stream/delimited-reader.js";
import { LineReader } from "../stream/line-reader.js";
import { type WriteRecord, writeDelimitedRecord, writeLine } from "../stream/record-pipe.js";
import type { RecordReader } from "../stream/record-reader.js";
import { DocumentReader } from "./document-reader.js";

const MIB = 1024 * 1024;

/** What is to be known about one kind of file. */
interface FormatFacts {
  /** Which of the two wires its records are on. */
  readonly wire: "json" | "binary";
  /** Many records, or one. */
  readonly isStream: boolean;
  /** How names of such files end. */
  readonly endings: readonly string[];
  /** What it is, for people. */
  readonly title: string;
  /** The most bytes of one record when the user names no limit. */
  readonly maxBytes: number;
  /** Cuts such a file into records. */
  readonly reader: (maxBytes: number) => RecordReader;
  /** Puts a record into such a file. */
  readonly write: WriteRecord;
}

/** Every kind of file that the command reads and writes. */
export const FORMATS = {
  json: {
    wire: "json",
    isStream: false,
    endings: [".json"],
    title: "JSON",
    maxBytes: 64 * MIB,
    reader: (maxBytes) => new DocumentReader(maxBytes),
    write: writeLine,
  },
  ndjson: {
    wire: "json",
    isStream: true,
    endings: [".ndjson", ".jsonl"],
    title: "NDJSON",
    maxBytes: 64 * MIB,
    reader: (maxBytes) => new LineReader(maxBytes),
    write: writeLine,
  },
  binary: {
    wire: "binary",
    isStream: false,
    endings: [".binpb", ".bin", ".pb"],
    title: "binary",
    maxBytes: 512 * MIB,
    reader: (maxBytes) => new DocumentReader(maxBytes),
    write: (record, output) => output.add(record),
  },
  delimited: {
    wire: "binary",
    isStream: true,
    endings: [".delimited", ".delim"],
    title: "size-delimited binary",
    maxBytes: 64 * MIB,
    reader: (maxBytes) => new DelimitedReader(maxBytes),
    write: writeDelimitedRecord,
  },
} satisfies Record<string, FormatFacts>;

export type Format = keyof typeof FORMATS;

export const FORMAT_NAMES = Object.keys(FORMATS) as Format[];

export function factsOf(format: Format): FormatFacts {
  return FORMATS[format];
}

/** The format that a file's name says, if it says one. */
export function formatOfName(name: string | undefined): Format | undefined {
  const lower = name?.toLowerCase();
  return FORMAT_NAMES.find((format) => factsOf(format).endings.some((ending) => lower?.endsWith(ending)));
}

/** The format with the same number of records on the given wire. */
export function onWire(format: Format, wire: FormatFacts["wire"]): Format {
  const { isStream } = factsOf(format);
  return FORMAT_NAMES.find((other) => factsOf(other).wire === wire && factsOf(other).isStream === isStream)!;
}

const WHITE_SPACE = new Set([0x09, 0x0a, 0x0d, 0x20]);
/** What a JSON text can begin with and an envelope in binary cannot: an object, an array, a BOM. */
const JSON_BEGINNINGS = new Set([0x7b, 0x5b, 0xef]);

/** The format of one document, by its first bytes. Streams cannot be told like this. */
export function formatOfBytes(bytes: Uint8Array): Format {
  const first = bytes.find((byte) => !WHITE_SPACE.has(byte));
  return first === undefined || JSON_BEGINNINGS.has(first) ? "json" : "binary";
}
