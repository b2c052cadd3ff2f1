// Arbitrary JSON of the test schemas: every kind, with either presence, and lists of each.
import fc from "fast-check";
import { type Piece, string, value } from "./arbitrary-json.js";
import { printedNumber } from "./number-rule.js";

const same = (text: string): Piece => ({ written: text, printed: text });
const integer = (min: bigint, max: bigint) => fc.bigInt({ min, max }).map((n) => same(String(n)));
const color = fc.constantFrom("red", "dark_blue", "negative", "Unknown").map((word) => same(`"${word}"`));
const anyColor = fc.oneof(
  color,
  fc.constantFrom("mauve", "", "RED").map((word) => same(`"${word}"`)),
);
const SCALARS: [name: string, content: fc.Arbitrary<Piece>][] = [
  ["text", string],
  ["flag", fc.boolean().map((flag) => same(String(flag)))],
  ["small", integer(-(2n ** 31n), 2n ** 31n - 1n)],
  ["count", integer(0n, 2n ** 32n - 1n)],
  ["big", integer(-(2n ** 63n), 2n ** 63n - 1n)],
  ["huge", integer(0n, 2n ** 64n - 1n)],
  [
    "ratio",
    fc
      .oneof(
        fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
        fc.constantFrom("1.0", "1e16", "9007199254740993", "-0.0", "0.0", "0e5"),
      )
      .map((token) => ({ written: token, printed: printedNumber(token) })),
  ],
  ["color", anyColor],
];

type Member = [name: string, piece: Piece];
const object = (members: Member[]): Piece => ({
  written: `{ ${members.map(([name, piece]) => `"${name}" : ${piece.written}`).join(" , ")} }`,
  printed: `{${members.map(([name, piece]) => `"${name}":${piece.printed}`).join(",")}}`,
});
const list = (item: fc.Arbitrary<Piece>) =>
  fc.array(item, { maxLength: 4 }).map(
    (items): Piece => ({
      written: `[ ${items.map((piece) => piece.written).join(" , ")} ]`,
      printed: `[${items.map((piece) => piece.printed).join(",")}]`,
    }),
  );
const some = (fields: [name: string, content: fc.Arbitrary<Piece>][]): fc.Arbitrary<Member[]> =>
  fc
    .shuffledSubarray(fields)
    .chain((chosen) => fc.tuple(...chosen.map(([name, content]) => content.map((piece): Member => [name, piece]))));
const all = (fields: [name: string, content: fc.Arbitrary<Piece>][]): fc.Arbitrary<Member[]> =>
  fc.tuple(...fields.map(([name, content]) => content.map((piece): Member => [name, piece])));
const unknown = fc.uniqueArray(fc.tuple(fc.constantFrom("x", "y", "preserved", "__proto__", "1z"), value), {
  selector: ([name]) => name,
  maxLength: 3,
});

const child = fc
  .tuple(
    string,
    some([
      ["any_value", value],
      ["color", anyColor],
    ]),
    fc.boolean(),
    unknown,
  )
  .map(([name, others, first, rest]): Piece => {
    const named: Member = ["child_name", name];
    return object([...(first ? [named, ...others] : [...others, named]), ...rest]);
  });
/** Without a sidecar: no unknown members, no odd words, and numbers are doubles; those of a Value are left out here. */
const plain = fc
  .tuple(
    string,
    some([
      ["color", color],
      ["big", integer(-(2n ** 63n), 2n ** 63n - 1n)],
    ]),
  )
  .map(([name, others]) => object([["name", name], ...others]));

export const kinds = all(SCALARS).chain((members) => fc.shuffledSubarray(members, { minLength: members.length }));
export const options = some([...SCALARS, ["any_value", value], ["child", child], ["plain", plain]]);
/** In field order: an empty list leaves nothing in the binary that could keep its place. */
export const lists = all([
  ...SCALARS.map(([name, content]): [string, fc.Arbitrary<Piece>] => [
    `${name}s`,
    list(name === "color" ? color : content),
  ]),
  ["values", list(value)],
  ["children", list(child)],
  ["plains", list(plain)],
]).map((members) => members.map(([name, piece]): Member => [name === "hugees" ? "huges" : name, piece]));
export const { tree } = fc.letrec<{ tree: Piece }>((tie) => ({
  tree: fc
    .tuple(
      fc.oneof(
        { maxDepth: 5 },
        some([
          ["name", string],
          ["value", value],
        ]),
        some([
          ["name", string],
          ["left", tie("tree")],
          ["right", tie("tree")],
          ["value", value],
        ]),
      ),
      unknown,
    )
    .map(([members, rest]) => object([...members, ...rest])),
}));
export const withUnknown = (members: fc.Arbitrary<Member[]>) =>
  fc.tuple(members, unknown).map(([known, rest]) => object([...known, ...rest]));

const FIELDS = Object.fromEntries(SCALARS);
/** What NewerEnvelope adds to the envelope, but for the lists. */
export const added = some([
  ["bytes_used", FIELDS.huge!],
  ["main_color", anyColor],
  ["first_child", child],
  ["first_plain", plain],
  ["is_final", FIELDS.flag!],
  ["cost_total", FIELDS.ratio!],
]);
/** What NewerEnvelope has in lists, in field order. */
export const addedLists = all([
  ["all_children", list(child)],
  ["tag_list", list(string)],
  ["color_list", list(color)],
  ["sizes", list(FIELDS.huge!)],
  ["any_list", list(value)],
]);
