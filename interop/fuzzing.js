// The properties that hold for any input, and the shrinking of one that breaks them.
import { fromBinary } from "@bufbuild/protobuf";
import { acceptedEnvelope } from "./judge/acceptance.js";
import { canonical, parseLossless } from "./judge/lossless.js";
import { writeNeutral } from "./judge/neutral.js";
import { dependsOnOrder, NoJson, printedOf } from "./judge/printing.js";
import { wireMessageOf } from "./judge/protobuf-es.js";
import { messageOf } from "./judge/reading.js";
import { FIELD_BY_KEY } from "./judge/schema.js";

const NO_LIMIT = { maxNesting: Number.POSITIVE_INFINITY };
/** Protobuf-ES counts messages; the deepest text that JSON allows needs three for each of 127 containers. */
const ES_LIMIT = { recursionLimit: 1000 };

/**
 * What is wrong with the way the package reads a text, or undefined when nothing is.
 * @param {typeof import("factory-run-wire")} wire
 * @param {Uint8Array} text any bytes
 */
export function faultInText(wire, text) {
  const schema = wire.SessionFactoryRunFromToolResultSchema;
  const envelope = acceptedEnvelope(text);
  const ours = outcome(wire, () => wire.serdeJsonToBinary(schema, text, NO_LIMIT));
  const message = outcome(wire, () => wire.fromSerdeJsonString(schema, text, NO_LIMIT));
  if (ours.code !== message.code) return `serdeJsonToBinary: ${ours.code}, fromSerdeJsonString: ${message.code}`;
  if (ours.code !== undefined) return envelope === undefined ? undefined : `refused as ${ours.code}, the judge accepts`;
  if (envelope === undefined) return "accepted, the judge refuses";

  const expected = messageOf(envelope);
  const read = wireMessageOf(fromBinary(schema, ours.value, ES_LIMIT));
  if (!writeNeutral(expected).equals(writeNeutral(read))) return "Protobuf-ES reads another message out of the binary";

  const json = canonical(printedOf(expected));
  const printed = wire.binaryToSerdeJson(schema, ours.value);
  if (canonical(parseLossless(printed)) !== json) return "the binary prints as another envelope";
  const viaMessage = wire.toSerdeJsonString(schema, message.value);
  if (canonical(parseLossless(viaMessage)) !== json) return "the message prints as another envelope";
  const again = wire.serdeJsonToBinary(schema, printed, NO_LIMIT);
  if (!Buffer.from(again).equals(ours.value)) return "the printed text becomes another binary";
  return undefined;
}

/**
 * What is wrong with the way the package reads a binary, or undefined when nothing is.
 * @param {typeof import("factory-run-wire")} wire
 * @param {Uint8Array} binary any bytes
 */
export function faultInBinary(wire, binary) {
  const schema = wire.SessionFactoryRunFromToolResultSchema;
  const ours = outcome(wire, () => wire.binaryToSerdeJson(schema, binary));
  const checked = outcome(wire, () => wire.checkBinary(schema, binary));
  if (ours.code !== checked.code) return `binaryToSerdeJson: ${ours.code}, checkBinary: ${checked.code}`;
  if (ours.code === "malformed_binary" || ours.code === "invalid_utf8") return undefined; // Protobuf-ES is not strict.

  let message;
  try {
    message = wireMessageOf(fromBinary(schema, binary, ES_LIMIT));
  } catch (error) {
    // The binary may be at fault in two places, of which we name the first.
    return ours.code === undefined ? `printed, Protobuf-ES refuses: ${error.message}` : undefined;
  }
  let expected;
  try {
    expected = canonical(printedOf(message));
  } catch (error) {
    if (!(error instanceof NoJson)) throw error;
    return ours.code === undefined && !dependsOnOrder(message)
      ? `printed, the judge refuses: ${error.message}`
      : undefined;
  }
  if (dependsOnOrder(message)) return undefined;
  if (ours.code !== undefined) return `refused as ${ours.code}, the judge prints it`;
  if (canonical(parseLossless(ours.value)) !== expected) return "printed as another envelope";
  const again = wire.binaryToSerdeJson(schema, wire.serdeJsonToBinary(schema, ours.value, NO_LIMIT));
  if (canonical(parseLossless(again)) !== expected) return "the printed text comes back as another envelope";
  // A member that names a field is printed where it stands among the members, and is a field from then on.
  const takenUp = [...(message.preserved?.members.keys() ?? [])].some((key) => FIELD_BY_KEY.has(key));
  if (!takenUp && !Buffer.from(again).equals(ours.value)) return "the printed text comes back in another order";
  return undefined;
}

function outcome(wire, action) {
  try {
    return { value: action() };
  } catch (error) {
    // Whatever else is thrown is a fault of its own, and ends the run with its stack.
    if (!(error instanceof wire.WireError)) throw error;
    return { code: error.code };
  }
}

/**
 * The shortest input found that is still at fault: pieces are taken out, from halves down to single bytes.
 * @param {Buffer} input
 * @param {(input: Buffer) => unknown} isAtFault
 */
export function shrink(input, isAtFault) {
  let smallest = input;
  for (let size = Math.ceil(smallest.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < smallest.length; ) {
      const without = Buffer.concat([smallest.subarray(0, at), smallest.subarray(at + size)]);
      if (isAtFault(without)) smallest = without;
      else at += size;
    }
  }
  return smallest;
}
