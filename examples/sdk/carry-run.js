// What an app needs to hand a run of a factory to another service, and what that service needs to read it.
import { fromBinary, toBinary } from "@bufbuild/protobuf";
import { fromSerdeJson, outcomeOf, SessionFactoryRunFromToolResultSchema as Run } from "factory-run-wire";

/**
 * Runs a factory and gives its envelope as binary, whatever became of the run.
 *
 * @param {import("@github/copilot-sdk").CopilotSession} session
 * @param {string} factory the name that it is registered under
 * @param {import("@github/copilot-sdk").JsonValue} args
 */
export async function runAsBinary(session, factory, args) {
  const run = await session.factory.run(factory, { args });
  return toBinary(Run, fromSerdeJson(Run, run));
}

/**
 * Reads such an envelope, in another process or another language's colleague.
 *
 * @param {Uint8Array} binary
 */
export function describeRun(binary) {
  const run = outcomeOf(fromBinary(Run, binary));
  switch (run.status) {
    case "completed":
      return `returned ${JSON.stringify(run.result)}`;
    case "error":
    case "halted":
      return `${run.status}: ${describeFailure(run.failure) ?? run.reason ?? ("error" in run ? run.error : "")}`;
    case "paused":
      return run.pauseInfo?.type === "checkpoint" ? `waits at ${run.pauseInfo.key}` : "paused";
    case "cancelled":
      return `cancelled after ${run.snapshot?.journal.length ?? 0} steps`;
    case "pending":
    case "running":
      return `attempt ${run.attempt ?? 0} goes on`;
    case "unknown":
      return `has the status ${run.word}`;
  }
}

/** @param {import("factory-run-wire").RunFailure | undefined} failure */
function describeFailure(failure) {
  if (failure?.type !== "factory_limit_reached") return failure?.type;
  const { kind, value, suggestedValue } = failure;
  return `${kind} of ${value} was reached${suggestedValue === null ? "" : `, ${suggestedValue} might do`}`;
}
