// The message functions against Protobuf-ES's own, each on the JSON that it
// reads and writes: ours the runtime's, theirs ProtoJSON of the same message.
import { isDeepStrictEqual } from "node:util";
import { fromBinary, fromJsonString, toJsonString } from "@bufbuild/protobuf";
import {
  fromSerdeJson,
  fromSerdeJsonString,
  SessionFactoryRunFromToolResultSchema as schema,
  serdeJsonToBinary,
  toSerdeJsonString,
} from "factory-run-wire";
import { cases } from "./cases.js";
import { interleave } from "./interleave.js";

/** What each function may take of the time of what stands against it. */
const COMPARISONS = {
  "JSON string → message": {
    against: "Protobuf-ES fromJsonString",
    bar: 0.5,
    ours: ({ serde }) => ({ work: (json) => fromSerdeJsonString(schema, json), inputs: serde }),
    theirs: ({ proto }) => ({ work: (json) => fromJsonString(schema, json), inputs: proto }),
    ourName: "fromSerdeJsonString",
  },
  "message → JSON string": {
    against: "Protobuf-ES toJsonString",
    bar: 0.5,
    ours: ({ messages }) => ({ work: (message) => toSerdeJsonString(schema, message), inputs: messages }),
    theirs: ({ messages }) => ({ work: (message) => toJsonString(schema, message), inputs: messages }),
    ourName: "toSerdeJsonString",
  },
  "JS object → message": {
    against: "JSON.stringify, serdeJsonToBinary of the string, fromBinary",
    bar: 1,
    ours: ({ objects }) => ({ work: (object) => fromSerdeJson(schema, object), inputs: objects }),
    theirs: ({ objects }) => ({
      work: (object) => fromBinary(schema, serdeJsonToBinary(schema, JSON.stringify(object))),
      inputs: objects,
    }),
    ourName: "fromSerdeJson",
  },
};

const CASES = ["typical", "findings"];

/** By comparison and case: µs for a document, ours and theirs. */
export function measureMessages(effort) {
  const result = [];
  for (const name of CASES) {
    const prepared = prepareMessages(cases[name].documents());
    for (const [what, { against, bar, ours, theirs, ourName }] of Object.entries(COMPARISONS)) {
      const timing = interleave(
        [
          { name: "ours", ...ours(prepared) },
          { name: "theirs", ...theirs(prepared) },
        ],
        effort,
      );
      const ratio = timing.ratio("ours", "theirs").median;
      result.push({
        case: name,
        what,
        ours: ourName,
        against,
        time: timing.time("ours") * 1000,
        theirTime: timing.time("theirs") * 1000,
        ratio,
        bar,
        holds: ratio <= bar,
      });
    }
  }
  return result;
}

function prepareMessages(serde) {
  const objects = serde.map((text) => JSON.parse(text));
  const messages = serde.map((text) => fromSerdeJsonString(schema, text));
  const proto = messages.map((message) => toJsonString(schema, message));
  serde.forEach((text, index) => {
    const printed = JSON.parse(toSerdeJsonString(schema, messages[index], { keys: "camelCase" }));
    const right =
      isDeepStrictEqual(fromJsonString(schema, proto[index]), messages[index]) &&
      isDeepStrictEqual(fromSerdeJson(schema, objects[index]), messages[index]) &&
      isDeepStrictEqual(printed, JSON.parse(text));
    if (!right) throw new Error("the message functions do not agree");
  });
  return { serde, objects, messages, proto };
}
