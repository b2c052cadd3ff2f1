// Section 2 of docs/wire-format.md: what JSON is accepted, and what it becomes.
import { fromBinary } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { FactoryRunStatus } from "../gen/factory_run/v1/factory_run_pb.js";
import type { SerdeReadOptions } from "../src/index.js";
import { decode, Envelope, encode, throughMessage } from "./support/entry-points.js";
import { readTree, unordered } from "./support/json-tree.js";
import { toHex } from "./support/wire.js";

const FIELDS = '"run_id":"a","status":"completed"';
const withMembers = (members: string) => `{${FIELDS}${members}}`;

/** Carries a text over, both ways, and gives back the printed form and the message. */
function carried(text: string, options?: SerdeReadOptions) {
  const binary = encode(text, options);
  const printed = decode(binary);
  expect(toHex(encode(printed, options)), "what is printed reads back into the same binary").toBe(toHex(binary));
  const messageText = throughMessage(text, options);
  expect(unordered(readTree(messageText))).toEqual(unordered(readTree(printed)));
  return { printed, binary, message: fromBinary(Envelope, binary, { recursionLimit: 1000 }) };
}

describe("keys", () => {
  const full =
    '{"run_id":"a","attempt":1,"status":"paused","result":1,"error":"e","failure":{},"reason":"r","snapshot":[],"pause_info":null}';
  test.each([
    ["snake_case", full],
    ["camelCase", full.replace("run_id", "runId").replace("pause_info", "pauseInfo")],
    ["a mix", full.replace("run_id", "runId")],
    ["the other mix", full.replace("pause_info", "pauseInfo")],
    ["escaped", full.replace('"run_id"', '"\\u0072un_\\u0069d"').replace('"status"', '"\\u0073\\u0074atus"')],
    ["escaped camelCase", full.replace('"run_id"', '"run\\u0049d"').replace("pause_info", "pause\\u0049nfo")],
    ["with white space", full.replaceAll(/([{}[\]:,])/g, " \t$1\r\n ")],
  ])("%s", (_, text) => {
    expect(carried(text).printed).toBe(full);
  });

  test("any order is kept", () => {
    const keys = ["status", "snapshot", "run_id", "result", "reason", "pause_info", "failure", "error", "attempt"];
    const values: Record<string, string> = {
      run_id: '"a"',
      status: '"error"',
      attempt: "7",
      reason: '"r"',
      error: '"e"',
    };
    for (let turn = 0; turn < keys.length; turn++) {
      const order = [...keys.slice(turn), ...keys.slice(0, turn)];
      const text = `{${order.map((key) => `"${key}":${values[key] ?? `{"of":"${key}"}`}`).join(",")}}`;
      expect(carried(text).printed).toBe(text);
    }
  });

  test.each(["RUN_ID", "runid", "run_Id", "run_id ", "", "Run_id", "run-id"])("%j is not a field", (key) => {
    const { message } = carried(withMembers(`,${JSON.stringify(key)}:1`));
    expect(Object.keys(message.preserved!.members)).toEqual([key]);
  });
});

describe("unknown members", () => {
  test("are kept in order, after the fields", () => {
    const { printed, message } = carried('{"b":[1,{"c":null}],"run_id":"a","a":"x","status":"completed","z":{}}');
    expect(printed).toBe('{"run_id":"a","status":"completed","b":[1,{"c":null}],"a":"x","z":{}}');
    expect(Object.keys(message.preserved!.members)).toEqual(["b", "a", "z"]);
  });

  test.each([
    ["twice: last value, first place", ',"x":1,"y":2,"x":3', ',"x":3,"y":2'],
    ["three times", ',"x":1,"y":2,"x":[1.0],"y":4,"x":{"k":5}', ',"x":{"k":5},"y":4'],
    ["twice, once escaped", ',"x":1,"y":2,"\\u0078":3', ',"x":3,"y":2'],
    ["number texts of the first value go", ',"x":1.0,"y":2.0,"x":3', ',"x":3,"y":2.0'],
    ["number texts of the last value stay", ',"x":1,"y":2.0,"x":3.0', ',"x":3.0,"y":2.0'],
    ["null is a value", ',"x":null', ',"x":null'],
    [
      "preserved is a member like any other",
      ',"preserved":{"members":{"run_id":1.0}}',
      ',"preserved":{"members":{"run_id":1.0}}',
    ],
    ["preserved may be anything", ',"preserved":"x"', ',"preserved":"x"'],
  ])("%s", (_, members, expected) => {
    expect(carried(withMembers(members)).printed).toBe(withMembers(expected));
  });

  test("drop leaves them and their number texts out", () => {
    const { printed, message } = carried(withMembers(',"x":1.0,"result":2.0,"x":[9007199254740993]'), {
      unknownMembers: "drop",
    });
    expect(printed).toBe(withMembers(',"result":2.0'));
    expect(message.preserved?.members ?? {}).toEqual({});
  });

  test("drop keeps the unknown word of a status, which is no member", () => {
    expect(carried('{"run_id":"a","status":"archived","x":1}', { unknownMembers: "drop" }).printed).toBe(
      '{"run_id":"a","status":"archived"}',
    );
  });

  test("drop writes no preserved when nothing else is in it", () => {
    expect(toHex(encode(withMembers(',"x":1'), { unknownMembers: "drop" }))).toBe(toHex(encode(withMembers(""))));
  });

  test("reject takes a text without any", () => {
    expect(carried(withMembers(',"result":{"x":1}'), { unknownMembers: "reject" }).printed).toBe(
      withMembers(',"result":{"x":1}'),
    );
  });
});

