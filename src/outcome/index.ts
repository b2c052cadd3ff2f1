export type {
  FactoryAccountingIncomplete,
  FactoryDurableFailure,
  FactoryLimitReached,
  FactoryProviderDisconnected,
  FactoryResumeDeclined,
  RunFailure,
  UnknownFailure,
} from "./failure.js";
export {
  outcomeOf,
  type RunCancelled,
  type RunCompleted,
  type RunErrored,
  type RunHalted,
  type RunOutcome,
  type RunPaused,
  type RunPending,
  type RunRunning,
  type RunStatusWord,
  type RunUnknown,
} from "./outcome.js";
export type { PausedAtCheckpoint, PausedByUser, RunPauseInfo, UnknownPauseInfo } from "./pause-info.js";
export { type JournalEntry, journalResult, type ProgressLine, type RunSnapshot } from "./snapshot.js";
export { isResumable, isTerminal } from "./status.js";
