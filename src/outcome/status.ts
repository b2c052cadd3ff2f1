import { FactoryRunStatus, type SessionFactoryRunFromToolResult } from "../../gen/factory_run/v1/factory_run_pb.js";
import { outcomeOf, type RunOutcome, type RunStatusWord } from "./outcome.js";

/** Statuses in which an attempt has settled. */
const TERMINAL: { readonly [word in RunStatusWord]: boolean } = {
  pending: false,
  running: false,
  completed: true,
  halted: true,
  paused: true,
  cancelled: true,
  error: true,
};

/**
 * Whether a run with this status has settled, as the SDK's
 * `isFactoryRunTerminal` means it: the attempt is over and the envelope will
 * not change by itself. `paused` and `halted` are terminal in this sense, and
 * yet a resume starts the next attempt of the same run.
 *
 * Takes the enum's value or the word; a status that is not known is not
 * terminal.
 */
export function isTerminal(status: FactoryRunStatus | string): boolean {
  const word = typeof status === "number" ? FactoryRunStatus[status]?.toLowerCase() : status;
  return word !== undefined && Object.hasOwn(TERMINAL, word) && TERMINAL[word as RunStatusWord];
}

/** What the runtime gives as `reason` when it found a run that its process had left in the middle of settling. */
const INTERRUPTED = "interrupted";

/**
 * Whether the runtime would start another attempt at the run, as far as its
 * envelope tells.
 *
 * True for a run that is paused or halted, and for one that failed, except
 * when it was interrupted before it settled or when its accounting is
 * incomplete: the runtime answers both with `non_resumable`. False for a run
 * that waits, runs, completed or was cancelled, and for an unknown status.
 * The runtime has the last word: it also looks at its own state, which
 * `canResume` of `getRunDetail` shows.
 */
export function isResumable(run: SessionFactoryRunFromToolResult | RunOutcome): boolean {
  const outcome = "$typeName" in run ? outcomeOf(run) : run;
  switch (outcome.status) {
    case "paused":
    case "halted":
      return true;
    case "error":
      return outcome.reason !== INTERRUPTED && outcome.failure?.type !== "factory_accounting_incomplete";
    default:
      return false;
  }
}
