import {
  binaryToSerdeJson,
  SessionFactoryRunFromToolResultSchema as SCHEMA,
  serdeJsonToBinary,
  WireError,
} from "../index.js";
import { type CarryRecord, RecordPipe } from "../stream/record-pipe.js";
import { drive, type Source, withSource } from "./drive.js";
import { UsageError } from "./errors.js";
import { type Format, factsOf, formatOfName, onWire } from "./formats.js";
import type { Request } from "./options.js";
import { openOutput } from "./output.js";
import { prettyParts } from "./pretty.js";
import { faultLine } from "./report.js";
import { grouped } from "./terminal.js";

/** So many bytes are written at once. */
const BATCH_BYTES = 1024 * 1024;
/** The limit has been applied to what came in; what we made of it ourselves needs none. */
const UNLIMITED = { maxBytes: Number.POSITIVE_INFINITY };

/** `encode` and `decode`: carries the input from one wire to the other. */
export function convert(request: Request): Promise<number> {
  return withSource(request, async (source) => {
    const to = targetOf(request, source.format);
    const output = await openOutput(request.output, source.input);
    const pipe = pipeTo(request, source, to);
    try {
      await drive(source, pipe, async (batch) => {
        if (!request.pretty) return output.write(batch);
        for (const part of prettyParts(batch.subarray(0, -1))) await output.write(part);
        await output.write(batch.subarray(-1));
      });
      await output.finish();
    } catch (error) {
      await output.discard();
      throw error;
    }
    if (pipe.skipped === 0) return 0;
    const { name } = source.input;
    source.progress.stop();
    if (!request.quiet)
      process.stderr.write(`${name}: ${grouped(pipe.skipped)} of ${grouped(pipe.records)} records left out\n`);
    return 1;
  });
}

/** What is to be written, and whether that makes sense. */
function targetOf(request: Request, from: Format): Format {
  const { command, output, pretty, force } = request;
  const to = request.to ?? formatOfName(output) ?? onWire(from, command === "encode" ? "binary" : "json");
  if (factsOf(from).isStream && !factsOf(to).isStream) {
    throw new UsageError(
      `a stream of records (${from}) does not fit into one ${to} document; write ${onWire("ndjson", factsOf(to).wire)}`,
    );
  }
  if (pretty && to !== "json") throw new UsageError(`--pretty is for one JSON document, and the output is ${to}`);
  const toTerminal = process.stdout.isTTY === true && output === undefined;
  if (factsOf(to).wire === "binary" && toTerminal && !force) {
    throw new UsageError("binary is not written to a terminal; give -o FILE, or --force");
  }
  return to;
}

function pipeTo(request: Request, { input, format, progress }: Source, to: Format): RecordPipe {
  const from = factsOf(format);
  const { wire, write } = factsOf(to);
  const maxBytes = request.maxBytes ?? from.maxBytes;
  const transcode = TRANSCODERS[`${from.wire}-${wire}`]({ ...request.read, maxBytes }, { ...request.write, maxBytes });
  const carry: CarryRecord = (record, batch) => write(transcode(record.bytes), batch);
  const options = {
    // A document that is left out is nothing at all: it stops the run as ever.
    onError: from.isStream ? request.onError : "stop",
    onSkip: (error: WireError) => progress.note(faultLine(input.name, format, error)),
  };
  return new RecordPipe(from.reader(maxBytes), carry, options, BATCH_BYTES);
}

type Transcode = (record: Uint8Array) => Uint8Array;
type ReadOptions = Request["read"] & { maxBytes: number };
type WriteOptions = Request["write"] & { maxBytes: number };

/** The way from each wire to each; to its own a record goes by the other one, and comes out as this package writes it. */
const TRANSCODERS: Record<string, (read: ReadOptions, write: WriteOptions) => Transcode> = {
  "json-binary": (read) => (record) => serdeJsonToBinary(SCHEMA, record, read),
  "binary-json": (_, write) => (record) => binaryToSerdeJson(SCHEMA, record, write),
  "json-json": (read, write) => {
    const writing = { ...write, ...UNLIMITED };
    return (record) =>
      again(serdeJsonToBinary(SCHEMA, record, read), (binary) => binaryToSerdeJson(SCHEMA, binary, writing));
  },
  "binary-binary": (read, write) => {
    const reading = { ...read, ...UNLIMITED };
    return (record) =>
      again(binaryToSerdeJson(SCHEMA, record, write), (json) => serdeJsonToBinary(SCHEMA, json, reading));
  },
};

/** The second half of a way by the other wire. A place in what stands between would mean nothing to anybody. */
function again(between: Uint8Array, second: Transcode): Uint8Array {
  try {
    return second(between);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    throw error.at({ offset: undefined, line: undefined, column: undefined });
  }
}
