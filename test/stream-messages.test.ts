// Messages read from and written to streams, in both framings.
import { create, equals, fromBinary, toBinary } from "@bufbuild/protobuf";
import { sizeDelimitedDecodeStream } from "@bufbuild/protobuf/wire";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, test } from "vitest";
import {
  fromSerdeJsonString,
  readDelimited,
  readSerdeNdjson,
  type SessionFactoryRunFromToolResult,
  type WireError,
  writeDelimited,
  writeSerdeNdjson,
} from "../src/index.js";
import { Envelope } from "./support/entry-points.js";
import { captures } from "./support/material.js";
import { cat, hex, len, str, varint } from "./support/wire.js";

const utf8 = (text: string) => new TextEncoder().encode(text);
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

const envelopes = captures().filter(({ name }) => !name.startsWith("depth-"));
const messages = envelopes.map(({ bytes }) => fromSerdeJsonString(Envelope, bytes));

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const item of source) items.push(item);
  return items;
}

/** A source that uses one buffer for all its chunks, as readers of files do. */
async function* reusing(bytes: Uint8Array, chunk: number): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(chunk);
  for (let at = 0; at < bytes.length; at += chunk) {
    const piece = bytes.subarray(at, at + chunk);
    buffer.set(piece);
    yield buffer.subarray(0, piece.length);
    buffer.fill(0xff);
  }
}

function expectSame(found: SessionFactoryRunFromToolResult[]) {
  expect(found).toHaveLength(messages.length);
  for (const [index, message] of found.entries())
    expect(equals(Envelope, message, messages[index]!), envelopes[index]!.name).toBe(true);
}

describe("reading", () => {
  test.each([64, 4096, 10_000_000])("NDJSON in chunks of %d bytes", async (chunk) => {
    const stream = cat(...envelopes.flatMap(({ bytes }) => [bytes, utf8("\r\n")]));
    expectSame(await all(readSerdeNdjson(Envelope, reusing(stream, chunk))));
  });

  test.each([64, 4096, 10_000_000])("size-delimited messages in chunks of %d bytes", async (chunk) => {
    const stream = cat(...(await all(writeDelimited(Envelope, messages))));
    expectSame(await all(readDelimited(Envelope, reusing(stream, chunk))));
  });

  test("a web stream, an iterable and one that cannot be iterated", async () => {
    const line = utf8('{"run_id":"a","status":"error"}\n');
    const streams = () => new Blob([line, line]).stream() as ReadableStream<Uint8Array>;
    const bare = streams();
    const plain = { getReader: () => bare.getReader() } as ReadableStream<Uint8Array>;
    for (const source of [streams(), [line, line], plain]) {
      const found = await all(readSerdeNdjson(Envelope, source));
      expect(found.map(({ runId }) => runId)).toEqual(["a", "a"]);
    }
  });

  test("unknown fields stay what they were, whatever becomes of the chunks", async () => {
    const records = ["one", "two", "three"].map((word) => cat(hex("4807"), str(7, "r"), len(99, utf8(word))));
    const stream = cat(...records.flatMap((record) => [varint(record.length), record]));
    const found = await all(readDelimited(Envelope, reusing(stream, 5)));
    expect(found.map((message) => text(message.$unknown![0]!.data).slice(1))).toEqual(["one", "two", "three"]);
  });

  test("what Protobuf-ES alone would take, and the specification forbids, is refused in its place", async () => {
    const stream = hex("02 4807 05 3803 616263 02 4807");
    const good = await all(readDelimited(Envelope, [stream], { onError: "skip" }));
    expect(good).toHaveLength(2);
    await expect(all(readDelimited(Envelope, [stream]))).rejects.toMatchObject({ code: "malformed_binary", record: 2 });
  });

  test("groups nested without end are refused as everything else is", async () => {
    const depth = 200_000;
    const start = varint((99n << 3n) | 3n);
    const end = varint((99n << 3n) | 4n);
    // One array of all of them: as arguments, so many would be more than some engines' stacks hold.
    const groups = Uint8Array.from([start, end].flatMap((tag) => Array.from({ length: depth }, () => [...tag]).flat()));
    const stream = cat(varint(groups.length), groups, hex("02 4807"));
    const skipped: WireError[] = [];
    const found = await all(
      readDelimited(Envelope, [stream], { onError: "skip", onSkip: (error) => skipped.push(error) }),
    );
    expect(found).toHaveLength(1);
    expect(skipped).toHaveLength(1);
    expect(skipped[0]).toMatchObject({ code: "nesting_too_deep", record: 1 });
  });

  test("stopping and skipping", async () => {
    const lines = utf8('{"run_id":"a","status":"error"}\nbad\n{"run_id":"b","status":"error"}\n{"run_id"');
    const ids: string[] = [];
    const stopped = (async () => {
      for await (const { runId } of readSerdeNdjson(Envelope, [lines])) ids.push(runId);
    })();
    await expect(stopped).rejects.toMatchObject({ code: "syntax", record: 2, line: 2, column: 1, offset: 32 });
    expect(ids).toEqual(["a"]);
    const skipped: WireError[] = [];
    const found = await all(
      readSerdeNdjson(Envelope, [lines], { onError: "skip", onSkip: (error) => skipped.push(error) }),
    );
    expect(found.map(({ runId }) => runId)).toEqual(["a", "b"]);
    expect(skipped.map(({ code, record, line }) => [code, record, line])).toEqual([
      ["syntax", 2, 2],
      ["truncated", 4, 4],
    ]);
  });

  test("leaving the loop closes the source", async () => {
    let closed = false;
    async function* source() {
      try {
        for (;;) yield utf8('{"run_id":"a","status":"error"}\n');
      } finally {
        closed = true;
      }
    }
    for await (const _ of readSerdeNdjson(Envelope, source())) break;
    expect(closed).toBe(true);
  });

  test("a web stream that cannot be iterated is cancelled when the loop is left", async () => {
    let cancelled = false;
    const stream = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(utf8('{"run_id":"a","status":"error"}\n')),
      cancel: () => {
        cancelled = true;
      },
    });
    const plain = { getReader: () => stream.getReader() } as ReadableStream<Uint8Array>;
    for await (const _ of readSerdeNdjson(Envelope, plain)) break;
    expect(cancelled).toBe(true);
    expect(stream.locked).toBe(false);
  });
});

