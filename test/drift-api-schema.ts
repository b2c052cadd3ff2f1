// A runtime and a schema of ours that agree, for changes to be made to. They stay as they are when the real ones grow.

export const protoText = `syntax = "proto3";
package factory_run.v1;
import "google/protobuf/struct.proto";
message SessionFactoryRunFromToolResult {
  optional int64 attempt = 1;
  optional string error = 2;
  google.protobuf.Value failure = 3;
  google.protobuf.Value pause_info = 4;
  optional string reason = 5;
  google.protobuf.Value result = 6;
  string run_id = 7;
  google.protobuf.Value snapshot = 8;
  FactoryRunStatus status = 9;
  optional Preserved preserved = 15;
}
enum FactoryRunStatus {
  FACTORY_RUN_STATUS_UNSPECIFIED = 0;
  FACTORY_RUN_STATUS_PENDING = 1;
  FACTORY_RUN_STATUS_RUNNING = 2;
  FACTORY_RUN_STATUS_COMPLETED = 3;
  FACTORY_RUN_STATUS_HALTED = 4;
  FACTORY_RUN_STATUS_PAUSED = 5;
  FACTORY_RUN_STATUS_CANCELLED = 6;
  FACTORY_RUN_STATUS_ERROR = 7;
}
message Preserved {
  map<string, google.protobuf.Value> members = 1;
}
`;

// A JSON Schema with the definitions of the runtime's envelope, in the forms in which the runtime's own schema has
// them: references, unions told apart by a constant, members without a type. Each call gives a new one to change.

const string = () => ({ type: "string" });
const runId = string;
const reference = (name: string) => ({ $ref: `#/definitions/${name}` });

function variant<Properties extends object>(type: string, properties: Properties, ...required: (keyof Properties)[]) {
  return {
    type: "object",
    properties: { ...properties, type: { type: "string", const: type } },
    required: ["type", ...required],
  };
}

export function apiSchema() {
  return {
    definitions: {
      FactoryRunResult: {
        type: "object",
        properties: {
          runId: runId(),
          attempt: { type: "integer", minimum: 1, maximum: 4294967295 },
          status: { ...reference("FactoryRunStatus"), description: "Where it stands." },
          result: { description: "Any value." },
          error: string(),
          failure: reference("FactoryRunFailure"),
          reason: string(),
          snapshot: { description: "Any value." },
          pauseInfo: reference("FactoryPauseInfo"),
        },
        required: ["runId", "status"],
      },
      FactoryRunStatus: {
        type: "string",
        enum: ["pending", "running", "completed", "halted", "paused", "cancelled", "error"],
      },
      FactoryRunFailure: {
        anyOf: [
          variant(
            "factory_limit_reached",
            {
              kind: reference("FactoryRunFailureKind"),
              value: { type: "number", exclusiveMinimum: 0 },
              suggestedValue: { type: "number" },
              runId: runId(),
            },
            "kind",
            "value",
            "runId",
          ),
          variant("factory_resume_declined", { runId: runId(), reason: string() }, "runId", "reason"),
          variant(
            "factory_durable_failure",
            { code: string(), operation: reference("FactoryDurableOperation"), runId: runId() },
            "code",
            "operation",
            "runId",
          ),
          variant(
            "factory_accounting_incomplete",
            { runId: runId(), drainedNanoAiu: { type: "integer" } },
            "runId",
            "drainedNanoAiu",
          ),
          variant("factory_provider_disconnected", { runId: runId() }, "runId"),
        ],
      },
      FactoryRunFailureKind: { type: "string", enum: ["maxTotalSubagents", "timeoutSeconds", "maxAiCredits"] },
      FactoryDurableOperation: {
        type: "string",
        enum: [
          "createRun",
          "markRunStarted",
          "finishRun",
          "reserveAgent",
          "releaseAgent",
          "chargeCredit",
          "addElapsed",
          "reconcileCreditTotal",
          "journalGet",
          "journalPut",
          "refreshLease",
        ],
      },
      FactoryPauseInfo: { anyOf: [variant("user", {}), variant("checkpoint", { key: string() }, "key")] },
    },
  };
}
