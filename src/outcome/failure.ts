import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { defined, Members, type OpenWord } from "./members.js";

/** Why a run failed or halted, told apart by `type`. */
export type RunFailure =
  | FactoryLimitReached
  | FactoryResumeDeclined
  | FactoryDurableFailure
  | FactoryAccountingIncomplete
  | FactoryProviderDisconnected
  | UnknownFailure;

/** What every failure of a known type has. */
interface KnownFailure {
  /** The run that the failure is about. */
  runId?: string;
  /** The failure as it came, with the members that are not named here. */
  json: JsonObject;
}

/** The run reached a limit. Resumed with a higher one, it goes on. */
export interface FactoryLimitReached extends KnownFailure {
  type: "factory_limit_reached";
  /** The limit that was reached. */
  kind: OpenWord<"maxTotalSubagents" | "timeoutSeconds" | "maxAiCredits">;
  /** The limit's value: a number of subagents, seconds or AI credits, by kind. */
  value: number;
  /** A higher value that the runtime proposes, or null when it has none. */
  suggestedValue: number | null;
}

/** The resume of a run with changed limits was declined. */
export interface FactoryResumeDeclined extends KnownFailure {
  type: "factory_resume_declined";
  /** Why, for people. */
  reason: string;
}

/** The runtime could not write or read what the run needs to survive. */
export interface FactoryDurableFailure extends KnownFailure {
  type: "factory_durable_failure";
  code: string;
  /** What the runtime was about to do. */
  operation: OpenWord<
    | "createRun"
    | "markRunStarted"
    | "finishRun"
    | "reserveAgent"
    | "releaseAgent"
    | "chargeCredit"
    | "addElapsed"
    | "reconcileCreditTotal"
    | "journalGet"
    | "journalPut"
    | "refreshLease"
  >;
}

/** What the run used could not be accounted for. */
export interface FactoryAccountingIncomplete extends KnownFailure {
  type: "factory_accounting_incomplete";
  /** What the run spent at least, in billionths of an AI unit. */
  drainedNanoAiu: number;
}

/** The extension that ran the factory went away. */
export interface FactoryProviderDisconnected extends KnownFailure {
  type: "factory_provider_disconnected";
}

/** A failure of a type that this version does not know, or that lacks what its type must have. */
export interface UnknownFailure {
  type: "unknown";
  /** The word that the failure has for its type, when it has one. */
  word?: string;
  /** The failure as it came. */
  json: JsonValue;
}

type Known = Exclude<RunFailure, UnknownFailure>;
type Own<T extends Known> = Omit<T, "type" | keyof KnownFailure>;

/** By type: the members of its own, or undefined when one that it must have is missing. */
const READERS: { readonly [T in Known["type"]]: (failure: Members) => Own<Extract<Known, { type: T }>> | undefined } = {
  factory_limit_reached(failure) {
    const kind = failure.text("kind");
    const value = failure.number("value");
    if (kind === undefined || value === undefined) return undefined;
    return { kind, value, suggestedValue: failure.number("suggestedValue") ?? null };
  },
  factory_resume_declined(failure) {
    const reason = failure.text("reason");
    return reason === undefined ? undefined : { reason };
  },
  factory_durable_failure(failure) {
    const code = failure.text("code");
    const operation = failure.text("operation");
    return code === undefined || operation === undefined ? undefined : { code, operation };
  },
  factory_accounting_incomplete(failure) {
    const drainedNanoAiu = failure.number("drainedNanoAiu");
    return drainedNanoAiu === undefined ? undefined : { drainedNanoAiu };
  },
  factory_provider_disconnected: () => ({}),
};

/** Reads a failure. What does not look like one of a known type is an {@link UnknownFailure}. */
export function failureOf(json: JsonValue): RunFailure {
  const failure = Members.of(json);
  const word = failure?.text("type");
  if (failure !== undefined && isKnownType(word)) {
    const own = READERS[word](failure);
    // The table pairs each type with its own members; the compiler cannot follow that through the index.
    if (own !== undefined) {
      return { type: word, ...own, ...defined({ runId: failure.text("runId") }), json: failure.json } as Known;
    }
  }
  return { type: "unknown", ...defined({ word }), json };
}

function isKnownType(word: string | undefined): word is Known["type"] {
  return word !== undefined && Object.hasOwn(READERS, word);
}
