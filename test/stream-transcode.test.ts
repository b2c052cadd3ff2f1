// The two transform streams, on real envelopes, with Protobuf-ES's own size-delimited reader and writer as the peer.
import { fromBinary } from "@bufbuild/protobuf";
import { sizeDelimitedDecodeStream, sizeDelimitedEncode } from "@bufbuild/protobuf/wire";
import { describe, expect, test } from "vitest";
import {
  delimitedToSerdeNdjson,
  type SerdeReadStreamOptions,
  type SerdeWriteStreamOptions,
  serdeJsonToBinary,
  serdeNdjsonToDelimited,
  WireError,
} from "../src/index.js";
import { Envelope } from "./support/entry-points.js";
import { captures } from "./support/material.js";
import { cat, hex, toHex, varint } from "./support/wire.js";

const CHUNKS = [1, 7, 4096, 65_536, Number.POSITIVE_INFINITY];
const utf8 = (text: string) => new TextEncoder().encode(text);
const text = (bytes: Uint8Array) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);

const envelopes = captures().filter(({ name }) => !name.startsWith("depth-"));
/** Small enough to be sent byte by byte in a test. */
const small = envelopes.filter(({ bytes }) => bytes.length < 2000);
const ndjson = (of: typeof envelopes) => cat(...of.flatMap(({ bytes }) => [bytes, utf8("\n")]));
const delimited = (of: typeof envelopes) =>
  cat(
    ...of.flatMap(({ bytes }) => {
      const binary = serdeJsonToBinary(Envelope, bytes);
      return [varint(binary.length), binary];
    }),
  );

/** The bytes as a stream of chunks of so many bytes. */
function streamOf(bytes: Uint8Array, chunk: number): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + chunk));
      at += chunk;
    },
  });
}

interface Outcome {
  bytes: Uint8Array;
  error: unknown;
}

/** All that comes through, and what ended it. */
async function through(
  input: ReadableStream<Uint8Array>,
  transform: TransformStream<Uint8Array, Uint8Array>,
): Promise<Outcome> {
  const parts: Uint8Array[] = [];
  let error: unknown;
  try {
    for await (const part of input.pipeThrough(transform)) parts.push(part);
  } catch (caught) {
    error = caught;
  }
  return { bytes: cat(...parts), error };
}

const encode = (bytes: Uint8Array, chunk: number, options?: SerdeReadStreamOptions) =>
  through(streamOf(bytes, chunk), serdeNdjsonToDelimited(Envelope, options));
const decode = (bytes: Uint8Array, chunk: number, options?: SerdeWriteStreamOptions) =>
  through(streamOf(bytes, chunk), delimitedToSerdeNdjson(Envelope, options));

describe("there and back", () => {
  test.each(CHUNKS)("every small envelope in chunks of %d bytes", async (chunk) => {
    const there = await encode(ndjson(small), chunk);
    expect(there.error).toBeUndefined();
    expect(toHex(there.bytes)).toBe(toHex(delimited(small)));
    const back = await decode(there.bytes, chunk, { keys: "camelCase" });
    expect(back.error).toBeUndefined();
    expect(text(back.bytes)).toBe(text(ndjson(small)));
  });

  test.each([4096, 65_536, Number.POSITIVE_INFINITY])("every envelope in chunks of %d bytes", async (chunk) => {
    const there = await encode(ndjson(envelopes), chunk);
    const back = await decode(there.bytes, chunk, { keys: "camelCase" });
    expect(Buffer.compare(back.bytes, ndjson(envelopes))).toBe(0);
  });

  // A result of 200,000 characters: a short read of a pipe is not a message.
  test.each([1, 4096, 65_536])("one long record in chunks of %d bytes", async (chunk) => {
    const line = utf8(`{"run_id":"r","status":"completed","result":"${"x".repeat(200_000)}"}\n`);
    const there = await encode(line, chunk);
    expect(Buffer.compare((await decode(there.bytes, chunk)).bytes, line)).toBe(0);
  });

  test("the options of the transcoders hold", async () => {
    const line = utf8('{"runId":"r","status":"completed","extra":1,"result":1.0}\n');
    const dropped = await encode(line, 4096, { unknownMembers: "drop", numbers: "double" });
    expect(text((await decode(dropped.bytes, 4096)).bytes)).toBe('{"run_id":"r","status":"completed","result":1}\n');
    expect((await encode(line, 4096, { unknownMembers: "reject" })).error).toMatchObject({
      code: "unknown_member",
      pointer: "/extra",
    });
  });

  test("CRLF, blank lines and a last line without an end", async () => {
    const good = '{"run_id":"a\u2028","status":"error"}';
    const { bytes } = await encode(utf8(`\r\n${good}\r\n\n \t\n${good}`), 3);
    expect(text((await decode(bytes, 3)).bytes)).toBe(`${good}\n${good}\n`);
  });

  test("an empty message is one record", async () => {
    expect(text((await decode(hex("00 00"), 1)).bytes)).toBe('{"run_id":"","status":"Unknown"}\n'.repeat(2));
  });

  test("no records at all", async () => {
    expect(await encode(utf8("\n\n"), 1)).toEqual({ bytes: new Uint8Array(0), error: undefined });
    expect(await decode(new Uint8Array(0), 1)).toEqual({ bytes: new Uint8Array(0), error: undefined });
  });
});

