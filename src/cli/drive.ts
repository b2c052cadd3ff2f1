import { WireError } from "../error.js";
import type { RecordPipe } from "../stream/record-pipe.js";
import { type Format, formatOfBytes, formatOfName } from "./formats.js";
import { Input } from "./input.js";
import type { Request } from "./options.js";
import { Progress } from "./progress.js";
import { faultLine } from "./report.js";

const BAD_INPUT = 1;

/** A command that has read its input's format. */
export interface Source {
  readonly input: Input;
  readonly format: Format;
  readonly progress: Progress;
}

/**
 * Opens the input, finds out what it is, and closes it again after the work.
 *
 * @returns the work's exit code, or the one for bad input when that has ended the work; then it is reported.
 */
export async function withSource(request: Request, work: (source: Source) => Promise<number>): Promise<number> {
  const input = await Input.open(request.file);
  try {
    const format = request.from ?? formatOfName(request.file) ?? (await guessed(request, input));
    // Data on the same terminal would be torn apart by a bar.
    const toTerminal = process.stdout.isTTY === true && request.output === undefined;
    const converts = request.command === "encode" || request.command === "decode";
    const watched = process.stderr.isTTY === true && !request.quiet && !(converts && toTerminal);
    const progress = new Progress(input.size, watched);
    try {
      return await work({ input, format, progress });
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      const hint = request.from === undefined ? hintFor(format, error) : undefined;
      progress.note([faultLine(input.name, format, error), ...(hint === undefined ? [] : [hint])].join("\n"));
      return BAD_INPUT;
    } finally {
      progress.stop();
    }
  } finally {
    await input.close();
  }
}

/** A stream that was taken for one document fails in ways that do not say so. */
function hintFor(format: Format, { code, pointer, line, column }: WireError): string | undefined {
  if (format === "json" && code === "syntax" && pointer === "" && (line ?? 0) > 1 && column === 1) {
    return "If this is one JSON document a line, say --from ndjson.";
  }
  if (format === "binary" && code === "malformed_binary") {
    return "If this is a stream of size-delimited messages, say --from delimited; if it is JSON, --from json.";
  }
  return undefined;
}

async function guessed({ command }: Request, input: Input): Promise<Format> {
  // Whatever is not JSON is to be refused as such by encode, and not to be taken for binary.
  if (command === "encode") return "json";
  const first = await input.firstChunk();
  // No bytes at all are an envelope in binary only; for a person who checks a file they are no envelope.
  if (first === undefined) return command === "decode" ? "binary" : "json";
  return formatOfBytes(first);
}

/** Sends all of an input through a pipe, with the next batch under way while one is taken. */
export async function drive(
  { input, progress }: Source,
  pipe: RecordPipe,
  take: (batch: Uint8Array) => Promise<void> = async () => {},
): Promise<void> {
  let taking = Promise.resolve();
  const drain = async () => {
    for (let batch = pipe.next(); batch !== undefined; batch = pipe.next()) {
      await taking;
      taking = take(batch);
      // It is looked at when it is awaited, which is later than the platform would like.
      taking.catch(() => {});
    }
  };
  try {
    for await (const chunk of input.chunks()) {
      pipe.push(chunk);
      await drain();
      progress.update(input.bytesRead, pipe.records);
    }
    pipe.end();
    await drain();
  } catch (error) {
    // What came before the fault is to be out before anything is said or given up.
    await taking.catch(() => {});
    throw error;
  }
  await taking;
}
