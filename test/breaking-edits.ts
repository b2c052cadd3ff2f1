// Edits of a schema, and what each check of `npm run breaking` must say to them.
import { readFileSync } from "node:fs";

/** The schema that the edits of the first table are made to. */
export const envelopeText = readFileSync(new URL("../proto/factory_run/v1/factory_run.proto", import.meta.url), "utf8");

export interface Edit {
  name: string;
  /** What is looked for, which must stand there, and what takes its place. */
  edit: [from: string | RegExp, to: string][];
  /** What buf's findings say, one pattern a finding; none: buf sees nothing that breaks. */
  buf: RegExp[];
  /** The same for the check of the JSON wire, with the line's text that each finding points to. */
  json: [message: RegExp, line: RegExp][];
}

const fieldGone = /^message SessionFactoryRunFromToolResult/;
const attempt = "optional int64 attempt = 1;";
const reason = "optional string reason = 5;";
const runId = "string run_id = 7;";
const lastField = "optional Preserved preserved = 15;";
const paused = "FACTORY_RUN_STATUS_PAUSED = 5;";
const lastValue = "FACTORY_RUN_STATUS_ERROR = 7;";

export const envelopeEdits: Edit[] = [
  { name: "nothing changed", edit: [], buf: [], json: [] },
  {
    name: "a comment changed",
    edit: [["// One answer of the runtime", "// An answer of the runtime"]],
    buf: [],
    json: [],
  },
  {
    name: "fields in another order",
    edit: [
      [attempt, ""],
      [lastField, `${lastField}\n  ${attempt}`],
    ],
    buf: [],
    json: [],
  },
  {
    name: "field removed",
    edit: [[reason, ""]],
    buf: [/"5" with name "reason" .*was deleted/],
    json: [[/"reason" .* is gone/, fieldGone]],
  },
  {
    name: "field removed and reserved",
    edit: [[reason, 'reserved 5;\n  reserved "reason";']],
    buf: [/"5" with name "reason" .*was deleted/],
    json: [[/"reason" .* is gone/, fieldGone]],
  },
  {
    name: "field renamed",
    edit: [["pause_info = 4", "pause_details = 4"]],
    buf: [/"json_name" from "pauseInfo"/, /name from "pause_info"/],
    json: [
      [/"pause_details" .* was "pause_info"/, /pause_details = 4/],
      [/"pauseDetails" in camelCase, was "pauseInfo"/, /pause_details = 4/],
    ],
  },
  {
    name: "field renamed, its old camelCase key kept",
    edit: [["pause_info = 4;", 'pause_details = 4 [json_name = "pauseInfo"];']],
    buf: [/name from "pause_info"/i],
    json: [[/"pause_details" .* was "pause_info"/, /pause_details = 4/]],
  },
  {
    name: "field renumbered",
    edit: [["reason = 5", "reason = 1000"]],
    buf: [/"5" with name "reason" .*was deleted/],
    json: [],
  },
  {
    name: "two fields' numbers swapped",
    edit: [
      ["error = 2", "error = 5"],
      ["reason = 5", "reason = 2"],
    ],
    buf: [
      /"2" .* name from "error" to "reason"/,
      /"2" .*"json_name" from "error" to "reason"/,
      /"5" .* name from "reason" to "error"/,
      /"5" .*"json_name" from "reason" to "error"/,
    ],
    json: [],
  },
  {
    name: "field retyped",
    edit: [["optional string reason", "optional int64 reason"]],
    buf: [/type from "string" to "int64"/],
    json: [[/"reason" .* is now: integer in the i64 range, was: string/, /optional int64 reason/]],
  },
  {
    name: "any value narrowed to a string",
    edit: [["google.protobuf.Value snapshot", "optional string snapshot"]],
    buf: [/type from "message" to "string"/],
    json: [[/"snapshot" .* is now: string, was: any value/, /optional string snapshot/]],
  },
  {
    name: "int64 to uint64",
    edit: [["optional int64 attempt", "optional uint64 attempt"]],
    buf: [/type from "int64" to "uint64"/],
    json: [[/"attempt" .* is now: integer in the u64 range, was: integer in the i64 range/, /uint64 attempt/]],
  },
  {
    name: "one value made a list",
    edit: [["optional string reason", "repeated string reason"]],
    buf: [/cardinality/],
    json: [[/"reason" .* is now: list of string, was: string/, /repeated string reason/]],
  },
  {
    name: "optional dropped",
    edit: [[attempt, "int64 attempt = 1;"]],
    buf: [/cardinality/],
    json: [[/"attempt" .* is now required, was an Option/, /int64 attempt/]],
  },
  {
    name: "optional added",
    edit: [[runId, `optional ${runId}`]],
    buf: [/cardinality/],
    json: [[/"run_id" .* is now an Option, was required/, /string run_id/]],
  },
  {
    name: "json_name set",
    edit: [["run_id = 7;", 'run_id = 7 [json_name = "id"];']],
    buf: [/"json_name" from "runId" to "id"/],
    json: [[/"run_id" .* spelt "id" in camelCase, was "runId"/, /string run_id/]],
  },
  {
    name: "json_name set to what it is",
    edit: [["run_id = 7;", 'run_id = 7 [json_name = "runId"];']],
    buf: [],
    json: [],
  },
  {
    name: "field moved into a oneof",
    edit: [[reason, "oneof why { string reason = 5; }"]],
    buf: [/oneof/],
    json: [[/"reason" .* is part of a oneof, which the JSON mapping refuses/, /string reason/]],
  },
  {
    name: "sidecar removed",
    edit: [[lastField, ""]],
    buf: [/"15" with name "preserved" .*was deleted/],
    json: [[/has no sidecar any more/, fieldGone]],
  },
  {
    name: "enum value removed",
    edit: [[paused, ""]],
    buf: [/"5" .*was deleted/],
    json: [[/word "paused" of "FactoryRunStatus" is gone/, /^enum FactoryRunStatus/]],
  },
  {
    name: "enum value removed and reserved",
    edit: [[paused, 'reserved 5;\n  reserved "FACTORY_RUN_STATUS_PAUSED";']],
    buf: [/"5" .*was deleted/],
    json: [[/word "paused" of "FactoryRunStatus" is gone/, /^enum FactoryRunStatus/]],
  },
  {
    name: "enum value renamed",
    edit: [["_PAUSED = 5", "_SUSPENDED = 5"]],
    buf: [/name from "FACTORY_RUN_STATUS_PAUSED" to "FACTORY_RUN_STATUS_SUSPENDED"/],
    json: [[/word "suspended" of "FactoryRunStatus" was "paused"/, /_SUSPENDED = 5/]],
  },
  {
    name: "enum value renumbered",
    edit: [["_PAUSED = 5", "_PAUSED = 1008"]],
    buf: [/"5" .*was deleted/],
    json: [],
  },
  {
    name: "zero value renamed, which JSON never shows",
    edit: [["_UNSPECIFIED = 0", "_OTHER = 0"]],
    buf: [/name from "FACTORY_RUN_STATUS_UNSPECIFIED"/],
    json: [],
  },
  {
    name: "enum value added without the prefix, which changes every word",
    edit: [[lastValue, `${lastValue}\n  LATER = 1008;`]],
    buf: [],
    json: [
      ...[...envelopeText.matchAll(/FACTORY_RUN_STATUS_(\w+) = [1-9]/g)].map(([value, name]): [RegExp, RegExp] => [
        new RegExp(`word "${value.split(" ")[0]!.toLowerCase()}" .* was "${name!.toLowerCase()}"`),
        new RegExp(value),
      ]),
    ],
  },
  {
    name: "package renamed",
    edit: [["package factory_run.v1;", "package factory_run.v2;"]],
    buf: [/package changed from "factory_run.v1" to "factory_run.v2"/],
    json: [],
  },
  {
    name: "message renamed",
    edit: [["message SessionFactoryRunFromToolResult", "message FactoryRunResult"]],
    buf: [/message "SessionFactoryRunFromToolResult" was deleted/],
    json: [[/message "SessionFactoryRunFromToolResult" is gone/, /^\/\/ The envelope/]],
  },
  {
    name: "required field added",
    edit: [[lastField, `${lastField}\n  string region = 1010;`]],
    buf: [],
    json: [[/"region" .* is new and required/, /string region/]],
  },
  {
    name: "list added, which JSON requires",
    edit: [[lastField, `${lastField}\n  repeated string tags = 1010;`]],
    buf: [],
    json: [[/"tags" .* is new and required/, /repeated string tags/]],
  },
  {
    name: "field added of a kind without a JSON form here",
    edit: [[lastField, `${lastField}\n  optional bytes digest = 1010;`]],
    buf: [],
    json: [[/"digest" .* is of type bytes, which the JSON mapping refuses/, /optional bytes digest/]],
  },
  {
    name: "field added whose key another field has",
    edit: [[lastField, `${lastField}\n  optional string region = 1010 [json_name = "run_id"];`]],
    buf: [],
    json: [[/"run_id" .* is a key of both "run_id" and "region"/, /optional string region/]],
  },
  {
    name: "optional field added",
    edit: [[lastField, `${lastField}\n  optional uint64 later_count = 1010;`]],
    buf: [],
    json: [],
  },
  {
    name: "Value field, message and enum added",
    edit: [
      [
        lastField,
        `${lastField}\n  google.protobuf.Value usage = 1010;\n  LaterCost cost = 1011;\n  optional Mood mood = 1012;`,
      ],
      [/$/, "\nmessage LaterCost {\n  string unit = 1;\n}\nenum Mood {\n  MOOD_UNSPECIFIED = 0;\n}\n"],
    ],
    buf: [],
    json: [],
  },
  {
    name: "enum value added",
    edit: [[lastValue, `${lastValue}\n  FACTORY_RUN_STATUS_LATER = 1008;`]],
    buf: [],
    json: [],
  },
];

