import { binaryToSerdeJson, SessionFactoryRunFromToolResultSchema, serdeJsonToBinary } from "factory-run-wire";

const schema = SessionFactoryRunFromToolResultSchema;

/** What is measured. Any nesting: some captures go deeper than other decoders read. */
export const factoryRunWire = {
  name: "factory-run-wire",
  toBinary: (json) => serdeJsonToBinary(schema, json, ANY_NESTING),
  toJson: (binary) => binaryToSerdeJson(schema, binary),
};

const ANY_NESTING = { maxNesting: Number.POSITIVE_INFINITY };
