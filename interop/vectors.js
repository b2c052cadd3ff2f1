// What test/vectors/ holds. The peers and the judges make it; the package that it is to judge has no part in it.
import { theirsOf } from "./checks/damaged-binary.js";
import { decodeWithProtoc, encodeWithProtoc, protocVersion } from "./checks/protoc.js";
import { pair, respelled, withoutNullScalars } from "./checks/serde.js";
import { captures, generated } from "./corpus.js";
import { mutateBinary } from "./inputs/damaged-binaries.js";
import { mutateText } from "./inputs/damaged-texts.js";
import { Random } from "./inputs/random.js";
import { VECTOR_TEXTS } from "./inputs/vector-texts.js";
import { parseLossless, printLossless } from "./judge/lossless.js";
import { writeNeutral } from "./judge/neutral.js";
import { printedOf } from "./judge/printing.js";
import { messageOf } from "./judge/reading.js";
import { FIELD_BY_KEY, FIELDS } from "./judge/schema.js";

const VERDICTS = 600;
/** Inputs longer than this make a file that nobody reads. */
const SHORT = 240;

/** Envelopes as text and as bytes, by prost and by protoc, with what the Rust structs print. */
export async function makeVectors(peers) {
  const vectors = [];
  for (const { name, text } of texts()) {
    const printed = inOrder(printedOf(messageOf(parseLossless(text))));
    const prost = await answerOf(peers.rust, "e", writeNeutral(messageOf(parseLossless(printed))));
    const protoc = encodeWithProtoc(decodeWithProtoc(prost));
    const equal = await answerOf(
      peers["rust-exact"],
      "q",
      pair(withoutNullScalars(respelled(text, "snake_case")), printed),
    );
    if (equal.toString() !== "equal")
      throw new Error(`${name}: serde_json finds ${printed} another value than ${text}`);
    vectors.push({
      name,
      json: text,
      printed,
      snakeStruct: (await answerOf(peers.rust, "s", respelled(text, "snake_case"))).toString(),
      camelStruct: (await answerOf(peers.rust, "c", respelled(text, "camelCase"))).toString(),
      prost: prost.toString("hex"),
      protoc: protoc.toString("hex"),
    });
  }
  return file({ madeWith: await versions(peers), vectors });
}

/** Damaged texts with what serde_json makes of them in each struct, or null where it refuses. */
export async function makeTextVerdicts(peers) {
  const random = new Random(71);
  const originals = [...texts(), ...generated(400, 72, "snake_case"), ...generated(200, 73, "camelCase")];
  const short = originals.filter(({ text }) => text.length <= SHORT);
  const verdicts = [];
  while (verdicts.length < VERDICTS) {
    const bytes = mutateText(random.pick(short).text, random);
    const [snake, camel] = await Promise.all(["s", "c"].map((operation) => peers.rust.ask(operation, bytes)));
    const printed = [snake, camel].map((answer) => (answer.ok ? answer.body.toString() : null));
    if (isSkippedUnread(bytes, printed) || !(await isExact(peers, bytes, printed))) continue;
    verdicts.push({ hex: bytes.toString("hex"), snakeStruct: printed[0], camelStruct: printed[1] });
  }
  return file({ madeWith: await versions(peers), verdicts });
}

/** Damaged binaries: whether prost and C++ read them, and what prost's message must print as. */
export async function makeBinaryVerdicts(peers) {
  const random = new Random(81);
  const originals = [];
  for (const { text } of [...texts(), ...generated(600, 82, "snake_case")]) {
    const binary = await answerOf(peers.rust, "e", writeNeutral(messageOf(parseLossless(text))));
    if (binary.length <= SHORT) originals.push(binary);
  }
  const verdicts = [];
  while (verdicts.length < VERDICTS) {
    const binary = mutateBinary(random.pick(originals), random);
    const [prost, cpp] = await Promise.all([peers.rust, peers.cpp].map((peer) => peer.ask("d", binary)));
    const theirs = theirsOf(prost);
    if (theirs.anyOrder) continue;
    verdicts.push({ hex: binary.toString("hex"), prost: prost.ok, cpp: cpp.ok, json: theirs.json ?? null });
  }
  return file({ madeWith: await versions(peers), verdicts });
}

/** The hand-written texts and the short captures, one of a kind, that go into binary by default. */
function texts() {
  const written = Object.entries(VECTOR_TEXTS).map(([name, text]) => ({ name, text }));
  const captured = captures()
    .filter(({ name, text }) => text.length <= 520 && !/\/(risky|depth|durable|bad)-/.test(name))
    .map(({ name, text }) => ({ name: name.replace(/\.json$/, ""), text }));
  return [...written, ...captured];
}

/**
 * Whether serde accepts a text that holds members which it skips unread, or reads in a way that is derive's accident:
 * there the package differs on purpose (differences.json), so such a text is no vector.
 */
function isSkippedUnread(bytes, printed) {
  if (printed.every((one) => one === null)) return false;
  const tree = parsed(bytes);
  if (!(tree instanceof Map)) return true;
  if (tree.get("status") instanceof Map) return true;
  return [...tree.keys()].some((key) => {
    const field = FIELD_BY_KEY.get(key);
    return field === undefined || key !== (printed[0] === null ? field.camel : field.name);
  });
}

/** Whether the SDK's build of serde_json, without float_roundtrip, read each number as the double that it is. */
async function isExact(peers, bytes, printed) {
  const print = printed.find((one) => one !== null);
  if (print === undefined) return true;
  const exact = await answerOf(peers["rust-exact"], "s", respelled(bytes, "snake_case"));
  return exact.toString() === respelled(print, "snake_case");
}

function parsed(bytes) {
  try {
    return parseLossless(bytes);
  } catch {
    return undefined;
  }
}

/** The text of an envelope as it comes out of a library's bytes: fields by number, keys sorted by their UTF-8. */
function inOrder(envelope) {
  const rank = ([key]) => (FIELD_BY_KEY.has(key) ? FIELDS.findIndex(({ name }) => name === key) : FIELDS.length);
  const members = [...envelope].sort((a, b) => rank(a) - rank(b) || byUtf8(a, b));
  return printLossless(new Map(members.map(([key, member]) => [key, sorted(member)])));
}

function sorted(tree) {
  if (Array.isArray(tree)) return tree.map(sorted);
  if (!(tree instanceof Map)) return tree;
  return new Map([...tree].sort(byUtf8).map(([key, member]) => [key, sorted(member)]));
}

function byUtf8([a], [b]) {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

async function versions(peers) {
  return {
    rust: (await answerOf(peers.rust, "v", "")).toString(),
    cpp: (await answerOf(peers.cpp, "v", "")).toString(),
    protoc: protocVersion(),
  };
}

async function answerOf(peer, operation, body) {
  const answer = await peer.ask(operation, body);
  if (!answer.ok) throw new Error(`${peer.name}: ${answer.reason}`);
  return answer.body;
}

/** JSON with one entry a line. */
function file(content) {
  const [entries] = Object.entries(content).filter(([, value]) => Array.isArray(value));
  const lines = entries[1].map((entry) => `    ${JSON.stringify(entry)}`).join(",\n");
  return `{\n  "madeWith": ${JSON.stringify(content.madeWith)},\n  "${entries[0]}": [\n${lines}\n  ]\n}\n`;
}
