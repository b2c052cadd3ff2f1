// Nesting: what we write by default each peer reads, up to the edge; beyond it those that stop at 100 levels refuse.

import { Random } from "../inputs/random.js";
import { ARRAY, OBJECT, randomShape, tower } from "../inputs/shapes.js";
import { faultsOf } from "./binary.js";

/** Levels of messages that prost, C++, Java and upb read. */
const LEVELS = 100;

/** Where a value stands: what is around it, and the level at which it starts. */
const PLACES = [
  { around: (value) => `{"run_id":"a","status":"completed","result":${value}}`, start: 1, objects: 33, arrays: 49 },
  { around: (value) => `{"run_id":"a","status":"completed","other":${value}}`, start: 3, objects: 32, arrays: 48 },
];

/** Towers at the edge: the deepest that goes and the first that does not. */
function edges() {
  return PLACES.flatMap(({ around, objects, arrays }) => [
    { name: "objects", text: around(tower(objects, OBJECT)), deep: around(tower(objects + 1, OBJECT)) },
    { name: "arrays", text: around(tower(arrays, ARRAY)), deep: around(tower(arrays + 1, ARRAY)) },
    {
      name: "arrays, the innermost empty",
      text: around(tower(arrays + 1, ARRAY, "")),
      deep: around(tower(arrays + 2, ARRAY, "")),
    },
  ]);
}

function mixedShapes(count, seed) {
  const random = new Random(seed);
  return Array.from({ length: count }, (_, place) => {
    const { around, start } = random.pick(PLACES);
    const levels = LEVELS - 3 + random.below(7);
    return { name: `shape ${seed}/${place}`, text: around(randomShape(random, start, levels)) };
  });
}

/** Bytes of every shape, with whether we write them by default. */
export function nestedCases({ wire, schema }, count, seed) {
  const towers = edges().flatMap(({ name, text, deep }) => [
    { name, text, writtenByDefault: true },
    { name: `${name}, one more`, text: deep, writtenByDefault: false },
  ]);
  return [...towers, ...mixedShapes(count, seed)].map((shape) => {
    const binary = wire.serdeJsonToBinary(schema, shape.text, { maxNesting: Number.POSITIVE_INFINITY });
    return { ...shape, binary, byDefault: isWritten(wire, schema, shape.text) };
  });
}

function isWritten(wire, schema, text) {
  try {
    wire.serdeJsonToBinary(schema, text);
    return true;
  } catch (error) {
    if (error.code === "nesting_too_deep") return false;
    throw error;
  }
}

export async function checkNesting(context, peer, cases) {
  const answers = await peer.askAll(
    "d",
    cases.map(({ binary }) => binary),
  );
  const written = cases.filter(({ byDefault }) => byDefault).length;
  const faults = faultsOf(cases, (one, place) => {
    if (one.writtenByDefault !== undefined && one.writtenByDefault !== one.byDefault) return "the edge has moved";
    if (answers[place].ok === one.byDefault) return undefined;
    if (!one.byDefault && context.differences.allows(peer.name, "reads-deeper")) return undefined;
    return one.byDefault ? `we write it, the peer says ${answers[place].reason}` : "we refuse it, the peer reads it";
  });
  context.report.line(
    peer.name,
    "nesting: reads what we write, refuses what we refuse",
    cases.length,
    faults,
    `${written} written`,
  );
}
