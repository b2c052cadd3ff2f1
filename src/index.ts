export type { JsonObject } from "@bufbuild/protobuf";
export {
  FactoryRunStatus,
  FactoryRunStatusSchema,
  file_factory_run_v1_factory_run,
  type NumberText,
  NumberTextSchema,
  type Preserved,
  PreservedSchema,
  type SessionFactoryRunFromToolResult,
  SessionFactoryRunFromToolResultSchema,
} from "../gen/factory_run/v1/factory_run_pb.js";
export { binaryToSerdeJson, binaryToSerdeJsonString, checkBinary } from "./binary-to-json.js";
export { checkSerdeJson, type SerdeJsonProblem } from "./check-serde-json.js";
export { WireError, type WireErrorCode, type WireErrorPlace } from "./error.js";
export { serdeJsonToBinary } from "./json-to-binary.js";
export type { ExactJsonValue } from "./json-to-object.js";
export { fromSerdeJson, fromSerdeJsonString, toSerdeJson, toSerdeJsonString } from "./message.js";
export type { SerdeObjectOptions, SerdeReadOptions, SerdeWriteOptions } from "./options.js";
export * from "./outcome/index.js";
export * from "./stream/index.js";
export { fromValue, type ToValueOptions, toValue } from "./value.js";
