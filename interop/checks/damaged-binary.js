// Damaged binaries: what a Protobuf library refuses we refuse, and what both take must hold the same.

import { mutateBinary } from "../inputs/damaged-binaries.js";
import { Random } from "../inputs/random.js";
import { canonical, parseLossless } from "../judge/lossless.js";
import { readNeutral } from "../judge/neutral.js";
import { dependsOnOrder, NoJson, printedOf } from "../judge/printing.js";
import { shown } from "../report.js";

/** @param {Uint8Array[]} originals */
export function damagedBinaries(context, originals, count, seed) {
  const random = new Random(seed);
  return Array.from({ length: count }, (_, place) => {
    const binary = mutateBinary(random.pick(originals), random);
    return { name: `damaged ${seed}/${place}`, binary, ours: oursOf(context, binary) };
  });
}

/** What we make of a binary. */
export function oursOf({ wire, schema }, binary) {
  try {
    const json = wire.binaryToSerdeJsonString(schema, binary);
    return { json: canonical(parseLossless(json)) };
  } catch (error) {
    if (!(error instanceof wire.WireError)) throw error;
    return { error };
  }
}

export async function checkDamagedBinaries(context, peer, label, cases) {
  const answers = await peer.askAll(
    "d",
    cases.map(({ binary }) => binary),
  );
  const faults = [];
  const counts = { refused: 0, same: 0, anyOrder: 0 };
  for (const [place, one] of cases.entries()) {
    const theirs = theirsOf(answers[place]);
    if (theirs.anyOrder) counts.anyOrder++;
    else if (theirs.refused !== undefined && one.ours.error) counts.refused++;
    else if (theirs.json !== undefined && theirs.json === one.ours.json) counts.same++;
    else {
      const id = reasonOf(one.ours, theirs);
      if (id !== undefined && context.differences.allows(peer.name, id)) continue;
      const said = one.ours.error?.message ?? one.ours.json;
      faults.push(
        `${one.name}: ${id ?? "no known reason"}: we say ${said}, the peer ${theirs.refused ?? theirs.json}: ${shown(one.binary)}`,
      );
    }
  }
  const note = `${counts.refused} refused by both, ${counts.same} read alike, ${counts.anyOrder} not comparable`;
  context.report.line(peer.name, label, cases.length, faults, note);
}

/** What the message that a peer read must print as, or why it has no JSON. */
export function theirsOf(answer) {
  if (!answer.ok) return { refused: answer.reason };
  const message = readNeutral(answer.body);
  // Two members for one field: the first counts, and the notation does not say which that is.
  if (dependsOnOrder(message)) return { anyOrder: true };
  try {
    return { json: canonical(printedOf(message)) };
  } catch (error) {
    if (error instanceof NoJson) return { refused: `no JSON: ${error.message}` };
    throw error;
  }
}

/** The name of the difference that this is, if it is one that could be meant. */
function reasonOf(ours, theirs) {
  if (theirs.refused === undefined) {
    if (ours.error === undefined) {
      const [our, their] = [parseLossless(ours.json), parseLossless(theirs.json)];
      if (within(their, our)) return "map-entry-with-unknown-field";
      return within(our, their) ? "value-kinds-merged" : undefined;
    }
    if (ours.error.code === "malformed_binary") {
      if (/wire type/.test(ours.error.rawMessage)) return "wire-type-of-known-field";
      if (/varint/.test(ours.error.rawMessage)) return "varint-beyond-64-bits";
      if (/tag/.test(ours.error.rawMessage)) return "tag-beyond-32-bits";
    }
    return undefined;
  }
  return undefined;
}

/** Whether a tree holds nothing but what the other holds too, in the same places. */
function within(small, large) {
  if (small instanceof Map && large instanceof Map) {
    return [...small].every(([key, member]) => large.has(key) && within(member, large.get(key)));
  }
  if (Array.isArray(small) && Array.isArray(large)) {
    let next = 0;
    // The items in their order, with others between them.
    return small.every((item) => {
      next = large.findIndex((other, place) => place >= next && within(item, other)) + 1;
      return next > 0;
    });
  }
  return canonical(small) === canonical(large);
}
