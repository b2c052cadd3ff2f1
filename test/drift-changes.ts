// Ways in which the runtime's envelope and the schema can come apart, and what `npm run drift` must tell of each.
import type { apiSchema } from "./drift-api-schema.js";

type ApiSchema = ReturnType<typeof apiSchema>;

export interface Change {
  name: string;
  /** What another version of the runtime has otherwise. */
  runtime?: (schema: ApiSchema) => void;
  /** What another state of our schema has otherwise. */
  ours?: [from: string, to: string];
  /** The differences that are told, each line whole. */
  lines: string[];
}

/** What is true of the runtime is told twice where it concerns our schema: as a change, and as a difference. */
export const changes: Change[] = [
  { name: "nothing", lines: [] },
  {
    name: "descriptions, which are no facts",
    runtime: ({ definitions: { FactoryRunResult } }) =>
      Object.assign(FactoryRunResult.properties.reason, { description: "x" }),
    lines: [],
  },
  {
    name: "a member came",
    runtime: ({ definitions: { FactoryRunResult } }) =>
      Object.assign(FactoryRunResult.properties, { retryAfter: { type: "integer", minimum: 0 } }),
    lines: [
      "the schema lacks: retryAfter (integer 0.., optional)",
      "new in the runtime: retryAfter (integer 0.., optional)",
    ],
  },
  {
    name: "a required member came",
    runtime: ({ definitions: { FactoryRunResult } }) => {
      Object.assign(FactoryRunResult.properties, { region: { type: "string" } });
      FactoryRunResult.required.push("region");
    },
    lines: ["the schema lacks: region (string, required)", "new in the runtime: region (string, required)"],
  },
  {
    name: "a member went",
    runtime: ({ definitions: { FactoryRunResult } }) => Reflect.deleteProperty(FactoryRunResult.properties, "reason"),
    lines: [
      "the runtime lacks: reason (field reason of SessionFactoryRunFromToolResult)",
      "gone from the runtime: reason (string, optional)",
    ],
  },
  {
    name: "a member was renamed",
    runtime: ({ definitions: { FactoryRunResult } }) => {
      Reflect.deleteProperty(FactoryRunResult.properties, "pauseInfo");
      Object.assign(FactoryRunResult.properties, { pause: { type: "string" } });
    },
    lines: [
      "the schema lacks: pause (string, optional)",
      "the runtime lacks: pauseInfo (field pause_info of SessionFactoryRunFromToolResult)",
      "new in the runtime: pause (string, optional)",
      "gone from the runtime: pauseInfo (object, optional)",
      "gone from the runtime: pauseInfo[user] (variant)",
      "gone from the runtime: pauseInfo[checkpoint] (variant)",
      "gone from the runtime: pauseInfo[checkpoint].key (string, required)",
    ],
  },
  {
    name: "an optional member became required",
    runtime: ({ definitions: { FactoryRunResult } }) => FactoryRunResult.required.push("attempt"),
    lines: [
      "attempt is required in the runtime, optional in the schema",
      "changed in the runtime: attempt was integer 1..4294967295, optional, is integer 1..4294967295, required",
    ],
  },
  {
    name: "a required member became optional",
    runtime: ({ definitions: { FactoryRunResult } }) => FactoryRunResult.required.shift(),
    lines: [
      "runId is optional in the runtime, required in the schema",
      "changed in the runtime: runId was string, required, is string, optional",
    ],
  },
  {
    name: "a member's type changed",
    runtime: ({ definitions: { FactoryRunResult } }) =>
      Object.assign(FactoryRunResult.properties.reason, { type: "integer" }),
    lines: [
      "reason is integer in the runtime, string in the schema",
      "changed in the runtime: reason was string, optional, is integer, optional",
    ],
  },
  {
    name: "an integer became a number",
    runtime: ({ definitions: { FactoryRunResult } }) => {
      FactoryRunResult.properties.attempt = { type: "number" } as never;
    },
    lines: [
      "attempt is number in the runtime, integer in the i64 range in the schema",
      "changed in the runtime: attempt was integer 1..4294967295, optional, is number, optional",
    ],
  },
  {
    name: "an integer left the range of 64 bits",
    runtime: ({ definitions: { FactoryRunResult } }) =>
      Object.assign(FactoryRunResult.properties.attempt, { maximum: 2 ** 64 }),
    lines: [
      "attempt is integer 1..18446744073709552000 in the runtime, integer in the i64 range in the schema",
      "changed in the runtime: attempt was integer 1..4294967295, optional, is integer 1..18446744073709552000, optional",
    ],
  },
  {
    name: "a member may be null",
    runtime: ({ definitions: { FactoryRunResult } }) =>
      Object.assign(FactoryRunResult.properties.error, { type: ["string", "null"] }),
    lines: [
      "error may be null in the runtime, which string in the schema does not keep",
      "changed in the runtime: error was string, optional, is string or null, optional",
    ],
  },
  {
    name: "a Value's member may be null",
    runtime: ({ definitions: { FactoryRunResult } }) => {
      FactoryRunResult.properties.pauseInfo = {
        anyOf: [{ $ref: "#/definitions/FactoryPauseInfo" }, { type: "null" }],
      } as never;
    },
    lines: ["changed in the runtime: pauseInfo was object, optional, is object or null, optional"],
  },
  {
    name: "a status came",
    runtime: ({ definitions: { FactoryRunStatus } }) => FactoryRunStatus.enum.push("expired"),
    lines: ['the schema lacks: status = "expired"', 'new in the runtime: status = "expired" (word)'],
  },
  {
    name: "a status went",
    runtime: ({ definitions: { FactoryRunStatus } }) => FactoryRunStatus.enum.splice(4, 1),
    lines: [
      'the runtime lacks: status = "paused" (of FactoryRunStatus)',
      'gone from the runtime: status = "paused" (word)',
    ],
  },
  {
    name: "a failure type came",
    runtime: ({ definitions: { FactoryRunFailure } }) =>
      FactoryRunFailure.anyOf.push({
        type: "object",
        properties: { type: { type: "string", const: "factory_evicted" }, node: { type: "string" } },
        required: ["type"],
      } as never),
    lines: [
      "new in the runtime: failure[factory_evicted] (variant)",
      "new in the runtime: failure[factory_evicted].node (string, optional)",
    ],
  },
  {
    name: "a failure type went",
    runtime: ({ definitions: { FactoryRunFailure } }) => FactoryRunFailure.anyOf.pop(),
    lines: [
      "gone from the runtime: failure[factory_provider_disconnected] (variant)",
      "gone from the runtime: failure[factory_provider_disconnected].runId (string, required)",
    ],
  },
  {
    name: "a failure's member changed",
    runtime: ({ definitions: { FactoryRunFailure } }) => {
      const [limit] = FactoryRunFailure.anyOf;
      Object.assign(limit!.properties, { unit: { type: "string" }, suggestedValue: { type: ["number", "null"] } });
    },
    lines: [
      "changed in the runtime: failure[factory_limit_reached].suggestedValue was number, optional, is number or null, optional",
      "new in the runtime: failure[factory_limit_reached].unit (string, optional)",
    ],
  },
  {
    name: "a kind of limit came",
    runtime: ({ definitions: { FactoryRunFailureKind } }) => FactoryRunFailureKind.enum.push("maxTokens"),
    lines: ['new in the runtime: failure[factory_limit_reached].kind = "maxTokens" (word)'],
  },
  {
    name: "a kind of pause came",
    runtime: ({ definitions: { FactoryPauseInfo } }) =>
      FactoryPauseInfo.anyOf.push({
        type: "object",
        properties: { type: { type: "string", const: "quota" } },
        required: ["type"],
      } as never),
    lines: ["new in the runtime: pauseInfo[quota] (variant)"],
  },
  {
    name: "our schema has a member more",
    ours: ["optional Preserved preserved = 15;", "optional Preserved preserved = 15;\n  optional string region = 10;"],
    lines: ["the runtime lacks: region (field region of SessionFactoryRunFromToolResult)"],
  },
  {
    name: "our schema has a status more",
    ours: ["FACTORY_RUN_STATUS_ERROR = 7;", "FACTORY_RUN_STATUS_ERROR = 7;\n  FACTORY_RUN_STATUS_EXPIRED = 8;"],
    lines: ['the runtime lacks: status = "expired" (of FactoryRunStatus)'],
  },
  {
    name: "our schema lacks a member",
    ours: ["optional int64 attempt = 1;", ""],
    lines: ["the schema lacks: attempt (integer 1..4294967295, optional)"],
  },
  {
    name: "our schema lacks a status",
    ours: ["FACTORY_RUN_STATUS_PAUSED = 5;", ""],
    lines: ['the schema lacks: status = "paused"'],
  },
  {
    name: "our schema has narrower integers",
    ours: ["optional int64 attempt", "optional int32 attempt"],
    lines: ["attempt is integer 1..4294967295 in the runtime, integer in the i32 range in the schema"],
  },
  {
    name: "our schema has integers that are wide enough",
    ours: ["optional int64 attempt", "optional uint32 attempt"],
    lines: [],
  },
  {
    name: "our schema types a member that the runtime leaves open",
    ours: ["google.protobuf.Value snapshot", "optional string snapshot"],
    lines: ["snapshot is any in the runtime, string in the schema"],
  },
];