describe("writing", () => {
  test("NDJSON reads back as the same messages", async () => {
    const parts = await all(writeSerdeNdjson(Envelope, messages, { keys: "camelCase" }));
    expect(parts).toHaveLength(messages.length);
    for (const part of parts) expect(text(part)).toMatch(/^\{[^\n]*\}\n$/);
    expectSame(await all(readSerdeNdjson(Envelope, parts)));
  });

  test("Protobuf-ES reads the size-delimited stream", async () => {
    async function* later() {
      yield* messages;
    }
    const found: SessionFactoryRunFromToolResult[] = [];
    for await (const message of sizeDelimitedDecodeStream(Envelope, writeDelimited(Envelope, later())))
      found.push(message);
    expectSame(found);
  });

  test("the bytes are those of Protobuf-ES", async () => {
    const [first] = await all(writeDelimited(Envelope, messages.slice(0, 1)));
    const binary = toBinary(Envelope, messages[0]!);
    expect(first).toEqual(cat(varint(binary.length), binary));
    expect(fromBinary(Envelope, binary)).toEqual(messages[0]);
  });

  test.each([
    [
      "a NaN in a Value",
      { result: create(ValueSchema, { kind: { case: "numberValue", value: Number.NaN } }) },
      "out_of_range",
    ],
    ["a lone surrogate", { runId: "\ud83d" }, "invalid_utf8"],
  ])("%s is refused in both framings, after what came before it", async (_, init, code) => {
    const list = [create(Envelope, { runId: "a" }), create(Envelope, init)];
    for (const write of [writeSerdeNdjson(Envelope, list), writeDelimited(Envelope, list)]) {
      expect((await write.next()).done).toBe(false);
      await expect(write.next()).rejects.toMatchObject({ code, record: 2 });
    }
  });
});
