// Binary: what we write each library must read, keep and write again, and what it writes we must read.
import { canonical, parseLossless } from "../judge/lossless.js";
import { writeNeutral } from "../judge/neutral.js";
import { printedOf } from "../judge/printing.js";
import { messageOf } from "../judge/reading.js";
import { shown } from "../report.js";

/**
 * A text, the bytes that we made of it, and what both must mean to anyone, by the judges.
 * @typedef {{ name: string, text: string, binary: Uint8Array, neutral: Buffer, json: string }} Case
 */

/**
 * The texts that go into binary by default; the others must be refused for their nesting alone.
 * @returns {{ cases: Case[], refused: number }}
 */
export function binaryCases({ wire, schema }, texts) {
  const cases = [];
  let refused = 0;
  for (const { name, text } of texts) {
    try {
      const binary = wire.serdeJsonToBinary(schema, text);
      const message = messageOf(parseLossless(text));
      cases.push({ name, text, binary, neutral: writeNeutral(message), json: canonical(printedOf(message)) });
    } catch (error) {
      if (error.code !== "nesting_too_deep") throw new Error(`${name}: ${error.message}`, { cause: error });
      refused++;
    }
  }
  return { cases, refused };
}

export async function checkBinary(context, peer, label, cases) {
  const binaries = cases.map(({ binary }) => binary);
  const read = await peer.askAll("d", binaries);
  context.report.line(
    peer.name,
    `reads our bytes to the same value, ${label}`,
    cases.length,
    faultsOf(cases, (one, place) => {
      const answer = read[place];
      if (!answer.ok) return answer.reason;
      return answer.body.equals(one.neutral) ? undefined : "another value";
    }),
  );

  const again = await peer.askAll("r", binaries);
  context.report.line(
    peer.name,
    `writes them again, we read the same JSON, ${label}`,
    cases.length,
    faultsOf(cases, (one, place) => sameJson(context, one, again[place])),
  );

  const own = await peer.askAll(
    "e",
    cases.map(({ neutral }) => neutral),
  );
  context.report.line(
    peer.name,
    `encodes the same content, we read the same JSON, ${label}`,
    cases.length,
    faultsOf(cases, (one, place) => sameJson(context, one, own[place])),
  );

  const unaware = await peer.askAll("u", binaries);
  context.report.line(
    peer.name,
    `knows none of the fields and hands them on, ${label}`,
    cases.length,
    faultsOf(cases, (one, place) => {
      const answer = unaware[place];
      if (answer.ok && answer.body.length === 0 && context.differences.allows(peer.name, "unknown-fields-dropped"))
        return undefined;
      return sameJson(context, one, answer);
    }),
  );
}

/** Whether we print the bytes that a peer made as the JSON that they must be. */
function sameJson({ wire, schema }, { json }, answer) {
  if (!answer.ok) return answer.reason;
  try {
    const ours = wire.binaryToSerdeJsonString(schema, answer.body);
    wire.checkBinary(schema, answer.body);
    if (canonical(parseLossless(ours)) === json) return undefined;
    return `${shown(answer.body)} gave ${shown(ours)}, not ${shown(json)}`;
  } catch (error) {
    return `${shown(answer.body)} gave ${error.message}`;
  }
}

/** @param {(one: any, place: number) => string | undefined} fault */
export function faultsOf(cases, fault) {
  return cases.flatMap((one, place) => {
    const found = fault(one, place);
    return found === undefined ? [] : [`${one.name}: ${found}; from ${shown(one.text ?? one.bytes ?? one.binary)}`];
  });
}
