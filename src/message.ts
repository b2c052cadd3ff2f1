import { type DescMessage, type JsonObject, type MessageShape, toBinary } from "@bufbuild/protobuf";
import { binaryToSerdeJsonString } from "./binary-to-json.js";
import { messageOf } from "./binary-to-message.js";
import { WireError } from "./error.js";
import { serdeJsonToBinary } from "./json-to-binary.js";
import { type ExactJsonValue, parseWithBigInts } from "./json-to-object.js";
import { checkReadOptions, checkWriteOptions, wantsBigInts } from "./limits.js";
import { guardMessage } from "./message-guard.js";
import { directJson } from "./message-to-json.js";
import { objectToJson } from "./object-to-json.js";
import type { SerdeObjectOptions, SerdeReadOptions, SerdeWriteOptions } from "./options.js";
import { planOf } from "./plan.js";

/**
 * Makes a message of a JS object, as an SDK hands it over: the members under
 * their snake_case or camelCase names.
 *
 * A bigint is an integer, anywhere; an integral number serves for an integer
 * field; a member that is undefined is absent. `toJSON` is not called. Throws a
 * {@link WireError} with the pointer for what JSON cannot hold (NaN, functions,
 * symbols, cycles, instances of classes, undefined in an array) and for what
 * {@link serdeJsonToBinary} refuses.
 */
export function fromSerdeJson<Desc extends DescMessage>(
  schema: Desc,
  value: object,
  options?: SerdeReadOptions,
): MessageShape<Desc> {
  return objectToJson(value, planOf(schema), checkReadOptions(options).maxBytes, (json) => {
    try {
      return fromSerdeJsonString(schema, json, options);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      // The text is ours: a place in it would say nothing to the caller.
      throw new WireError(error.code, error.rawMessage, { pointer: error.pointer });
    }
  });
}

/**
 * Makes a message of the JSON text that serde writes. Throws what
 * {@link serdeJsonToBinary} throws.
 */
export function fromSerdeJsonString<Desc extends DescMessage>(
  schema: Desc,
  json: string | Uint8Array,
  options?: SerdeReadOptions,
): MessageShape<Desc> {
  return messageOf(schema, planOf(schema), serdeJsonToBinary(schema, json, options));
}

/**
 * Makes a JS object of a message, with the values that `JSON.parse` would give
 * for the JSON text; with `integers: "bigint"` the integers beyond ±(2^53 - 1)
 * are exact. Throws what {@link toSerdeJsonString} throws.
 */
export function toSerdeJson<Desc extends DescMessage>(
  schema: Desc,
  message: MessageShape<Desc>,
  options: SerdeObjectOptions & { integers: "bigint" },
): { [key: string]: ExactJsonValue };
export function toSerdeJson<Desc extends DescMessage>(
  schema: Desc,
  message: MessageShape<Desc>,
  options?: SerdeObjectOptions,
): JsonObject;
export function toSerdeJson<Desc extends DescMessage>(
  schema: Desc,
  message: MessageShape<Desc>,
  options?: SerdeObjectOptions,
): { [key: string]: ExactJsonValue } {
  const exact = wantsBigInts(options);
  const json = toSerdeJsonString(schema, message, options);
  return (exact ? parseWithBigInts(json) : JSON.parse(json)) as JsonObject;
}

/**
 * Writes a message as the JSON text that serde reads, with the fields in the
 * order of their numbers.
 *
 * Throws a {@link WireError} for a message that the wire cannot hold (a lone
 * surrogate, a Value that was not made as one, a number out of its field's
 * range, nesting without end) and for what {@link binaryToSerdeJsonString}
 * refuses.
 */
export function toSerdeJsonString<Desc extends DescMessage>(
  schema: Desc,
  message: MessageShape<Desc>,
  options?: SerdeWriteOptions,
): string {
  const plan = planOf(schema);
  const { keys, maxBytes } = checkWriteOptions(options);
  // A limit is one of the binary, which is not made on the direct way.
  const direct = options?.maxBytes === undefined ? directJson(plan, message, keys) : undefined;
  if (direct !== undefined) return direct;
  guardMessage(plan, message, maxBytes);
  return binaryToSerdeJsonString(schema, binaryOf(schema, message), options);
}

/**
 * Writes a message as Protobuf-ES does. Throws a {@link WireError} for one that
 * could not be read back.
 */
export function checkedBinary<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): Uint8Array {
  // It is the text that is dropped here: what it takes to print it is all that has to be known.
  toSerdeJsonString(schema, message);
  return binaryOf(schema, message);
}

function binaryOf<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): Uint8Array {
  try {
    return toBinary(schema, message);
  } catch (error) {
    const reason = error instanceof Error ? `: ${error.message.replaceAll(/\s+/g, " ")}` : "";
    throw new WireError("wrong_type", `not a message of ${schema.typeName}${reason}`);
  }
}