describe("the peer", () => {
  test("Protobuf-ES reads what is written", async () => {
    const written = streamOf(ndjson(envelopes), 65_536).pipeThrough(serdeNdjsonToDelimited(Envelope));
    const ids: string[] = [];
    for await (const message of sizeDelimitedDecodeStream(Envelope, written)) ids.push(message.runId);
    expect(ids).toEqual(envelopes.map(({ bytes }) => (JSON.parse(text(bytes)) as { runId: string }).runId));
  });

  test("what Protobuf-ES writes is read", async () => {
    const messages = envelopes.map(({ bytes }) => fromBinary(Envelope, serdeJsonToBinary(Envelope, bytes)));
    const written = cat(...messages.map((message) => sizeDelimitedEncode(Envelope, message)));
    const { bytes, error } = await decode(written, 65_536, { keys: "camelCase" });
    expect(error).toBeUndefined();
    const lines = text(bytes).trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual(envelopes.map((one) => JSON.parse(text(one.bytes))));
  });
});

describe("faults", () => {
  const good = '{"run_id":"a","status":"error"}';
  const goodBinary = serdeJsonToBinary(Envelope, good);
  const goodRecord = cat(varint(goodBinary.length), goodBinary);

  test.each(CHUNKS)("a bad line stops the stream after the lines before it, in chunks of %d bytes", async (chunk) => {
    const { bytes, error } = await encode(utf8(`${good}\n\n{"run_id":"é","status":7}\n${good}\n`), chunk);
    expect(toHex(bytes)).toBe(toHex(goodRecord));
    expect(error).toBeInstanceOf(WireError);
    expect(error).toMatchObject({
      code: "wrong_type",
      pointer: "/status",
      record: 2,
      line: 3,
      column: 24,
      offset: 33 + 24,
    });
    expect((error as WireError).message).toContain("record 2, at /status, line 3 column 24");
  });

  test.each(CHUNKS)(
    "a bad record stops the stream after the records before it, in chunks of %d bytes",
    async (chunk) => {
      const { bytes, error } = await decode(cat(goodRecord, hex("03 3a 05 61"), goodRecord), chunk);
      expect(text(bytes)).toBe(`${good}\n`);
      expect(error).toMatchObject({ code: "malformed_binary", record: 2, line: undefined });
      const { offset } = error as WireError;
      expect(offset).toBeGreaterThanOrEqual(goodRecord.length + 1);
      expect(offset).toBeLessThanOrEqual(goodRecord.length + 4);
    },
  );

  // A lone surrogate in one record must not take the others with it.
  test.each(["error", "reason", "run_id", "result"])(
    "a lone surrogate in %s is skipped, placed, and the rest goes on",
    async (key) => {
      const bad = `{"run_id":"r1","status":"error","${key === "run_id" ? "x" : key}":"cut \\ud83d"}`;
      const skipped: WireError[] = [];
      const options = { onError: "skip", onSkip: (error: WireError) => void skipped.push(error) } as const;
      const { bytes, error } = await encode(utf8(`${good}\n${bad}\n${good}\n`), 7, options);
      expect(error).toBeUndefined();
      expect(toHex(bytes)).toBe(toHex(goodRecord).repeat(2));
      expect(skipped).toHaveLength(1);
      expect(skipped[0]).toMatchObject({ record: 2, line: 2, pointer: key === "run_id" ? "/x" : `/${key}` });
      const column = skipped[0]!.column!;
      expect(skipped[0]!.offset).toBe(good.length + 1 + column - 1);
    },
  );

  test("records over the limit are skipped in both framings", async () => {
    const long = `{"run_id":"${"a".repeat(500)}","status":"error"}`;
    const skipped: WireError[] = [];
    const options = { maxBytes: 100, onError: "skip", onSkip: (error: WireError) => void skipped.push(error) } as const;
    const there = await encode(utf8(`${long}\n${good}\n`), 64, options);
    expect(toHex(there.bytes)).toBe(toHex(goodRecord));
    const longBinary = serdeJsonToBinary(Envelope, long);
    const back = await decode(cat(varint(longBinary.length), longBinary, goodRecord), 64, options);
    expect(text(back.bytes)).toBe(`${good}\n`);
    expect(skipped.map(({ code, record, line }) => [code, record, line])).toEqual([
      ["too_large", 1, 1],
      ["too_large", 1, undefined],
    ]);
  });

  test("a limit above the transcoders' own default holds as it is given", async () => {
    const line = utf8(`{"run_id":"r","status":"completed","result":"${"x".repeat(65 * 1024 * 1024)}"}\n`);
    expect((await encode(line, Number.POSITIVE_INFINITY)).error).toMatchObject({ code: "too_large" });
    const there = await encode(line, Number.POSITIVE_INFINITY, { maxBytes: 70 * 1024 * 1024 });
    expect(there.error).toBeUndefined();
    expect(there.bytes.length).toBeGreaterThan(65 * 1024 * 1024);
  });

  test("the standard limit is 64 MiB, from the header", async () => {
    expect((await decode(hex("8180802000"), 1)).error).toMatchObject({ code: "too_large", record: 1, offset: 0 });
    expect((await decode(hex("8080802000"), 1)).error).toMatchObject({ code: "truncated", record: 1 });
  });

  test("a damaged header ends the stream even when bad records are to be skipped", async () => {
    const { bytes, error } = await decode(cat(goodRecord, hex("ffffffffffffffffffff01"), goodRecord), 5, {
      onError: "skip",
    });
    expect(text(bytes)).toBe(`${good}\n`);
    expect(error).toMatchObject({ code: "malformed_binary", record: 2, offset: goodRecord.length });
  });

  const cutLine = '{"run_id":"ab","status":"error","result":[1.5e3,"\\u00e9\\ud83d\\ude00é",true,false,null]}';
  const cutBytes = utf8(cutLine);

  test("a last line that is cut off anywhere is truncated", async () => {
    for (let end = 1; end < cutBytes.length; end++) {
      const { bytes, error } = await encode(cat(utf8(`${good}\n`), cutBytes.subarray(0, end)), 4096);
      expect(toHex(bytes)).toBe(toHex(goodRecord));
      expect(error, text(cutBytes.subarray(0, end))).toMatchObject({ code: "truncated", record: 2, line: 2 });
    }
    expect((await encode(cutBytes, 4096)).error).toBeUndefined();
  });

  test.each([
    ["a cut line with a line end", `${cutLine.slice(0, 20)}\n`, "syntax"],
    ["a fault before the cut", '{"run_id":x,"status":"err', "syntax"],
    ["a bad word at the cut", '{"run_id":"a","status":"error","result":nux', "syntax"],
    ["a bad number at the cut", '{"run_id":"a","status":"error","result":01', "syntax"],
    ["a whole record with a fault", '{"run_id":"a"}', "missing_field"],
    ["something that is no record", "nul", "syntax"],
    ["too many closing brackets", '{"run_id":"a","status":"error"}}', "syntax"],
  ])("%s is not truncated", async (_, line, code) => {
    expect((await encode(utf8(line), 4096)).error).toMatchObject({ code });
  });

  test("a stream that ends inside a record is truncated, wherever", async () => {
    const stream = cat(goodRecord, goodRecord);
    for (let end = goodRecord.length + 1; end < stream.length; end++) {
      const { bytes, error } = await decode(stream.subarray(0, end), 4096);
      expect(text(bytes)).toBe(`${good}\n`);
      expect(error).toMatchObject({ code: "truncated", record: 2, offset: goodRecord.length });
    }
  });

  test("a truncated last record can be skipped like any other", async () => {
    const skipped: string[] = [];
    const options = { onError: "skip", onSkip: (error: WireError) => void skipped.push(error.code) } as const;
    expect((await encode(utf8(`${good}\n{"run_id`), 4, options)).error).toBeUndefined();
    expect((await decode(cat(goodRecord, hex("05 61")), 4, options)).error).toBeUndefined();
    expect(skipped).toEqual(["truncated", "truncated"]);
  });

  test.each([[{ maxBytes: -1 }], [{ maxBytes: Number.NaN }], [{ onError: "ignore" as "skip" }]])(
    "options without sense are refused at once: %o",
    (options) => {
      expect(() => serdeNdjsonToDelimited(Envelope, options)).toThrow(TypeError);
      expect(() => delimitedToSerdeNdjson(Envelope, options)).toThrow(TypeError);
    },
  );

  test("chunks of text are the caller's mistake", async () => {
    const strings = new ReadableStream({
      start(controller) {
        controller.enqueue(`${good}\n`);
        controller.close();
      },
    });
    expect((await through(strings, serdeNdjsonToDelimited(Envelope))).error).toBeInstanceOf(TypeError);
  });
});

