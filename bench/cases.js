// The cases, each with the bars it has to stay under.
import { captures } from "./captures.js";
import {
  cjkText,
  code,
  deep,
  errorWithJournal,
  findings,
  integers,
  longDoubles,
  longText,
  mixedNumbers,
  paragraphs,
  pending,
  rustFloats,
  typical,
} from "./generate.js";

/**
 * @typedef {object} BenchCase
 * @property {string} about what the documents are, in a few words
 * @property {() => string[]} documents makes the JSON texts; a measurement goes round all of them, so that no
 *   guess that a codec makes from the last document is right by itself
 * @property {{ toBinary: number, toJson: number }} bars the most of the platform's time that may be taken, by direction
 */

const MB = 1 << 20;

/** @type {Record<string, BenchCase>} */
export const cases = {
  tiny: {
    about: "a pending envelope, 80 B",
    documents: () => several(16, pending),
    bars: { toBinary: 0.75, toJson: 0.4 },
  },
  typical: {
    about: "completed, 2 KB of mixed objects",
    documents: () => several(32, typical),
    bars: { toBinary: 0.8, toJson: 0.5 },
  },
  error: {
    about: "an error with a 16 KB snapshot journal",
    documents: () => several(8, errorWithJournal),
    bars: { toBinary: 0.55, toJson: 0.5 },
  },
  findings: {
    about: "1 MB of objects, texts of 20-200 characters, 5 % of words not ASCII, some escapes",
    documents: () => [findings(MB)],
    bars: { toBinary: 0.45, toJson: 0.35 },
  },
  paragraphs: {
    about: "1 MB of texts of 100-1,000 characters, all ASCII",
    documents: () => [paragraphs(MB)],
    bars: { toBinary: 1, toJson: 1 },
  },
  numbers: {
    about: "1 MB of mixed floats and integers",
    documents: () => [mixedNumbers(MB)],
    bars: { toBinary: 0.7, toJson: 0.6 },
  },
  integers: {
    about: "1 MB of integers",
    documents: () => [integers(MB)],
    bars: { toBinary: 0.55, toJson: 0.45 },
  },
  doubles: {
    about: "1 MB of 17-digit doubles",
    documents: () => [longDoubles(MB)],
    bars: { toBinary: 0.7, toJson: 0.7 },
  },
  floats: {
    about: "1 MB of doubles as Rust prints them, half of them with .0, which is kept",
    documents: () => [rustFloats(MB)],
    bars: { toBinary: 1, toJson: 1 },
  },
  deep: {
    about: "30 levels, 1 KB",
    documents: () => several(16, deep),
    bars: { toBinary: 0.6, toJson: 0.55 },
  },
  text: {
    about: "one 1 MB string, line ends and quotes escaped",
    documents: () => [longText(MB)],
    bars: { toBinary: 0.5, toJson: 0.45 },
  },
  code: {
    about: "one 1 MB string of source code, with an escape every 11 bytes",
    documents: () => [code(MB)],
    bars: { toBinary: 1, toJson: 1 },
  },
  cjk: {
    about: "500 KB of Chinese, Japanese and Korean text",
    documents: () => [cjkText(500_000)],
    bars: { toBinary: 0.5, toJson: 0.9 },
  },
  captures: {
    about: "all envelopes caught from a runtime, one after the other",
    documents: () => captures(),
    bars: { toBinary: 1, toJson: 1 },
  },
  "small-captures": {
    about: "those of them up to 1 KB",
    documents: () => captures(1024),
    bars: { toBinary: 1, toJson: 1 },
  },
};

function several(count, make) {
  return Array.from({ length: count }, (_, index) => make(index + 1));
}
