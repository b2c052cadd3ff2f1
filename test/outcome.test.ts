import { readdirSync, readFileSync } from "node:fs";
import { create, type JsonObject, type JsonValue, toBinary } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { describe, expect, it } from "vitest";
import { FactoryRunStatus, FactoryRunStatusSchema } from "../gen/factory_run/v1/factory_run_pb.js";
import { WireError } from "../src/error.js";
import {
  fromSerdeJson,
  fromSerdeJsonString,
  SessionFactoryRunFromToolResultSchema as Schema,
  type SessionFactoryRunFromToolResult,
} from "../src/index.js";
import {
  isResumable,
  isTerminal,
  journalResult,
  outcomeOf,
  type RunErrored,
  type RunFailure,
  type RunOutcome,
} from "../src/outcome/index.js";
import { toValue } from "../src/value.js";

const CAPTURES = new URL("captures/", import.meta.url);
const NAMES = readdirSync(CAPTURES)
  .filter((file) => file.endsWith(".json"))
  .map((file) => file.slice(0, -5));

function captureText(name: string): string {
  return readFileSync(new URL(`${name}.json`, CAPTURES), "utf8");
}

/** Captures nest to 126; what other decoders can read is not what is tried here. */
function messageOf(text: string): SessionFactoryRunFromToolResult {
  return fromSerdeJsonString(Schema, text, { maxNesting: Number.POSITIVE_INFINITY });
}

function captured(name: string): RunOutcome {
  return outcomeOf(messageOf(captureText(name)));
}

function outcome(json: JsonObject): RunOutcome {
  return outcomeOf(fromSerdeJson(Schema, { run_id: "r", status: "error", ...json }));
}

function failure(json: JsonValue): RunFailure | undefined {
  return (outcome({ failure: json }) as RunErrored).failure;
}

