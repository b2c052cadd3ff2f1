import { fromBinary, fromJson, toBinary, toJson } from "@bufbuild/protobuf";
import { SessionFactoryRunFromToolResultSchema } from "factory-run-wire";
import { fromProtoJson, toProtoJson } from "../envelope.js";

const schema = SessionFactoryRunFromToolResultSchema;
const READ = { recursionLimit: 1000 };
const WRITE = { useProtoFieldName: true };

/** The JS object that Protobuf-ES reads from a binary, the envelope's keys as in the .proto. */
export function readProtobufEs(binary) {
  return fromProtoJson(toJson(schema, fromBinary(schema, binary, READ), WRITE));
}

/** Protobuf-ES, by way of its messages and ProtoJSON objects. */
export const protobufEs = {
  name: "Protobuf-ES",
  package: "@bufbuild/protobuf",
  toBinary: (json) => toBinary(schema, fromJson(schema, toProtoJson(JSON.parse(new TextDecoder().decode(json))), READ)),
  toJson: (binary) => new TextEncoder().encode(JSON.stringify(readProtobufEs(binary))),
};
