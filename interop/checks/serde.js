// JSON: what we print both structs must read with nothing lost, and what they print we must hand back.
import { canonical, NumberToken, parseLossless, printLossless } from "../judge/lossless.js";
import { writeNeutral } from "../judge/neutral.js";
import { messageOf } from "../judge/reading.js";
import { FIELD_BY_KEY } from "../judge/schema.js";
import { shown } from "../report.js";
import { faultsOf } from "./binary.js";

const STYLES = {
  serde: { keys: "snake_case", operation: "s", struct: "the snake_case struct" },
  sdk: { keys: "camelCase", operation: "c", struct: "the SDK's struct" },
};

/** Each text goes JSON → binary → JSON, and serde judges both ends. @param {"serde" | "sdk"} skill */
export async function checkStruct(context, peer, skill, label, cases) {
  const { keys, operation, struct } = STYLES[skill];
  const originals = cases.map(({ text }) => respelled(text, keys));
  const printed = cases.map(({ binary }) => context.wire.binaryToSerdeJsonString(context.schema, binary, { keys }));
  const wanted = await peer.askAll(operation, originals);
  const got = await peer.askAll(operation, printed);
  context.report.line(
    peer.name,
    `${struct} reads our JSON, nothing lost, ${label}`,
    cases.length,
    faultsOf(cases, (_, place) => sameText(context, peer, wanted[place], got[place])),
  );

  const comparable = originals.map(withoutNullScalars);
  const equal = await peer.askAll(
    "q",
    printed.map((text, place) => pair(comparable[place], text)),
  );
  context.report.line(
    peer.name,
    `our ${keys} JSON equals the original as a Value, ${label}`,
    cases.length,
    faultsOf(cases, (_, place) => {
      const answer = equal[place];
      if (!answer.ok) return answer.reason;
      if (answer.body.toString() === "equal") return undefined;
      if (
        sameButLastPlaces(comparable[place], printed[place]) &&
        context.differences.allows(peer.name, "number-last-place")
      )
        return undefined;
      return `${shown(printed[place])} is another value`;
    }),
  );

  const texts = wanted.map((answer) => (answer.ok ? answer.body.toString() : ""));
  const back = texts.map((text) => roundTrip(context, text, keys));
  const backEqual = await peer.askAll(
    "q",
    back.map((text, place) => pair(texts[place], text)),
  );
  context.report.line(
    peer.name,
    `${struct} prints, we hand back an equal Value, ${label}`,
    cases.length,
    faultsOf(cases, (_, place) => {
      const answer = backEqual[place];
      if (!answer.ok) return answer.reason;
      return answer.body.toString() === "equal"
        ? undefined
        : `${shown(texts[place])} came back as ${shown(back[place])}`;
    }),
  );
  context.report.line(
    peer.name,
    `${struct} prints, we hand back the same bytes, ${label}`,
    cases.length,
    faultsOf(cases, (_, place) =>
      back[place] === texts[place] ? undefined : `${shown(texts[place])} came back as ${shown(back[place])}`,
    ),
  );
}

/** Services that know nothing of `preserved`: prost with serde around it. */
export async function checkMapping(context, peer, label, cases) {
  const printed = await peer.askAll(
    "j",
    cases.map(({ binary }) => binary),
  );
  context.report.line(
    peer.name,
    `prost reads our bytes, prints JSON, we read the same, ${label}`,
    cases.length,
    faultsOf(cases, (one, place) => {
      const answer = printed[place];
      if (!answer.ok) return answer.reason;
      const ours = context.wire.serdeJsonToBinary(context.schema, answer.body, { numbers: "double" });
      const theirs = { ...messageOf(parseLossless(one.text)), preserved: undefined };
      const again = messageOf(parseLossless(context.wire.binaryToSerdeJsonString(context.schema, ours)));
      const same = writeNeutral(theirs).equals(writeNeutral({ ...again, preserved: undefined }));
      return same ? undefined : `${shown(answer.body)} is another envelope`;
    }),
  );

  const texts = cases.map(({ text }) => respelled(text, "snake_case"));
  const encoded = await peer.askAll("b", texts);
  const viaStruct = await peer.askAll("s", texts);
  context.report.line(
    peer.name,
    `prost encodes from the struct, we print the same doubles, ${label}`,
    cases.length,
    faultsOf(cases, (_, place) => {
      const [binary, json] = [encoded[place], viaStruct[place]];
      if (!binary.ok || !json.ok) return "refused";
      const ours = asDoubles(parseLossless(context.wire.binaryToSerdeJsonString(context.schema, binary.body)));
      const theirs = asDoubles(parseLossless(json.body));
      return canonical(ours) === canonical(theirs)
        ? undefined
        : `${shown(binary.body)} is another envelope than ${shown(json.body.toString())}`;
    }),
  );
}

function roundTrip({ wire, schema }, text, keys) {
  try {
    return wire.binaryToSerdeJsonString(schema, wire.serdeJsonToBinary(schema, text), { keys });
  } catch (error) {
    return JSON.stringify(error.message);
  }
}

function sameText(context, peer, wanted, got) {
  if (!wanted.ok || !got.ok) return `refused: ${wanted.reason ?? got.reason}`;
  if (wanted.body.equals(got.body)) return undefined;
  const [first, second] = [wanted.body.toString(), got.body.toString()];
  if (sameButLastPlaces(first, second) && context.differences.allows(peer.name, "number-last-place")) return undefined;
  return `${shown(second)} instead of ${shown(first)}`;
}

/** The envelope's own keys in one spelling, all else as it was. */
export function respelled(text, keys) {
  const tree = parseLossless(text);
  if (!(tree instanceof Map)) return printLossless(tree);
  const spell = (key) => {
    const field = FIELD_BY_KEY.get(key);
    return field === undefined ? key : keys === "camelCase" ? field.camel : field.name;
  };
  return printLossless(new Map([...tree].map(([key, member]) => [spell(key), member])));
}

/** null for an optional scalar means absent, and absent it comes back. */
export function withoutNullScalars(text) {
  const members = [...parseLossless(text)].filter(([key, member]) => {
    const kind = FIELD_BY_KEY.get(key)?.kind;
    return member !== null || (kind !== "int64" && kind !== "string");
  });
  return printLossless(new Map(members));
}

export function pair(first, second) {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(Buffer.byteLength(first));
  return Buffer.concat([length, Buffer.from(first), Buffer.from(second)]);
}

/** Whether two texts differ only in numbers that are at most some units of the last place apart. */
export function sameButLastPlaces(first, second) {
  return near(parseLossless(first), parseLossless(second));
}

function near(a, b) {
  if (a instanceof NumberToken && b instanceof NumberToken) {
    const [x, y] = [Number(a.text), Number(b.text)];
    // A few units of 2^-52; serde_json's products of powers of ten lose no more.
    return x === y || Math.abs(x - y) <= Math.max(Math.abs(x), Math.abs(y)) * 2 ** -50 + Number.MIN_VALUE * 4;
  }
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, place) => near(item, b[place]));
  if (a instanceof Map && b instanceof Map)
    return a.size === b.size && [...a].every(([key, item]) => b.has(key) && near(item, b.get(key)));
  return a === b;
}

function asDoubles(tree) {
  if (tree instanceof NumberToken)
    return new NumberToken(String(Object.is(Number(tree.text), -0) ? "-0" : Number(tree.text)));
  if (Array.isArray(tree)) return tree.map(asDoubles);
  if (tree instanceof Map) return new Map([...tree].map(([key, member]) => [key, asDoubles(member)]));
  return tree;
}