describe("null and absence", () => {
  test.each(["attempt", "error", "reason"])("null for %s is absence", (key) => {
    expect(carried(withMembers(`,"${key}":null`)).printed).toBe(withMembers(""));
    expect(toHex(encode(withMembers(`,"${key}":null`)))).toBe(toHex(encode(withMembers(""))));
  });

  test.each(["failure", "pause_info", "result", "snapshot"])("null for %s is a Value holding null", (key) => {
    const { printed, message } = carried(withMembers(`,"${key}":null`));
    expect(printed).toBe(withMembers(`,"${key}":null`));
    const field = Envelope.fields.find(({ name }) => name === key)!;
    expect((message as unknown as Record<string, unknown>)[field.localName]).toMatchObject({
      kind: { case: "nullValue" },
    });
  });

  test.each(["attempt", "error", "reason", "failure", "pause_info", "result", "snapshot"])("no %s", (key) => {
    const { message } = carried(withMembers(""));
    const field = Envelope.fields.find(({ name }) => name === key)!;
    expect((message as unknown as Record<string, unknown>)[field.localName]).toBeUndefined();
  });
});

describe("attempt", () => {
  test.each([
    "0",
    "1",
    "-1",
    "127",
    "128",
    "2147483647",
    "2147483648",
    "-2147483649",
    "4294967295",
    "4294967296",
    "9007199254740991",
    "9007199254740992",
    "9007199254740993",
    "-9007199254740993",
    "9223372036854775807",
    "-9223372036854775808",
    "1000000000000000000",
    "-999999999999999999",
  ])("%s is exact", (attempt) => {
    const { printed, message } = carried(withMembers(`,"attempt":${attempt}`));
    expect(printed).toBe(withMembers(`,"attempt":${attempt}`));
    expect(message.attempt).toBe(BigInt(attempt));
    expect(message.preserved).toBeUndefined();
  });
});

describe("status", () => {
  test.each(["pending", "running", "completed", "halted", "paused", "cancelled", "error"])("%s", (word) => {
    const { printed, message } = carried(`{"run_id":"a","status":"${word}"}`);
    expect(printed).toBe(`{"run_id":"a","status":"${word}"}`);
    expect(FactoryRunStatus[message.status]).toBe(word.toUpperCase());
    expect(message.preserved).toBeUndefined();
  });

  test("Unknown is UNSPECIFIED and needs no keeping", () => {
    const { printed, message } = carried('{"run_id":"a","status":"Unknown"}');
    expect(printed).toBe('{"run_id":"a","status":"Unknown"}');
    expect(message.status).toBe(FactoryRunStatus.UNSPECIFIED);
    expect(message.preserved).toBeUndefined();
  });

  test.each([
    "archived",
    "Completed",
    "COMPLETED",
    "unknown",
    "unspecified",
    "UNSPECIFIED",
    "",
    " completed",
    "completed\n",
    "FACTORY_RUN_STATUS_COMPLETED",
    "factory_run_status_completed",
    "3",
    "null",
    "__proto__",
    "constructor",
    "toString",
    "😀",
    "\u0000",
    "timed_out",
    "é",
    "x".repeat(5000),
  ])("any other word is kept: %j", (word) => {
    const text = `{"run_id":"a","status":${JSON.stringify(word)}}`;
    const { printed, message } = carried(text);
    expect(printed).toBe(text);
    expect(message.status).toBe(FactoryRunStatus.UNSPECIFIED);
    expect(Object.entries(message.preserved!.words)).toEqual([["status", word]]);
    expect(message.preserved!.members).toEqual({});
    expect(message.preserved!.numbers).toEqual([]);
  });

  test.each(["\\u0063ompleted", "comp\\u006Ceted"])("a known word may be escaped: %s", (word) => {
    expect(carried(`{"run_id":"a","status":"${word}"}`).printed).toBe('{"run_id":"a","status":"completed"}');
  });

  test("an unknown word under the camelCase spelling of a key still goes by the proto name", () => {
    expect(carried('{"status":"odd","runId":"a"}').message.preserved!.words).toEqual({ status: "odd" });
  });
});

