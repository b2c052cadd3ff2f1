export type { ByteSource } from "./byte-source.js";
export { type MessageSource, readDelimited, readSerdeNdjson, writeDelimited, writeSerdeNdjson } from "./messages.js";
export type { RecordStreamOptions, SerdeReadStreamOptions, SerdeWriteStreamOptions } from "./options.js";
export { delimitedToSerdeNdjson, serdeNdjsonToDelimited } from "./transcode-stream.js";
