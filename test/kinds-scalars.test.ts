// Every scalar kind that the mapping knows, with either presence, on schemas that are not the envelope.
import { create, fromBinary } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { fromSerdeJsonString, toSerdeJsonString, type WireErrorCode } from "../src/index.js";
import { Color, KindsSchema, LongsSchema, OptionsSchema } from "./schemas/gen/wire_test/v1/kinds_pb.js";
import { carried } from "./support/carried.js";
import { decode, encode, marked, refusal, refuseBinary, refuseJson } from "./support/entry-points.js";
import { cat, double, hex, int, str, toHex } from "./support/wire.js";

const DEFAULTS: [key: string, value: string][] = [
  ["text", '""'],
  ["flag", "false"],
  ["small", "0"],
  ["count", "0"],
  ["big", "0"],
  ["huge", "0"],
  ["ratio", "0"],
  ["color", '"Unknown"'],
];

const kinds = (changed: Record<string, string> = {}) =>
  `{${DEFAULTS.map(([key, value]) => `"${key}":${changed[key] ?? value}`).join(",")}}`;

const ACCEPTED: Record<string, string[]> = {
  text: ['""', '"é😀"', '"\\u0000"', '"\ufeff"'],
  flag: ["true", "false"],
  small: ["0", "1", "-1", "2147483647", "-2147483648"],
  count: ["0", "1", "4294967295", "2147483648"],
  big: ["0", "-1", "9223372036854775807", "-9223372036854775808", "9007199254740993"],
  huge: ["0", "1", "9223372036854775808", "18446744073709551615", "9007199254740993"],
  ratio: [
    "0",
    "1",
    "-0.0",
    "0.5",
    "1e+21",
    "1e-7",
    "1.5e-6",
    "1.0",
    "9007199254740993",
    "5e-324",
    "1e16",
    "123456789012345678901234567890",
  ],
  color: ['"red"', '"dark_blue"', '"negative"', '"Unknown"', '"mauve"', '""', '"RED"', '"COLOR_RED"', '"unspecified"'],
};

const REFUSED: [key: string, value: string, code: WireErrorCode][] = [
  ...["1", "true", "[]", "{}"].map((value): [string, string, WireErrorCode] => ["text", value, "wrong_type"]),
  ...["1", "0", '"true"', "[]", "{}"].map((value): [string, string, WireErrorCode] => ["flag", value, "wrong_type"]),
  ...["small", "count", "big", "huge"].flatMap((key) =>
    ["1.0", "1e2", "-0", "-0.0", "0.5", '"1"', "true", "[]", "{}", "1e400"].map(
      (value): [string, string, WireErrorCode] => [key, value, "wrong_type"],
    ),
  ),
  ...["2147483648", "-2147483649", "9007199254740993", "99999999999999999999999"].map(
    (value): [string, string, WireErrorCode] => ["small", value, "out_of_range"],
  ),
  ...["-1", "4294967296", "99999999999999999999999"].map((value): [string, string, WireErrorCode] => [
    "count",
    value,
    "out_of_range",
  ]),
  ...["9223372036854775808", "-9223372036854775809"].map((value): [string, string, WireErrorCode] => [
    "big",
    value,
    "out_of_range",
  ]),
  ...["-1", "18446744073709551616", "-9223372036854775808"].map((value): [string, string, WireErrorCode] => [
    "huge",
    value,
    "out_of_range",
  ]),
  ...['"1"', '"NaN"', "true", "[]", "{}"].map((value): [string, string, WireErrorCode] => [
    "ratio",
    value,
    "wrong_type",
  ]),
  ...["1e400", "-1e400"].map((value): [string, string, WireErrorCode] => ["ratio", value, "out_of_range"]),
  ...["1", "true", "[]", "{}", '{"red":null}'].map((value): [string, string, WireErrorCode] => [
    "color",
    value,
    "wrong_type",
  ]),
];

describe("implicit presence", () => {
  test("all are required, written even at their default, in the order of the JSON", () => {
    expect(toHex(encode(kinds(), {}, KindsSchema))).toBe(
      "0a00 1000 1800 2000 2800 3000 39 0000000000000000 4000".replaceAll(" ", ""),
    );
    carried(KindsSchema, kinds());
    for (const [key] of DEFAULTS) {
      const without = kinds()
        .replace(new RegExp(`"${key}":[^,}]*,?`), "")
        .replace(",}", "}");
      refuseJson(without, { code: "missing_field", pointer: `/${key}`, offset: without.length - 1 }, {}, KindsSchema);
      const withNull = kinds({ [key]: "null" });
      refuseJson(
        withNull,
        { code: "wrong_type", pointer: `/${key}`, offset: withNull.indexOf("null") },
        {},
        KindsSchema,
      );
    }
  });

  test("what a foreign binary lacks prints as the default, in field order", () => {
    expect(decode(new Uint8Array(0), {}, KindsSchema)).toBe(kinds());
    expect(decode(cat(int(4, 7), str(1, "x")), {}, KindsSchema)).toBe(
      '{"flag":false,"small":0,"count":7,"text":"x","big":0,"huge":0,"ratio":0,"color":"Unknown"}',
    );
    expect(toSerdeJsonString(KindsSchema, create(KindsSchema))).toBe(kinds());
  });

  test.each(Object.entries(ACCEPTED).flatMap(([key, values]) => values.map((value): [string, string] => [key, value])))(
    "%s: %s",
    (key, value) => {
      carried(KindsSchema, kinds({ [key]: value }));
    },
  );

  test.each(REFUSED)("%s: %s is %s", (key, value, code) => {
    const { text, offset } = marked(kinds({ [key]: `⌖${value}` }));
    refuseJson(text, { code, pointer: `/${key}`, offset }, {}, KindsSchema);
  });
});

