// Messages within messages, on schemas that are not the envelope; names and numbers that are hard to spell.
import { fromBinary } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { fromSerdeJson, toSerdeJson, toSerdeJsonString, type WireErrorCode } from "../src/index.js";
import {
  ChildSchema,
  NamesSchema,
  OptionsSchema,
  PlainSchema,
  TreeSchema,
} from "./schemas/gen/wire_test/v1/kinds_pb.js";
import { carried } from "./support/carried.js";
import { decode, encode, marked, refuseBinary, refuseJson } from "./support/entry-points.js";
import { cat, header, hex, int, len, nest, str, toHex, valueBytes } from "./support/wire.js";

describe("nested messages", () => {
  test.each([
    '{"child":{"child_name":""}}',
    '{"child":{"child_name":"c","any_value":{"a":[1.0]},"color":"red","unheard":{"b":2.0},"x":null}}',
    '{"child":{"any_value":9007199254740993,"color":"mauve","child_name":"c"}}',
    '{"plain":{"name":"p","value":null,"color":"red","big":9007199254740993}}',
    '{"plain":{"name":"p"},"child":{"child_name":"c"},"unheard":{"child_name":1.0}}',
    '{"child":{"child_name":"c","kept_aside":{"members":1}}}',
  ])("%s", (text) => {
    carried(OptionsSchema, text);
  });

  test("camelCase reaches the keys of nested messages, and of nothing else", () => {
    const text =
      '{"anyValue":{"childName":1,"child_name":2},"child":{"childName":"c","anyValue":{"any_value":1},"other_key":{"child_name":1}}}';
    const binary = encode(text, {}, OptionsSchema);
    expect(decode(binary, { keys: "camelCase" }, OptionsSchema)).toBe(text);
    expect(decode(binary, {}, OptionsSchema)).toBe(
      text
        .replace('"anyValue":{"childName"', '"any_value":{"childName"')
        .replace('{"childName":"c","anyValue"', '{"child_name":"c","any_value"'),
    );
  });

  test("a sidecar of their own, last, whatever its number and name", () => {
    const binary = encode('{"child":{"x":1.0,"color":"mauve","child_name":"c"}}', {}, OptionsSchema);
    const aside = len(
      1,
      len(1, str(1, "x"), len(2, valueBytes(1))),
      len(2, str(1, "color"), str(2, "mauve")),
      len(3, str(1, "x"), str(3, "1.0")),
    );
    expect(toHex(binary)).toBe(toHex(len(10, int(4, 0), str(2, "c"), aside)));
  });

  test("without a sidecar unknown members are dropped, words are UNSPECIFIED and numbers plain", () => {
    expect(
      decode(
        encode('{"plain":{"name":"p","value":[1.0],"color":"mauve","x":1}}', {}, OptionsSchema),
        {},
        OptionsSchema,
      ),
    ).toBe('{"plain":{"name":"p","value":[1],"color":"Unknown"}}');
    expect(decode(encode('{"name":"p","value":9007199254740993,"x":{"y":1}}', {}, PlainSchema), {}, PlainSchema)).toBe(
      '{"name":"p","value":9007199254740992}',
    );
    refuseJson('{"name":"p","x":[1e400]}', { code: "out_of_range", pointer: "/x/0" }, {}, PlainSchema);
    refuseJson(
      '{"name":"p","x":1}',
      { code: "unknown_member", pointer: "/x" },
      { unknownMembers: "reject" },
      PlainSchema,
    );
  });

  test.each<[text: string, code: WireErrorCode, pointer: string]>([
    ['{"child":{⌖}}', "missing_field", "/child/child_name"],
    ['{"child":{"childName":⌖1}}', "wrong_type", "/child/child_name"],
    ['{"child":{"childName":"a",⌖"child_name":"b"}}', "duplicate_field", "/child/child_name"],
    ['{"child":⌖[]}', "wrong_type", "/child"],
    ['{"child":⌖"c"}', "wrong_type", "/child"],
    ['{"child":⌖1}', "wrong_type", "/child"],
    ['{"child":{"child_name":"a"},⌖"child":null}', "duplicate_field", "/child"],
    ['{"plain":{"name":"a","big":⌖1.0}}', "wrong_type", "/plain/big"],
    ['{"child":{"child_name":"a","x":{"y":[⌖1e400]}}}', "out_of_range", "/child/x/y/0"],
  ])("%s → %s", (textWithMark, code, pointer) => {
    const { text, offset } = marked(textWithMark);
    refuseJson(text, { code, pointer, offset }, {}, OptionsSchema);
  });

  test("unknown members of a nested message under the options", () => {
    const text = '{"child":{"child_name":"c","x":1.0},"y":1}';
    expect(decode(encode(text, { unknownMembers: "drop" }, OptionsSchema), {}, OptionsSchema)).toBe(
      '{"child":{"child_name":"c"}}',
    );
    refuseJson(
      text,
      { code: "unknown_member", pointer: "/child/x", offset: text.indexOf('"x"') },
      { unknownMembers: "reject" },
      OptionsSchema,
    );
  });

  test("given twice in the binary they merge", () => {
    const binary = cat(
      len(10, str(2, "a"), int(4, 1), len(1, len(1, str(1, "x"), len(2, valueBytes(1))))),
      len(11, str(1, "p")),
      len(10, str(2, "b"), len(3, valueBytes([])), len(1, len(1, str(1, "y"), len(2, valueBytes(2))))),
    );
    const expected = '{"child":{"child_name":"b","color":"red","any_value":[],"x":1,"y":2},"plain":{"name":"p"}}';
    expect(decode(binary, {}, OptionsSchema)).toBe(expected);
    expect(toSerdeJson(OptionsSchema, fromBinary(OptionsSchema, binary))).toEqual(JSON.parse(expected));
  });

  test("a child that ends outside its parent", () => {
    refuseBinary(
      cat(hex("5205 1205 616263"), str(1, "abc")),
      { code: "malformed_binary", pointer: "/child" },
      {},
      OptionsSchema,
    );
  });
});

