// Section 4 of docs/wire-format.md: what an older generation could only preserve, a newer one prints as its fields.

import {
  create,
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonValue,
  type MessageInitShape,
  toBinary,
} from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import { PreservedSchema } from "../gen/factory_run/v1/factory_run_pb.js";
import { serdeJsonToBinary, toSerdeJson, toSerdeJsonString, type WireErrorCode } from "../src/index.js";
import {
  AddedFieldsSchema,
  NewerEnvelopeSchema,
  OlderEnvelopeSchema,
  OldestEnvelopeSchema,
} from "./schemas/gen/wire_test/v1/generations_pb.js";
import { CAMEL, decode, Envelope, encode, refuseBinary } from "./support/entry-points.js";
import { readTree, unordered } from "./support/json-tree.js";
import { captures } from "./support/material.js";
import { toHex } from "./support/wire.js";

/** What `newer` prints of what `older` wrote; the same from bytes and through the messages of both. */
function readByNewer(text: string, older: DescMessage, newer: DescMessage, options = {}): string {
  const binary = encode(text, { maxNesting: Number.POSITIVE_INFINITY }, older);
  const printed = decode(binary, options, newer);
  const message = fromBinary(newer, binary, { recursionLimit: 1000 });
  expect(JSON.parse(toSerdeJsonString(newer, message, options))).toEqual(JSON.parse(printed));
  expect(toSerdeJson(newer, message, options)).toEqual(JSON.parse(printed));
  // In the newer generation it is at home; only members that are unknown to both move to the end.
  const again = encode(printed, { maxNesting: Number.POSITIVE_INFINITY }, newer);
  expect(unordered(readTree(decode(again, options, newer)))).toEqual(unordered(readTree(printed)));
  return printed;
}

describe("the runtime's envelopes through a gateway of the older generation", () => {
  // The two largest would only take long: what is in them is in others.
  test.each(captures().filter(({ bytes }) => bytes.length < 100_000))("$name", ({ bytes }) => {
    const text = new TextDecoder().decode(bytes);
    expect(JSON.parse(readByNewer(text, OlderEnvelopeSchema, Envelope, CAMEL))).toEqual(JSON.parse(text));
    expect(JSON.parse(readByNewer(text, OldestEnvelopeSchema, Envelope, CAMEL))).toEqual(JSON.parse(text));
    // And back to where it came from: the older one finds its own fields, the newer one's are unknown again.
    const home = encode(
      decode(encode(text, { maxNesting: Number.POSITIVE_INFINITY }, OlderEnvelopeSchema), CAMEL, Envelope),
      { maxNesting: Number.POSITIVE_INFINITY },
    );
    expect(JSON.parse(decode(home, CAMEL, OlderEnvelopeSchema))).not.toHaveProperty("preserved");
  });

  test("a member keeps its place among the members", () => {
    const text = '{"x":1,"pauseInfo":{"a":1.0},"y":2,"attempt":3,"runId":"r","z":4,"status":"running"}';
    expect(readByNewer(text, OlderEnvelopeSchema, Envelope)).toBe(
      '{"run_id":"r","status":"running","x":1,"pause_info":{"a":1.0},"y":2,"attempt":3,"z":4}',
    );
  });
});

