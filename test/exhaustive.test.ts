// Every proper prefix and every single-byte change of good inputs: a WireError, or what Protobuf-ES reads too.
import { fromBinary } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import {
  binaryToSerdeJsonString,
  fromSerdeJsonString,
  serdeJsonToBinary,
  toSerdeJsonString,
  WireError,
} from "../src/index.js";
import { decode, Envelope, encode, refuseBinary } from "./support/entry-points.js";
import { readTree, unordered, withDoubles } from "./support/json-tree.js";
import { judge } from "./support/judge.js";
import { capture } from "./support/material.js";
import { envelopeNode } from "./support/peer-model.js";
import { cat, group, hex, int, len, member, REQUIRED, str, toHex, valueBytes, withResult } from "./support/wire.js";

const GOOD_TEXTS = [
  capture("dbedit-all-fields"),
  capture("limit-timeout"),
  '{ "run_id" : "é😀\\ud83d\\ude00\\n" , "status" : "odd" , "attempt" : -12 , "result" : [ 1.0 , 2e3 , -0 , { "a" : null , "a" : [ true , false ] } ] , "x" : { } , "preserved" : 9007199254740993 }',
];

/** Small binaries that between them hold every kind of field and of wire element. */
const GOOD_BINARIES: [title: string, binary: Uint8Array][] = [
  ["required fields", REQUIRED],
  ["scalars", encode('{"attempt":300,"error":"é","reason":"","run_id":"a","status":"error"}')],
  [
    "scalars of Values",
    encode('{"failure":null,"pause_info":true,"result":0.5,"run_id":"a","snapshot":"x","status":"paused"}'),
  ],
  ["an object", encode('{"result":{"a":1,"":[null]},"run_id":"a","status":"completed"}')],
  ["an array", encode('{"result":[[],{},"é"],"run_id":"a","status":"completed"}')],
  ["members", encode('{"run_id":"a","status":"completed","x":[true],"y":{}}')],
  ["a word", encode('{"run_id":"a","status":"odd"}')],
  ["number texts", encode('{"result":[1.0,{"k":2.0}],"run_id":"a","status":"completed"}')],
  ["a member's number text", encode('{"run_id":"a","status":"completed","x":1e16}')],
  [
    "unknown fields",
    cat(
      REQUIRED,
      int(20, 300),
      str(21, "x"),
      hex("b101 0102030405060708"),
      hex("bd01 01020304"),
      group(24, int(1, 1), group(25)),
    ),
  ],
  ["a field twice", cat(len(6, valueBytes({ a: 1 })), REQUIRED, len(6, valueBytes({ b: "x" })))],
  ["an entry turned round", withResult(len(5, len(1, len(2, valueBytes(null)), str(1, "k")), len(1)))],
  ["two kinds in a Value", withResult(cat(valueBytes("s"), valueBytes([]), valueBytes(false)))],
  [
    "members that name fields",
    cat(
      int(9, 0),
      len(
        15,
        member(1, "runId", valueBytes("a")),
        member(1, "attempt", valueBytes(3)),
        member(1, "status", valueBytes("paused")),
      ),
    ),
  ],
  ["a varint of ten bytes", cat(int(1, -1), REQUIRED)],
];

describe("proper prefixes", () => {
  test.each(GOOD_TEXTS.map((text, i): [number, string] => [i, text]))("of text %i are refused, each", (_, text) => {
    serdeJsonToBinary(Envelope, text);
    const bytes = new TextEncoder().encode(text);
    for (let length = 0; length < bytes.length; length++) {
      for (const run of [serdeJsonToBinary, fromSerdeJsonString]) {
        let error: unknown;
        try {
          run(Envelope, bytes.subarray(0, length));
        } catch (caught) {
          error = caught;
        }
        expect(error, text.slice(0, length)).toBeInstanceOf(WireError);
        const { code, offset } = error as WireError;
        expect(["syntax", "invalid_utf8"], `${length}: ${(error as WireError).message}`).toContain(code);
        expect(offset).toBeLessThanOrEqual(length);
      }
    }
    for (let length = 0; length < text.length; length++) {
      expect(() => serdeJsonToBinary(Envelope, text.slice(0, length))).toThrow(WireError);
    }
  });

  test.each([...GOOD_BINARIES, ["a whole envelope", encode(capture("limit-timeout"))] as const])(
    "of the binary with %s",
    (_, binary) => {
      expect(judge(binary)).toBe("read");
      let read = 0;
      for (let length = 0; length < binary.length; length++) {
        if (judge(binary.slice(0, length)) === "read") read++;
      }
      // The cut is between two fields of the envelope in few places.
      expect(read).toBeGreaterThan(0);
      expect(read).toBeLessThan(20);
    },
  );

  test("of a binary inside one field are refused", () => {
    const binary = encode(capture("limit-timeout"));
    const snapshot = binary.indexOf(0x42);
    expect(snapshot).toBeGreaterThan(0);
    refuseBinary(binary.slice(0, snapshot + 10), { code: "malformed_binary", pointer: "/snapshot" });
  });
});

describe("single-byte changes", () => {
  test.each(GOOD_BINARIES)("of the binary with %s, each byte to each other value", (_, binary) => {
    expect(judge(binary)).toBe("read");
    let read = 0;
    let refused = 0;
    for (let at = 0; at < binary.length; at++) {
      const changed = Uint8Array.from(binary);
      for (let value = 0; value < 256; value++) {
        if (value === binary[at]) continue;
        changed[at] = value;
        if (judge(changed) === "read") read++;
        else refused++;
      }
    }
    expect(read + refused).toBe(binary.length * 255);
    expect(read).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
  });

  test.each(GOOD_TEXTS.map((text, i): [number, string] => [i, text]))(
    "of text %i: read or a WireError, and what is read stays what it is",
    (_, text) => {
      const bytes = new TextEncoder().encode(text);
      const interesting = [
        0x00, 0x09, 0x0a, 0x1f, 0x20, 0x22, 0x2c, 0x2d, 0x2e, 0x30, 0x31, 0x3a, 0x5b, 0x5c, 0x5d, 0x61, 0x65, 0x75,
        0x7b, 0x7d, 0x7f, 0x80, 0xbf, 0xc3, 0xe2, 0xed, 0xf0, 0xff,
      ];
      for (let at = 0; at < bytes.length; at++) {
        const changed = Uint8Array.from(bytes);
        for (const value of interesting) {
          changed[at] = value;
          let binary: Uint8Array;
          try {
            binary = serdeJsonToBinary(Envelope, changed);
          } catch (error) {
            if (!(error instanceof WireError)) throw error;
            continue;
          }
          const printed = binaryToSerdeJsonString(Envelope, binary);
          // JSON.parse accepts what was accepted (it says nothing about the envelope's own rules).
          JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(changed));
          expect(toHex(serdeJsonToBinary(Envelope, printed))).toBe(toHex(binary));
        }
      }
    },
  );
});

describe("what Protobuf-ES reads of the good binaries", () => {
  test.each(GOOD_BINARIES)("%s", (_, binary) => {
    const message = fromBinary(Envelope, binary, { recursionLimit: 10_000 });
    expect(unordered(readTree(toSerdeJsonString(Envelope, message)))).toEqual(unordered(readTree(decode(binary))));
    expect(withDoubles(unordered(readTree(decode(binary))))).toEqual(unordered(envelopeNode(message)));
  });
});
