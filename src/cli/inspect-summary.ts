import {
  binaryToSerdeJson,
  SessionFactoryRunFromToolResultSchema as SCHEMA,
  serdeJsonToBinary,
  WireError,
} from "../index.js";
import { RecordPipe } from "../stream/record-pipe.js";
import type { StreamRecord } from "../stream/record-reader.js";
import { drive, type Source } from "./drive.js";
import { type EnvelopeFacts, readFacts } from "./envelope-facts.js";
import { factsOf } from "./formats.js";
import type { Request } from "./options.js";
import { faultLine } from "./report.js";
import { Tally } from "./tally.js";
import { counted, grouped, harmless, type Paint, shortened, size } from "./terminal.js";
import { STATUS_WORDS } from "./words.js";

const LARGEST_SHOWN = 5;
const ROWS_SHOWN = 12;
const LABEL_WIDTH = 11;
const KEY_LENGTH = 50;
const DEEP = { maxNesting: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY };

interface LargeRecord {
  readonly number: number;
  readonly line: number | undefined;
  readonly offset: number;
  readonly runId: string;
  readonly json: number;
  readonly binary: number;
}

/** `inspect` of a stream: what its records are, in sum. Bad ones are reported and counted. */
export async function summarize(
  request: Request,
  source: Source,
  paint: Paint,
): Promise<{ readonly text: string; readonly exitCode: number }> {
  const { input, format, progress } = source;
  const { reader, wire, maxBytes, title } = factsOf(format);
  const most = request.maxBytes ?? maxBytes;
  const summary = new Summary();
  // Whoever looks into a stream wants to see what is deep, too.
  const reading = { ...request.read, ...DEEP, maxBytes: most };
  const carry =
    wire === "json"
      ? (record: StreamRecord) => {
          const binary = serdeJsonToBinary(SCHEMA, record.bytes, reading);
          summary.add(record, record.bytes.length, binary.length, readFacts(binary)!);
        }
      : (record: StreamRecord) => {
          const json = binaryToSerdeJson(SCHEMA, record.bytes, { maxBytes: most });
          const facts = readFacts(record.bytes) ?? readFacts(serdeJsonToBinary(SCHEMA, json, DEEP))!;
          summary.add(record, json.length, record.bytes.length, facts);
        };
  const report = (error: WireError) => progress.note(faultLine(input.name, format, error));
  const pipe = new RecordPipe(reader(most), carry, { onError: "skip", onSkip: report }, 1);
  let lost = false;
  try {
    await drive(source, pipe);
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    lost = true;
    report(error);
  }
  const bad = pipe.skipped > 0 ? [`${counted(pipe.skipped, "record")}, reported on standard error`] : [];
  if (lost) bad.push("the framing is lost where it is damaged; what comes after has not been read");
  const titleLine = `${harmless(input.name)}: ${counted(pipe.records, "record")}, ${title}`;
  return { text: summary.render(titleLine, bad, paint), exitCode: pipe.skipped > 0 || lost ? 1 : 0 };
}

class Summary {
  #records = 0;
  #json = 0;
  #binary = 0;
  #smallest = Number.POSITIVE_INFINITY;
  readonly #statuses = new Tally();
  readonly #failures = new Tally();
  readonly #attempts = new Tally();
  readonly #members = new Tally();
  readonly #words = new Tally();
  #numbers = 0;
  #numberRecords = 0;
  #preserving = 0;
  readonly #largest: LargeRecord[] = [];

  add(record: StreamRecord, json: number, binary: number, facts: EnvelopeFacts): void {
    this.#records++;
    this.#json += json;
    this.#binary += binary;
    this.#smallest = Math.min(this.#smallest, json);
    this.#statuses.add(facts.status);
    this.#attempts.add(facts.attempt === undefined ? "none" : String(facts.attempt));
    if (facts.failure !== undefined) this.#failures.add(facts.failure);
    this.#addPreserved(facts);
    const { number, line, offset } = record;
    if (this.#largest.length < LARGEST_SHOWN || json > this.#largest[LARGEST_SHOWN - 1].json) {
      this.#largest.push({ number, line, offset, runId: facts.runId, json, binary });
      this.#largest.sort((one, other) => other.json - one.json);
      this.#largest.length = Math.min(this.#largest.length, LARGEST_SHOWN);
    }
  }

