import type { JsonValue } from "@bufbuild/protobuf";
import {
  type FactoryRunStatus,
  type SessionFactoryRunFromToolResult,
  SessionFactoryRunFromToolResultSchema,
} from "../../gen/factory_run/v1/factory_run_pb.js";
import { toSerdeJson } from "../message.js";
import { failureOf, type RunFailure } from "./failure.js";
import { defined, Members } from "./members.js";
import { pauseInfoOf, type RunPauseInfo } from "./pause-info.js";
import { type RunSnapshot, snapshotOf } from "./snapshot.js";

/** A word for a status that the schema names. */
export type RunStatusWord = Lowercase<Exclude<keyof typeof FactoryRunStatus, "UNSPECIFIED">>;

/**
 * A run as plain JS values, told apart by `status`.
 *
 * Each status has what the runtime sends with it; what a message holds beyond
 * that is in the message. An optional property is there only when it has a
 * value, so that a result of null and no result differ.
 */
export type RunOutcome =
  | RunPending
  | RunRunning
  | RunCompleted
  | RunHalted
  | RunPaused
  | RunCancelled
  | RunErrored
  | RunUnknown;

/** What is known of every run. */
interface Run {
  /** The identifier of the run. It stays when the run is resumed. */
  runId: string;
  /** The attempt that this is about, from 1. Absent before the first, and from runtimes older than August 2026. */
  attempt?: number;
}

/** What is known of a run that stopped before its factory returned. */
interface StoppedRun extends Run {
  /** Why the run is not going on, for people. */
  reason?: string;
  /** The same for programs, where the runtime could tell. */
  failure?: RunFailure;
  /** How far the run had come. */
  snapshot?: RunSnapshot;
}

/** Accepted, and no attempt has begun. */
export interface RunPending extends Run {
  status: "pending";
}

/** An attempt is under way. */
export interface RunRunning extends Run {
  status: "running";
}

/** The factory returned. */
export interface RunCompleted extends Run {
  status: "completed";
  /** What it returned. Absent when it returned nothing, which is not the same as null. */
  result?: JsonValue;
}

/** The process that ran the factory went away. */
export interface RunHalted extends StoppedRun {
  status: "halted";
}

/** The attempt stopped on purpose; the run waits to be resumed. */
export interface RunPaused extends StoppedRun {
  status: "paused";
  /** Who paused it. */
  pauseInfo?: RunPauseInfo;
}

/** The run was cancelled. */
export interface RunCancelled extends StoppedRun {
  status: "cancelled";
}

/** The factory failed, or a limit stopped it. */
export interface RunErrored extends StoppedRun {
  status: "error";
  /** What went wrong, for people. */
  error?: string;
}

/** A status that this version does not know, with all that came along. */
export interface RunUnknown extends StoppedRun {
  status: "unknown";
  /** The word that the envelope has for its status; `Unknown` when the sender did not know it either. */
  word: string;
  result?: JsonValue;
  error?: string;
  pauseInfo?: RunPauseInfo;
}

type Part = "result" | "error" | "reason" | "failure" | "snapshot" | "pauseInfo";
type PartsOf<S extends RunOutcome["status"]> = Exclude<
  keyof Extract<RunOutcome, { status: S }>,
  keyof Run | "status" | "word"
>;

const STOPPED = ["reason", "failure", "snapshot"] as const;
const ALL = ["result", "error", "pauseInfo", ...STOPPED] as const;

/** By status: the parts that its variant shows. */
const PARTS: { readonly [S in RunStatusWord]: readonly PartsOf<S>[] } = {
  pending: [],
  running: [],
  completed: ["result"],
  halted: STOPPED,
  paused: [...STOPPED, "pauseInfo"],
  cancelled: STOPPED,
  error: ["error", ...STOPPED],
};

/** By part: how it is read from its JSON; undefined for what it cannot be. */
const PART_READERS: { readonly [P in Part]: (json: JsonValue) => RunUnknown[P] } = {
  result: (json) => json,
  error: text,
  reason: text,
  failure: failureOf,
  snapshot: snapshotOf,
  pauseInfo: pauseInfoOf,
};

/**
 * Shows a run as plain JS values, in a shape that TypeScript tells apart by
 * `status`: a `switch` over it can be exhaustive.
 *
 * It is as tolerant as the senders are various: a status, failure or pause of
 * a kind that this version does not know is an `unknown` one that has the
 * word, members inside failure, pause info and snapshot are read in camelCase
 * and in snake_case, and missing parts of a snapshot are empty. Numbers are
 * doubles, as `JSON.parse` gives them.
 *
 * Throws a WireError where `toSerdeJson` would, which a message that came
 * through this package never does.
 */
export function outcomeOf(message: SessionFactoryRunFromToolResult): RunOutcome {
  // By way of JSON, so that there is one rule for what `preserved` gives back: the status's word, and fields
  // that the sender did not know yet.
  const json = toSerdeJson(SessionFactoryRunFromToolResultSchema, message, { keys: "camelCase" });
  const members = Members.of(json)!;
  const word = members.text("status") ?? "";
  const isKnown = isStatusWord(word);
  const parts: readonly Part[] = isKnown ? PARTS[word] : ALL;
  const outcome = {
    ...(isKnown ? { status: word } : { status: "unknown", word }),
    runId: members.text("runId") ?? "",
    ...defined({ attempt: members.number("attempt") }),
    ...defined(Object.fromEntries(parts.map((part) => [part, readPart(part, members)]))),
  };
  // PARTS gives each status the properties of its variant, and the compiler checked it; the spread hides that.
  return outcome as RunOutcome;
}

function readPart(part: Part, members: Members): RunUnknown[Part] | undefined {
  const json = members.get(part);
  return json === undefined ? undefined : PART_READERS[part](json);
}

function isStatusWord(word: string): word is RunStatusWord {
  return Object.hasOwn(PARTS, word);
}

function text(json: JsonValue): string | undefined {
  return typeof json === "string" ? json : undefined;
}