describe("a member that names a field is printed as that field", () => {
  const required = '"run_id":"a","status":"completed"';
  test.each<[title: string, members: string, snake: string, camel?: string]>([
    ["required ones", required, required, '"runId":"a","status":"completed"'],
    ["in camelCase", '"runId":"a","status":"completed"', required, '"runId":"a","status":"completed"'],
    [
      "in their order",
      '"status":"completed","x":1,"runId":"a"',
      '"status":"completed","x":1,"run_id":"a"',
      '"status":"completed","x":1,"runId":"a"',
    ],
    ["an integer", `${required},"attempt":12`, `${required},"attempt":12`],
    ["a long integer, by its text", `${required},"attempt":9007199254740993`, `${required},"attempt":9007199254740993`],
    ["the last i64", `${required},"attempt":9223372036854775807`, `${required},"attempt":9223372036854775807`],
    ["the first i64", `${required},"attempt":-9223372036854775808`, `${required},"attempt":-9223372036854775808`],
    [
      "null for an optional scalar is left out",
      `${required},"attempt":null,"error":null,"x":null`,
      `${required},"x":null`,
    ],
    [
      "null for a Value stays",
      `${required},"result":null,"pauseInfo":null`,
      `${required},"result":null,"pause_info":null`,
      '"runId":"a","status":"completed","result":null,"pauseInfo":null',
    ],
    ["a text", `${required},"error":"é\\n"`, `${required},"error":"é\\n"`],
    [
      "a Value with number texts under the member's own key",
      `${required},"pauseInfo":{"n":[1.0,9007199254740993]}`,
      `${required},"pause_info":{"n":[1.0,9007199254740993]}`,
      '"runId":"a","status":"completed","pauseInfo":{"n":[1.0,9007199254740993]}',
    ],
    ["a status that is known", '"run_id":"a","status":"paused"', '"run_id":"a","status":"paused"'],
    ["a status that is not", '"run_id":"a","status":"odd"', '"run_id":"a","status":"odd"'],
    ["Unknown", '"run_id":"a","status":"Unknown"', '"run_id":"a","status":"Unknown"'],
    ["an empty run_id", '"run_id":"","status":"paused"', '"run_id":"","status":"paused"'],
    [
      "both spellings: the earlier one",
      `${required},"pauseInfo":1.0,"pause_info":2.0`,
      `${required},"pause_info":1.0`,
      '"runId":"a","status":"completed","pauseInfo":1.0',
    ],
    [
      "both spellings of a required one",
      '"runId":"a","run_id":"b","status":"paused"',
      '"run_id":"a","status":"paused"',
      '"runId":"a","status":"paused"',
    ],
    [
      "the sidecar takes up nothing",
      `${required},"preserved":{"members":{}}`,
      `${required},"preserved":{"members":{}}`,
    ],
    [
      "other members with hard keys",
      `${required},"__proto__":1.0,"constructor":{},"":0,"1":1`,
      `${required},"__proto__":1.0,"constructor":{},"":0,"1":1`,
    ],
  ])("%s", (_, members, snake, camel = snake.replace('"run_id"', '"runId"')) => {
    const binary = encode(`{${members}}`, {}, OldestEnvelopeSchema);
    expect(decode(binary)).toBe(`{${snake}}`);
    expect(decode(binary, CAMEL)).toBe(`{${camel}}`);
    // Taken up, they are fields: the JSON read again has them in no sidecar.
    expect(toSerdeJson(Envelope, fromBinary(Envelope, binary))).toEqual(JSON.parse(`{${snake}}`));
  });

  test("what the older writer knew stands among the fields", () => {
    expect(
      readByNewer('{"runId":"a","reason":"r","status":"halted","result":1.0}', OldestEnvelopeSchema, Envelope),
    ).toBe('{"reason":"r","run_id":"a","status":"halted","result":1.0}');
  });
});

