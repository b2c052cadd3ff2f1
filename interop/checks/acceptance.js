// Texts, good and damaged: we accept what serde_json accepts into the struct, and read the same out of it.
import { parseLossless } from "../judge/lossless.js";
import { FIELD_BY_KEY } from "../judge/schema.js";
import { shown } from "../report.js";
import { faultsOf } from "./binary.js";
import { respelled, sameButLastPlaces } from "./serde.js";

/**
 * @typedef {{ name: string, bytes: Buffer, ours: { json: string } | { error: any } }} Text
 * @param {{ name: string, bytes: Buffer }[]} texts
 * @returns {Text[]}
 */
export function judgedByUs({ wire, schema }, texts) {
  return texts.map(({ name, bytes }) => {
    try {
      // serde_json knows nothing of what Protobuf's decoders can nest.
      const binary = wire.serdeJsonToBinary(schema, bytes, { maxNesting: Number.POSITIVE_INFINITY });
      return { name, bytes, ours: { json: wire.binaryToSerdeJsonString(schema, binary) } };
    } catch (error) {
      if (!(error instanceof wire.WireError)) throw error;
      return { name, bytes, ours: { error } };
    }
  });
}

/** @param {Text[]} texts */
export async function checkAcceptance(context, peer, label, texts) {
  const snake = await peer.askAll(
    "s",
    texts.map(({ bytes }) => bytes),
  );
  const camel = peer.skills.includes("sdk")
    ? await peer.askAll(
        "c",
        texts.map(({ bytes }) => bytes),
      )
    : snake;
  const faults = [];
  let accepted = 0;
  const respell = [];
  for (const [place, text] of texts.entries()) {
    const serde = [snake[place], camel[place]].find((answer) => answer.ok);
    if (serde !== undefined && "json" in text.ours) {
      accepted++;
      continue;
    }
    if (serde === undefined && "error" in text.ours) continue;
    if (serde === undefined) respell.push(text);
    else faults.push(...unlisted(context, peer, text, weRefuse(text)));
  }
  // A peer without the SDK's struct judges the other spelling after it is respelled.
  const again = await peer.askAll(
    "s",
    respell.map(({ bytes }) => respelled(bytes, "snake_case")),
  );
  for (const [place, text] of respell.entries()) {
    if (again[place].ok && !peer.skills.includes("sdk")) accepted++;
    else faults.push(...unlisted(context, peer, text, weAccept(text, again[place].reason)));
  }
  context.report.line(
    peer.name,
    `serde_json and we accept the same, ${label}`,
    texts.length,
    faults,
    `${accepted} accepted`,
  );

  const both = texts.filter((text, place) => "json" in text.ours && snake[place].ok);
  const wanted = snake.filter((answer, place) => "json" in texts[place].ours && answer.ok);
  const got = await peer.askAll(
    "s",
    both.map(({ ours }) => ours.json),
  );
  context.report.line(
    peer.name,
    `what both accept, the struct reads alike from our JSON, ${label}`,
    both.length,
    faultsOf(both, (text, place) => {
      if (!got[place].ok) return `refused: ${got[place].reason}`;
      if (got[place].body.equals(wanted[place].body)) return undefined;
      const id = otherValue(text, wanted[place].body.toString(), got[place].body.toString());
      return id !== undefined && context.differences.allows(peer.name, id)
        ? undefined
        : `${id ?? ""} ${shown(text.ours.json)} is another envelope`;
    }),
  );
}

function unlisted(context, peer, { name, bytes, ours }, id) {
  if (id !== undefined && context.differences.allows(peer.name, id)) return [];
  return [
    `${name}: ${"json" in ours ? "we accept" : `we say ${ours.error.message}`} (${id ?? "no known reason"}): ${shown(bytes)} ${shown(bytes.toString())}`,
  ];
}

/** Why we refuse what serde accepts. */
function weRefuse({ bytes, ours }) {
  const { code, pointer, offset } = ours.error;
  if (bytes.toString().trimStart().startsWith("[")) return "envelope-as-array";
  const key = pointer?.split("/")[1]?.replace(/~1/g, "/").replace(/~0/g, "~");
  if (key !== undefined && !FIELD_BY_KEY.has(key)) return "unknown-member-checked";
  if (code === "wrong_type" && pointer === "/status") return "status-as-object";
  if (code === "duplicate_field") return "two-spellings";
  if (code === "out_of_range" && isNearLargest(numbers(bytes.subarray(offset))[0])) return "number-near-largest";
  // To the struct of one spelling the other spelling's key is an unknown member.
  const field = FIELD_BY_KEY.get(key ?? "");
  return field !== undefined && field.camel !== field.name ? "other-spelling-checked" : undefined;
}

/** Why we accept what serde refuses. */
function weAccept({ bytes }, reason) {
  return reason?.startsWith("number out of range") && numbers(bytes).some(isNearLargest)
    ? "number-near-largest"
    : undefined;
}

function otherValue({ bytes }, wanted, got) {
  if (sameButLastPlaces(wanted, got)) return "number-last-place";
  const keys = [...parseLossless(bytes).keys()];
  // The struct of one spelling does not see the other's key.
  if (keys.some((key) => FIELD_BY_KEY.get(key)?.name !== undefined && FIELD_BY_KEY.get(key).name !== key))
    return "other-spelling-read";
  return undefined;
}

/** Whether a number lies within some units of the largest double, on either side. */
function isNearLargest(text = "") {
  const [digits, exponent = "0"] = text.split(/e/i);
  const tenth = Math.abs(Number(`${digits}e${Number(exponent) - 1}`));
  return Math.abs(tenth - Number.MAX_VALUE / 10) <= (Number.MAX_VALUE / 10) * 2 ** -50;
}

function numbers(bytes) {
  return bytes.toString("latin1").match(/-?\d[\d.eE+-]*/g) ?? [];
}
