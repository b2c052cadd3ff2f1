// Whether nesting bends the time: the same content at the top and as deep as
// other decoders can read it.
import { directions, prepare } from "./codec.js";
import { completed } from "./generate.js";
import { interleave } from "./interleave.js";
import { factoryRunWire } from "./peers/factory-run-wire.js";
import { platform } from "./peers/platform.js";
import { Random } from "./random.js";
import { ENGLISH } from "./words.js";

/** What 100 message levels leave for a Value that is a field: containers around a leaf. */
const OBJECTS = 33;
const ARRAYS = 49;

const BAR = 2;

/**
 * Documents at the top and the same leaves deep down. Where leaves differ, no
 * guess of a length's width from the document before holds.
 */
const SHAPES = {
  "100 KB leaf in 33 objects": () => wrapped([100_000], inObjects),
  "100 KB leaf in 49 arrays": () => wrapped([100_000], inArrays),
  "leaves of 10 B to 100 KB in 33 objects": () => wrapped(mixedWidths(), inObjects),
  "leaves of 10 B to 100 KB in 49 arrays": () => wrapped(mixedWidths(), inArrays),
  "texts of 1 B to 16 KB beside each of 33 objects": () => beside(),
};

/** By shape and direction: ns per byte of JSON, flat and deep (fastest rounds). */
export function measureDepth(effort) {
  const result = [];
  for (const [shape, make] of Object.entries(SHAPES)) {
    const { flat, deep } = make();
    const both = { flat: prepare({ documents: () => flat }), deep: prepare({ documents: () => deep }) };
    for (const direction of directions) {
      const contestants = Object.entries(both).flatMap(([name, { json, binary, objects }]) => [
        { name: `ours ${name}`, work: factoryRunWire[direction], inputs: direction === "toJson" ? binary : json },
        { name: `platform ${name}`, work: platform[direction], inputs: direction === "toJson" ? objects : json },
      ]);
      const timing = interleave(contestants, effort);
      const bytes = (name) => both[name].json.reduce((sum, { length }) => sum + length, 0) / both[name].json.length;
      const perByte = (who, name) => (timing.best(`${who} ${name}`) * 1e6) / bytes(name);
      const bend = (who) => perByte(who, "deep") / perByte(who, "flat");
      const ratio = bend("ours");
      result.push({
        shape,
        direction,
        flat: perByte("ours", "flat"),
        deep: perByte("ours", "deep"),
        ratio,
        platformRatio: bend("platform"),
        bar: BAR,
        holds: ratio <= BAR,
      });
    }
  }
  return result;
}

function wrapped(lengths, wrap) {
  const random = new Random(1);
  const leaves = lengths.map((length) => words(random, length));
  return {
    flat: leaves.map((leaf) => completed(random, [leaf])),
    deep: leaves.map((leaf) => completed(random, wrap(leaf))),
  };
}

function beside() {
  const random = new Random(2);
  const documents = Array.from({ length: 12 }, () =>
    Array.from({ length: OBJECTS }, () => words(random, Math.floor(2 ** (random.unit() * 14)))),
  );
  const nest = (texts) => texts.reduceRight((inner, text) => ({ before: text, inner }), null);
  return {
    flat: documents.map((texts) => completed(random, { texts })),
    deep: documents.map((texts) => completed(random, nest(texts))),
  };
}

/** Lengths on both sides of where a length takes one more byte, in no order. */
function mixedWidths() {
  const lengths = [10, 100, 126, 128, 2000, 16000, 16300, 16400, 30000, 100_000];
  const random = new Random(3);
  return Array.from({ length: 40 }, () => random.pick(lengths));
}

function inObjects(leaf) {
  let value = leaf;
  for (let i = 0; i < OBJECTS; i++) value = { inner: value };
  return value;
}

function inArrays(leaf) {
  let value = leaf;
  for (let i = 0; i < ARRAYS; i++) value = [value];
  return value;
}

function words(random, length) {
  let text = "";
  while (text.length < length) text += `${random.pick(ENGLISH)} `;
  return text.slice(0, length);
}
