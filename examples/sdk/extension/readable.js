import { checkSerdeJson } from "factory-run-wire";

/**
 * Gives a factory's result back when the runtime will be able to read it, and
 * throws when it will not: the run then ends with an error that says where the
 * fault is. Without this, a lone surrogate or a result that nests too deep
 * leaves the run in `running` for ever.
 *
 * @template {import("@github/copilot-sdk/extension").JsonValue | void} T
 * @param {T} result
 * @returns {T}
 */
export function readable(result) {
  const problem = checkSerdeJson(result);
  if (problem) throw new Error(`The result at "${problem.pointer}" is ${problem.message}`);
  return result;
}
