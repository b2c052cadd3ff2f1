// A real envelope from JSON to Protobuf and back, and one that is refused: npm run demo
import { readdirSync, readFileSync } from "node:fs";
import { BinaryReader } from "@bufbuild/protobuf/wire";
import {
  binaryToSerdeJson,
  binaryToSerdeJsonString,
  fromSerdeJsonString,
  outcomeOf,
  SessionFactoryRunFromToolResultSchema as Run,
  serdeJsonToBinary,
  WireError,
} from "factory-run-wire";

const WIDTH = 76;
const captures = new URL("../test/captures/", import.meta.url);

const sent = readFileSync(new URL("limit-ai-credits.json", captures));
heading("What the runtime sent", `test/captures/limit-ai-credits.json, ${sent.length} bytes`);
wrapped(sent.toString());

const binary = serdeJsonToBinary(Run, sent);
heading("The same in Protobuf", `${binary.length} bytes`);
for (const { name, from, to } of fieldsOf(binary)) hexRows(name, binary.subarray(from, to));
note('"preserved" says that two numbers were written 1.0 and 2.0.', "A double alone would give back 1 and 2.");

const back = binaryToSerdeJson(Run, binary, { keys: "camelCase" });
heading("Back in JSON", `${back.length} bytes, ${sent.equals(back) ? "the same byte for byte" : "CHANGED"}`);
wrapped(new TextDecoder().decode(back));
note("With the keys that a plain Rust struct reads (the default):");
console.log();
wrapped(`${binaryToSerdeJsonString(Run, binary).slice(0, 2 * WIDTH - 1)}…`);

heading("What a program sees", "outcomeOf(message)");
const outcome = outcomeOf(fromSerdeJsonString(Run, sent));
if (outcome.status !== "error" || outcome.failure?.type !== "factory_limit_reached") throw new Error("another run");
const { kind, value, suggestedValue } = outcome.failure;
console.log(`   status ${outcome.status}: the limit ${kind} of ${value} was reached, ${suggestedValue} is suggested`);

const names = readdirSync(captures).filter((name) => name.endsWith(".json"));
const carried = names.map((name) => carry(readFileSync(new URL(name, captures))));
const total = (what) => carried.reduce((sum, one) => sum + one[what], 0).toLocaleString("en");
heading("All recorded envelopes", "test/captures/");
console.log(`   ${total("same")} of ${names.length} come back byte for byte`);
console.log(`   ${total("json")} bytes of JSON, ${total("binary")} bytes of Protobuf`);

const cut = '{"run_id":"r1","status":"error",\n "error":"cut in the middle of an emoji: \\ud83d"}';
heading("What Rust could not read is refused", "a text with half a surrogate pair");
try {
  serdeJsonToBinary(Run, cut);
} catch (error) {
  if (!(error instanceof WireError)) throw error;
  const lines = cut.split("\n");
  lines.splice(error.line, 0, `${" ".repeat(error.column - 1)}^`);
  for (const line of lines) console.log(`   ${line}`);
  console.log(`\n   ${error.name} ${error.message}`);
}

function heading(title, detail) {
  console.log(`\n── ${title} ${"─".repeat(Math.max(2, WIDTH - title.length - detail.length - 2))} ${detail}\n`);
}

function note(...lines) {
  console.log(`\n   ${lines.join("\n   ")}`);
}

function wrapped(text) {
  for (let at = 0; at < text.length; at += WIDTH) console.log(`   ${text.slice(at, at + WIDTH)}`);
}

/** Where each field of the envelope begins and ends. */
function fieldsOf(message) {
  const reader = new BinaryReader(message);
  const fields = [];
  while (reader.pos < reader.len) {
    const from = reader.pos;
    const [number, wireType] = reader.tag();
    reader.skip(wireType);
    fields.push({ name: Run.fields.find((field) => field.number === number).name, from, to: reader.pos });
  }
  return fields;
}

function hexRows(name, bytes) {
  for (let at = 0; at < bytes.length; at += 16) {
    const row = [...bytes.subarray(at, at + 16)];
    const hex = row.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
    const text = row.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : ".")).join("");
    console.log(`   ${(at === 0 ? name : "").padEnd(10)} ${hex.padEnd(47)}  ${text.trimEnd()}`);
  }
}

/** There and back; some of the recorded ones nest deeper than Protobuf's other decoders read. */
function carry(json) {
  const binary = serdeJsonToBinary(Run, json, { maxNesting: Number.POSITIVE_INFINITY });
  const same = json.equals(binaryToSerdeJson(Run, binary, { keys: "camelCase" }));
  return { json: json.length, binary: binary.length, same: same ? 1 : 0 };
}
