// The framing alone, with stand-ins for the transcoders: how streams are cut into records, whatever the chunks are.
import { describe, expect, test } from "vitest";
import { WireError } from "../src/error.js";
import { DelimitedReader } from "../src/stream/delimited-reader.js";
import { LineReader } from "../src/stream/line-reader.js";
import type { RecordStreamOptions } from "../src/stream/options.js";
import { RecordPipe, writeLine } from "../src/stream/record-pipe.js";
import type { RecordReader } from "../src/stream/record-reader.js";
import { cat, hex, varint } from "./support/wire.js";

const utf8 = (text: string) => new TextEncoder().encode(text);

interface Seen {
  /** Records as text, in brackets, or faults as their codes. */
  events: string[];
  places: (readonly [record: number | undefined, offset: number | undefined, line: number | undefined])[];
}

/** Cuts a stream into chunks of so many bytes and tells what a reader makes of them. */
function read(reader: RecordReader, stream: Uint8Array, chunk: number): Seen {
  const seen: Seen = { events: [], places: [] };
  const take = () => {
    for (let record = reader.next(); record !== undefined; record = reader.next()) {
      const { fault, number, offset, line } = record;
      seen.events.push(fault?.code ?? `[${new TextDecoder("utf-8", { ignoreBOM: true }).decode(record.bytes)}]`);
      seen.places.push(fault === undefined ? [number, offset, line] : [fault.record, fault.offset, fault.line]);
    }
  };
  try {
    // Each chunk is overwritten after its use, as a reader of files does with its buffer.
    for (let at = 0; at < stream.length; at += chunk) {
      const piece = stream.slice(at, at + chunk);
      reader.push(piece);
      take();
      piece.fill(0x7f);
    }
    reader.end();
    take();
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    seen.events.push(`!${error.code}`);
    seen.places.push([error.record, error.offset, error.line]);
  }
  return seen;
}

const CHUNKS = [1, 2, 3, 5, 4096];

function readInAnyChunks(make: () => RecordReader, stream: Uint8Array): Seen {
  const [whole, ...others] = CHUNKS.map((size) => read(make(), stream, size));
  for (const other of others) expect(other).toEqual(whole);
  return whole!;
}

describe("NDJSON lines", () => {
  const lines = (text: string, maxBytes = 100) => readInAnyChunks(() => new LineReader(maxBytes), utf8(text));

  test.each([
    ["LF", "a\nbb\n", ["[a]", "[bb]"]],
    ["CRLF", "a\r\nbb\r\n", ["[a]", "[bb]"]],
    ["a last line without an end", "a\nbb", ["[a]", "[bb]"]],
    ["a last line that ends with CR", "a\nbb\r", ["[a]", "[bb]"]],
    ["blank lines", "\n\r\n  \t\na\n\n\r\n", ["[a]"]],
    ["nothing", "", []],
    ["nothing but a line end", "\n", []],
    [
      "U+2028, U+2029, U+0085 and a lone CR inside",
      "a\u2028b\u2029c\u0085d\re\nf",
      ["[a\u2028b\u2029c\u0085d\re]", "[f]"],
    ],
    ["two CRs", "a\r\r\n", ["[a\r]"]],
    ["a BOM is part of the first line", "\ufeffa\n", ["[\ufeffa]"]],
  ])("%s", (_, text, events) => {
    expect(lines(text).events).toEqual(events);
  });

  test("records, offsets and lines count what is there", () => {
    expect(lines("\nü\r\n\n\nb\n").places).toEqual([
      [1, 1, 2],
      [2, 7, 5],
    ]);
  });

  test.each([
    ["at the limit", "abcd\nx", ["[abcd]", "[x]"]],
    ["at the limit with CRLF", "abcd\r\nx", ["[abcd]", "[x]"]],
    ["over the limit", "abcde\nx", ["too_large", "[x]"]],
    ["over the limit by a CR that ends no line", "abcd\rx\nx", ["too_large", "[x]"]],
    ["over the limit by two CRs", "abcd\r\r\nx", ["too_large", "[x]"]],
    ["far over the limit", `${"a".repeat(5000)}\nx\n`, ["too_large", "[x]"]],
    ["over the limit in the last line", "x\nabcde", ["[x]", "too_large"]],
    ["a blank line over the limit", "      \nx", ["too_large", "[x]"]],
    ["two in a row", "abcdef\nabcdef\r\nx", ["too_large", "too_large", "[x]"]],
  ])("%s", (_, text, events) => {
    expect(lines(text, 4).events).toEqual(events);
  });

  test("a line is refused as soon as it exceeds the limit, and says limit and size", () => {
    const reader = new LineReader(4);
    reader.push(utf8("x\nabcd"));
    expect(reader.next()?.fault).toBeUndefined();
    expect(reader.next()).toBeUndefined();
    reader.push(utf8("e"));
    const fault = reader.next()?.fault;
    expect(fault).toMatchObject({ code: "too_large", record: 2, offset: 2, line: 2, column: 1 });
    expect(fault?.message).toMatch(/at least 5 bytes.*limit of 4 bytes/);
  });
});