describe("outcomeOf with the runtime's envelopes", () => {
  it("shows every one of them", () => {
    expect(NAMES.length).toBeGreaterThanOrEqual(160);
    for (const name of NAMES) {
      const json = JSON.parse(captureText(name));
      const run = captured(name);
      expect([run.status, run.runId, run.attempt], name).toEqual([json.status, json.runId, json.attempt]);
      if (run.status === "completed") {
        expect("result" in run, name).toBe("result" in json);
        expect(run.result, name).toEqual(json.result);
      }
      if (run.status === "error") expect(run.error, name).toBe(json.error);
      if (run.status !== "completed" && run.status !== "running" && run.status !== "pending") {
        expect(run.reason, name).toBe(json.reason);
        expect(run.snapshot?.json, name).toEqual(json.snapshot);
        expect(run.failure && "json" in run.failure ? run.failure.json : undefined, name).toEqual(json.failure);
      }
    }
  });

  it("knows every failure, pause, journal entry and progress line in them", () => {
    const types = new Set<string>();
    for (const name of NAMES.filter((name) => !name.startsWith("dbedit-"))) {
      const run = captured(name);
      const json = JSON.parse(captureText(name));
      if ("failure" in run) types.add(run.failure!.type);
      if ("pauseInfo" in run) types.add(run.pauseInfo!.type);
      if (!("snapshot" in run)) continue;
      expect(run.snapshot?.journal, name).toEqual(json.snapshot.journal);
      expect(run.snapshot?.progress, name).toEqual(json.snapshot.progress);
      for (const entry of run.snapshot!.journal) expect(() => journalResult(entry), name).not.toThrow();
    }
    const seen = [
      "checkpoint",
      "factory_durable_failure",
      "factory_limit_reached",
      "factory_provider_disconnected",
      "user",
    ];
    expect([...types].sort()).toEqual(seen);
  });

  it("tells null, nothing and an empty result apart", () => {
    expect(captured("completed-null")).toMatchObject({ status: "completed", result: null });
    expect("result" in captured("completed-absent")).toBe(false);
    expect(captured("completed-empty-string")).toMatchObject({ result: "" });
  });

  const failures: [string, Omit<RunFailure, "json">][] = [
    [
      "limit-max-subagents",
      { type: "factory_limit_reached", kind: "maxTotalSubagents", value: 1, suggestedValue: 2 } as never,
    ],
    ["limit-ai-credits", { type: "factory_limit_reached", kind: "maxAiCredits", value: 1, suggestedValue: 2 } as never],
    [
      "limit-timeout",
      { type: "factory_limit_reached", kind: "timeoutSeconds", value: 0.5, suggestedValue: null } as never,
    ],
    ["halted-exit9", { type: "factory_provider_disconnected" }],
    [
      "durable-agent-charge-insert-true",
      { type: "factory_durable_failure", code: "usage_charge_failed", operation: "chargeCredit" } as never,
    ],
    ["dbedit-failure-accounting", { type: "factory_accounting_incomplete", drainedNanoAiu: 123 } as never],
    ["dbedit-failure-extra", { type: "factory_provider_disconnected" }],
    ["dbedit-failure-unknown", { type: "unknown", word: "something_else" } as never],
  ];
  for (const [name, expected] of failures) {
    it(`reads the failure of ${name}`, () => {
      const json = JSON.parse(captureText(name)).failure;
      const runId = expected.type === "unknown" ? {} : { runId: json.runId };
      expect((captured(name) as RunErrored).failure).toStrictEqual({ ...expected, ...runId, json });
    });
  }

  it("reads pause infos", () => {
    expect(captured("paused-user")).toMatchObject({ status: "paused", pauseInfo: { type: "user" } });
    expect(captured("paused-checkpoint")).toMatchObject({ pauseInfo: { type: "checkpoint", key: "review-ready" } });
  });

  it("reads a journal's results when asked", () => {
    const run = captured("cancelled-cooperative");
    if (run.status !== "cancelled") throw new Error(run.status);
    expect(run.snapshot!.journal.map(journalResult)).toEqual([null, { b: 1, a: [1.5, null, "é"] }]);
    expect(run.snapshot!.progress.map(({ kind, text, phaseId }) => [kind, text, phaseId])).toEqual([
      ["phase", "One", "p0"],
      ["log", "before cancel", "p0"],
    ]);
  });
});

