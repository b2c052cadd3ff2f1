// Checked by `npm run types`: each @ts-expect-error is an error that users must get.
import type { JsonValue } from "@bufbuild/protobuf";
import type { Value } from "@bufbuild/protobuf/wkt";
import { checkSerdeJson, fromValue, type SerdeJsonProblem, toValue } from "../../src/index.js";

interface Report {
  title: string;
  score?: number;
}
declare const report: Report;

// Types of an application's own need no index signature.
const value: Value = toValue(report, { maxNesting: Number.POSITIVE_INFINITY });
const json: JsonValue = fromValue(value);
const problem: SerdeJsonProblem | undefined = checkSerdeJson(report);
void json;

// @ts-expect-error there may be no problem
void problem.pointer;
if (problem !== undefined) {
  const told: "run_fails" | "run_hangs" = problem.effect;
  const where: string = problem.pointer;
  void [told, where];
  // @ts-expect-error a closed set of codes
  if (problem.code === "syntax") void 0;
}

// @ts-expect-error a Value, not JSON
fromValue({ a: 1 });
// @ts-expect-error options that do not apply are not taken
toValue(1, { keys: "camelCase" });
