// Checked by `npm run types`: each @ts-expect-error is an error that users must get.
import type { JsonValue } from "@bufbuild/protobuf";
import {
  type FactoryRunStatus,
  isResumable,
  isTerminal,
  journalResult,
  outcomeOf,
  type RunFailure,
  type RunOutcome,
  type RunPauseInfo,
  type RunStatusWord,
  type SessionFactoryRunFromToolResult,
} from "../../src/index.js";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function holds<_T extends true>(): void {}

declare const message: SessionFactoryRunFromToolResult;
declare const failure: RunFailure;
declare const pauseInfo: RunPauseInfo;
const run: RunOutcome = outcomeOf(message);

// The words are those of the enum, and each has a variant: a value added to the .proto breaks this.
holds<Same<RunStatusWord, "pending" | "running" | "completed" | "halted" | "paused" | "cancelled" | "error">>();
holds<Same<RunOutcome["status"], RunStatusWord | "unknown">>();
holds<Same<RunStatusWord, Lowercase<Exclude<keyof typeof FactoryRunStatus, "UNSPECIFIED">>>>();

/** A switch over all statuses needs no default to give a value. */
export function describe(run: RunOutcome): string {
  switch (run.status) {
    case "pending":
    case "running":
      return `attempt ${run.attempt ?? 0}`;
    case "completed":
      return JSON.stringify(run.result);
    case "halted":
    case "cancelled":
      return run.reason ?? "";
    case "paused":
      return run.pauseInfo?.type === "checkpoint" ? run.pauseInfo.key : "";
    case "error":
      return run.error ?? run.failure?.type ?? "";
    case "unknown":
      return run.word;
  }
}

// @ts-expect-error a status that was left out
export function leavesOut(run: RunOutcome): string {
  switch (run.status) {
    case "pending":
    case "running":
    case "completed":
    case "halted":
    case "cancelled":
    case "paused":
    case "unknown":
      return run.runId;
  }
}

export function never(run: RunOutcome): void {
  if (run.status === "completed" || run.status === "error" || run.status === "unknown") return;
  if (run.status === "pending" || run.status === "running") return;
  if (run.status === "halted" || run.status === "paused") return;
  // @ts-expect-error cancelled is left
  const nothing: never = run;
  holds<Same<typeof run.status, "cancelled">>();
  if (run.status === "cancelled") return;
  const end: never = run;
  void [nothing, end];
}

/** The same for failures. */
export function explain(failure: RunFailure): string | number {
  switch (failure.type) {
    case "factory_limit_reached":
      return failure.suggestedValue ?? failure.value;
    case "factory_resume_declined":
      return failure.reason;
    case "factory_durable_failure":
      return `${failure.code} ${failure.operation}`;
    case "factory_accounting_incomplete":
      return failure.drainedNanoAiu;
    case "factory_provider_disconnected":
      return failure.runId ?? "";
    case "unknown":
      return failure.word ?? "";
  }
}

// @ts-expect-error the open variant was left out
export function forgetsUnknown(failure: RunFailure): string {
  switch (failure.type) {
    case "factory_limit_reached":
    case "factory_resume_declined":
    case "factory_durable_failure":
    case "factory_accounting_incomplete":
    case "factory_provider_disconnected":
      return failure.type;
  }
}

/** And for pauses. */
export function who(pauseInfo: RunPauseInfo): string {
  switch (pauseInfo.type) {
    case "user":
      return "";
    case "checkpoint":
      return pauseInfo.key;
    case "unknown":
      return pauseInfo.word ?? "";
  }
}

// Known words of an open set are offered, and others are taken.
if (failure.type === "factory_limit_reached") {
  const known: boolean = failure.kind === "maxAiCredits";
  const other: boolean = failure.kind === "maxSomethingNew";
  void [known, other];
  // @ts-expect-error null stands for none, not undefined
  holds<Same<typeof failure.suggestedValue, number | undefined>>();
  holds<Same<typeof failure.suggestedValue, number | null>>();
}

// @ts-expect-error only a run that completed has a result
void run.result;
// @ts-expect-error only a failed or halted run says why
void run.reason;
// @ts-expect-error a run that is under way has nothing to show
if (run.status === "running") void run.snapshot;
// @ts-expect-error the statuses are known
if (run.status === "complete") void run;
// @ts-expect-error only a checkpoint has a key
void pauseInfo.key;

if (run.status === "completed") holds<Same<typeof run.result, JsonValue | undefined>>();
if (run.status === "halted") {
  const results: JsonValue[] = run.snapshot?.journal.map(journalResult) ?? [];
  const lines: string[] = run.snapshot?.progress.map((line) => line.text) ?? [];
  void [results, lines];
}

// @ts-expect-error an optional part is absent, not undefined
export const completed: RunOutcome = { status: "completed", runId: "r", result: undefined };

const terminal: boolean = isTerminal(message.status) && isTerminal("paused") && isTerminal(run.status);
const resumable: boolean = isResumable(message) || isResumable(run);
void [terminal, resumable];
// @ts-expect-error a status is an enum value or a word
isTerminal(message);
// @ts-expect-error a run is a message or an outcome
isResumable("paused");
