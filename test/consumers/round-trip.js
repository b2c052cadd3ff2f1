// What each consumer does with the installed package, however it got hold of it.

const RUNTIME =
  '{"runId":"r1","attempt":2,"status":"completed","result":{"seq":9007199254740993,"ratio":1.0,"text":"é\\n"}}';
const SNAKE = RUNTIME.replace("runId", "run_id");

/** @param {typeof import("factory-run-wire")} wire */
export function roundTrip(wire) {
  const schema = wire.SessionFactoryRunFromToolResultSchema;
  const binary = wire.serdeJsonToBinary(schema, RUNTIME);
  same(binary instanceof Uint8Array, true);
  same(wire.binaryToSerdeJsonString(schema, binary), SNAKE);
  same(wire.binaryToSerdeJsonString(schema, binary, { keys: "camelCase" }), RUNTIME);
  same(new TextDecoder().decode(wire.binaryToSerdeJson(schema, binary)), SNAKE);
  const message = wire.fromSerdeJson(schema, JSON.parse(RUNTIME));
  same(message.attempt, 2n);
  same(message.status, wire.FactoryRunStatus.COMPLETED);
  same(JSON.stringify(wire.toSerdeJson(schema, message).result), JSON.stringify(JSON.parse(RUNTIME).result));
  try {
    wire.serdeJsonToBinary(schema, '{"runId":"r1"}');
  } catch (error) {
    same(error instanceof wire.WireError, true);
    same(error.code, "missing_field");
    return "ok";
  }
  throw new Error("an envelope without a status was taken");
}

function same(actual, expected) {
  if (actual !== expected) throw new Error(`${String(actual)}\n  is not\n${String(expected)}`);
}