describe("explicit presence", () => {
  test("all may be absent, null is absence but for a Value", () => {
    carried(OptionsSchema, "{}");
    const nulls = `{${DEFAULTS.map(([key]) => `"${key}":null`).join(",")},"child":null,"plain":null}`;
    expect(encode(nulls, {}, OptionsSchema)).toEqual(new Uint8Array(0));
    carried(OptionsSchema, '{"any_value":null}');
  });

  test("a default is there", () => {
    const text = kinds();
    carried(OptionsSchema, text);
    expect(toHex(encode(text, {}, OptionsSchema))).toBe("0a00100018002000280030003900000000000000004000");
  });

  test.each(Object.entries(ACCEPTED).flatMap(([key, values]) => values.map((value): [string, string] => [key, value])))(
    "%s: %s",
    (key, value) => {
      carried(OptionsSchema, `{"${key}":${value}}`);
      // Twice in the binary, the last wins.
      const once = encode(`{"${key}":${value}}`, {}, OptionsSchema);
      expect(decode(cat(encode(kinds(), {}, OptionsSchema), once), {}, OptionsSchema)).toBe(kinds({ [key]: value }));
    },
  );

  test.each(REFUSED)("%s: %s is %s", (key, value, code) => {
    const { text, offset } = marked(`{"${key}": ⌖${value}}`);
    refuseJson(text, { code, pointer: `/${key}`, offset }, {}, OptionsSchema);
  });

  test.each<[title: string, binary: Uint8Array, expected: string]>([
    ["an int32 of 64 bits is cut", hex("18 ff ff ff ff 1f"), '{"small":-1}'],
    ["an int32 of ten bytes", hex("18 ff ff ff ff ff ff ff ff ff 01"), '{"small":-1}'],
    ["an int32 of five bytes is negative", hex("18 ff ff ff ff 0f"), '{"small":-1}'],
    ["a uint32 of 64 bits is cut", hex("20 81 80 80 80 10"), '{"count":1}'],
    ["an enum of 64 bits is cut", hex("40 82 80 80 80 10"), '{"color":"dark_blue"}'],
    ["a negative enum", hex("40 ff ff ff ff ff ff ff ff ff 01"), '{"color":"negative"}'],
    ["a negative enum of five bytes", hex("40 ff ff ff ff 0f"), '{"color":"negative"}'],
    ["an unknown enum number", hex("40 63"), '{"color":"Unknown"}'],
    ["a boolean of many bits", hex("10 80 80 04"), '{"flag":true}'],
  ])("%s", (_, binary, expected) => {
    expect(decode(binary, {}, OptionsSchema)).toBe(expected);
    expect(toSerdeJsonString(OptionsSchema, fromBinary(OptionsSchema, binary))).toBe(expected);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    "the double %d is out_of_range",
    (value) => {
      refuseBinary(double(7, value), { code: "out_of_range", pointer: "/ratio" }, {}, OptionsSchema);
      expect(decode(cat(double(7, value), double(7, 1)), {}, OptionsSchema)).toBe('{"ratio":1}');
    },
  );

  test("negative enum numbers take ten bytes", () => {
    expect(toHex(encode('{"color":"negative"}', {}, OptionsSchema))).toBe("40ffffffffffffffffff01");
    expect((carried(OptionsSchema, '{"color":"negative"}') as unknown as { color: Color }).color).toBe(Color.NEGATIVE);
  });
});

describe("64-bit integers that messages have as strings", () => {
  test.each([
    ["0", "0"],
    ["1", "268435455"],
    ["-1", "268435456"],
    ["9223372036854775807", "18446744073709551615"],
    ["-9223372036854775808", "9007199254740993"],
  ])("%s and %s", (big, huge) => {
    const json = `{"big":${big},"huge":${huge},"bigs":[${big},0]}`;
    const message = create(LongsSchema, { big, huge, bigs: [big, "0"] });
    expect(carried(LongsSchema, json)).toEqual(message);
    expect(fromSerdeJsonString(LongsSchema, json)).toEqual(message);
    expect(toSerdeJsonString(LongsSchema, message)).toBe(json);
  });

  test.each<[what: string, changes: object]>([
    ["no integer", { big: "1.5" }],
    ["too great", { big: "9223372036854775808" }],
    ["negative", { huge: "-1" }],
    ["a number in a list", { bigs: [1] }],
  ])("%s is refused", (_, changes) => {
    const message = Object.assign(create(LongsSchema), changes);
    refusal(() => toSerdeJsonString(LongsSchema, message), { code: "wrong_type" });
  });
});