describe("outcomeOf is tolerant", () => {
  it("with keys in either spelling, at both levels", () => {
    const snake = outcome({
      failure: { type: "factory_limit_reached", run_id: "r", kind: "maxAiCredits", value: 1, suggested_value: 2.5 },
      snapshot: {
        journal: [{ journal_key: "k", result_json: "[1]" }],
        progress: [{ seq: 1, attempt: 2, phase_id: "p0", kind: "log", text: "t", recorded_at: 3 }],
      },
    }) as RunErrored;
    expect(snake.failure).toMatchObject({ runId: "r", value: 1, suggestedValue: 2.5 });
    expect(snake.snapshot?.journal).toEqual([{ journalKey: "k", resultJson: "[1]" }]);
    expect(snake.snapshot?.progress).toEqual([
      { seq: 1, attempt: 2, phaseId: "p0", kind: "log", text: "t", recordedAt: 3 },
    ]);
    const text = '{"runId":"r","status":"paused","pauseInfo":{"type":"user"}}';
    expect(outcomeOf(messageOf(text))).toEqual(outcome({ status: "paused", pause_info: { type: "user" } }));
  });

  it("with 1 and 1.0, and with a suggested value that is null or missing", () => {
    for (const value of ["1", "1.0"]) {
      for (const more of ["", ',"suggestedValue":null']) {
        const text = `{"runId":"r","status":"error","failure":{"type":"factory_limit_reached","kind":"k","value":${value}${more}}}`;
        expect((outcomeOf(messageOf(text)) as RunErrored).failure).toMatchObject({ value: 1, suggestedValue: null });
      }
    }
  });

  it("with failures that are not of a known type, or not complete", () => {
    const odd: [JsonValue, string | undefined][] = [
      [{ type: "workflow_limit_reached", value: 1 }, "workflow_limit_reached"],
      [{ type: "unknown" }, "unknown"],
      [{ type: "factory_limit_reached", kind: "maxAiCredits" }, "factory_limit_reached"],
      [{ type: "factory_resume_declined" }, "factory_resume_declined"],
      [{ type: "factory_durable_failure", code: 1, operation: "x" }, "factory_durable_failure"],
      [{ type: "factory_accounting_incomplete", drainedNanoAiu: "1" }, "factory_accounting_incomplete"],
      [{ type: "toString" }, "toString"],
      [{ type: 3 }, undefined],
      [{}, undefined],
      [null, undefined],
      ["text", undefined],
      [[{ type: "user" }], undefined],
    ];
    for (const [json, word] of odd) {
      expect(failure(json), JSON.stringify(json)).toStrictEqual({ type: "unknown", ...(word && { word }), json });
    }
    expect(failure({ type: "factory_resume_declined", reason: "no" })).toMatchObject({ reason: "no" });
  });

  it("with pause infos likewise", () => {
    for (const json of [{ type: "checkpoint" }, { type: "moon" }, null, 1] as JsonValue[]) {
      expect(outcome({ status: "paused", pause_info: json })).toMatchObject({ pauseInfo: { type: "unknown", json } });
    }
  });

  it("with snapshots that lack parts or hold something else", () => {
    const empty = { journal: [], progress: [] };
    for (const json of [
      null,
      {},
      [],
      "x",
      { journal: {}, progress: null },
      { journal: [1, null, {}], progress: [[]] },
    ]) {
      expect(outcome({ snapshot: json as JsonValue })).toMatchObject({ snapshot: { ...empty, json } });
    }
    const run = outcome({
      snapshot: { progress: [{ text: "only" }], journal: [{ journalKey: "k", resultJson: "{" }] },
    });
    const { snapshot } = run as RunErrored;
    expect(snapshot!.progress).toEqual([{ text: "only", kind: "log", phaseId: null }]);
    expect(() => journalResult(snapshot!.journal[0]!)).toThrow(WireError);
  });

  it("with a status that it does not know, giving the word and all parts", () => {
    const run = outcome({ status: "timed_out", result: 1, error: "e", reason: "w", failure: {}, pause_info: {} });
    expect(run).toMatchObject({ status: "unknown", word: "timed_out", result: 1, error: "e", reason: "w" });
    expect(run).toMatchObject({ failure: { type: "unknown" }, pauseInfo: { type: "unknown" } });
    expect(outcome({ status: "Unknown" })).toEqual({ status: "unknown", word: "Unknown", runId: "r" });
    expect(outcome({ status: "unknown" })).toEqual({ status: "unknown", word: "unknown", runId: "r" });
    expect(outcome({ status: "toString" })).toMatchObject({ status: "unknown", word: "toString" });
    expect(outcomeOf(create(Schema, { runId: "r", status: 99 as FactoryRunStatus }))).toMatchObject({
      word: "Unknown",
    });
  });

  it("with a field that the sender did not know yet", () => {
    const preserved = { members: { pauseInfo: toValue({ type: "user" }) } };
    const message = create(Schema, { runId: "r", status: FactoryRunStatus.PAUSED, preserved });
    expect(outcomeOf(message)).toEqual({ status: "paused", runId: "r", pauseInfo: { type: "user" } });
  });

  it("shows of each status what belongs to it", () => {
    const all: JsonObject = {
      attempt: 2,
      result: 1,
      error: "e",
      reason: "w",
      failure: null,
      snapshot: null,
      pause_info: null,
    };
    const stopped = ["attempt", "failure", "reason", "runId", "snapshot", "status"];
    const shown: { [status: string]: string[] } = {
      pending: ["attempt", "runId", "status"],
      running: ["attempt", "runId", "status"],
      completed: ["attempt", "result", "runId", "status"],
      halted: stopped,
      paused: [...stopped, "pauseInfo"],
      cancelled: stopped,
      error: [...stopped, "error"],
    };
    for (const status of Object.keys(shown)) {
      expect(Object.keys(outcome({ ...all, status })).sort(), status).toEqual(shown[status]!.sort());
      expect(Object.keys(outcome({ status })).sort(), status).toEqual(["runId", "status"]);
    }
  });

  it("keeps keys that mean something elsewhere, and leaves the message alone", () => {
    const text = '{"run_id":"r","status":"completed","result":{"__proto__":{"a":1},"constructor":2}}';
    const message = messageOf(text);
    const before = toBinary(Schema, message);
    const run = outcomeOf(message);
    expect(JSON.stringify(run)).toContain('{"__proto__":{"a":1},"constructor":2}');
    expect(toBinary(Schema, message)).toEqual(before);
  });

  it("throws what toSerdeJson would for a message made by hand that JSON cannot hold", () => {
    const result = create(ValueSchema, { kind: { case: "numberValue", value: Number.NaN } });
    const message = create(Schema, { runId: "r", status: FactoryRunStatus.COMPLETED, result });
    expect(() => outcomeOf(message)).toThrow(WireError);
  });
});