describe("it is judged as JSON would be", () => {
  test.each<[members: string, code: WireErrorCode, pointer: string]>([
    ['"run_id":null,"status":"completed"', "wrong_type", "/run_id"],
    ['"runId":1,"status":"completed"', "wrong_type", "/run_id"],
    ['"runId":{},"status":"completed"', "wrong_type", "/run_id"],
    ['"runId":"a","status":3', "wrong_type", "/status"],
    ['"runId":"a","status":null', "wrong_type", "/status"],
    ['"runId":"a","status":{"completed":null}', "wrong_type", "/status"],
    ['"runId":"a","status":"completed","attempt":"5"', "wrong_type", "/attempt"],
    ['"runId":"a","status":"completed","attempt":1.0', "wrong_type", "/attempt"],
    ['"runId":"a","status":"completed","attempt":1.5', "wrong_type", "/attempt"],
    ['"runId":"a","status":"completed","attempt":-0', "wrong_type", "/attempt"],
    ['"runId":"a","status":"completed","attempt":1e300', "wrong_type", "/attempt"],
    ['"runId":"a","status":"completed","attempt":1e3', "wrong_type", "/attempt"],
    ['"runId":"a","status":"completed","attempt":true', "wrong_type", "/attempt"],
    ['"runId":"a","status":"completed","attempt":[]', "wrong_type", "/attempt"],
    ['"runId":"a","status":"completed","attempt":9223372036854775808', "out_of_range", "/attempt"],
    ['"runId":"a","status":"completed","attempt":-9223372036854775809', "out_of_range", "/attempt"],
    ['"runId":"a","status":"completed","attempt":100000000000000000000', "out_of_range", "/attempt"],
    ['"runId":"a","status":"completed","error":1', "wrong_type", "/error"],
    ['"runId":"a","status":"completed","error":[]', "wrong_type", "/error"],
  ])("{%s} → %s at %s", (members, code, pointer) => {
    const binary = encode(`{${members}}`, {}, OldestEnvelopeSchema);
    const error = refuseBinary(binary, { code, pointer, offset: [0, binary.length] });
    expect(error.offset).toBeGreaterThan(0);
  });

  test("without its text a number is the token that its double prints", () => {
    const read = (attempt: string) => {
      const text = `{"runId":"a","status":"completed","attempt":${attempt}}`;
      return encode(text, { numbers: "double" }, OldestEnvelopeSchema);
    };
    expect(decode(read("1.0"))).toBe('{"run_id":"a","status":"completed","attempt":1}');
    expect(decode(read("9007199254740993"))).toBe('{"run_id":"a","status":"completed","attempt":9007199254740992}');
    refuseBinary(read("1e21"), { code: "wrong_type", pointer: "/attempt" });
    refuseBinary(read("9223372036854775807"), { code: "out_of_range", pointer: "/attempt" });
  });
});

describe("a field that is set drops the member", () => {
  const v = (json: JsonValue) => fromJson(ValueSchema, json);
  type Init = { [K in keyof MessageInitShape<typeof Envelope>]?: MessageInitShape<typeof Envelope>[K] | number };
  test.each<
    [title: string, init: Init, members: Record<string, JsonValue>, words: Record<string, string>, expected: string]
  >([
    [
      "an optional one",
      { runId: "a", status: 3, attempt: 1n },
      { attempt: 2 },
      {},
      '{"attempt":1,"run_id":"a","status":"completed"}',
    ],
    [
      "an optional one at zero",
      { runId: "a", status: 3, attempt: 0n, error: "" },
      { attempt: 2, error: "x" },
      {},
      '{"attempt":0,"error":"","run_id":"a","status":"completed"}',
    ],
    [
      "whatever the member holds",
      { runId: "a", status: 3, attempt: 1n },
      { attempt: "bad", error: null },
      {},
      '{"attempt":1,"run_id":"a","status":"completed"}',
    ],
    [
      "a Value, also null",
      { runId: "a", status: 3, result: v(null) },
      { result: 2 },
      {},
      '{"result":null,"run_id":"a","status":"completed"}',
    ],
    [
      "in camelCase",
      { runId: "a", status: 3, pauseInfo: v(1) },
      { pauseInfo: 2, x: 1 },
      {},
      '{"pause_info":1,"run_id":"a","status":"completed","x":1}',
    ],
    ["run_id", { runId: "a", status: 3 }, { run_id: "b", runId: 5 }, {}, '{"run_id":"a","status":"completed"}'],
    [
      "run_id at its default is not set",
      { runId: "", status: 3 },
      { x: 1, runId: "b" },
      {},
      '{"status":"completed","x":1,"run_id":"b"}',
    ],
    [
      "status by number",
      { runId: "a", status: 3 },
      { status: "paused" },
      { status: "odd" },
      '{"run_id":"a","status":"completed"}',
    ],
    ["status by word", { runId: "a" }, { status: "paused" }, { status: "odd" }, '{"run_id":"a","status":"odd"}'],
    [
      "status by a word that the enum names",
      { runId: "a" },
      { status: "paused" },
      { status: "error" },
      '{"run_id":"a","status":"error"}',
    ],
    ["status by member", { runId: "a" }, { x: 1, status: "paused" }, {}, '{"run_id":"a","x":1,"status":"paused"}'],
    ["status by an unknown member word", { runId: "a" }, { status: "odd" }, {}, '{"run_id":"a","status":"odd"}'],
    [
      "status at a number that is not named",
      { runId: "a", status: 99 },
      { status: "paused" },
      { status: "odd" },
      '{"run_id":"a","status":"Unknown"}',
    ],
    [
      "a word for another field is ignored",
      { runId: "a" },
      {},
      { run_id: "x", result: "y", nothing: "z", Status: "w" },
      '{"run_id":"a","status":"Unknown"}',
    ],
    ["an empty word is a word", { runId: "a" }, {}, { status: "" }, '{"run_id":"a","status":""}'],
    ["the word Unknown", { runId: "a" }, {}, { status: "Unknown" }, '{"run_id":"a","status":"Unknown"}'],
  ])("%s", (_, init, members, words, expected) => {
    const message = create(Envelope, {
      ...(init as MessageInitShape<typeof Envelope>),
      preserved: create(PreservedSchema, {
        words,
        members: Object.fromEntries(Object.entries(members).map(([key, json]) => [key, v(json)])),
      }),
    });
    expect(decode(toBinary(Envelope, message))).toBe(expected);
    expect(toSerdeJsonString(Envelope, message)).toBe(expected);
    expect(toHex(encode(expected))).toBe(toHex(encode(decode(encode(expected)))));
  });
});

