// The envelopes that the benchmark runs on, made from a seed: compact JSON
// with camelCase keys in the runtime's order, as the runtime writes it.
import { Random } from "./random.js";
import { CJK, CJK_PUNCTUATION, ENGLISH, OTHER, PATHS, SEVERITIES } from "./words.js";

/** The seed of every case; a case adds what sets its documents apart. */
const SEED = 20260801;

/** A pending envelope of 79 bytes: no attempt has given anything yet. */
export function pending(number) {
  const random = new Random(SEED + number);
  return JSON.stringify({ runId: random.uuid(), attempt: random.integer(1, 9), status: "pending" });
}

/** A completed envelope of about 2 KB: objects, arrays, texts, numbers, booleans and nulls. */
export function typical(number) {
  const random = new Random(SEED + number);
  const steps = list(1600, () => ({
    id: `step-${random.integer(1, 400)}`,
    title: sentence(random, 20, 60),
    ok: random.chance(0.9),
    durationMs: round(random.unit() * 20000, 2),
    tokens: { prompt: random.integer(200, 60000), completion: random.integer(10, 4000), cached: null },
    tags: Array.from({ length: random.integer(0, 3) }, () => random.pick(ENGLISH)),
    score: round(random.unit(), 2),
  }));
  return completed(random, {
    summary: sentence(random, 80, 160),
    model: "factory-large-2",
    approved: random.chance(0.5),
    owner: null,
    startedAt: 1796073528157 + random.integer(0, 1e9),
    totals: { steps: steps.length, credits: round(random.unit() * 40, 3), ratio: random.unit() },
    steps,
  });
}

/** A failed run whose snapshot has a journal of about 16 KB: JSON texts inside strings. */
export function errorWithJournal(number) {
  const random = new Random(SEED + number);
  const journal = list(16384, () => ({
    journalKey: random.hex(64),
    resultJson: JSON.stringify(
      random.chance(0.3)
        ? mixedNumber(random)
        : { file: random.pick(PATHS), verdict: sentence(random, 20, 120), score: round(random.unit(), 2), retry: null },
    ),
  }));
  const progress = Array.from({ length: 8 }, (_, index) => ({
    seq: index + 1,
    attempt: 1,
    phaseId: random.chance(0.5) ? `p${index}` : null,
    kind: random.pick(["phase", "log"]),
    text: sentence(random, 10, 50),
    recordedAt: 1796073528157 + index * 1713,
  }));
  const runId = random.uuid();
  return JSON.stringify({
    runId,
    attempt: 2,
    status: "error",
    error: `Request factory.execute failed with message: ${sentence(random, 30, 90)}`,
    failure: { type: "factory_limit_reached", runId, kind: "maxAiCredits", value: 250, suggestedValue: 312.5 },
    snapshot: { journal, progress },
  });
}

/**
 * The findings of a review: objects with texts of 20 to 200 characters, 5 % of
 * the words not ASCII, quotes, backslashes and line ends in some.
 * @param {number} bytes about how long the JSON gets
 */
export function findings(bytes) {
  const random = new Random(SEED);
  let number = 0;
  const items = list(bytes - 150, () => ({
    id: `F-${String(++number).padStart(5, "0")}`,
    file: random.pick(PATHS),
    line: random.integer(1, 2400),
    severity: random.pick(SEVERITIES),
    title: worldly(random, 20, 60),
    message: worldly(random, 60, 200),
    suggestion: random.chance(0.8) ? worldly(random, 40, 200) : null,
    evidence: Array.from({ length: random.integer(1, 2) }, () => worldly(random, 20, 120)),
    confidence: round(random.unit(), 2),
  }));
  return completed(random, { findings: items });
}

/**
 * What a model wrote: texts of 100 to 1,000 characters, all ASCII and without escapes.
 * @param {number} bytes about how long the JSON gets
 */
export function paragraphs(bytes) {
  const random = new Random(SEED);
  const items = list(bytes - 150, () => ({ severity: random.pick(SEVERITIES), text: sentence(random, 100, 1000) }));
  return completed(random, items);
}

/** 1 MB of numbers of every make: money, shares, durations, small and large exponents, counts, times. */
export function mixedNumbers(bytes) {
  const random = new Random(SEED);
  return completed(
    random,
    list(bytes, () => mixedNumber(random)),
  );
}

/** Integers: counts, sizes, identifiers, times in milliseconds, some negative. */
export function integers(bytes) {
  const random = new Random(SEED);
  return completed(
    random,
    list(bytes, () => integer(random)),
  );
}

/** Doubles whose shortest text has 17 digits, between 1e-3 and 1e6, a third negative. */
export function longDoubles(bytes) {
  const random = new Random(SEED);
  return completed(
    random,
    list(bytes, () => {
      for (;;) {
        const x = random.unit() * 10 ** random.integer(-2, 6);
        if (x >= 1e-3 && digits(x) === 17) return random.chance(0.33) ? -x : x;
      }
    }),
  );
}

