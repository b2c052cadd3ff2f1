// Trees of number texts that were tampered with: along the bytes or by Maps, the same is found in them.
import { type DescMessage, fromBinary, type MessageShape, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { NumberText } from "../gen/factory_run/v1/factory_run_pb.js";
import { binaryToSerdeJsonString, serdeJsonToBinary } from "../src/index.js";
import { Envelope } from "./support/entry-points.js";

/** JSON with many numbers that are kept, and with others between them. */
const { value } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthIdentifier: "texts" },
    fc.constantFrom("1.0", "2.00", "1", "0.5", '"1.0"', "null", "9007199254740993"),
    fc.array(tie("value"), { maxLength: 6, depthIdentifier: "texts" }).map((items) => `[${items.join(",")}]`),
    fc
      .array(tie("value"), { maxLength: 12, depthIdentifier: "texts" })
      .map((items) => `{${items.map((item, i) => `"k${i}":${item}`).join(",")}}`),
  ),
}));

/** Changes some nodes: which ones, and how, the numbers say. */
function tamper(nodes: NumberText[], dice: () => number): NumberText[] {
  const changed = nodes.flatMap((node): NumberText[] => {
    const children = tamper(node.children, dice);
    switch (dice() % 12) {
      case 0:
        return [];
      case 1:
        return [
          { ...node, children },
          { ...node, children: [], text: "1.0" },
        ];
      case 2:
        return [{ ...node, children, text: "1.000" }];
      case 3: {
        const { place } = node;
        const moved = place.case === "index" ? { ...place, value: Math.max(0, place.value + (dice() % 5) - 2) } : place;
        return [{ ...node, place: moved, children }];
      }
      case 4:
        return [{ ...node, place: { case: "key", value: `k${dice() % 12}` }, children }];
      case 5:
        return [{ ...node, place: { case: "index", value: dice() % 6 }, children }];
      default:
        return [{ ...node, children }];
    }
  });
  return dice() % 8 === 0 ? changed.reverse() : changed;
}

test("what is found along the bytes is what Maps find", () => {
  fc.assert(
    fc.property(value, value, fc.array(fc.nat(1000), { minLength: 40, maxLength: 40 }), (result, more, numbers) => {
      let at = 0;
      const dice = () => numbers[at++ % numbers.length]!;
      const text = `{"result":${result},"run_id":"a","status":"completed","more":${more}}`;
      const message = fromBinary(Envelope, serdeJsonToBinary(Envelope, text));
      if (message.preserved === undefined || message.preserved.numbers.length === 0) return;
      message.preserved.numbers = tamper(message.preserved.numbers, dice);
      const print = (one: MessageShape<typeof Envelope & DescMessage>) =>
        binaryToSerdeJsonString(Envelope, toBinary(Envelope, one));
      const printed = print(message);
      // A field that nobody knows: the layout is not the usual one any more, and says the same.
      const stranger = { no: 1000, wireType: 0, data: Uint8Array.of(1) };
      const unusual = {
        ...message.preserved,
        numbers: message.preserved.numbers.map((node) => ({ ...node, $unknown: [stranger] })),
      };
      expect(print({ ...message, preserved: unusual })).toBe(printed);
    }),
    { numRuns: 3000 },
  );
});