/** What the envelope does not have yet: messages in messages, in lists and in themselves. */
export const nestedText = `syntax = "proto3";
package nested.v1;
message Outer {
  Inner inner = 1;
  repeated Inner inners = 2;
  Outer outer = 3;
  message Inner {
    string unit = 1;
    repeated Mood moods = 2;
    optional int32 count = 3;
  }
}
enum Mood {
  MOOD_UNSPECIFIED = 0;
  MOOD_GLAD = 1;
}
message Other {
  optional bool on = 1;
}
`;

export const nestedEdits: Edit[] = [
  {
    name: "a change within a held message is said once",
    edit: [["string unit = 1", "optional string unit = 1"]],
    buf: [/cardinality/],
    json: [[/"unit" of "Outer.Inner" is now an Option/, /string unit/]],
  },
  {
    name: "a held message under another name",
    edit: [[/\bInner\b/g, "Part"]],
    buf: [/"Outer.Inner" .*deleted/, /type/, /type/],
    json: [],
  },
  {
    name: "a held message under another name that lost a member",
    edit: [
      [/\bInner\b/g, "Part"],
      ["string unit = 1;", ""],
    ],
    buf: [/"Outer.Inner" .*deleted/, /type/, /type/],
    json: [[/"unit" of "Outer.Part" is gone/, /message Part/]],
  },
  {
    name: "a word in a list",
    edit: [["MOOD_GLAD", "MOOD_HAPPY"]],
    buf: [/name from "MOOD_GLAD"/],
    json: [[/word "happy" of "Mood" was "glad"/, /MOOD_HAPPY/]],
  },
  {
    name: "a wider integer",
    edit: [["optional int32 count", "optional int64 count"]],
    buf: [/type from "int32" to "int64"/],
    json: [[/"count" .* is now: integer in the i64 range, was: integer in the i32 range/, /int64 count/]],
  },
  {
    name: "a message that nothing holds removed",
    edit: [[/message Other \{[^}]*\}/, ""]],
    buf: [/message "Other" was deleted/],
    json: [[/message "Other" is gone/, /^syntax/]],
  },
];
