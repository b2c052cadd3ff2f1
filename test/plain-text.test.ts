// What finds the end of plain text and copies it, many bytes at a time, against doing so byte by byte.

import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { binaryToSerdeJson, serdeJsonToBinary } from "../src/index.js";
import { copyText, notAscii, plainEnd, TEXT_SLACK } from "../src/plain-text.js";
import { Envelope } from "./support/entry-points.js";
import { Random } from "./support/numbers.js";

const ends = (c: number) => c < 0x20 || c === 0x22 || c === 0x5c;
const HIGH = 0x80808080 | 0;

/** The same, byte by byte; beyond `last` it stops after a whole block. */
function byteByByte(bytes: Uint8Array, p: number, last: number): { end: number; ascii: boolean } {
  const limit = p > last ? p : p + Math.ceil((last + 1 - p) / 16) * 16;
  let end = p;
  while (end < limit && !ends(bytes[end]!)) end++;
  return { end, ascii: bytes.subarray(p, end).every((c) => c < 0x80) };
}

function agrees(bytes: Uint8Array, p: number, last: number): void {
  const wanted = byteByByte(bytes, p, last);
  const end = plainEnd(new DataView(bytes.buffer), p, last);
  // One message for millions of comparisons: building each costs more than the comparison.
  if (end !== wanted.end) expect.fail(`${end}, not ${wanted.end}, from ${p} of ${bytes}`);
  // It may have seen more than is before the end, never less.
  if (!wanted.ascii && (notAscii & HIGH) === 0) expect.fail(`not ASCII from ${p} up to ${end} of ${bytes}`);
}

describe("plainEnd", () => {
  test("every byte at every place of a block", () => {
    for (const filler of [0x20, 0x21, 0x23, 0x5b, 0x5d, 0x61, 0x7e, 0x7f, 0x80, 0xa0, 0xa2, 0xdc, 0xff]) {
      for (let place = 0; place < 48; place++) {
        const bytes = new Uint8Array(64).fill(filler);
        for (let byte = 0; byte < 256; byte++) {
          bytes[place] = byte;
          agrees(bytes, 0, 48);
          agrees(bytes, 3, 48);
        }
      }
    }
  });

  test("every pair of bytes next to each other", () => {
    const bytes = new Uint8Array(32).fill(0x61);
    for (const place of [0, 2, 3, 7, 11, 14]) {
      for (let pair = 0; pair < 1 << 16; pair++) {
        bytes[place] = pair >> 8;
        bytes[place + 1] = pair & 255;
        agrees(bytes, 0, 16);
      }
      bytes.fill(0x61);
    }
  });

  test("random bytes from every position, up to every limit", () => {
    const random = new Random(20261201);
    for (let round = 0; round < 2000; round++) {
      const kind = round % 4;
      const bytes = Uint8Array.from({ length: 96 }, () => {
        const c = random.below(256);
        if (kind === 0) return c;
        if (random.below(40) === 0) return [0x22, 0x5c, 0x0a, 0x00][c & 3]!;
        return kind === 1 ? 0x80 | c : kind === 2 ? 0x23 + (c % 0x39) : 0x5d + (c % 0x23);
      });
      for (let p = 0; p < 40; p++) agrees(bytes, p, 80 - random.below(64));
    }
  });

  test("nothing is read where nothing may be", () => {
    const bytes = new DataView(new ArrayBuffer(16));
    expect(plainEnd(bytes, 1, 0)).toBe(1);
    expect(plainEnd(bytes, 0, -16)).toBe(0);
    expect(notAscii).toBe(0);
  });
});

describe("copyText", () => {
  test("every size at every alignment, and not further than it says", () => {
    const from = Uint8Array.from({ length: 256 }, (_, i) => 0x20 + ((i * 7) % 0x5f));
    for (let size = 0; size < 130; size++) {
      for (let p = 0; p < 9; p++) {
        for (let o = 0; o < 9; o++) {
          const to = new Uint8Array(256);
          const done = copyText(new DataView(from.buffer), p, p + size, new DataView(to.buffer), o, 256 - TEXT_SLACK);
          expect(done).toBeGreaterThanOrEqual(p + size);
          expect(done).toBeLessThan(p + Math.max(size, 1) + TEXT_SLACK);
          const same = to.every((c, i) => c === (i < o || i >= o + done - p ? 0 : from[p + i - o]));
          if (!same) expect.fail(`${size} bytes from ${p} to ${o}: ${to}`);
        }
      }
    }
  });

  test("what cannot be read by blocks is left", () => {
    const from = new Uint8Array(40).fill(0x61);
    const to = new Uint8Array(80);
    expect(copyText(new DataView(from.buffer), 4, 40, new DataView(to.buffer), 0, 40 - TEXT_SLACK)).toBe(36);
    expect(copyText(new DataView(from.buffer), 9, 40, new DataView(to.buffer), 40, 40 - TEXT_SLACK)).toBe(9);
    expect([...to].filter((c) => c !== 0)).toHaveLength(32);
  });

  test("every character comes through at every alignment", () => {
    // UTF-8 has no bytes that are a NaN's, whose bits need not be kept.
    const edges = [0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xfff0, 0xffff, 0x10000, 0x3ffff, 0x40000, 0x10ffff];
    const text = edges.map((point) => `${String.fromCodePoint(point)}\u007f\u007f`).join("");
    for (let pad = 0; pad < 16; pad++) {
      const from = new Uint8Array(256);
      const { written } = new TextEncoder().encodeInto("x".repeat(pad) + text, from);
      const to = new Uint8Array(256);
      copyText(new DataView(from.buffer), 0, written, new DataView(to.buffer), 0, 256 - TEXT_SLACK);
      expect(new TextDecoder().decode(to.subarray(0, written))).toBe("x".repeat(pad) + text);
    }
  });
});

describe("at the very end of an input", () => {
  // Shorter inputs are copied to where there is room behind them.
  const long = "y".repeat(5000);

  test.each(["", "é", "\n", "漢\\"])("strings of every size, with %j in them", (special) => {
    for (let size = 0; size < 140; size++) {
      for (const at of [0, size >> 1, size]) {
        const text = "x".repeat(at) + special + "x".repeat(size - at);
        for (const json of [
          `{"status":"completed","run_id":"r","result":["${long}",${JSON.stringify(text)}]}`,
          `{"status":"completed","run_id":"r","result":["${long}",${JSON.stringify(text)},"15 bytes behind"]}`,
          `{"status":"completed","run_id":"r","result":{"l":"${long}",${JSON.stringify(text)}:${JSON.stringify(text)}}}`,
          `{"status":"completed","result":"${long}","run_id":${JSON.stringify(`r${text}`)}}`,
        ]) {
          const bytes = new TextEncoder().encode(json);
          const binary = serdeJsonToBinary(Envelope, bytes);
          const theirs = toBinary(Envelope, fromBinary(Envelope, binary));
          // The order of fields is the JSON's; sizes and contents are compared.
          expect(theirs.length).toBe(binary.length);
          expect(new TextDecoder().decode(binaryToSerdeJson(Envelope, binary))).toBe(json);
        }
      }
    }
  });
});