describe("size-delimited records", () => {
  const record = (text: string) => cat(varint(text.length), utf8(text));
  const records = (stream: Uint8Array, maxBytes = 100) => readInAnyChunks(() => new DelimitedReader(maxBytes), stream);

  test.each([
    ["one after the other", cat(record("a"), record("bcd")), ["[a]", "[bcd]"]],
    ["none", cat(), []],
    ["empty ones", hex("00 00 01 61 00"), ["[]", "[]", "[a]", "[]"]],
    ["a size in more bytes than it needs", hex("81 80 80 00 61 80 00"), ["[a]", "[]"]],
    ["a size in all ten bytes", hex("81 80 80 80 80 80 80 80 80 00 61"), ["[a]"]],
    ["a header of two bytes", cat(varint(90), utf8("z".repeat(90)), record("a")), [`[${"z".repeat(90)}]`, "[a]"]],
    ["one over the limit, passed over", cat(varint(3000), utf8("z".repeat(3000)), record("a")), ["too_large", "[a]"]],
    [
      "two over the limit",
      cat(varint(101), utf8("z".repeat(101)), varint(101), utf8("z".repeat(101))),
      ["too_large", "too_large"],
    ],
    ["cut in a record", cat(record("a"), hex("03 6162")), ["[a]", "truncated"]],
    ["cut after a header", cat(record("a"), hex("03")), ["[a]", "truncated"]],
    ["cut in a header", cat(record("a"), hex("83")), ["[a]", "truncated"]],
    ["cut in one over the limit, which has been reported", hex("e8 07 61"), ["too_large"]],
    ["a size of eleven bytes", cat(record("a"), hex("80 80 80 80 80 80 80 80 80 80 00")), ["[a]", "!malformed_binary"]],
    ["a size beyond 64 bits", cat(record("a"), hex("ff ff ff ff ff ff ff ff ff 02")), ["[a]", "!malformed_binary"]],
  ])("%s", (_, stream, events) => {
    expect(records(stream).events).toEqual(events);
  });

  test("records and offsets count what is there", () => {
    const stream = cat(record("a"), hex("00"), varint(101), utf8("z".repeat(101)), record("bc"), hex("05"));
    expect(records(stream).places).toEqual([
      [1, 1, undefined],
      [2, 3, undefined],
      [3, 3, undefined],
      [4, 106, undefined],
      [5, 108, undefined],
    ]);
  });

  // What hostile headers declare, and what the limit makes of it before a byte of the record is there.
  test.each([
    ["ffffffff0f", "4294967295"],
    ["808080800800", "2147483648"],
    ["8180802000", "67108865"],
    ["ffffffffffffffffff01", "18446744073709551615"],
    ["80808080808080808001", "9223372036854775808"],
  ])("%s is refused from the header, with limit and size", (header, size) => {
    const reader = new DelimitedReader(64 * 1024 * 1024);
    reader.push(hex(header));
    const fault = reader.next()?.fault;
    expect(fault).toMatchObject({ code: "too_large", record: 1, offset: 0 });
    expect(fault?.message).toContain(`a record of ${size} bytes is over the limit of 67108864 bytes`);
  });

  test("memory grows with what has come, not with what was declared", () => {
    const reader = new DelimitedReader(2 ** 40);
    const before = process.memoryUsage().arrayBuffers;
    reader.push(cat(varint(2 ** 39), hex("00")));
    expect(reader.next()).toBeUndefined();
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1024 * 1024);
    reader.end();
    expect(reader.next()?.fault?.message).toContain("ends 1 bytes into a record of 549755813888");
  });
});

