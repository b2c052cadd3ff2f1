import { fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  binaryToSerdeJson,
  PreservedSchema,
  SessionFactoryRunFromToolResultSchema as SCHEMA,
  type SessionFactoryRunFromToolResult,
  serdeJsonToBinary,
  WireError,
} from "../index.js";
import { RecordPipe } from "../stream/record-pipe.js";
import { drive, type Source, withSource } from "./drive.js";
import { type Format, factsOf } from "./formats.js";
import { summarize } from "./inspect-summary.js";
import { type JsonNode, outlineLines, readOutline, stringOf } from "./json-outline.js";
import type { Request } from "./options.js";
import { openOutput } from "./output.js";
import { preservedLines } from "./preserved-lines.js";
import { type Section, snapshotSections } from "./snapshot.js";
import { counted, harmless, type Paint, painter, shortened } from "./terminal.js";
import { failureLines, pauseLines, STATUS_WORDS } from "./words.js";

const UNLIMITED = { maxBytes: Number.POSITIVE_INFINITY };
/** Deeper than JSON's 127 containers can be on the wire. */
const RECURSION_LIMIT = 1000;
const LABEL_WIDTH = 11;
const TEXT_LENGTH = 2000;

const ENVELOPE_LIMITS = { depth: 1, breadth: 1000 };
const RESULT_LIMITS = { depth: 3, breadth: 12 };
const DETAIL_LIMITS = { depth: 2, breadth: 50 };
const SNAPSHOT_LIMITS = { depth: 3, breadth: Number.POSITIVE_INFINITY };

/** `inspect`: shows a person one envelope, or a stream in sum. */
export function inspect(request: Request): Promise<number> {
  return withSource(request, async (source) => {
    const output = await openOutput(request.output, source.input);
    try {
      const paint = request.output === undefined ? painter(process.stdout) : painter({ isTTY: false });
      const { text, exitCode } = factsOf(source.format).isStream
        ? await summarize(request, source, paint)
        : { text: await envelopeText(request, source, paint), exitCode: 0 };
      source.progress.stop();
      await output.write(new TextEncoder().encode(text));
      await output.finish();
      return exitCode;
    } catch (error) {
      await output.discard();
      throw error;
    }
  });
}

async function envelopeText(request: Request, source: Source, paint: Paint): Promise<string> {
  const { format, input } = source;
  const { reader, maxBytes } = factsOf(format);
  const most = request.maxBytes ?? maxBytes;
  let view: EnvelopeView | undefined;
  const carry = ({ bytes }: { bytes: Uint8Array }) => {
    view = viewOf(bytes, format, request, most);
  };
  await drive(source, new RecordPipe(reader(most), carry, {}, 1));
  return view === undefined
    ? ""
    : render(view, `${harmless(input.name)}: one envelope, ${factsOf(format).title}`, paint);
}

/** An envelope on both wires, whichever it came on. */
interface EnvelopeView {
  readonly json: Uint8Array;
  readonly binary: Uint8Array;
  readonly message: SessionFactoryRunFromToolResult;
  readonly notes: readonly string[];
}

function viewOf(bytes: Uint8Array, format: Format, request: Request, maxBytes: number): EnvelopeView {
  // What is too deep for other readers is shown all the same, and said.
  const deep = { ...UNLIMITED, maxNesting: Number.POSITIVE_INFINITY };
  if (factsOf(format).wire === "json") {
    const binary = serdeJsonToBinary(SCHEMA, bytes, { ...request.read, ...deep, maxBytes });
    const json = binaryToSerdeJson(SCHEMA, binary, UNLIMITED);
    return {
      json,
      binary,
      message: messageOf(binary),
      notes: [...nestingNotes(json, request), returnNote(bytes, binary, json)],
    };
  }
  const json = binaryToSerdeJson(SCHEMA, bytes, { maxBytes });
  // What a foreign writer laid out in its own way is shown as this package would have written it.
  const binary = serdeJsonToBinary(SCHEMA, json, deep);
  return {
    json,
    binary,
    message: messageOf(binary),
    notes: [...nestingNotes(json, request), ...foreignNotes(bytes, binary)],
  };
}

function messageOf(binary: Uint8Array): SessionFactoryRunFromToolResult {
  return fromBinary(SCHEMA, binary, { recursionLimit: RECURSION_LIMIT });
}

/** Whether the nesting is more than is written without being asked to. */
function nestingNotes(json: Uint8Array, { read: { maxNesting } }: Request): string[] {
  try {
    serdeJsonToBinary(SCHEMA, json, { ...UNLIMITED, ...(maxNesting === undefined ? {} : { maxNesting }) });
    return [];
  } catch (error) {
    if (!(error instanceof WireError) || error.code !== "nesting_too_deep") throw error;
    return [
      `too deep for most Protobuf readers, at ${shortened(error.pointer ?? "", 80)}: ${harmless(error.rawMessage)}`,
    ];
  }
}