describe("as web streams", () => {
  const line = utf8(`{"run_id":"a","status":"completed","result":"${"x".repeat(1000)}"}\n`);

  test("they are TransformStreams", () => {
    expect(serdeNdjsonToDelimited(Envelope)).toBeInstanceOf(TransformStream);
    expect(delimitedToSerdeNdjson(Envelope)).toBeInstanceOf(TransformStream);
  });

  test("a slow reader holds the source back", async () => {
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pulled++;
          controller.enqueue(line);
        },
      },
      { highWaterMark: 0 },
    );
    const reader = endless
      .pipeThrough(serdeNdjsonToDelimited(Envelope))
      .pipeThrough(delimitedToSerdeNdjson(Envelope))
      .getReader();
    for (let reads = 1; reads <= 5; reads++) {
      await reader.read();
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(pulled).toBeLessThanOrEqual(reads + 8);
    }
    await reader.cancel();
  });

  test("a slow reader of one large chunk does not let its whole outcome pile up", async () => {
    let asked = 0;
    const counted = { maxBytes: 10_000_000, onError: "skip", onSkip: () => void asked++ } as const;
    // Each bad record counts when it is reached: 20,000 pairs of a good and a bad line in one chunk.
    const chunk = cat(...Array.from({ length: 20_000 }, () => [line, utf8("bad\n")]).flat());
    const reader = streamOf(chunk, Number.POSITIVE_INFINITY)
      .pipeThrough(serdeNdjsonToDelimited(Envelope, counted))
      .getReader();
    await reader.read();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThan(1000);
    await reader.cancel();
  });

  test("a reader that goes away cancels the source", async () => {
    let cancelled: unknown;
    const source = new ReadableStream<Uint8Array>({
      pull(controller) {
        controller.enqueue(line);
      },
      cancel(reason) {
        cancelled = reason;
      },
    });
    const reader = source.pipeThrough(serdeNdjsonToDelimited(Envelope)).getReader();
    await reader.read();
    await reader.cancel("enough");
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(cancelled).toBe("enough");
  });

  test("a source that fails ends the stream with its error", async () => {
    let pulls = 0;
    const source = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (pulls++ === 0) controller.enqueue(line);
        else controller.error(new Error("the disk is gone"));
      },
    });
    const { error } = await through(source, serdeNdjsonToDelimited(Envelope));
    expect(error).toMatchObject({ message: "the disk is gone" });
  });

  test("a fault reaches whoever writes, too", async () => {
    const { readable, writable } = serdeNdjsonToDelimited(Envelope);
    const drained = (async () => {
      for await (const _ of readable);
    })().catch((error) => error);
    const writer = writable.getWriter();
    await expect(writer.write(utf8("[]\n"))).rejects.toMatchObject({ code: "wrong_type" });
    await expect(writer.closed).rejects.toMatchObject({ code: "wrong_type" });
    expect(await drained).toMatchObject({ code: "wrong_type", record: 1 });
  });
});
