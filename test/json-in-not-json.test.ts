// Section 2 of docs/wire-format.md: what is no JSON text, or no UTF-8, and where that is said to be.
import { describe, test } from "vitest";
import type { WireErrorCode } from "../src/index.js";
import { marked, refuseJson } from "./support/entry-points.js";
import { END, type Row, refuses } from "./support/refused-texts.js";
import { cat } from "./support/wire.js";

describe("not JSON", () => {
  const inResult: [string, string?][] = [
    ["⌖nonsense⌖"],
    ["⌖NaN⌖"],
    ["⌖Infinity⌖"],
    ["⌖-Infinity⌖"],
    ["⌖-⌖"],
    ["⌖+⌖1"],
    ["⌖.⌖5"],
    ["⌖1.⌖"],
    ["⌖1.⌖e5"],
    ["⌖1e⌖"],
    ["⌖1e+⌖"],
    ["⌖0⌖1"],
    ["⌖-0⌖1"],
    ["⌖0⌖x1"],
    ["⌖1⌖_0"],
    ["⌖tru⌖"],
    ["⌖tru⌖E"],
    ["⌖True⌖"],
    ["⌖nul⌖"],
    ["⌖undefined⌖"],
    ["⌖'⌖x'"],
    ["⌖"],
    ["[1,⌖]", "/result/1"],
    ["[⌖,1]", "/result/0"],
    ["[1 ⌖2]", "/result"],
    ["[1⌖}", "/result"],
    ['{"a"⌖}', "/result/a"],
    ['{"a" ⌖1}', "/result/a"],
    ['{"a":⌖}', "/result/a"],
    ['{"a":1,⌖}', "/result"],
    ["{⌖a:1}", "/result"],
    ["{⌖1:1}", "/result"],
    ["{⌖,}", "/result"],
    ['{"a":1 ⌖"b":2}', "/result"],
    ["[⌖/⌖*x*/1]", "/result/0"],
  ];
  refuses([
    ...inResult.map(([value, pointer = "/result"]): Row => [`{"result":${value}${END}`, "syntax", pointer]),
    ["⌖", "syntax", ""],
    [" \n\t⌖", "syntax", ""],
    [`{"result":1${END}⌖x`, "syntax", ""],
    [`{"result":1${END} ⌖{}`, "syntax", ""],
    [`{"result":1${END}\n⌖\u0000`, "syntax", ""],
    [`{"result":1${END}⌖,`, "syntax", ""],
    ["⌖\ufeff{}", "syntax", ""],
    ["⌖nul⌖", "syntax", ""],
    ["⌖\u00a0⌖{}", "syntax", ""],
    ["{⌖", "syntax", ""],
    ['{"run_id"⌖', "syntax", "/run_id"],
    ['{"run_id":⌖', "syntax", "/run_id"],
    ['{⌖"run_id⌖', "syntax", ""],
    ['{"run_id":"a"⌖', "syntax", ""],
    ['{"run_id":"a",⌖', "syntax", ""],
    ['{"run_id":"a",⌖}', "syntax", ""],
    ['{"run_id":⌖"a⌖', "syntax", "/run_id"],
    ['{"run_id":⌖"a\\⌖', "syntax", "/run_id"],
    ['{"run_id":⌖"a\\u00⌖', "syntax", "/run_id"],
    ['{"result":[1,{"a":[⌖', "syntax", "/result/1/a/0"],
  ]);
});

describe("strings that are none", () => {
  const faults: [string, WireErrorCode?][] = [
    ['"\\⌖x"'],
    ['"\\⌖u12g4"'],
    ['"\\u⌖12"'],
    ['"\\⌖u"'],
    ['"\\U⌖0041"'],
    ['"\\⌖0"'],
    ['"\\⌖\'"'],
    ['"\\⌖\n"'],
    ['"⌖\n"'],
    ['"tab⌖\t"'],
    ['"⌖\u0000"'],
    ['"⌖\u001f"'],
    [`"${"long ".repeat(40)}⌖\r"`],
    ['"\\⌖ud83d"'],
    ['"cut \\⌖ud83d"'],
    ['"\\⌖ude00"'],
    ['"\\⌖ud83dx"'],
    ['"\\⌖ud83d\\n"'],
    ['"\\⌖ud83d\\u0041"'],
    ['"\\⌖ud83d\\ud83d"'],
    ['"\\⌖udE00\\ud83d"'],
    ['"\\⌖ud83d\\ud83d\\ude00"'],
  ];
  const rows = faults.flatMap(([value, code = "syntax"]): Row[] => {
    // Right is any place from the string's first byte to a few bytes past the mark.
    const spread = `⌖${value.replace("⌖", "")}⌖`;
    return [
      [`{"result":${spread}${END}`, code, "/result"],
      [`{"error":${spread}${END}`, code, "/error"],
      [`{"attempt":${spread}${END}`, code, "/attempt"],
      [`{"run_id":${spread}${END}`, code, "/run_id"],
      [`{"status":${spread},"run_id":"a"}`, code, "/status"],
      [`{"result":{"a":[1,${spread}]}${END}`, code, "/result/a/1"],
      [`{"unheard":${spread}${END}`, code, "/unheard"],
      [`{${spread}:1${END}`, code, ""],
      [`{"result":[{${spread}:1}]${END}`, code, "/result/0"],
    ];
  });
  refuses(rows);
});

