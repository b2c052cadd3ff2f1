// Between the messages of Protobuf-ES and those of the judges.
import { create } from "@bufbuild/protobuf";
import { NO_KIND } from "./neutral.js";

/** A message of Protobuf-ES as the judges have it. @returns {import("./neutral.js").WireMessage} */
export function wireMessageOf(message) {
  const values = (fields) => new Map(Object.entries(fields).map(([key, value]) => [key, wireValueOf(value)]));
  const { attempt, error, failure, pauseInfo, reason, result, runId, snapshot, status, preserved } = message;
  const optional = (value) => (value === undefined ? undefined : wireValueOf(value));
  return {
    attempt,
    error,
    failure: optional(failure),
    pause_info: optional(pauseInfo),
    reason,
    result: optional(result),
    run_id: runId,
    snapshot: optional(snapshot),
    status,
    preserved: preserved && {
      members: values(preserved.members),
      words: new Map(Object.entries(preserved.words)),
      numbers: preserved.numbers.map(nodeOf),
    },
  };

  function wireValueOf({ kind }) {
    if (kind.case === undefined) return NO_KIND;
    if (kind.case === "nullValue") return null;
    if (kind.case === "listValue") return kind.value.values.map(wireValueOf);
    return kind.case === "structValue" ? values(kind.value.fields) : kind.value;
  }
}

function nodeOf({ place, text, children }) {
  return {
    key: place.case === "key" ? place.value : undefined,
    index: place.case === "index" ? place.value : undefined,
    text,
    children: children.map(nodeOf),
  };
}

/**
 * A message of the judges as one of Protobuf-ES, for its own writer.
 * @param {import("@bufbuild/protobuf").DescMessage} schema
 * @param {import("./neutral.js").WireMessage} message
 */
export function esMessageOf(schema, message) {
  const { attempt, error, failure, pause_info, reason, result, run_id, snapshot, status, preserved } = message;
  const optional = (value) => (value === undefined ? undefined : esValueOf(value));
  return create(schema, {
    attempt,
    error,
    failure: optional(failure),
    pauseInfo: optional(pause_info),
    reason,
    result: optional(result),
    runId: run_id,
    snapshot: optional(snapshot),
    status,
    preserved: preserved && {
      members: esFields(preserved.members),
      words: Object.fromEntries(preserved.words),
      numbers: preserved.numbers.map(esNodeOf),
    },
  });
}

function esNodeOf({ key, index, text, children }) {
  let place = { case: undefined };
  if (key !== undefined) place = { case: "key", value: key };
  if (index !== undefined) place = { case: "index", value: index };
  return { place, text, children: children.map(esNodeOf) };
}

function esValueOf(value) {
  const kind = (name, held) => ({ $typeName: "google.protobuf.Value", kind: { case: name, value: held } });
  if (value === NO_KIND) return kind(undefined);
  if (value === null) return kind("nullValue", 0);
  if (typeof value === "boolean") return kind("boolValue", value);
  if (typeof value === "number") return kind("numberValue", value);
  if (typeof value === "string") return kind("stringValue", value);
  if (Array.isArray(value)) {
    return kind("listValue", { $typeName: "google.protobuf.ListValue", values: value.map(esValueOf) });
  }
  return kind("structValue", { $typeName: "google.protobuf.Struct", fields: esFields(value) });
}

function esFields(members) {
  return Object.fromEntries([...members].map(([key, value]) => [key, esValueOf(value)]));
}
