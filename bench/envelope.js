// The envelope as a JS object, in the forms that the others need it.
import { FactoryRunStatusSchema, SessionFactoryRunFromToolResultSchema } from "factory-run-wire";

const fields = SessionFactoryRunFromToolResultSchema.fields;
const snakeOf = new Map(fields.map((field) => [field.jsonName, field.name]));
const prefix = FactoryRunStatusSchema.sharedPrefix ?? "";

/** The words of the runtime's JSON, and the names that ProtoJSON has for them. */
const protoNameOf = new Map(
  FactoryRunStatusSchema.values.map((value) => [value.name.toLowerCase().slice(prefix.length), value.name]),
);
const wordOf = new Map([...protoNameOf].map(([word, name]) => [name, word]));

/** The same members, the envelope's own keys spelt as in the .proto. */
export function snakeKeys(object) {
  const result = {};
  for (const key of Object.keys(object)) result[snakeOf.get(key) ?? key] = object[key];
  return result;
}

/** The runtime's object as ProtoJSON has it: only the status differs on the way in. */
export function toProtoJson(object) {
  return { ...object, status: protoNameOf.get(object.status) };
}

/** ProtoJSON's object as the runtime has it: the status is a word, the int64 a number. */
export function fromProtoJson(object) {
  const result = { ...object, status: wordOf.get(object.status) };
  if (object.attempt !== undefined) result.attempt = Number(object.attempt);
  return result;
}