  render(title: string, bad: readonly string[], paint: Paint): string {
    const sections: [label: string, lines: readonly string[]][] = this.#records === 0 ? [] : this.#sections(paint);
    const lines = [...sections, ["bad", bad] as const].flatMap(([label, rows]) =>
      rows.map((row, index) => `  ${paint("bold", (index === 0 ? label : "").padEnd(LABEL_WIDTH))}${row}`.trimEnd()),
    );
    return `${paint("bold", title)}\n${lines.length > 0 ? `\n${lines.join("\n")}\n` : ""}`;
  }

  #sections(paint: Paint): [label: string, lines: readonly string[]][] {
    return [
      ["status", tallyLines(this.#statuses, this.#records, (word) => paint(STATUS_WORDS[word]?.style ?? "red", word))],
      ["failures", this.#failures.isEmpty ? [paint("dim", "none")] : tallyLines(this.#failures, this.#records)],
      ["attempts", tallyLines(this.#attempts, this.#records)],
      ["sizes", this.#sizeLines()],
      ["largest", this.#largest.map(largeLine)],
      ["preserved", this.#preservedLines(paint)],
    ];
  }

  #addPreserved({ preservedMembers, preservedWords, preservedNumbers }: EnvelopeFacts): void {
    for (const key of preservedMembers) this.#members.add(key);
    for (const word of preservedWords) this.#words.add(word);
    this.#numbers += preservedNumbers;
    if (preservedNumbers > 0) this.#numberRecords++;
    if (preservedNumbers > 0 || preservedMembers.length > 0 || preservedWords.length > 0) this.#preserving++;
  }

  #sizeLines(): string[] {
    const change = (this.#binary / this.#json - 1) * 100;
    const sign = change < 0 ? "−" : "+";
    return [
      `JSON ${size(this.#json)}, binary ${size(this.#binary)} (${sign}${Math.abs(change).toFixed(1)} %), without framing`,
      `a record is ${size(this.#smallest)} to ${size(this.#largest[0].json)} of JSON, ${size(this.#json / this.#records)} on average`,
    ];
  }

  #preservedLines(paint: Paint): string[] {
    if (this.#preserving === 0) return [paint("dim", "nothing: the schema's fields hold all of it")];
    const lines = [`in ${counted(this.#preserving, "record")}`];
    const part = (tally: Tally, title: string) => {
      if (!tally.isEmpty) lines.push(title, ...tallyLines(tally, this.#records).map((line) => `  ${line}`));
    };
    part(this.#members, "members that the schema does not name");
    part(this.#words, "words that the schema's enum does not name");
    if (this.#numbers > 0) {
      const where = counted(this.#numberRecords, "record");
      lines.push(`${counted(this.#numbers, "number text")} that a double alone would not give back, in ${where}`);
    }
    return lines;
  }
}

function tallyLines(tally: Tally, records: number, show: (key: string) => string = (key) => key): string[] {
  const { rows, others } = tally.top(ROWS_SHOWN);
  const keys = rows.map(([key]) => shortened(key, KEY_LENGTH));
  const counts = rows.map(([, count]) => grouped(count));
  const keyWidth = Math.max(...keys.map((key) => key.length));
  const countWidth = Math.max(...counts.map((count) => count.length));
  const lines = rows.map(([key, count], index) => {
    const share = `${((count / records) * 100).toFixed(1).padStart(5)} %`;
    const padding = " ".repeat(keyWidth - keys[index].length);
    return `${keys[index] === key ? show(key) : keys[index]}${padding}  ${counts[index].padStart(countWidth)}  ${share}`;
  });
  return others > 0 ? [...lines, `… others ${grouped(others)}`] : lines;
}

function largeLine({ number, line, offset, runId, json, binary }: LargeRecord): string {
  const place = line === undefined ? `record ${number} at byte ${offset}` : `record ${number} at line ${line}`;
  return `${place}  JSON ${size(json)}, binary ${size(binary)}  run ${shortened(runId, 40)}`;
}
