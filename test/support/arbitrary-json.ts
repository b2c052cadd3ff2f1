// Arbitrary JSON texts, built from parts so that the right outcome is known by construction.
import fc from "fast-check";
import { isInRange, printedNumber } from "./number-rule.js";

/** A piece of JSON: how it is written, and how it must come out. */
export interface Piece {
  /** The text, with any white space, escapes, duplicate keys and odd numbers. */
  written: string;
  /** The text after a way over the wire: compact, minimally escaped, the last of duplicates in the first one's place. */
  printed: string;
}

const space = fc.constantFrom("", "", "", " ", "\n", "\t", "\r\n", "  \n ");

const number = fc
  .oneof(
    fc.integer().map(String),
    fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }).map(String),
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .map((double) => (Object.is(double, -0) ? "-0" : String(double))),
    fc.stringMatching(/^-?(0|[1-9][0-9]{0,30})(\.[0-9]{1,25})?([eE][+-]?[0-9]{1,3})?$/),
    fc.constantFrom(
      "0",
      "-0",
      "-0.0",
      "1.0",
      "1e16",
      "1e21",
      "9007199254740993",
      "18446744073709551615",
      "0.000001",
      "9.5e-6",
      "1e-400",
      "5e-324",
    ),
  )
  .filter((token) => /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(token) && isInRange(token));

/** Writes each character raw or in one of its escaped forms, as the dice have it. */
function spell(text: string, dice: number[]): string {
  let turn = 0;
  const units = [...text].map((char) => {
    const roll = dice.length === 0 ? 0 : dice[turn++ % dice.length]!;
    const minimal = JSON.stringify(char).slice(1, -1);
    if (roll < 6) return minimal;
    const upper = roll === 7;
    return char
      .split("")
      .map((unit) => {
        const digits = unit.charCodeAt(0).toString(16).padStart(4, "0");
        return `\\u${upper ? digits.toUpperCase() : digits}`;
      })
      .join("");
  });
  return `"${units.join("")}"`;
}

const dice = fc.array(fc.integer({ min: 0, max: 7 }), { maxLength: 5 });
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.string({
    unit: fc.constantFrom(
      '"',
      "\\",
      "/",
      "\b",
      "\n",
      "\u0000",
      "\u001f",
      "\u007f",
      "\u2028",
      "é",
      "€",
      "😀",
      "\ufeff",
      "a",
      " ",
    ),
    maxLength: 60,
  }),
);
export const string = fc
  .tuple(text, dice)
  .map(([value, rolls]): Piece => ({ written: spell(value, rolls), printed: JSON.stringify(value) }));
/** Few different keys, so that they meet; among them the ones that JS objects treat oddly. */
const keyText = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom("a", "b", "c", "", "__proto__", "constructor", "1", "0", "run_id", "é", "k\n"),
  },
  { weight: 1, arbitrary: text },
);
export const key = fc
  .tuple(keyText, dice)
  .map(([value, rolls]) => ({ value, written: spell(value, rolls), printed: JSON.stringify(value) }));
export type Key = { value: string } & Piece;

function joined(open: string, close: string, parts: string[], spaces: string[]): string {
  let turn = 0;
  const gap = () => spaces[turn++ % spaces.length]!;
  const body = parts.map((part) => `${gap()}${part}${gap()}`).join(",");
  return `${open}${parts.length === 0 ? gap() : body}${close}`;
}

/** Members as serde_json keeps them: the last value of a key in the place of its first. */
export function lastInFirstPlace(members: [Key, Piece][]): string[] {
  const kept = new Map<string, string>();
  for (const [{ value, printed }, piece] of members) kept.set(value, `${printed}:${piece.printed}`);
  return [...kept.values()];
}