describe("isTerminal", () => {
  it("means what the SDK's isFactoryRunTerminal means, for words and enum values", () => {
    const terminal = ["CANCELLED", "COMPLETED", "ERROR", "HALTED", "PAUSED"];
    for (const { localName, number } of FactoryRunStatusSchema.values) {
      expect(isTerminal(number), localName).toBe(terminal.includes(localName));
      expect(isTerminal(localName.toLowerCase()), localName).toBe(terminal.includes(localName));
    }
    for (const other of ["", "unknown", "Completed", "toString", "__proto__", 99, -1]) {
      expect(isTerminal(other)).toBe(false);
    }
  });
});

describe("isResumable", () => {
  /** What became of a resume of the run in the first capture, as the other shows it. */
  const resumed: [string, boolean][] = [
    ["paused-checkpoint", true], // paused-checkpoint-resume-reply: attempt 2
    ["paused-two-1", true], // paused-two-3-completed-attempt3
    ["paused-user", true],
    ["halted-exit9", true], // halted-resume-reply-attempt2
    ["error-attempt1", true], // resumed-completed-attempt2
    ["limit-timeout-frac", true], // limit-resume-raised: attempt 3
    ["cancelled-cooperative", false], // cancelled-resumed-getrun: unchanged
    ["halted-resumed-completed", false], // interrupted before it settled
    ["dbedit-failure-accounting", false], // its accounting is incomplete
    ["completed-null", false],
    ["running-getrun-parked", false],
    ["dbedit-pending-attempt0", false],
  ];
  for (const [name, expected] of resumed) {
    it(`says ${expected ? "yes" : "no"} for ${name}, as a message and as an outcome`, () => {
      const message = messageOf(captureText(name));
      expect(isResumable(message)).toBe(expected);
      expect(isResumable(outcomeOf(message))).toBe(expected);
    });
  }

  it("says no for a status that it does not know", () => {
    expect(isResumable(outcome({ status: "timed_out" }))).toBe(false);
  });
});

describe("isResumable holds what the captures of resumed runs show", () => {
  // The same run before and after: the later capture has a higher attempt.
  const pairs = NAMES.flatMap((name) => {
    const json = JSON.parse(captureText(name));
    return json.attempt > 1 ? [[name, json.runId, json.attempt] as const] : [];
  });
  it("for every run that was seen before its resume", () => {
    let seen = 0;
    for (const name of NAMES) {
      const run = captured(name);
      const later = pairs.some(([, runId, attempt]) => runId === run.runId && attempt > (run.attempt ?? 0));
      if (!later || !isTerminal(run.status)) continue;
      seen++;
      expect(isResumable(run), name).toBe(true);
    }
    expect(seen).toBeGreaterThanOrEqual(4);
  });
});
