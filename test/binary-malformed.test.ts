// Section 5 of docs/wire-format.md: binary that is refused, with the byte and the field.
import { fromBinary } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { binaryToSerdeJson, checkBinary, type WireErrorCode } from "../src/index.js";
import { Envelope, refusal, refuseBinary } from "./support/entry-points.js";
import {
  cat,
  double,
  hex,
  int,
  len,
  member,
  REQUIRED,
  str,
  tag,
  valueBytes,
  WIRE,
  withResult,
} from "./support/wire.js";

const v = valueBytes;
const BAD: WireErrorCode = "malformed_binary";

/** Where a fault may be said to stand: at the field's tag or anywhere after it up to the end of the field. */
interface Fault {
  title: string;
  fault: Uint8Array;
  after?: Uint8Array;
  code?: WireErrorCode;
  /** "" unless given; null where it may be anything. */
  pointer?: string | null;
}

const wrongWireTypes: Fault[] = Envelope.fields.flatMap((field) => {
  const right =
    field.fieldKind === "scalar" && field.scalar === 3
      ? WIRE.varint
      : field.fieldKind === "enum"
        ? WIRE.varint
        : WIRE.length;
  const contents: [number, Uint8Array][] = [
    [WIRE.varint, hex("01")],
    [WIRE.fixed64, hex("0102030405060708")],
    [WIRE.length, hex("00")],
    [WIRE.startGroup, tag(field.number, WIRE.endGroup)],
    [WIRE.fixed32, hex("01020304")],
  ];
  return contents
    .filter(([wire]) => wire !== right)
    .map(
      ([wire, content]): Fault => ({
        title: `${field.name} with wire type ${wire}`,
        fault: cat(tag(field.number, wire), content),
        after: REQUIRED,
        pointer: `/${field.name}`,
      }),
    );
});

/** A preserved member whose field is set is not printed; it is looked at all the same. */
const droppedMembers: Fault[] = [
  ["attempt", int(1, 1), REQUIRED] as const,
  ["result", len(6, v(1)), REQUIRED] as const,
  ["runId", str(7, "a"), int(9, 3)] as const,
  ["status", int(9, 3), str(7, "a")] as const,
].flatMap(([name, field, after]) =>
  ["18 01", "6f 64 64", "93 01", "1a 01 ff"].map(
    (content): Fault => ({
      title: `the member ${name}, dropped, of ${content}`,
      fault: cat(field, len(15, member(1, name, hex(content)))),
      after,
      code: content.endsWith("ff") ? "invalid_utf8" : BAD,
      pointer: null,
    }),
  ),
);