describe("the pipe", () => {
  /** A stand-in for a transcoder: it takes every record but "bad", and counts what it is given. */
  function pipe(options: RecordStreamOptions, batchBytes: number) {
    const carried: string[] = [];
    const made = new RecordPipe(
      new LineReader(100),
      (record, output) => {
        const text = new TextDecoder().decode(record.bytes);
        carried.push(text);
        if (text === "bad") throw new WireError("wrong_type", "bad", { pointer: "/x", offset: 1, line: 1, column: 2 });
        if (text === "bug") throw new RangeError("bug");
        writeLine(record.bytes, output);
      },
      options,
      batchBytes,
    );
    return { carried, pipe: made };
  }
  const text = (bytes: Uint8Array | undefined) => (bytes === undefined ? undefined : new TextDecoder().decode(bytes));

  test("makes nothing before it is asked for, and hands over batches", () => {
    const { pipe: made, carried } = pipe({}, 4);
    made.push(utf8("a\nb\nc\nd\ne\n"));
    expect(carried).toEqual([]);
    expect(text(made.next())).toBe("a\nb\n");
    expect(carried).toEqual(["a", "b"]);
    expect(text(made.next())).toBe("c\nd\n");
    expect(text(made.next())).toBe("e\n");
    expect(made.next()).toBeUndefined();
    expect(made.records).toBe(5);
  });

  test("leaves a batch as it is while the next one is made, with chunks that give nothing in between", () => {
    const { pipe: made } = pipe({}, 4);
    made.push(utf8("a\nb\nc"));
    const first = made.next();
    for (let quiet = 0; quiet < 3; quiet++) {
      expect(made.next()).toBeUndefined();
      made.push(utf8("c"));
    }
    expect(made.next()).toBeUndefined();
    made.push(utf8("\n"));
    expect(text(made.next())).toBe("cccc\n");
    expect(text(first)).toBe("a\nb\n");
  });

  test("stops at a bad record, after all that came before it, and stays stopped", () => {
    const { pipe: made } = pipe({}, 1000);
    made.push(utf8("a\nb\n\nbad\nc\n"));
    expect(text(made.next())).toBe("a\nb\n");
    const place = { code: "wrong_type", record: 3, line: 4, column: 2, offset: 6, pointer: "/x" };
    expect(() => made.next()).toThrow(expect.objectContaining(place));
    expect(() => made.next()).toThrow(expect.objectContaining(place));
  });

  test("skips bad records and tells of each in its place", () => {
    const faults: WireError[] = [];
    const { pipe: made } = pipe({ onError: "skip", onSkip: (error) => faults.push(error) }, 1000);
    made.push(utf8(`a\nbad\nb\n${"x".repeat(101)}\nbad\nc`));
    expect(text(made.next())).toBe("a\nb\n");
    expect(made.next()).toBeUndefined();
    made.end();
    expect(text(made.next())).toBe("c\n");
    expect(faults.map(({ code, record, line }) => [code, record, line])).toEqual([
      ["wrong_type", 2, 2],
      ["too_large", 4, 4],
      ["wrong_type", 5, 5],
    ]);
    expect(made.skipped).toBe(3);
  });

  test("what is no fault of the input is never skipped", () => {
    const { pipe: made } = pipe({ onError: "skip" }, 1000);
    made.push(utf8("a\nbug\n"));
    expect(text(made.next())).toBe("a\n");
    expect(() => made.next()).toThrow(RangeError);
  });

  test("what the callback throws ends the stream", () => {
    const onSkip = () => {
      throw new Error("enough");
    };
    const { pipe: made } = pipe({ onError: "skip", onSkip }, 1000);
    made.push(utf8("bad\na\n"));
    expect(() => made.next()).toThrow("enough");
  });
});
