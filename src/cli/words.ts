import { describe, type JsonNode, memberOf, outlineLines, stringOf } from "./json-outline.js";
import { harmless, type Style, shortened } from "./terminal.js";

/** What a status means for somebody who waits for the run. */
export const STATUS_WORDS: Record<string, { readonly style: Style; readonly text: string }> = {
  pending: { style: "cyan", text: "accepted, and no attempt has begun" },
  running: { style: "cyan", text: "an attempt is under way" },
  completed: { style: "green", text: "the factory returned" },
  halted: { style: "yellow", text: "the process that ran the factory went away; it can be resumed" },
  paused: { style: "yellow", text: "it waits, and can be resumed" },
  cancelled: { style: "yellow", text: "it was cancelled before the factory returned" },
  error: { style: "red", text: "the factory failed, or a limit stopped it" },
  Unknown: { style: "red", text: "the sender did not know it either" },
};

/** The limits of a run, by the kind that a failure names. */
const LIMIT_WORDS: Record<string, string> = {
  maxAiCredits: "AI credits",
  maxTotalSubagents: "subagents in all",
  timeoutSeconds: "seconds of time",
};

/** How something of a known type is told, and which of its members that takes in. */
interface Telling {
  readonly tell: (node: JsonNode) => string;
  readonly told: readonly string[];
}

/** The failures that the runtime is known to send. */
const FAILURES: Record<string, Telling> = {
  factory_limit_reached: { tell: limitReached, told: ["kind", "value", "suggestedValue"] },
  factory_resume_declined: { tell: () => "the request to resume the run was declined", told: [] },
  factory_durable_failure: {
    tell: (failure) =>
      `the runtime could not keep the run's state${said(failure, "operation", ", in ")}${said(failure, "code", ": ")}`,
    told: ["operation", "code"],
  },
  factory_accounting_incomplete: {
    tell: (failure) =>
      `the use of AI credits could not be counted in full${said(failure, "drainedNanoAiu", "; nano-units drained: ")}`,
    told: ["drainedNanoAiu"],
  },
  factory_provider_disconnected: { tell: () => "the process that provides the factory went away", told: [] },
};

const PAUSES: Record<string, Telling> = {
  user: { tell: () => "a person asked for it", told: [] },
  checkpoint: { tell: (pause) => `it waits at the checkpoint ${shown(pause, "key")}`, told: ["key"] },
};

function limitReached(failure: JsonNode): string {
  const kind = stringOf(memberOf(failure, "kind"));
  if (kind === undefined) return "a limit was reached";
  const unit = Object.hasOwn(LIMIT_WORDS, kind) ? ` (${LIMIT_WORDS[kind]})` : "";
  const suggested = memberOf(failure, "suggestedValue");
  const advice =
    suggested === undefined || suggested.kind === "null"
      ? "no other value is suggested"
      : `${describe(suggested)} is suggested`;
  return `the limit ${harmless(kind)} = ${shown(failure, "value")}${unit} was reached; ${advice}`;
}

/** A failure in words, with lines for what the words leave out. */
export function failureLines(failure: JsonNode, runId: string): string[] {
  return tellingLines(failure, FAILURES, runId);
}

/** Why a run is paused, in words, with lines for what the words leave out. */
export function pauseLines(pause: JsonNode): string[] {
  return tellingLines(pause, PAUSES, undefined);
}

function tellingLines(node: JsonNode, tellings: Record<string, Telling>, runId: string | undefined): string[] {
  const type = stringOf(memberOf(node, "type"));
  if (type === undefined) return outlineLines(node);
  const telling = Object.hasOwn(tellings, type) ? tellings[type] : undefined;
  const words =
    telling === undefined
      ? `${harmless(type)}, which this version has no words for`
      : `${telling.tell(node)} (${type})`;
  const untold = node.children.filter(([key, child]) => {
    const isSaid = key === "type" || telling?.told.includes(key);
    return !isSaid && !(key === "runId" && stringOf(child) === runId);
  });
  return [words, ...untold.map(([key, child]) => `  ${shortened(key, 40)}  ${describe(child)}`)];
}

function shown(node: JsonNode, key: string): string {
  const member = memberOf(node, key);
  return member === undefined ? "unknown" : describe(member);
}

function said(node: JsonNode, key: string, before: string): string {
  const member = memberOf(node, key);
  if (member === undefined) return "";
  return `${before}${harmless(stringOf(member) ?? member.text)}`;
}
