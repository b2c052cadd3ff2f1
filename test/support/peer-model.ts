// What JSON a message that Protobuf-ES read must become: ProtoJSON's mapping of Value, and the envelope's own rules
// (docs/wire-format.md, section 4) for the rest. It compares values: numbers as doubles, members without order.
import type { Value } from "@bufbuild/protobuf/wkt";
import type { SessionFactoryRunFromToolResult } from "../../gen/factory_run/v1/factory_run_pb.js";
import { doubleKey, type JsonNode } from "./json-tree.js";

/** Stands for a message that has no JSON form, with the code that says why. */
export class NoJson extends Error {
  constructor(readonly code: "out_of_range" | "wrong_type" | "nesting_too_deep") {
    super(code);
  }
}

const WORDS = ["Unknown", "pending", "running", "completed", "halted", "paused", "cancelled", "error"];
const CONTAINERS = 127;

export function valueNode(value: Value, open = 1): JsonNode {
  const { kind } = value;
  switch (kind.case) {
    case undefined:
    case "nullValue":
      return { kind: "null" };
    case "boolValue":
      return { kind: "boolean", value: kind.value };
    case "stringValue":
      return { kind: "string", value: kind.value };
    case "numberValue":
      if (!Number.isFinite(kind.value)) throw new NoJson("out_of_range");
      return { kind: "number", text: doubleKey(kind.value) };
    case "listValue":
      if (open >= CONTAINERS) throw new NoJson("nesting_too_deep");
      return { kind: "array", items: kind.value.values.map((item) => valueNode(item, open + 1)) };
    case "structValue": {
      if (open >= CONTAINERS) throw new NoJson("nesting_too_deep");
      const entries = Object.entries(kind.value.fields);
      return { kind: "object", members: entries.map(([key, item]) => [key, valueNode(item, open + 1)]) };
    }
  }
}

type Judge = (value: Value) => JsonNode | undefined;

/** How a preserved member is taken up by the field that it names. */
const string: Judge = ({ kind }) => {
  if (kind.case !== "stringValue") throw new NoJson("wrong_type");
  return { kind: "string", value: kind.value };
};
const optional =
  (judge: Judge): Judge =>
  (value) =>
    value.kind.case === undefined || value.kind.case === "nullValue" ? undefined : judge(value);
const integer: Judge = ({ kind }) => {
  if (kind.case !== "numberValue" || Object.is(kind.value, -0) || !/^-?\d+$/.test(String(kind.value)))
    throw new NoJson("wrong_type");
  const exact = BigInt(String(kind.value));
  if (BigInt.asIntN(64, exact) !== exact) throw new NoJson("out_of_range");
  return { kind: "number", text: doubleKey(kind.value) };
};
const FIELDS: [snake: string, camel: string, take: Judge][] = [
  ["attempt", "attempt", optional(integer)],
  ["error", "error", optional(string)],
  ["failure", "failure", (value) => valueNode(value)],
  ["pause_info", "pauseInfo", (value) => valueNode(value)],
  ["reason", "reason", optional(string)],
  ["result", "result", (value) => valueNode(value)],
  ["run_id", "runId", string],
  ["snapshot", "snapshot", (value) => valueNode(value)],
  ["status", "status", string],
];

/** The envelope's JSON. Number texts of preserved members are not looked at: not for integers taken up by a text. */
export function envelopeNode(message: SessionFactoryRunFromToolResult): JsonNode {
  const { attempt, error, failure, pauseInfo, reason, result, runId, snapshot, status, preserved } = message;
  const members = new Map<string, JsonNode>();
  const text = (key: string, value: string | undefined) =>
    value !== undefined && members.set(key, { kind: "string", value });
  const any = (key: string, value: Value | undefined) => value !== undefined && members.set(key, valueNode(value));
  if (attempt !== undefined) members.set("attempt", { kind: "number", text: doubleKey(Number(attempt)) });
  text("error", error);
  any("failure", failure);
  any("pause_info", pauseInfo);
  text("reason", reason);
  any("result", result);
  if (runId !== "") text("run_id", runId);
  any("snapshot", snapshot);
  const word = preserved !== undefined && Object.hasOwn(preserved.words, "status") ? preserved.words.status : undefined;
  if (status !== 0) text("status", WORDS[status] ?? "Unknown");
  else text("status", word);
  const given = new Set(members.keys());
  for (const [key, value] of Object.entries(preserved?.members ?? {})) {
    const field = FIELDS.find(([snake, camel]) => key === snake || key === camel);
    if (field === undefined) members.set(key, valueNode(value));
    else if (!given.has(field[0])) {
      const node = field[2](value);
      if (node !== undefined) members.set(field[0], node);
      given.add(field[0]);
    }
  }
  if (!members.has("run_id")) text("run_id", "");
  if (!members.has("status")) text("status", "Unknown");
  return { kind: "object", members: [...members] };
}
