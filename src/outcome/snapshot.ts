import type { JsonValue } from "@bufbuild/protobuf";
import { WireError } from "../error.js";
import { defined, Members, type OpenWord } from "./members.js";

/** How far a run had come when it stopped. */
export interface RunSnapshot {
  /** The steps and subagent calls that had finished; a resumed run takes their results from here. */
  journal: JournalEntry[];
  /** What the factory reported, in the order of `seq`. */
  progress: ProgressLine[];
  /** The snapshot as it came, with all that is not named here. */
  json: JsonValue;
}

/** A finished step. */
export interface JournalEntry {
  /** A hash of the step's key and arguments, in hexadecimal. */
  journalKey: string;
  /** The step's result as a JSON text; {@link journalResult} reads it. */
  resultJson: string;
}

/** One line of progress. */
export interface ProgressLine {
  text: string;
  /** `log` for `ctx.log`, `phase` where a phase began. */
  kind: OpenWord<"log" | "phase">;
  /** The phase that the run was in, or null before the first. */
  phaseId: string | null;
  /** The line's number within the run, from 1. */
  seq?: number;
  /** The attempt that wrote it, from 1. */
  attempt?: number;
  /** When it was recorded, in milliseconds since 1970. */
  recordedAt?: number;
}

/**
 * Reads a snapshot. Missing parts are empty, and what does not look like an
 * entry or a line is left out; `json` has it all.
 */
export function snapshotOf(json: JsonValue): RunSnapshot {
  const snapshot = Members.of(json);
  return {
    journal: (snapshot?.objects("journal") ?? []).flatMap(entryOf),
    progress: (snapshot?.objects("progress") ?? []).flatMap(lineOf),
    json,
  };
}

/**
 * Gives the result that a step had, read from its JSON text.
 *
 * Throws a {@link WireError} with the code `syntax` when the text is not JSON.
 */
export function journalResult(entry: JournalEntry): JsonValue {
  try {
    return JSON.parse(entry.resultJson) as JsonValue;
  } catch (cause) {
    throw new WireError("syntax", `resultJson of ${entry.journalKey} is not JSON: ${(cause as Error).message}`);
  }
}

function entryOf(entry: Members): JournalEntry[] {
  const journalKey = entry.text("journalKey");
  const resultJson = entry.text("resultJson");
  return journalKey === undefined || resultJson === undefined ? [] : [{ journalKey, resultJson }];
}

function lineOf(line: Members): ProgressLine[] {
  const text = line.text("text");
  if (text === undefined) return [];
  return [
    {
      text,
      kind: line.text("kind") ?? "log",
      phaseId: line.text("phaseId") ?? null,
      ...defined({ seq: line.number("seq"), attempt: line.number("attempt"), recordedAt: line.number("recordedAt") }),
    },
  ];
}