describe("inside a Value", () => {
  test.each([
    ["a duplicate key: last value, first place", '{"b":1,"a":2,"b":3}', '{"b":3,"a":2}'],
    ["a duplicate, once escaped", '{"b":1,"a":2,"\\u0062":3}', '{"b":3,"a":2}'],
    ["a duplicate of a container", '{"b":{"x":1},"a":2,"b":{"y":3}}', '{"b":{"y":3},"a":2}'],
    ["a duplicate in a duplicate", '{"b":{"x":1,"x":2},"b":{"y":3,"z":0,"y":4}}', '{"b":{"y":4,"z":0}}'],
    ["a duplicate's number texts go with it", '{"b":1.0,"a":2.0,"b":3}', '{"b":3,"a":2.0}'],
    ["a duplicate's number texts below go with it", '{"b":{"c":[1.0]},"b":{"c":[1]}}', '{"b":{"c":[1]}}'],
    ["a duplicate's own number texts stay", '{"b":{"c":[1]},"a":0,"b":{"c":[1.0]}}', '{"b":{"c":[1.0]},"a":0}'],
    ["duplicates in arrays", '[{"a":1.0,"a":2},{"a":1,"a":2.0}]', '[{"a":2},{"a":2.0}]'],
    ["many duplicates", `{${'"k":1.0,'.repeat(50)}"j":2,"k":3}`, '{"k":3,"j":2}'],
    ["an empty duplicate", '{"":1,"":2}', '{"":2}'],
    ["__proto__", '{"__proto__":{"x":1},"a":1}'],
    ["__proto__ twice", '{"__proto__":1,"a":1,"__proto__":2.0}', '{"__proto__":2.0,"a":1}'],
    ["constructor and friends", '{"constructor":1,"toString":2,"hasOwnProperty":3,"valueOf":4,"prototype":5}'],
    ["an empty key", '{"":{"":{"":1.0}}}'],
    ["a key with NUL", '{"a\\u0000b":1,"a":2,"\\u0000":3}'],
    ["integer-like keys in the order written", '{"b":1,"2":2,"1":3,"10":4,"a":5,"0":6,"-1":7,"4294967295":8}'],
    ["keys that are field names", '{"run_id":1,"runId":2,"pauseInfo":3,"pause_info":4,"status":5}'],
    ["keys with a slash and a tilde", '{"a/b":1.0,"c~d":2.0,"~1":3.0}'],
    ["keys that differ by normal form", '{"é":1,"e\u0301":2}'],
    ["U+FEFF", '{"\ufeffa":"\ufeffb","\ufeff":"\ufeff"}'],
    ["non-characters", '["\uffff","\ufffe","\u{10ffff}"]'],
    ["every scalar", '[null,true,false,0,"",{},[]]'],
  ])("%s", (_, result, expected = result) => {
    for (const place of ["result", "failure", "snapshot", "pause_info", "unheard_of"]) {
      const { printed } = carried(withMembers(`,"${place}":${result}`));
      expect(printed).toBe(withMembers(`,"${place}":${expected}`));
    }
  });

  test.each([
    ["backspace and friends", '"\\b\\f\\n\\r\\t\\"\\\\"'],
    ["a slash", '"\\/"', '"/"'],
    ["controls", '"\\u0000\\u0001\\u001F\\u000b"', '"\\u0000\\u0001\\u001f\\u000b"'],
    ["short forms", '"\\u0008\\u0009\\u000A\\u000c\\u000D\\u0022\\u005c"', '"\\b\\t\\n\\f\\r\\"\\\\"'],
    ["a delete stays raw", '"\\u007f\x7f"', '"\x7f\x7f"'],
    ["an astral pair", '"\\ud83d\\uDE00"', '"😀"'],
    ["the last code point", '"\\udbff\\udfff"', '"\u{10ffff}"'],
    ["U+2028 and U+2029", '"\\u2028\u2029"', '"\u2028\u2029"'],
    ["upper and lower case hex", '"\\u00e9\\u00E9\\uAbCd"', '"éé\uabcd"'],
    ["two, three and four bytes", '"é€😀"'],
    ["escaped non-ASCII next to raw", '"\\u00e9é\\u20ac€"', '"éé€€"'],
  ])("a string: %s", (_, result, expected = result) => {
    for (const place of ["result", "error", "reason", "run_id_twin"]) {
      expect(carried(withMembers(`,"${place}":${result}`)).printed).toBe(withMembers(`,"${place}":${expected}`));
    }
    const key = carried(withMembers(`,"result":{${result}:1}`));
    expect(key.printed).toBe(withMembers(`,"result":{${expected}:1}`));
    const unknown = carried(withMembers(`,${result}:1.0`));
    expect(unknown.printed).toBe(withMembers(`,${expected}:1.0`));
    const runId = carried(`{"run_id":${result},"status":"completed"}`);
    expect(runId.printed).toBe(`{"run_id":${expected},"status":"completed"}`);
  });

  test.each([1, 2, 3, 4, 15, 16, 31, 32, 63, 64, 127, 128, 129, 1023, 4096, 16383, 16384, 16385, 70000])(
    "strings of %i characters of each width, at every alignment",
    (length) => {
      for (const unit of ["a", "é", "€", "😀", '\\"', "\\n", "\\u0001"]) {
        const value = `${"a".repeat(length % 7)}${unit.repeat(length)}${"b".repeat(length % 5)}`;
        const text = withMembers(`,"result":["${value}"]`);
        expect(decode(encode(text))).toBe(text);
      }
    },
  );
});
