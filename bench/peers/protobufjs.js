import { fileURLToPath } from "node:url";
import protobuf from "protobufjs";
import protoJson from "protobufjs/ext/protojson.js";
import { fromProtoJson, toProtoJson } from "../envelope.js";

const file = fileURLToPath(new URL("../../proto/factory_run/v1/factory_run.proto", import.meta.url));
const type = protobuf.loadSync(file).lookupType("factory_run.v1.SessionFactoryRunFromToolResult");
protobuf.util.recursionLimit = 1000;
protobuf.Reader.recursionLimit = 1000;

/** protobufjs with its own ProtoJSON extension. */
export const protobufjs = {
  name: "protobufjs",
  package: "protobufjs",
  toBinary: (json) =>
    type.encode(protoJson.fromJson(type, toProtoJson(JSON.parse(new TextDecoder().decode(json))))).finish(),
  toJson: (binary) =>
    new TextEncoder().encode(JSON.stringify(fromProtoJson(protoJson.toJson(type, type.decode(binary))))),
};