describe("a lone surrogate in a JS string", () => {
  test.each(["\ud83d", "x\ude00y", "\ud83d\ud83d\ude00", "\ude00\ud83d", `${"é".repeat(300)}\ud800`])("%j", (fault) => {
    const places: [string, string][] = [
      [`{"result":⌖"${fault}"⌖${END}`, "/result"],
      [`{"error":⌖"${fault}"⌖${END}`, "/error"],
      [`{"result":[{"a":⌖"${fault}"⌖}]${END}`, "/result/0/a"],
      [`{"unheard":⌖"${fault}"⌖${END}`, "/unheard"],
      [`{"run_id":"a","status":⌖"${fault}"⌖}`, "/status"],
    ];
    for (const [textWithMarks, pointer] of places) {
      const { text, offset } = marked(textWithMarks);
      refuseJson(text, { code: "invalid_utf8", pointer, offset });
    }
    refuseJson(`{"${fault}":1${END}`, { code: "invalid_utf8" });
    refuseJson(`{"result":{"${fault}":1}${END}`, { code: "invalid_utf8" });
  });
});

describe("bytes that are not UTF-8", () => {
  const sequences: [string, number[]][] = [
    ["a continuation alone", [0x80]],
    ["0xff", [0xff]],
    ["0xfe", [0xfe]],
    ["an overlong NUL", [0xc0, 0x80]],
    ["an overlong slash", [0xc1, 0xaf]],
    ["an overlong in three", [0xe0, 0x9f, 0xbf]],
    ["an overlong in four", [0xf0, 0x8f, 0xbf, 0xbf]],
    ["a high surrogate", [0xed, 0xa0, 0x80]],
    ["a CESU-8 pair", [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]],
    ["beyond U+10FFFF", [0xf4, 0x90, 0x80, 0x80]],
    ["0xf5", [0xf5, 0x80, 0x80, 0x80]],
    ["two bytes cut to one", [0xc3]],
    ["three bytes cut to two", [0xe2, 0x82]],
    ["four bytes cut to three", [0xf0, 0x9f, 0x98]],
    ["a lead and a letter", [0xe2, 0x41]],
  ];
  const utf8 = new TextEncoder();
  test.each(sequences)("%s", (_, bad) => {
    const places: [before: string, after: string, pointer: string | undefined, back: number][] = [
      ['{"result":"é', `"${END}`, "/result", 3],
      ['{"error":"', `"${END}`, "/error", 1],
      ['{"run_id":"a","status":"', '"}', "/status", 1],
      ['{"attempt":"', `"${END}`, "/attempt", 1],
      ['{"result":[{"a":"', `"}]${END}`, "/result/0/a", 1],
      ['{"x":"', `"${END}`, "/x", 1],
      ['{"', `":1${END}`, "", 1],
      ['{"result":{"', `":1}${END}`, "/result", 1],
      [`{"result":"${"long ".repeat(50)}`, `"${END}`, "/result", 251],
    ];
    for (const [before, after, pointer, back] of places) {
      const text = cat(utf8.encode(before), Uint8Array.from(bad), utf8.encode(after));
      const at = utf8.encode(before).length;
      refuseJson(text, { code: "invalid_utf8", pointer, offset: [at - back, at + bad.length] });
    }
    const last = cat(utf8.encode('{"result":"'), Uint8Array.from(bad));
    refuseJson(last, { code: ["invalid_utf8", "syntax"], pointer: "/result" });
    const between = cat(utf8.encode('{"run_id":"a",'), Uint8Array.from(bad), utf8.encode('"status":"completed"}'));
    refuseJson(between, { code: ["invalid_utf8", "syntax"], offset: [14, 14 + bad.length] });
  });

  test("a byte order mark in bytes", () => {
    refuseJson(cat(Uint8Array.of(0xef, 0xbb, 0xbf), utf8.encode("{}")), { code: "syntax", offset: 0 });
  });

  test("UTF-16", () => {
    refuseJson(Buffer.from("{}", "utf16le"), { code: "syntax", offset: 1 });
  });
});
