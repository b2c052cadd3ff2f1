// What the judges know of the schema, written down a second time on purpose: they must not follow the package's own
// reading of the descriptors.

/** The envelope's fields in the order of their numbers: name in the .proto, name in camelCase, kind. */
export const FIELDS = [
  { name: "attempt", camel: "attempt", kind: "int64" },
  { name: "error", camel: "error", kind: "string" },
  { name: "failure", camel: "failure", kind: "value" },
  { name: "pause_info", camel: "pauseInfo", kind: "value" },
  { name: "reason", camel: "reason", kind: "string" },
  { name: "result", camel: "result", kind: "value" },
  { name: "run_id", camel: "runId", kind: "required" },
  { name: "snapshot", camel: "snapshot", kind: "value" },
  { name: "status", camel: "status", kind: "enum" },
];

/** The words of the status by number. */
export const STATUS_WORDS = ["Unknown", "pending", "running", "completed", "halted", "paused", "cancelled", "error"];

/** The field that a JSON key names, in either spelling. */
export const FIELD_BY_KEY = new Map(FIELDS.flatMap((field) => [field.name, field.camel].map((key) => [key, field])));