const faults: Fault[] = [
  ...wrongWireTypes,
  ...droppedMembers,
  { title: "38 03 616263: a run_id as a varint", fault: hex("3803"), after: hex("616263"), pointer: "/run_id" },
  {
    title: "a child past its parent",
    fault: hex("1a021a05"),
    after: cat(str(2, "abc"), REQUIRED),
    pointer: "/failure",
  },
  {
    title: "a child past its parent, the rest is there",
    fault: cat(hex("32 03 1a 02 61")),
    after: REQUIRED,
    pointer: "/result",
  },
  { title: "an element past its list", fault: withResult(hex("32 02 0a 05")), pointer: "/result" },
  { title: "a member past its struct", fault: withResult(hex("2a 02 0a 05")), pointer: "/result" },
  {
    title: "an entry's value past the entry",
    fault: withResult(len(5, len(1, str(1, "a"), hex("12 05")))),
    pointer: "/result",
  },
  { title: "a double cut by its parent", fault: len(6, hex("11 00 00 00")), after: REQUIRED, pointer: "/result" },
  { title: "a varint cut by its parent", fault: len(6, hex("20 80")), after: REQUIRED, pointer: "/result" },
  { title: "a tag cut by its parent", fault: len(6, hex("80")), after: REQUIRED, pointer: "/result" },
  { title: "a length beyond the buffer", fault: hex("3a 05 61"), pointer: "/run_id" },
  { title: "a length of 2 GiB", fault: hex("3a ff ff ff ff 07"), pointer: "/run_id" },
  { title: "a length of 4 GiB and 1", fault: hex("3a 81 80 80 80 10 61"), pointer: "/run_id" },
  { title: "a length of 2^63", fault: hex("3a 80 80 80 80 80 80 80 80 80 01"), pointer: "/run_id" },
  { title: "a length of 2^64 - 1", fault: hex("3a ff ff ff ff ff ff ff ff ff 01"), pointer: "/run_id" },
  { title: "a length of 2^53 + 1", fault: hex("32 81 80 80 80 80 80 80 10 00"), pointer: "/result" },
  { title: "a length of 2^32", fault: hex("3a 80 80 80 80 10"), pointer: "/run_id" },
  { title: "a length that is cut", fault: hex("3a 80"), pointer: "/run_id" },
  { title: "no length", fault: hex("3a"), pointer: "/run_id" },
  { title: "no varint", fault: hex("48"), pointer: "/status" },
  { title: "a varint that is cut", fault: hex("08 ff ff"), pointer: "/attempt" },
  {
    title: "a varint of 11 bytes",
    fault: hex("08 80 80 80 80 80 80 80 80 80 80 00"),
    after: REQUIRED,
    pointer: "/attempt",
  },
  {
    title: "a varint of 65 bits",
    fault: hex("08 80 80 80 80 80 80 80 80 80 02"),
    after: REQUIRED,
    pointer: "/attempt",
  },
  {
    title: "a varint of 70 bits",
    fault: hex("08 ff ff ff ff ff ff ff ff ff 7f"),
    after: REQUIRED,
    pointer: "/attempt",
  },
  {
    title: "a status of 11 bytes",
    fault: hex("48 83 80 80 80 80 80 80 80 80 80 00"),
    after: str(7, "a"),
    pointer: "/status",
  },
  { title: "a boolean of 65 bits", fault: withResult(hex("20 80 80 80 80 80 80 80 80 80 02")), pointer: "/result" },
  { title: "an unknown varint of 11 bytes", fault: hex("a006 80 80 80 80 80 80 80 80 80 80 00"), after: REQUIRED },
  { title: "an unknown varint of 65 bits", fault: hex("a006 80 80 80 80 80 80 80 80 80 02"), after: REQUIRED },
  { title: "a length varint of 11 bytes", fault: hex("3a 81 80 80 80 80 80 80 80 80 80 00 61"), pointer: "/run_id" },
  { title: "a tag of six bytes", fault: hex("ba 80 80 80 80 00 01 61"), after: int(9, 3) },
  { title: "a tag of 33 bits", fault: hex("ba 80 80 80 10 01 61"), after: int(9, 3) },
  { title: "a tag of 35 bits", fault: hex("ff ff ff ff 7f"), after: REQUIRED },
  { title: "a tag that is cut", fault: hex("80 80") },
  { title: "field number 0", fault: hex("00 01"), after: REQUIRED },
  { title: "field number 0, a length", fault: hex("02 00"), after: REQUIRED },
  { title: "field number 0 in a Value", fault: withResult(hex("00 01")), pointer: "/result" },
  { title: "field number 0 in a group", fault: hex("73 00 01 74"), after: REQUIRED },
  { title: "wire type 6", fault: hex("76"), after: REQUIRED },
  { title: "wire type 7", fault: hex("77"), after: REQUIRED },
  { title: "wire type 6 of a known field", fault: hex("3e 01 61"), after: int(9, 3), pointer: null },
  { title: "an end of group without a start", fault: hex("74"), after: REQUIRED },
  { title: "an end of group of a known field", fault: hex("3c"), after: REQUIRED, pointer: "/run_id" },
  { title: "a group that does not end", fault: cat(hex("73"), REQUIRED) },
  { title: "a group that its parent ends", fault: withResult(hex("73 08 01")), pointer: "/result" },
  { title: "a group that another one ends", fault: hex("73 7c"), after: REQUIRED },
  { title: "crossed groups", fault: hex("73 a301 74 a401"), after: REQUIRED },
  { title: "an end of group in a Value", fault: withResult(hex("74")), pointer: "/result" },
  { title: "an end of group of another level", fault: cat(hex("73"), len(14, hex("74"))) },
  { title: "a length beyond the buffer in a group", fault: hex("73 12 05 61 74") },
  { title: "an unknown length beyond the buffer", fault: hex("72 7f") },
  { title: "an unknown fixed64 that is cut", fault: hex("71 00 00 00") },
  { title: "an unknown fixed32 that is cut", fault: hex("75 00") },
  { title: "preserved with a varint as member", fault: len(15, hex("08 01")), after: REQUIRED, pointer: "/preserved" },
  { title: "preserved with a varint as word", fault: len(15, hex("10 01")), after: REQUIRED, pointer: "/preserved" },
  { title: "preserved with a varint as number", fault: len(15, hex("18 01")), after: REQUIRED, pointer: "/preserved" },
  { title: "a member's key as a varint", fault: len(15, len(1, hex("08 01"))), after: REQUIRED, pointer: "/preserved" },
  { title: "a word as a varint", fault: len(15, len(2, hex("10 01"))), after: REQUIRED, pointer: "/preserved" },
  { title: "a node's key as a varint", fault: len(15, len(3, hex("08 01"))), after: REQUIRED, pointer: "/preserved" },
  { title: "a node's index as a length", fault: len(15, len(3, hex("12 00"))), after: REQUIRED, pointer: "/preserved" },
  { title: "a node's text as a varint", fault: len(15, len(3, hex("18 00"))), after: REQUIRED, pointer: "/preserved" },
  {
    title: "a node's child as a varint",
    fault: len(15, len(3, len(4, hex("20 00")))),
    after: REQUIRED,
    pointer: "/preserved",
  },
  { title: "a node past the sidecar", fault: len(15, hex("1a 09")), after: REQUIRED, pointer: "/preserved" },
  {
    title: "a preserved Value's kind",
    pointer: "/preserved",
    fault: len(15, member(1, "x", hex("08"))),
    after: REQUIRED,
  },
  { title: "a Value's null as a length", fault: withResult(hex("0a 00")), pointer: "/result" },
  { title: "a Value's number as a varint", fault: withResult(hex("10 01")), pointer: "/result" },
  { title: "a Value's number as a fixed32", fault: withResult(hex("15 00000000")), pointer: "/result" },
  { title: "a Value's string as a varint", fault: withResult(hex("18 01")), pointer: "/result" },
  { title: "a Value's bool as a length", fault: withResult(hex("22 00")), pointer: "/result" },
  { title: "a Value's struct as a group", fault: withResult(hex("2b 2c")), pointer: "/result" },
  { title: "a Value's list as a varint", fault: withResult(hex("30 01")), pointer: "/result" },
  { title: "a Struct's entry as a varint", fault: withResult(len(5, hex("08 01"))), pointer: "/result" },
  { title: "an entry's key as a varint", fault: withResult(len(5, len(1, hex("08 01")))), pointer: "/result" },
  {
    title: "an entry's value as a fixed64",
    fault: withResult(len(5, len(1, hex("11 0000000000000000")))),
    pointer: "/result",
  },
  { title: "an element as a varint", fault: withResult(len(6, hex("08 01"))), pointer: "/result" },
  {
    title: "a value that another overwrites",
    fault: cat(len(6, hex("18 01")), len(6, v(1))),
    after: REQUIRED,
    pointer: "/result",
  },
  {
    title: "an entry that another overwrites",
    fault: withResult(len(5, len(1, str(1, "a"), len(2, hex("18 01"))), member(1, "a", v(1)))),
    pointer: "/result",
  },
];

