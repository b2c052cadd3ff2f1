// Holds the package's reading of any bytes to the encoding specification and to what Protobuf-ES reads.
import { fromBinary } from "@bufbuild/protobuf";
import { expect } from "vitest";
import { binaryToSerdeJsonString, checkBinary, WireError } from "../../src/index.js";
import { Envelope } from "./entry-points.js";
import { readTree, unordered, withDoubles } from "./json-tree.js";
import { envelopeNode, NoJson } from "./peer-model.js";
import { wireFault } from "./strict-wire.js";
import { toHex } from "./wire.js";

/** Runs both readers on bytes that may be anything and holds ours to theirs and to the specification. */
export function judge(bytes: Uint8Array): "read" | "refused" {
  let ours: string | undefined;
  let error: unknown;
  try {
    ours = binaryToSerdeJsonString(Envelope, bytes);
  } catch (caught) {
    error = caught;
  }
  const checked = (() => {
    try {
      return checkBinary(Envelope, bytes);
    } catch (caught) {
      return caught;
    }
  })();
  const where = toHex(bytes);
  if (ours === undefined && !(error instanceof WireError))
    throw new Error(`another exception on ${where}`, { cause: error });
  if ((checked as WireError | undefined)?.message !== (error as WireError | undefined)?.message)
    throw new Error(`checkBinary disagrees on ${where}`);
  const fault = wireFault(Envelope, bytes);
  if (fault !== undefined) {
    // Which of two faults is met first is not said by the specification.
    if (!(error instanceof WireError) || !["malformed_binary", "invalid_utf8"].includes(error.code)) {
      throw new Error(`${fault} expected, not ${(error as WireError | undefined)?.message ?? ours}: ${where}`);
    }
    return "refused";
  }
  const message = fromBinary(Envelope, bytes, { recursionLimit: 10_000 });
  let expected: ReturnType<typeof envelopeNode>;
  try {
    expected = envelopeNode(message);
  } catch (caught) {
    if (!(caught instanceof NoJson)) throw caught;
    if (!(error instanceof WireError) || !["out_of_range", "wrong_type", "nesting_too_deep"].includes(error.code)) {
      throw new Error(`${caught.code} expected, not ${(error as WireError | undefined)?.message ?? ours}: ${where}`);
    }
    return "refused";
  }
  if (ours === undefined) throw new Error(`good, but refused: ${where}`, { cause: error });
  expect(withDoubles(unordered(readTree(ours))), where).toEqual(unordered(expected));
  return "read";
}
