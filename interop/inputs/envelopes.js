// Random envelopes as JSON text: every field, unknown members, every shape of number, string and layout.
import { FIELDS, STATUS_WORDS } from "../judge/schema.js";

const KEYS = [
  "a", "b", "value", "type", "seq", "", "0", "1", "42", "-1", "4294967295", "__proto__", "constructor", "toString",
  "hasOwnProperty", "run_id", "runId", "status", "key", "index", "é", "ключ", "\u0000", "\u007f", "\u2028", "😀", "\ufeff", "a/b", "~", "\uffff", "𐀀",
]; // biome-ignore format: a table

const UNKNOWN_KEYS = [
  "retryAfter", "meta", "preserved", "Preserved", "RUN_ID", "runID", "Status", "pause-info", "__proto__", "", "7", "zz",
  "é", "😀", "\uffff", "error ",
]; // biome-ignore format: a table

const NUMBERS = [
  "0", "-0", "0.0", "-0.0", "1", "-1", "1.0", "-1.0", "100.0", "1.50", "0.5", "0.1", "1e3", "1E3", "1e+3", "10e-1", "1e-7", "1e-6", "1.5e-6", "0.0000015",
  "0.00001", "1e15", "1e16", "1e20", "1e21", "1e22", "123456789012345680000", "100000000000000000000.0", "9007199254740991", "9007199254740992", "9007199254740993",
  "-9007199254740993", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "18446744073709551615", "18446744073709551616", "12345678901234567000",
  "123456789012345678901234567890", "1e308", "1.7976931348623157e308", "-1.7976931348623157e308", "5e-324", "2.2250738585072014e-308", "1e-400", "-1e-400", "0e999", "0.1e1",
  "3.141592653589793", "2.718281828459045", "0.30000000000000004", "1.0e0", "1000000000000000000000", "1e23",
]; // biome-ignore format: a table

const TEXTS = [
  "", "plain", "two words", "\"quoted\"", "back\\slash", "/", "tab\tline\nreturn\r", "\b\f", "\u0000\u001f\u007f", "\u2028\u2029", "ä", "日本語", "😀", "\ufeffmark",
  "e\u0301", "\uffff", "null", "1.0", "a".repeat(130), "é".repeat(100),
]; // biome-ignore format: a table

const ATTEMPTS = ["0", "1", "2", "-1", "127", "128", "9007199254740993", "9223372036854775807", "-9223372036854775808"];

/** @typedef {"snake_case" | "camelCase" | "mixed"} KeyStyle */

/**
 * @param {import("./random.js").Random} random
 * @param {{ keys?: KeyStyle, depth?: number }} [options]
 * @returns {string} one that the readers must accept
 */
export function randomEnvelope(random, { keys = "snake_case", depth = 4 } = {}) {
  const members = [];
  for (const field of FIELDS) {
    const required = field.kind === "required" || field.kind === "enum";
    if (!required && random.chance(0.5)) continue;
    const camel = keys === "camelCase" || (keys === "mixed" && random.chance(0.5));
    members.push([camel ? field.camel : field.name, fieldText(random, field, depth)]);
  }
  if (random.chance(0.3)) {
    for (const key of new Set(Array.from({ length: 1 + random.below(3) }, () => random.pick(UNKNOWN_KEYS)))) {
      members.push([key, valueText(random, depth)]);
    }
  }
  const ordered = random.chance(0.7) ? random.shuffled(members) : members;
  return space(random) + objectText(random, ordered) + space(random);
}

function fieldText(random, { kind }, depth) {
  if (kind === "int64") return random.chance(0.1) ? "null" : random.pick(ATTEMPTS);
  if (kind === "string") return random.chance(0.1) ? "null" : stringText(random, text(random));
  if (kind === "required") return stringText(random, text(random));
  if (kind === "value") return valueText(random, depth);
  const word = random.chance(0.15)
    ? random.pick(["archived", "Completed", "", "timed_out"])
    : random.pick(STATUS_WORDS);
  return stringText(random, word);
}

/** @param {import("./random.js").Random} random @param {number} depth of containers at most */
export function valueText(random, depth) {
  const kind = random.below(depth > 0 ? 9 : 5);
  if (kind === 0) return random.pick(["null", "true", "false"]);
  if (kind <= 2) return numberText(random);
  if (kind <= 4) return stringText(random, text(random));
  const length = random.below(random.chance(0.1) ? 12 : 4);
  const items = Array.from({ length }, () => valueText(random, depth - 1));
  if (kind <= 6) return `[${space(random)}${items.join(`${space(random)},${space(random)}`)}${space(random)}]`;
  // Now and then a key stands there twice.
  const keys = items.map(() => random.pick(KEYS));
  const distinct = random.chance(0.2) ? keys : [...new Set(keys)];
  return objectText(
    random,
    distinct.map((key, place) => [key, items[place]]),
  );
}

function objectText(random, members) {
  const gap = () => space(random);
  const texts = members.map(([key, member]) => `${gap()}${stringText(random, key)}${gap()}:${gap()}${member}${gap()}`);
  return `{${texts.length === 0 ? gap() : texts.join(",")}}`;
}

function numberText(random) {
  if (random.chance(0.5)) return random.pick(NUMBERS);
  const kind = random.below(4);
  if (kind === 0) return String(random.below(2 ** 31) - 2 ** 30);
  if (kind === 1) return String(randomDouble(random));
  if (kind === 2) return `${digits(random, 1 + random.below(25))}`;
  return `${digits(random, 1 + random.below(18))}.${random.below(1e6)}e${random.below(60) - 30}`;
}

/** Any finite double, by its bits. @param {import("./random.js").Random} random */
export function randomDouble(random) {
  const bits = new DataView(new ArrayBuffer(8));
  do {
    bits.setUint32(0, random.next() * 2 ** 32);
    bits.setUint32(4, random.next() * 2 ** 32);
  } while (!Number.isFinite(bits.getFloat64(0)));
  return bits.getFloat64(0);
}

function digits(random, count) {
  const rest = Array.from({ length: count - 1 }, () => random.below(10)).join("");
  return `${random.chance(0.3) ? "-" : ""}${1 + random.below(9)}${rest}`;
}

function text(random) {
  if (random.chance(0.6)) return random.pick(TEXTS);
  const units = Array.from(
    { length: random.below(12) },
    () => random.pick([0x20, 0x41, 0x7f, 0xe9, 0x4e00, 0x1f600]) + random.below(16),
  );
  return String.fromCodePoint(...units);
}

/** A string as JSON, with some characters escaped that need no escape. */
function stringText(random, string) {
  if (random.chance(0.8)) return JSON.stringify(string);
  const units = Array.from({ length: string.length }, (_, place) => string.charCodeAt(place));
  const escaped = units.map((unit, place) => {
    const surrogate = unit >= 0xd800 && unit < 0xe000;
    // A pair is escaped whole, since one raw half would not be UTF-8.
    if (surrogate || random.chance(0.5)) return `\\u${unit.toString(16).padStart(4, "0")}`;
    return JSON.stringify(string[place]).slice(1, -1);
  });
  return `"${escaped.join("")}"`;
}

function space(random) {
  return random.chance(0.85) ? "" : random.pick([" ", "\n", "\t", "\r\n", "  "]);
}