const notUtf8 = [
  "80",
  "ff",
  "c080",
  "c1af",
  "e09fbf",
  "eda080",
  "edbfbf",
  "f08fbfbf",
  "f4908080",
  "f5808080",
  "c3",
  "e282",
  "f09f98",
  "61c3",
  "e24141",
  "efbfbdff",
];
const strings: [title: string, pointer: string, wrap: (bad: Uint8Array) => Uint8Array][] = [
  ["error", "/error", (bad) => cat(len(2, bad), REQUIRED)],
  ["run_id", "/run_id", (bad) => cat(len(7, bad), int(9, 3))],
  [
    "reason, in a long text",
    "/reason",
    (bad) => cat(len(5, new Uint8Array(500).fill(0x61), bad, new Uint8Array(500).fill(0x62)), REQUIRED),
  ],
  ["error, overwritten", "/error", (bad) => cat(len(2, bad), str(2, "good"), REQUIRED)],
  ["a Value's string", "/result", (bad) => withResult(len(3, bad))],
  ["a Value's string, overwritten", "/result", (bad) => withResult(cat(len(3, bad), v(1)))],
  ["an element", "/result", (bad) => withResult(len(6, len(1, len(3, bad))))],
  ["a key", "/result", (bad) => withResult(len(5, len(1, len(1, bad), len(2, v(1)))))],
  ["a key, overwritten", "/result", (bad) => withResult(len(5, len(1, len(1, bad), str(1, "a"), len(2, v(1)))))],
  ["a member's key", "/preserved", (bad) => cat(REQUIRED, len(15, len(1, len(1, bad), len(2, v(1)))))],
  ["a word", "/preserved", (bad) => cat(REQUIRED, len(15, len(2, str(1, "status"), len(2, bad))))],
  ["a word's key", "/preserved", (bad) => cat(REQUIRED, len(15, len(2, len(1, bad), str(2, "x"))))],
  ["a node's key", "/preserved", (bad) => cat(REQUIRED, len(15, len(3, len(1, bad))))],
  ["a node's text", "/preserved", (bad) => cat(REQUIRED, len(15, len(3, len(3, bad))))],
];