describe("a status that the older generation did not know", () => {
  test("paused", () => {
    const binary = encode('{"runId":"a","status":"paused"}', {}, OlderEnvelopeSchema);
    expect(Object.entries(fromBinary(Envelope, binary).preserved!.words)).toEqual([["status", "paused"]]);
    expect(decode(binary)).toBe('{"run_id":"a","status":"paused"}');
    expect(toHex(encode(decode(binary)))).toBe(toHex(encode('{"run_id":"a","status":"paused"}')));
    expect(fromBinary(Envelope, encode(decode(binary))).preserved).toBeUndefined();
  });
});

describe("every kind of added field", () => {
  const read = (members: string, schema: DescMessage = AddedFieldsSchema) =>
    decode(encode(`{${members}}`, {}, OldestEnvelopeSchema), {}, schema);
  test.each<[members: string, expected: string]>([
    ['"bytesUsed":18446744073709551615', '"bytes_used":18446744073709551615'],
    ['"mainColor":"dark_blue"', '"main_color":"dark_blue"'],
    ['"mainColor":"mauve"', '"main_color":"mauve"'],
    ['"mainColor":"Unknown"', '"main_color":"Unknown"'],
    ['"mainColor":null,"isFinal":null,"costTotal":null,"firstPlain":null,"x":1', '"x":1'],
    ['"isFinal":true', '"is_final":true'],
    ['"costTotal":0.25', '"cost_total":0.25'],
    ['"costTotal":1.0', '"cost_total":1.0'],
    [
      '"firstPlain":{"name":"n","value":{"a":[1,null]},"big":-5}',
      '"first_plain":{"name":"n","value":{"a":[1,null]},"big":-5}',
    ],
    ['"firstPlain":{"name":"n","unheard":1}', '"first_plain":{"name":"n"}'],
    ['"firstPlain":{"name":"n","big":9007199254740993}', '"first_plain":{"name":"n","big":9007199254740993}'],
    [
      '"first_child":{"childName":"c","anyValue":{"a":1.0,"childName":2.0},"color":"red","extra":[3.0]}',
      '"first_child":{"child_name":"c","any_value":{"a":1.0,"childName":2.0},"color":"red","extra":[3.0]}',
    ],
    [
      '"firstChild":{"extra":1,"color":"odd","childName":"c"}',
      '"first_child":{"color":"odd","child_name":"c","extra":1}',
    ],
    ['"firstChild":{"childName":"","color":null}', '"first_child":{"child_name":""}'],
  ])("{%s}", (members, expected) => {
    expect(read(members)).toBe(`{${expected}}`);
    // The same text written by the generation that knows the fields.
    expect(decode(encode(`{${members}}`, {}, AddedFieldsSchema), {}, AddedFieldsSchema)).toBe(`{${expected}}`);
  });

  test.each<[members: string, code: WireErrorCode, pointer: string]>([
    ['"bytesUsed":-1', "out_of_range", "/bytes_used"],
    ['"bytesUsed":18446744073709551616', "out_of_range", "/bytes_used"],
    ['"bytesUsed":1.0', "wrong_type", "/bytes_used"],
    ['"mainColor":1', "wrong_type", "/main_color"],
    ['"isFinal":"true"', "wrong_type", "/is_final"],
    ['"isFinal":0', "wrong_type", "/is_final"],
    ['"costTotal":"1"', "wrong_type", "/cost_total"],
    ['"firstPlain":[]', "wrong_type", "/first_plain"],
    ['"firstPlain":"n"', "wrong_type", "/first_plain"],
    ['"firstPlain":{}', "missing_field", "/first_plain"],
    ['"firstPlain":{"name":null}', "wrong_type", "/first_plain"],
    ['"firstPlain":{"name":"a","big":1.5}', "wrong_type", "/first_plain"],
    ['"firstChild":{"child_name":1}', "wrong_type", "/first_child"],
    ['"firstChild":{"child_name":"a","childName":"b"}', "duplicate_field", "/first_child"],
  ])("{%s} → %s", (members, code, pointer) => {
    const error = refuseBinary(encode(`{${members}}`, {}, OldestEnvelopeSchema), { code }, {}, AddedFieldsSchema);
    expect(error.pointer === pointer || error.pointer?.startsWith(`${pointer}/`), error.message).toBe(true);
  });

  test("lists", () => {
    const lists =
      '"sizes":[1,18446744073709551615],"tag_list":["a",""],"color_list":["red","Unknown"],"any_list":[null,1.0,{"a":[2.0]}],"all_children":[{"child_name":"c","any_value":3.0,"more":4.0}]';
    const camel = lists.replaceAll(/_([a-z])(?=[a-z_]*":)/g, (_, letter: string) => letter.toUpperCase());
    expect(camel).toContain('"anyList":[null');
    for (const text of [lists, camel]) {
      expect(read(`"run_id":"a","status":"completed",${text}`, NewerEnvelopeSchema)).toBe(
        `{"run_id":"a","status":"completed",${lists}}`,
      );
    }
  });

  test("lists that nobody wrote are empty", () => {
    expect(read('"run_id":"a","status":"completed"', NewerEnvelopeSchema)).toBe(
      '{"all_children":[],"tag_list":[],"color_list":[],"sizes":[],"any_list":[],"run_id":"a","status":"completed"}',
    );
  });

  test.each<[members: string, code: WireErrorCode]>([
    ['"sizes":null', "wrong_type"],
    ['"sizes":[null]', "wrong_type"],
    ['"sizes":{}', "wrong_type"],
    ['"sizes":[1.0]', "wrong_type"],
    ['"sizes":[-1]', "out_of_range"],
    ['"tagList":["a",1]', "wrong_type"],
    ['"colorList":[1]', "wrong_type"],
    ['"allChildren":[{}]', "missing_field"],
    ['"allChildren":[null]', "wrong_type"],
  ])("{%s} → %s", (members, code) => {
    refuseBinary(
      encode(`{"run_id":"a","status":"completed",${members}}`, {}, OldestEnvelopeSchema),
      { code },
      {},
      NewerEnvelopeSchema,
    );
  });
});

describe("back to the older generation", () => {
  test("what the newer one wrote is read with the fields that the older one knows", () => {
    const text = '{"run_id":"a","attempt":2,"status":"paused","pause_info":{"type":"user"},"reason":"r","x":1}';
    const binary = encode(text);
    // Fields that the older schema lacks are unknown fields of the binary, which JSON cannot name.
    expect(decode(binary, {}, OlderEnvelopeSchema)).toBe('{"run_id":"a","status":"Unknown","reason":"r","x":1}');
  });

  test("JSON of the newer one through the older one's binary and back", () => {
    const text = '{"run_id":"a","attempt":2,"status":"paused","pause_info":{"type":"user","n":1.0},"reason":"r","x":1}';
    const older = serdeJsonToBinary(OlderEnvelopeSchema, text);
    expect(decode(older, {}, OlderEnvelopeSchema)).toBe(
      '{"run_id":"a","status":"paused","reason":"r","attempt":2,"pause_info":{"type":"user","n":1.0},"x":1}',
    );
    expect(decode(older)).toBe(
      '{"run_id":"a","status":"paused","reason":"r","attempt":2,"pause_info":{"type":"user","n":1.0},"x":1}',
    );
  });
});