/** Doubles as Rust prints an f64: every other one is an integer with `.0` behind it, whose text is to be kept. */
export function rustFloats(bytes) {
  const random = new Random(SEED);
  const numbers = list(bytes * 0.75, () =>
    random.chance(0.5) ? random.integer(0, 9999) : round(random.unit() * 100, 3),
  );
  const texts = numbers.map((x) => (Number.isInteger(x) ? `${x}.0` : String(x)));
  return completed(random, null).replace(/null}$/, `[${texts.join(",")}]}`);
}

/** 30 levels, objects and arrays in turn, in about 1 KB. */
export function deep(number) {
  const random = new Random(SEED + number);
  let value = { step: "leaf", score: round(random.unit(), 2) };
  for (let level = 28; level > 0; level -= 2) {
    value = { step: sentence(random, 12, 40), depth: level, children: [value] };
  }
  return completed(random, [value]);
}

/**
 * One string of a report in Markdown: lines of 40 to 110 characters, two in five with a word in quotes at their end.
 * That is 23 escapes per KB, as many as the JSON of a README or of TypeScript sources has (20 to 30).
 */
export function longText(bytes) {
  const random = new Random(SEED);
  const lines = list(bytes, () => {
    const quote = random.chance(0.4) ? ` "${random.pick(ENGLISH)}"` : "";
    return `${random.pick(["", "", "- ", "  "])}${sentence(random, 40, 110)}${quote}`;
  });
  return completed(random, `${lines.join("\n")}\n`);
}

/** One string of lines of code, nothing but calls: a quote, a tab, a backslash or a line end every 11 bytes. */
export function code(bytes) {
  const random = new Random(SEED);
  const lines = list(bytes, () => {
    const indent = "\t".repeat(random.integer(0, 3));
    return `${indent}${random.pick(ENGLISH)}(${JSON.stringify(sentence(random, 8, 50))}, "${random.pick(PATHS)}");`;
  });
  return completed(random, `${lines.join("\n")}\n`);
}

/** One string of Chinese, Japanese and Korean sentences. */
export function cjkText(bytes) {
  const random = new Random(SEED);
  let text = "";
  for (let length = 0; length < bytes; ) {
    let part = "";
    for (let words = random.integer(4, 12); words > 0; words--) part += random.pick(CJK);
    part += random.pick(CJK_PUNCTUATION);
    if (random.chance(0.03)) part += "\n";
    text += part;
    length += Buffer.byteLength(part);
  }
  return completed(random, text);
}

/** A completed envelope around a result. */
export function completed(random, result) {
  return `{"runId":"${random.uuid()}","attempt":1,"status":"completed","result":${JSON.stringify(result)}}`;
}

/** Values of one kind until their JSON fills about `bytes`. */
function list(bytes, make) {
  const values = [];
  for (let length = 0; length < bytes; ) {
    const value = make(values.length);
    values.push(value);
    length += Buffer.byteLength(JSON.stringify(value)) + 1;
  }
  return values;
}

/** English words, from `low` to `high` characters. */
function sentence(random, low, high) {
  return text(random, low, high, () => random.pick(ENGLISH));
}

/** Like a sentence; 5 % of the words are not ASCII, 2 % need escapes. */
function worldly(random, low, high) {
  return text(random, low, high, () => {
    const dice = random.unit();
    if (dice < 0.05) return random.pick(OTHER);
    if (dice < 0.06) return `"${random.pick(ENGLISH)}"`;
    if (dice < 0.065) return `C:\\${random.pick(ENGLISH)}`;
    if (dice < 0.07) return `\n${random.pick(ENGLISH)}`;
    return random.pick(ENGLISH);
  });
}

function text(random, low, high, word) {
  const goal = random.integer(low, high - 14);
  let result = word();
  while (result.length < goal) result += ` ${word()}`;
  return result;
}

function mixedNumber(random) {
  const dice = random.unit();
  if (dice < 0.25) return round(random.unit() * 5000, 2);
  if (dice < 0.4) return round(random.unit(), random.integer(2, 4));
  if (dice < 0.5) return round(-random.unit() / 10, 5);
  if (dice < 0.6) return random.integer(1, 1000) / random.integer(3, 97);
  if (dice < 0.65) return round(random.unit() * 10, 3) * 10 ** (random.chance(0.5) ? -9 : 22);
  return integer(random);
}

function integer(random) {
  const dice = random.unit();
  if (dice < 0.4) return random.integer(0, 999);
  if (dice < 0.6) return random.integer(1000, 99999);
  if (dice < 0.75) return -random.integer(1, 99999);
  if (dice < 0.9) return 1796073528157 + random.integer(0, 1e10);
  if (dice < 0.95) return random.integer(1e8, 4e9);
  return random.integer(2 ** 50, 2 ** 53 - 1);
}

/** Never -0, which JSON.stringify could not print, nor what only serde prints with an exponent. */
function round(x, places) {
  const rounded = Number(x.toFixed(places));
  return Math.abs(rounded) < 1e-5 ? 0 : rounded;
}

/** How many significant digits the shortest text of a number has. */
function digits(x) {
  return String(x).replace(/e.*$/, "").replace(/[-.]/g, "").replace(/^0+/, "").length;
}