describe("malformed", () => {
  test.each(faults)("$title", ({ fault, after = new Uint8Array(0), code = BAD, pointer = "" }) => {
    const offset: [number, number] = [0, fault.length];
    refuseBinary(cat(fault, after), { code, pointer: pointer ?? undefined, offset });
    // The same after 2, 130 and 20,000 bytes of good fields: the place moves along.
    for (const lead of [int(1, 1), str(2, "x".repeat(127)), str(5, "y".repeat(19_996))]) {
      refuseBinary(cat(lead, fault, after), {
        code,
        pointer: pointer ?? undefined,
        offset: [lead.length, lead.length + fault.length],
      });
    }
  });
});

describe("strings that are not UTF-8", () => {
  test.each(strings)("%s", (_, pointer, wrap) => {
    for (const bad of notUtf8) {
      const binary = wrap(hex(bad));
      refuseBinary(binary, { code: "invalid_utf8", pointer, offset: [0, binary.length] });
    }
  });
});

describe("a fault of the encoding goes before one of what it says", () => {
  const encoding: [title: string, code: WireErrorCode, fault: Uint8Array][] = [
    ["bad UTF-8", "invalid_utf8", len(2, hex("61ff"))],
    ["bad UTF-8 in a result", "invalid_utf8", len(4, len(5, member(1, "a", len(3, hex("c3")))))],
    ["another wire type", BAD, int(5, 1)],
    ["field number 0", BAD, hex("0001")],
    ["a length beyond the end", BAD, hex("2a7f")],
  ];
  const said: [title: string, code: WireErrorCode, fault: Uint8Array][] = [
    ["no number", "out_of_range", cat(REQUIRED, len(6, double(2, Number.NaN)))],
    ["a member of a wrong type", "wrong_type", cat(int(9, 3), len(15, member(1, "runId", valueBytes(null))))],
  ];

  test.each(said)("%s, by itself", (_, code, bytes) => {
    refuseBinary(bytes, { code });
  });

  for (const [title, code, fault] of encoding) {
    test.each(said)(`${title}, beside: %s`, (_title, _code, bytes) => {
      if (title !== "a length beyond the end") refuseBinary(cat(fault, bytes), { code });
      refuseBinary(cat(bytes, fault), { code });
    });
  }

  test("in a later member of the sidecar", () => {
    const bad = member(1, "x", len(3, hex("ff")));
    refuseBinary(cat(int(9, 3), len(15, member(1, "runId", valueBytes(null)), bad)), { code: "invalid_utf8" });
  });
});

describe("what Protobuf-ES accepts though the specification forbids it", () => {
  test.each<[title: string, bytes: string]>([
    ["a known field with another wire type", "3803616263"],
    ["a child that ends outside its parent", "1a021a056162636465"],
  ])("%s: Protobuf-ES reads it, we do not", (_, bytes) => {
    expect(() => fromBinary(Envelope, hex(bytes))).not.toThrow();
    refuseBinary(hex(bytes), { code: BAD });
  });
});

describe("no allocation by a declared length", () => {
  test.each([
    "3a ff ff ff ff 07",
    "32 ff ff ff ff 07 1a ff ff ff ff 07",
    "7a ff ff ff 7f 0a ff ff ff 7f",
    "72 ff ff ff ff 0f",
  ])("%s", (bytes) => {
    const before = process.memoryUsage().arrayBuffers;
    for (let i = 0; i < 50; i++) refusal(() => binaryToSerdeJson(Envelope, hex(bytes)), { code: BAD });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024);
  });
});

describe("size", () => {
  test("is 512 MiB unless said otherwise, before any work", () => {
    const limit = 512 * 1024 * 1024;
    const large = new Uint8Array(limit + 1);
    refusal(() => binaryToSerdeJson(Envelope, large), { code: "too_large" });
    refusal(() => checkBinary(Envelope, large), { code: "too_large" });
    // One byte less is looked at, and its first tag is field number 0.
    refusal(() => binaryToSerdeJson(Envelope, large.subarray(1)), { code: BAD, offset: 0 });
  });
});

describe("neither bytes nor anything like it", () => {
  test.each([[null], [undefined], ["3a0161"], [{}], [[0x3a]], [new ArrayBuffer(2)], [new Uint16Array(2)]])(
    "%o",
    (input) => {
      refusal(() => binaryToSerdeJson(Envelope, input as unknown as Uint8Array), { code: "wrong_type" });
      refusal(() => checkBinary(Envelope, input as unknown as Uint8Array), { code: "wrong_type" });
    },
  );
});

test("the place in a deep binary is the byte, the pointer the envelope's field", () => {
  const bad = hex("18 01");
  const binary = cat(str(7, "a"), len(6, len(6, len(1, len(5, len(1, str(1, "k"), len(2, bad)))))), int(9, 3));
  const error = refuseBinary(binary, { code: BAD, pointer: "/result" });
  expect(binary.subarray(error.offset!, error.offset! + 2)).toEqual(bad);
});
