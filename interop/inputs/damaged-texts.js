// Small damage to good texts.

const PIECES = [
  "{", "}", "[", "]", ",", ":", '"', "\\", "\\u", "\\ud83d", "\\ud83d\\ude00", "\\udc00", "\\x", "\\u0000", "null", "true", "fals", "NaN", "Infinity", "-", "+", ".", "0", "01", "1.",
  ".5", "1e", "1e400", "-1e400", "1e309", "1.0", "-0", "9223372036854775808", "18446744073709551616", "1e5", "\u0000", "\t", "\n", " ", "\u00a0", "\ufeff", "//", "'", "é",
  '"status":"completed"', '"run_id":"x"', '"runId":"x"', '"result":1', '"result":null', '"attempt":1', '"attempt":1.0', '"attempt":"1"', '"status":{"completed":null}', '"status":3',
  '"error":null', '"pauseInfo":{}', '"pause_info":[]', '"zz":', ",,", "[]", "{}", '""', "1", '"archived"',
].map((piece) => Buffer.from(piece)); // biome-ignore format: a table

/** Whole values, which often leave a text good. */
const VALUES = [
  "null", "true", "0", "-0", "1.0", "1e3", "1e16", "-5", "9223372036854775807", "9223372036854775808", "0.1", "1.7976931348623157e308", "1e400", '""', '"x"', '"completed"', '"Unknown"',
  '"archived"', '"\\u00e9\\ud83d\\ude00"', '"\\ud83d"', "[]", "{}", "[1,[2.0],{}]", '{"a":1,"b":{"a":null},"a":2.50}',
].map((value) => Buffer.from(value)); // biome-ignore format: a table

const KEYS = ["run_id", "runId", "status", "result", "pause_info", "pauseInfo", "attempt", "error", "a", "other"].map(
  (key) => Buffer.from(`"${key}"`),
);

const RAW = [
  [0x80],
  [0xc0, 0xaf],
  [0xed, 0xa0, 0xbd],
  [0xf4, 0x90, 0x80, 0x80],
  [0xff],
  [0xe2, 0x82],
  [0xef, 0xbb, 0xbf],
];

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[{}[\],:]/g;

/** @typedef {import("./random.js").Random} Random */

/** @type {((text: Buffer, random: Random) => Buffer)[]} */
const MUTATIONS = [
  insertPiece,
  replaceToken,
  removeToken,
  swapTokens,
  ...Array(8).fill(replaceScalar),
  ...Array(2).fill(renameKey),
  ...Array(3).fill(addSpace),
  (text, random) => splice(text, random.below(text.length + 1), 0, Buffer.from(random.pick(RAW))),
  (text, random) => splice(text, random.below(text.length), 1, Buffer.alloc(0)),
  (text, random) => splice(text, random.below(text.length), 1, Buffer.from([0x20 + random.below(0x60)])),
  (text, random) => text.subarray(0, random.below(text.length)),
  doubleMember,
  (text) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), text]),
  (text, random) => Buffer.concat([text, random.pick(PIECES)]),
];

/** @param {string | Uint8Array} text @param {Random} random */
export function mutateText(text, random) {
  let mutated = Buffer.from(text);
  for (let left = random.chance(0.7) ? 1 : 2; left > 0 && mutated.length > 0; left--) {
    mutated = random.pick(MUTATIONS)(mutated, random);
  }
  return mutated;
}

function insertPiece(text, random) {
  return splice(text, random.below(text.length + 1), 0, random.pick(PIECES));
}

function tokens(text) {
  return [...text.toString("latin1").matchAll(TOKEN)].map((match) => ({ at: match.index, length: match[0].length }));
}

function replaceToken(text, random) {
  const all = tokens(text);
  if (all.length === 0) return text;
  return replaced(text, random.pick(all), random.pick(PIECES));
}

/** A string, number or word that is no key becomes another value. */
function replaceScalar(text, random) {
  const all = tokens(text).filter(
    ({ at, length }) => !"{}[],:".includes(String.fromCharCode(text[at])) && !isKey(text, at + length),
  );
  return all.length === 0 ? text : replaced(text, random.pick(all), random.pick(VALUES));
}

function renameKey(text, random) {
  const all = tokens(text).filter(({ at, length }) => isKey(text, at + length));
  return all.length === 0 ? text : replaced(text, random.pick(all), random.pick(KEYS));
}

function isKey(text, end) {
  return /^\s*:/.test(text.toString("latin1", end, end + 4));
}

function replaced(text, { at, length }, piece) {
  return splice(text, at, length, piece);
}

function addSpace(text, random) {
  const all = tokens(text);
  return all.length === 0
    ? text
    : splice(text, random.pick(all).at, 0, Buffer.from(random.pick([" ", "\n", "\r", "\t", "  ", "\f", "\u00a0"])));
}

function removeToken(text, random) {
  const all = tokens(text);
  if (all.length === 0) return text;
  return replaced(text, random.pick(all), Buffer.alloc(0));
}

function swapTokens(text, random) {
  const all = tokens(text);
  if (all.length < 2) return text;
  const [first, second] = [random.pick(all), random.pick(all)].sort((a, b) => a.at - b.at);
  if (first.at === second.at) return text;
  return Buffer.concat([
    text.subarray(0, first.at),
    text.subarray(second.at, second.at + second.length),
    text.subarray(first.at + first.length, second.at),
    text.subarray(first.at, first.at + first.length),
    text.subarray(second.at + second.length),
  ]);
}

/** A member put in front of the object's others: a key twice, or a new one. */
function doubleMember(text, random) {
  const opens = tokens(text).filter(({ at }) => text[at] === 0x7b);
  if (opens.length === 0) return text;
  const keys = ["a", "run_id", "status", "result", "zz", "attempt", "error", "pause_info"];
  const member = `"${random.pick(keys)}":${random.pick(["1", "null", '"x"', "[1.0]", "{}"])},`;
  return splice(text, random.pick(opens).at + 1, 0, Buffer.from(member));
}

function splice(bytes, at, removed, inserted) {
  return Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at + removed)]);
}