describe("recursion", () => {
  const nested = (depth: number) => `${'{"left":'.repeat(depth)}{"value":1.0}${"}".repeat(depth)}`;
  test("a message that holds itself", () => {
    carried(TreeSchema, '{"name":"root","left":{"name":"l","right":{"value":[1.0],"odd":2.0}},"right":{},"x":1}');
    carried(TreeSchema, nested(50));
  });

  test("no deeper than 127 containers, read or written", () => {
    const options = { maxNesting: Number.POSITIVE_INFINITY };
    expect(decode(encode(nested(126), options, TreeSchema), {}, TreeSchema)).toBe(nested(126));
    for (const depth of [127, 1000, 100_000])
      refuseJson(nested(depth), { code: "nesting_too_deep" }, options, TreeSchema);
    const binary = (depth: number) => nest(depth, new Uint8Array(0), (length) => header(2, length));
    expect(decode(binary(126), {}, TreeSchema)).toBe(`${'{"left":'.repeat(126)}{}${"}".repeat(126)}`);
    for (const depth of [127, 128, 5000]) refuseBinary(binary(depth), { code: "nesting_too_deep" }, {}, TreeSchema);
  });

  test("no deeper than other decoders read, unless asked", () => {
    encode(`${'{"left":'.repeat(99)}{}${"}".repeat(99)}`, {}, TreeSchema);
    refuseJson(nested(105), { code: "nesting_too_deep" }, {}, TreeSchema);
  });
});

describe("names and numbers", () => {
  test.each<[key: string, json: string, bytes: string]>([
    ["a_1b", "a1b", "0801"],
    ["x_y_z", "xYZ", "1001"],
    ["proto", "__proto__", "1801"],
    ["renamed", "other Name", "2001"],
    ["sixteen", "sixteen", "800101"],
    ["two_bytes", "twoBytes", "f87f01"],
    ["three_bytes", "threeBytes", "80800101"],
    ["last", "last", "f8ffffff0f01"],
  ])("%s and %s", (snake, camel, bytes) => {
    for (const key of [snake, camel]) {
      const binary = encode(`{"${key}":1}`, {}, NamesSchema);
      expect(toHex(binary)).toBe(bytes);
      expect(decode(binary, {}, NamesSchema)).toBe(`{"${snake}":1}`);
      expect(decode(binary, { keys: "camelCase" }, NamesSchema)).toBe(`{"${camel}":1}`);
    }
    const message = fromSerdeJson(NamesSchema, JSON.parse(`{"${camel}":1}`));
    expect(toSerdeJsonString(NamesSchema, message, { keys: "camelCase" })).toBe(`{"${camel}":1}`);
    expect(Object.keys(toSerdeJson(NamesSchema, message, { keys: "camelCase" }))).toEqual([camel]);
    refuseJson(
      `{"${snake}":1,⌖"${camel}":1}`.replace("⌖", ""),
      { code: "duplicate_field", pointer: `/${snake}` },
      {},
      NamesSchema,
    );
  });

  test("an enum whose values share no prefix", () => {
    carried(NamesSchema, '{"mood":"glad"}');
    carried(NamesSchema, '{"mood":"Unknown"}');
    carried(NamesSchema, '{"mood":"none"}');
  });

  test("all of them, out of order, with a sidecar of a large number", () => {
    carried(NamesSchema, '{"last":1,"mood":"glad","three_bytes":2,"sixteen":3,"a_1b":4,"x":1.0,"hasOwnProperty":2}');
    expect(fromBinary(NamesSchema, encode('{"x":1.0}', {}, NamesSchema)).preserved?.numbers).toHaveLength(1);
  });

  test("a message on its own, without the envelope", () => {
    carried(ChildSchema, '{"child_name":"c","x":[1.0]}');
    carried(PlainSchema, '{"name":"c","value":[1],"big":-9223372036854775808}');
  });
});
