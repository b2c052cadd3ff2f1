// Messages that this package would not write: members that name fields, words beside numbers, forged number texts.
import { toBinary } from "@bufbuild/protobuf";
import { parseLossless } from "../judge/lossless.js";
import { NO_KIND } from "../judge/neutral.js";
import { esMessageOf } from "../judge/protobuf-es.js";
import { messageOf } from "../judge/reading.js";
import { FIELD_BY_KEY } from "../judge/schema.js";
import { randomEnvelope } from "./envelopes.js";

const MEMBER_KEYS = [...FIELD_BY_KEY.keys(), "preserved", "other", ""];
const MEMBERS = [
  null,
  NO_KIND,
  true,
  0,
  1,
  -0,
  1.5,
  5,
  2 ** 53,
  2 ** 63,
  1e300,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  "",
  "x",
  "paused",
  "Unknown",
];
const TEXTS = [
  "1",
  "1.0",
  "5",
  "5.0",
  "-0",
  "-0.0",
  "0.0",
  "9007199254740993",
  "9007199254740992.0",
  "9223372036854775808",
  "1e300",
  "1.50",
  "01",
  "",
  "x",
  "NaN",
  " 1.0",
];
const WORDS = ["", "archived", "paused", "Unknown", "FACTORY_RUN_STATUS_PAUSED"];
const STATUSES = [0, 0, 1, 3, 7, 8, 99, -1, 2 ** 31 - 1, -(2 ** 31)];

/**
 * @param {import("@bufbuild/protobuf").DescMessage} schema
 * @param {import("./random.js").Random} random
 * @returns {Buffer} a whole message, as Protobuf-ES writes it
 */
export function foreignBinary(schema, random) {
  const message = messageOf(parseLossless(randomEnvelope(random, { depth: 1 + random.below(3) })));
  for (const name of ["attempt", "error", "result", "pause_info"]) if (random.chance(0.5)) delete message[name];
  if (random.chance(0.3)) message.run_id = "";
  if (random.chance(0.6)) message.status = random.pick(STATUSES);
  const preserved = message.preserved ?? { members: new Map(), words: new Map(), numbers: [] };
  for (let left = random.below(4); left > 0; left--) {
    preserved.members.set(random.pick(MEMBER_KEYS), member(random, 2));
  }
  for (let left = random.below(2); left > 0; left--) {
    preserved.words.set(random.pick(["status", "status", "run_id", "zz"]), random.pick(WORDS));
  }
  for (let left = random.below(4); left > 0; left--) preserved.numbers.push(node(random, 3));
  return Buffer.from(toBinary(schema, esMessageOf(schema, { ...message, preserved })));
}

function member(random, depth) {
  if (depth === 0 || random.chance(0.6)) return random.pick(MEMBERS);
  const items = Array.from({ length: random.below(3) }, () => member(random, depth - 1));
  return random.chance(0.5) ? items : new Map(items.map((item) => [random.pick(["a", "b", "type"]), item]));
}

function node(random, depth) {
  const place = random.pick([
    {},
    { index: random.below(3) },
    ...Array(6).fill({ key: random.pick([...MEMBER_KEYS, "a", "b"]) }),
  ]);
  const children = depth === 0 ? [] : Array.from({ length: random.below(3) }, () => node(random, depth - 1));
  return { ...place, text: random.chance(0.6) ? random.pick(TEXTS) : undefined, children };
}
