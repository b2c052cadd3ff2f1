import {
  checkBinary,
  SessionFactoryRunFromToolResultSchema as SCHEMA,
  serdeJsonToBinary,
  WireError,
} from "../index.js";
import { type CarryRecord, RecordPipe } from "../stream/record-pipe.js";
import { drive, withSource } from "./drive.js";
import { factsOf } from "./formats.js";
import type { Request } from "./options.js";
import { openOutput } from "./output.js";
import { faultLine } from "./report.js";
import { counted, grouped, harmless } from "./terminal.js";

/** `check`: reports every record that could not be carried over, and counts them. */
export function check(request: Request): Promise<number> {
  return withSource(request, async (source) => {
    const { input, format, progress } = source;
    const facts = factsOf(format);
    const output = await openOutput(request.output, input);
    const maxBytes = request.maxBytes ?? facts.maxBytes;
    const reading = { ...request.read, maxBytes };
    const carry: CarryRecord =
      facts.wire === "json"
        ? ({ bytes }) => serdeJsonToBinary(SCHEMA, bytes, reading)
        : ({ bytes }) => checkBinary(SCHEMA, bytes, { maxBytes });
    const report = (error: WireError) => progress.note(faultLine(input.name, format, error));
    const pipe = new RecordPipe(facts.reader(maxBytes), carry, { onError: "skip", onSkip: report }, 1);
    let lost = false;
    try {
      try {
        await drive(source, pipe);
      } catch (error) {
        if (!(error instanceof WireError)) throw error;
        lost = true;
        report(error);
      }
      progress.stop();
      if (!request.quiet) {
        const line = `${harmless(input.name)}: ${verdict(pipe, facts.isStream, lost)}\n`;
        await output.write(new TextEncoder().encode(line));
      }
      await output.finish();
    } catch (error) {
      await output.discard();
      throw error;
    }
    return pipe.skipped > 0 || lost ? 1 : 0;
  });
}

function verdict({ records, skipped }: RecordPipe, isStream: boolean, lost: boolean): string {
  if (!isStream) return skipped > 0 ? "bad" : "good";
  const counts =
    skipped === 0
      ? `${counted(records, "record")}, all good`
      : `${counted(records, "record")}, ${grouped(skipped)} bad`;
  return lost ? `${counts.replace(", all good", " good")}, then the framing is lost` : counts;
}