const spaces = fc.array(space, { minLength: 1, maxLength: 7 });
export const { value } = fc.letrec<{ value: Piece; array: Piece; object: Piece }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, depthIdentifier: "json" },
    fc.constantFrom("null", "true", "false").map((word): Piece => ({ written: word, printed: word })),
    number.map((token): Piece => ({ written: token, printed: printedNumber(token) })),
    string,
    tie("array"),
    tie("object"),
  ),
  array: fc.tuple(fc.array(tie("value"), { maxLength: 6, depthIdentifier: "json" }), spaces).map(
    ([items, gaps]): Piece => ({
      written: joined(
        "[",
        "]",
        items.map((item) => item.written),
        gaps,
      ),
      printed: `[${items.map((item) => item.printed).join(",")}]`,
    }),
  ),
  object: fc.tuple(fc.array(fc.tuple(key, tie("value")), { maxLength: 8, depthIdentifier: "json" }), spaces).map(
    ([members, gaps]): Piece => ({
      written: joined(
        "{",
        "}",
        members.map(([name, piece]) => `${name.written}${gaps[0]}:${gaps.at(-1)}${piece.written}`),
        gaps,
      ),
      printed: `{${lastInFirstPlace(members).join(",")}}`,
    }),
  ),
}));

const STATUSES = ["pending", "running", "completed", "halted", "paused", "cancelled", "error", "Unknown", "odd", ""];
const NAMES: [snake: string, camel: string][] = [
  ["attempt", "attempt"],
  ["error", "error"],
  ["failure", "failure"],
  ["pause_info", "pauseInfo"],
  ["reason", "reason"],
  ["result", "result"],
  ["run_id", "runId"],
  ["snapshot", "snapshot"],
  ["status", "status"],
];
const isField = (name: string) => NAMES.some((spellings) => spellings.includes(name));
const int64 = fc
  .bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
  .map((n): Piece => ({ written: String(n), printed: String(n) }));
const nothing = fc.constant<Piece>({ written: "null", printed: "" });
const CONTENT: Record<string, fc.Arbitrary<Piece>> = {
  attempt: fc.oneof({ weight: 4, arbitrary: int64 }, { weight: 1, arbitrary: nothing }),
  error: fc.oneof({ weight: 4, arbitrary: string }, { weight: 1, arbitrary: nothing }),
  reason: fc.oneof({ weight: 4, arbitrary: string }, { weight: 1, arbitrary: nothing }),
  run_id: string,
  status: fc
    .tuple(fc.constantFrom(...STATUSES), dice)
    .map(([word, rolls]): Piece => ({ written: spell(word, rolls), printed: JSON.stringify(word) })),
};

const field = (names: [string, string]) =>
  fc
    .tuple(CONTENT[names[0]] ?? value, fc.boolean(), dice)
    .map(([piece, camel, rolls]): [Key, Piece] => [
      { value: names[0], written: spell(names[camel ? 1 : 0], rolls), printed: JSON.stringify(names[0]) },
      piece,
    ]);

/** An envelope: required fields, some others, unknown members, in any order, each field at most once. */
export const envelope = fc
  .tuple(
    fc.subarray(NAMES.filter(([name]) => name !== "run_id" && name !== "status")),
    fc.array(
      fc.tuple(
        key.filter(({ value: name }) => !isField(name)),
        value,
      ),
      { maxLength: 5 },
    ),
    spaces,
  )
  .chain(([chosen, unknown, gaps]) => {
    const fields = [...chosen, ["run_id", "runId"] as [string, string], ["status", "status"] as [string, string]].map(
      field,
    );
    return fc.tuple(fc.tuple(...fields), fc.infiniteStream(fc.nat())).map(([members, order]): Piece => {
      const all = [...members, ...unknown];
      // Unknown members keep their order among one another, as duplicates must.
      const shuffled = members.map((member) => ({ member, at: order.next().value! % 1000 }));
      const rest = unknown.map((member, i) => ({ member, at: (i * 1000) / (unknown.length + 1) }));
      const sorted = [...shuffled, ...rest].sort((a, b) => a.at - b.at).map(({ member }) => member);
      if (sorted.length !== all.length) throw new Error("a member was lost");
      const known = sorted.filter(([name]) => members.some(([other]) => other === name));
      const printed = known
        .filter(([, piece]) => piece.printed !== "")
        .map(([name, piece]) => `${name.printed}:${piece.printed}`);
      return {
        written: joined(
          "{",
          "}",
          sorted.map(([name, piece]) => `${name.written}:${piece.written}`),
          gaps,
        ),
        printed: `{${[...printed, ...lastInFirstPlace(sorted.filter((member) => !known.includes(member)))].join(",")}}`,
      };
    });
  });
