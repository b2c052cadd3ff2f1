// Repeated fields of every kind, on a schema that is not the envelope.
import { create, fromBinary, type Message, toBinary } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { toSerdeJson, toSerdeJsonString, type WireErrorCode } from "../src/index.js";
import { ListsSchema } from "./schemas/gen/wire_test/v1/kinds_pb.js";
import { carried } from "./support/carried.js";
import { decode, encode, marked, refuseBinary, refuseJson } from "./support/entry-points.js";
import { readTree, unordered } from "./support/json-tree.js";
import { cat, double, hex, int, len, str, toHex, valueBytes } from "./support/wire.js";

describe("lists", () => {
  const EMPTY = [
    "texts",
    "flags",
    "smalls",
    "counts",
    "bigs",
    "huges",
    "ratios",
    "colors",
    "values",
    "children",
    "plains",
  ];
  const lists = (changed: Record<string, string> = {}) =>
    `{${EMPTY.map((key) => `"${key}":${changed[key] ?? "[]"}`).join(",")}}`;

  test("are required and printed when empty", () => {
    expect(encode(lists(), {}, ListsSchema)).toEqual(new Uint8Array(0));
    carried(ListsSchema, lists());
    expect(toSerdeJsonString(ListsSchema, create(ListsSchema))).toBe(lists());
    refuseJson("{}", { code: "missing_field", pointer: "/texts", offset: 1 }, {}, ListsSchema);
    for (const key of EMPTY) {
      refuseJson(lists({ [key]: "null" }), { code: "wrong_type", pointer: `/${key}` }, {}, ListsSchema);
      refuseJson(lists({ [key]: "{}" }), { code: "wrong_type", pointer: `/${key}` }, {}, ListsSchema);
      refuseJson(lists({ [key]: "1" }), { code: "wrong_type", pointer: `/${key}` }, {}, ListsSchema);
      refuseJson(lists({ [key]: '"x"' }), { code: "wrong_type", pointer: `/${key}` }, {}, ListsSchema);
    }
  });

  test.each<[key: string, value: string, bytes?: string]>([
    ["texts", '["","a","é"]', "0a00 0a0161 0a02c3a9"],
    ["flags", "[true,false,true]", "1203 010001"],
    ["smalls", "[1,-1,2147483647,-2147483648]", "1a1a 01 ffffffffffffffffff01 ffffffff07 80808080f8ffffffff01"],
    ["counts", "[0,300,4294967295]", "2208 00 ac02 ffffffff0f"],
    ["bigs", "[9007199254740993,-1]", "2a12 8180808080808010 ffffffffffffffffff01"],
    ["huges", "[18446744073709551615]", "320a ffffffffffffffffff01"],
    ["ratios", "[0.5,0]", "3a10 000000000000e03f 0000000000000000"],
    ["ratios", "[1.0,2,9007199254740993,-0.0]"],
    ["colors", '["red","Unknown","dark_blue","negative"]', "420d 01 00 02 ffffffffffffffffff01"],
    ["values", '[null,1.0,"x",[],{},[2.0,{"a":3.0}]]'],
    ["values", "[1]", "4a09 11000000000000f03f"],
    ["children", '[{"child_name":"a","x":1.0},{"color":"odd","child_name":""}]'],
    ["plains", '[{"name":""},{"name":"b","value":null}]', "5a02 0a00 5a07 0a0162 12020800"],
  ])("%s: %s", (key, value, bytes) => {
    const text = lists({ [key]: value });
    carried(ListsSchema, text);
    if (bytes !== undefined) expect(toHex(encode(text, {}, ListsSchema))).toBe(bytes.replaceAll(" ", ""));
    const fromLibrary = toBinary(ListsSchema, fromBinary(ListsSchema, encode(text, {}, ListsSchema)));
    expect(unordered(readTree(decode(fromLibrary, {}, ListsSchema)))).toEqual(unordered(readTree(text)));
  });

  test("an unknown word in a list is Unknown: there is no place to keep it", () => {
    const text = lists({ colors: '["mauve","red"]' });
    const binary = encode(text, {}, ListsSchema);
    expect(decode(binary, {}, ListsSchema)).toBe(lists({ colors: '["Unknown","red"]' }));
    expect(toHex(binary)).toBe("42020001");
  });

  test.each<[key: string, value: string, code: WireErrorCode, at: string]>([
    ["texts", '["a",⌖null]', "wrong_type", "/1"],
    ["texts", '["a",⌖1]', "wrong_type", "/1"],
    ["flags", "[⌖0]", "wrong_type", "/0"],
    ["flags", "[true,⌖null]", "wrong_type", "/1"],
    ["smalls", "[1,2,⌖2147483648]", "out_of_range", "/2"],
    ["smalls", "[⌖1.0]", "wrong_type", "/0"],
    ["smalls", "[⌖null]", "wrong_type", "/0"],
    ["counts", "[⌖-1]", "out_of_range", "/0"],
    ["bigs", "[0,⌖9223372036854775808]", "out_of_range", "/1"],
    ["huges", "[⌖-0]", "wrong_type", "/0"],
    ["ratios", "[⌖1e400]", "out_of_range", "/0"],
    ["ratios", "[⌖null]", "wrong_type", "/0"],
    ["colors", '["red",⌖1]', "wrong_type", "/1"],
    ["colors", "[⌖null]", "wrong_type", "/0"],
    ["values", "[0,[⌖1e400]]", "out_of_range", "/1/0"],
    ["children", '[{"child_name":"a"},⌖null]', "wrong_type", "/1"],
    ["children", '[{"child_name":"a"},{⌖}]', "missing_field", "/1/child_name"],
    ["children", "[⌖[]]", "wrong_type", "/0"],
    ["children", '[{"child_name":"a","x":[⌖1e400]}]', "out_of_range", "/0/x/0"],
    ["plains", '[⌖"x"]', "wrong_type", "/0"],
  ])("%s: %s is %s", (key, value, code, at) => {
    const { text, offset } = marked(lists({ [key]: value }));
    refuseJson(text, { code, pointer: `/${key}${at}`, offset }, {}, ListsSchema);
  });

  test.each<[title: string, binary: Uint8Array, key: string, value: string]>([
    ["unpacked", cat(int(3, 1), int(3, -1), int(3, 2)), "smalls", "[1,-1,2]"],
    ["packed and unpacked", cat(hex("1a0101"), int(3, 2), hex("1a020304"), hex("1a00")), "smalls", "[1,2,3,4]"],
    ["an empty pack", hex("1a00"), "smalls", "[]"],
    ["doubles unpacked", cat(double(7, 1), hex("3a08 000000000000e03f"), double(7, -0)), "ratios", "[1,0.5,-0.0]"],
    [
      "enums unpacked, 64 bits",
      cat(hex("40 81 80 80 80 10"), hex("4204 02 63 80 00")),
      "colors",
      '["red","dark_blue","Unknown","Unknown"]',
    ],
    ["booleans of many bits", hex("1205 80 01 00 82 00"), "flags", "[true,false,true]"],
    ["uint64 unpacked", cat(int(6, 1n), int(6, -1n)), "huges", "[1,18446744073709551615]"],
    ["split by other fields", cat(int(5, 1), str(1, "a"), int(5, 2), str(1, "b")), "bigs", "[1,2]"],
    [
      "messages split by others",
      cat(len(11, str(1, "a")), int(99, 1), len(11, str(1, "b"))),
      "plains",
      '[{"name":"a"},{"name":"b"}]',
    ],
    ["values with no kind", cat(len(9), len(9, valueBytes(1)), len(9)), "values", "[null,1,null]"],
  ])("read as the specification says: %s", (_, binary, key, value) => {
    const printed = JSON.parse(decode(binary, {}, ListsSchema)) as Record<string, unknown>;
    expect(printed[key]).toEqual(JSON.parse(value));
    expect(toSerdeJson(ListsSchema, fromBinary(ListsSchema, binary))).toEqual(printed);
    expect(decode(binary, {}, ListsSchema)).toContain(`"${key}":${value}`);
  });

  test.each<[title: string, binary: Uint8Array, pointer: string]>([
    ["a pack that ends in a varint", hex("1a01 80"), "/smalls"],
    ["a pack that ends in a double", hex("3a07 00000000000000"), "/ratios"],
    ["a pack past the buffer", hex("1a05 01"), "/smalls"],
    ["a pack of 11-byte varints", hex("1a0b 8080808080808080808000"), "/smalls"],
    ["numbers as fixed32", hex("1d 00000000"), "/smalls"],
    ["doubles as varints", hex("3801"), "/ratios"],
    ["strings as varints", hex("0801"), "/texts"],
    ["messages as varints", hex("5801"), "/plains"],
    ["values as fixed64", hex("49 0000000000000000"), "/values"],
  ])("malformed: %s", (_, binary, pointer) => {
    refuseBinary(binary, { code: "malformed_binary", pointer }, {}, ListsSchema);
  });

  test("long packs have minimal lengths", () => {
    for (const length of [126, 127, 128, 129, 16_383, 16_384]) {
      const text = lists({
        flags: `[${Array(length).fill("true").join(",")}]`,
        smalls: `[${Array(length).fill("300").join(",")}]`,
      });
      const binary = encode(text, {}, ListsSchema);
      expect(toHex(toBinary(ListsSchema, fromBinary(ListsSchema, binary)))).toBe(toHex(binary));
    }
  });

  test("number texts of elements", () => {
    const message = carried(
      ListsSchema,
      lists({ ratios: "[1,2.0,3]", values: "[1.0,[2.0]]", children: '[{"child_name":"","any_value":3.0}]' }),
    ) as Message & { preserved?: { numbers: unknown[] } };
    expect(message.preserved!.numbers).toHaveLength(2);
  });
});
