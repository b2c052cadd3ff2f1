// Nothing is timed before it has given the right answer.
import { isDeepStrictEqual } from "node:util";
import { binaryToSerdeJsonString, SessionFactoryRunFromToolResultSchema } from "factory-run-wire";
import { snakeKeys } from "./envelope.js";
import { readProtobufEs } from "./peers/protobuf-es.js";

/** @typedef {{ name: string, toBinary: (json: Uint8Array) => Uint8Array, toJson: (binary: Uint8Array) => Uint8Array }} Peer */

const decoder = new TextDecoder();

/** The value of a JSON text, the envelope's keys as in the .proto. */
export function readValue(json) {
  return snakeKeys(JSON.parse(decoder.decode(json)));
}

/**
 * Takes a document there and back by a peer. That JSON.stringify prints -0 as
 * 0 is held against nobody.
 * @param {Peer} peer
 * @param {Uint8Array} json
 * @returns {{ binary: Uint8Array, fault?: string }} what it made, and what is wrong with it, if anything
 */
export function roundTrip(peer, json) {
  let binary = new Uint8Array();
  try {
    binary = Uint8Array.from(peer.toBinary(json));
    return isDeepStrictEqual(reprinted(readValue(peer.toJson(binary))), reprinted(readValue(json)))
      ? { binary }
      : { binary, fault: "another value" };
  } catch (error) {
    return { binary, fault: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * Holds our own answers to more: Protobuf-ES has to read the same value from
 * the binary, and the way back has to give the same text.
 */
export function checkOurs(binary, json) {
  const { preserved: _, ...seen } = readProtobufEs(binary);
  if (!isDeepStrictEqual(seen, readValue(json))) throw new Error("Protobuf-ES reads another value from our binary");
  const text = binaryToSerdeJsonString(SessionFactoryRunFromToolResultSchema, binary, { keys: "camelCase" });
  if (text !== decoder.decode(json)) throw new Error("the way back gives another text");
}

function reprinted(value) {
  return JSON.parse(JSON.stringify(value));
}
