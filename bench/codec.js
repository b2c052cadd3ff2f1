// The cases both ways, ours against the platform; then the others; then the sizes.
import { checkOurs, readValue, roundTrip } from "./check.js";
import { interleave } from "./interleave.js";
import { cborX } from "./peers/cbor-x.js";
import { factoryRunWire } from "./peers/factory-run-wire.js";
import { msgpackr } from "./peers/msgpackr.js";
import { platform, platformKept } from "./peers/platform.js";
import { protobufEs } from "./peers/protobuf-es.js";
import { protobufjs } from "./peers/protobufjs.js";

/** Everybody that goes all the way from JSON bytes to binary bytes and back. */
export const others = [protobufEs, protobufjs, msgpackr, cborX];

export const directions = ["toBinary", "toJson"];

/** A case's documents as bytes, our binary of each (checked), and the objects that the platform starts from. */
export function prepare(benchCase) {
  const json = benchCase.documents().map((text) => new TextEncoder().encode(text));
  const binary = json.map((document) => {
    const { binary, fault } = roundTrip(factoryRunWire, document);
    if (fault !== undefined) throw new Error(`factory-run-wire: ${fault}`);
    checkOurs(binary, document);
    return binary;
  });
  return { json, binary, objects: json.map(readValue) };
}

/** Ours and the platform. Times are µs for a document. */
export function measureCase(prepared, bars, effort) {
  const result = { documents: prepared.json.length, bytes: bytesOf(prepared.json) / prepared.json.length };
  for (const direction of directions) {
    const timing = interleave(ownContestants(prepared, direction), effort);
    const { median, low, high } = timing.ratio(factoryRunWire.name, platform.name);
    result[direction] = {
      ours: timing.time(factoryRunWire.name) * 1000,
      platform: timing.time(platform.name) * 1000,
      ratio: median,
      quartiles: [low, high],
      rounds: timing.rounds,
      bar: bars[direction],
      holds: median <= bars[direction],
    };
  }
  return result;
}

/** The others on the same documents: times in µs, and each as a multiple of ours in the same round. */
export function measureOthers(prepared, effort) {
  const trips = others.map((peer) => ({ peer, documents: prepared.json.map((json) => roundTrip(peer, json)) }));
  const result = {};
  for (const direction of directions) {
    const contestants = ownContestants(prepared, direction);
    contestants.push({ ...contestants[1], name: platformKept.name, work: platformKept[direction] });
    const faults = {};
    for (const { peer, documents } of trips) {
      const wrong = documents.filter(({ fault }) => fault !== undefined);
      if (wrong.length > 0) faults[peer.name] = `${wrong.length} of ${documents.length}: ${wrong[0].fault}`;
      // Whoever fails on every document has nothing to be timed on.
      const works = documents.map(({ binary }) => runs(() => peer.toJson(binary)) && binary.length > 0);
      const inputs = (direction === "toJson" ? documents.map(({ binary }) => binary) : prepared.json).filter(
        (_, index) => works[index],
      );
      if (inputs.length === prepared.json.length) contestants.push({ name: peer.name, work: peer[direction], inputs });
    }
    const timing = interleave(contestants, effort);
    result[direction] = { faults, rounds: timing.rounds, times: {}, multiples: {} };
    for (const { name } of contestants) {
      result[direction].times[name] = timing.time(name) * 1000;
      result[direction].multiples[name] = timing.ratio(name, factoryRunWire.name).median;
    }
  }
  return result;
}

/** How many bytes a document takes, by format. */
export function sizesOf(prepared) {
  const count = prepared.json.length;
  const sizes = { JSON: bytesOf(prepared.json) / count, [factoryRunWire.name]: bytesOf(prepared.binary) / count };
  for (const peer of [msgpackr, cborX]) {
    sizes[peer.name] = bytesOf(prepared.json.map((json) => peer.toBinary(json))) / count;
  }
  return sizes;
}

function ownContestants(prepared, direction) {
  const toJson = direction === "toJson";
  return [
    { name: factoryRunWire.name, work: factoryRunWire[direction], inputs: toJson ? prepared.binary : prepared.json },
    { name: platform.name, work: platform[direction], inputs: toJson ? prepared.objects : prepared.json },
  ];
}

function bytesOf(list) {
  return list.reduce((sum, bytes) => sum + bytes.length, 0);
}

function runs(work) {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