/** Whether the JSON comes back from binary as the bytes that it was. */
function returnNote(original: Uint8Array, binary: Uint8Array, snake: Uint8Array): string {
  const text = original.at(-1) === 0x0a ? original.subarray(0, -1) : original;
  if (sameBytes(text, snake)) return "the same bytes come back from binary";
  if (sameBytes(text, binaryToSerdeJson(SCHEMA, binary, { ...UNLIMITED, keys: "camelCase" }))) {
    return "the same bytes come back from binary, with --keys camelCase";
  }
  return "the same values come back from binary, as serde_json lays them out";
}

function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}

function foreignNotes(original: Uint8Array, canonical: Uint8Array): string[] {
  if (sameBytes(original, canonical)) return [];
  return [`another writer's layout: this package writes the same envelope in ${counted(canonical.length, "byte")}`];
}

function render({ json, binary, message, notes }: EnvelopeView, title: string, paint: Paint): string {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(json);
  const members = new Map(readOutline(text, ENVELOPE_LIMITS).children);
  const named = new Set(SCHEMA.fields.map((field) => field.name));
  const unnamed = [...members].filter(([key]) => !named.has(key));
  const sections: Section[] = [
    ["status", [statusLine(stringOf(members.get("status")) ?? "", paint)]],
    ["run id", [shortened(message.runId, TEXT_LENGTH) || paint("dim", "empty")]],
    [
      "attempt",
      [
        message.attempt === undefined
          ? paint("dim", "none has begun, or the sender does not say")
          : String(message.attempt),
      ],
    ],
    ...optional("error", members, (node) => textLines(stringOf(node) ?? "")),
    ...optional("reason", members, (node) => textLines(stringOf(node) ?? "")),
    ...optional("failure", members, (node) => failureLines(node, message.runId)),
    ...optional("pause_info", members, (node) => pauseLines(node), "pause"),
    ...snapshotOf(members.get("snapshot"), paint),
    ["result", resultLines(members.get("result"), paint)],
    ["preserved", preservedLines(message.preserved, unnamed, paint)],
    ["sizes", [sizesLine(json, binary, message)]],
    ...notes.map((note): Section => ["note", [note]]),
  ];
  return `${paint("bold", title)}\n\n${sections.flatMap(([label, lines]) => sectionLines(label, lines, paint)).join("\n")}\n`;
}

function sectionLines(label: string, lines: readonly string[], paint: Paint): string[] {
  return lines.map((line, index) =>
    `  ${paint("bold", (index === 0 ? label : "").padEnd(LABEL_WIDTH))}${line}`.trimEnd(),
  );
}

function statusLine(word: string, paint: Paint): string {
  const words = Object.hasOwn(STATUS_WORDS, word) ? STATUS_WORDS[word] : undefined;
  return words === undefined
    ? `${paint("red", shortened(word, 80))}, a status that this version does not know`
    : `${paint(words.style, word)}: ${words.text}`;
}

function optional(
  name: string,
  members: ReadonlyMap<string, JsonNode>,
  lines: (node: JsonNode) => string[],
  label = name,
): Section[] {
  const node = members.get(name);
  if (node === undefined) return [];
  return [[label, lines(readOutline(node.text, DETAIL_LIMITS))]];
}

/** A text for people may have lines of its own, which are worth keeping; anything else in it is made harmless. */
function textLines(text: string): string[] {
  if (text === "") return ['""'];
  return shortenedText(text).split("\n").map(harmless);
}

function shortenedText(text: string): string {
  if (text.length <= TEXT_LENGTH) return text;
  return `${text.slice(0, TEXT_LENGTH).replace(/[\ud800-\udbff]$/, "")}… (${counted([...text].length, "character")})`;
}

function snapshotOf(node: JsonNode | undefined, paint: Paint): Section[] {
  return node === undefined ? [] : snapshotSections(readOutline(node.text, SNAPSHOT_LIMITS), paint);
}

function resultLines(node: JsonNode | undefined, paint: Paint): string[] {
  return node === undefined ? [paint("dim", "none")] : outlineLines(readOutline(node.text, RESULT_LIMITS));
}

function sizesLine(json: Uint8Array, binary: Uint8Array, { preserved }: SessionFactoryRunFromToolResult): string {
  const change = (binary.length / json.length - 1) * 100;
  const kept =
    preserved === undefined ? "" : `, ${counted(toBinary(PreservedSchema, preserved).length, "byte")} of it preserved`;
  const sign = change < 0 ? "−" : "+";
  return `JSON ${counted(json.length, "byte")}, binary ${counted(binary.length, "byte")} (${sign}${Math.abs(change).toFixed(0)} %)${kept}`;
}
