// What a schema promises on the JSON wire: each message's members, as serde would see them. The rules are
// those of docs/wire-format.md, sections 1 and 2; names, presence and enum words come from the descriptors.
import { createFileRegistry, fromBinary, ScalarType } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";

/**
 * @typedef {{ file: string, line: number, column: number }} Place file as the image names it; 1:1 without source info
 *
 * @typedef {object} EnumContract
 * @property {string} name without the package, which JSON never shows
 * @property {Map<string, { number: number, place: Place }>} words by what JSON says
 * @property {Place} place
 *
 * @typedef {object} MemberContract
 * @property {string} key the snake_case key, the field's name
 * @property {string} camelKey the camelCase key, the field's JSON name
 * @property {number} number
 * @property {"required" | "Option" | "list"} presence a list is a member that must be there, too
 * @property {string} type for people and for comparison; enums and messages are compared by what they hold
 * @property {string | undefined} unsupported why the JSON mapping refuses the field
 * @property {EnumContract | undefined} enum
 * @property {string | undefined} message the full name of the message that it holds
 * @property {{ whole: Place, type: Place, camelKey: Place }} places
 *
 * @typedef {object} MessageContract
 * @property {string} fullName
 * @property {string} name without the package
 * @property {MemberContract[]} members in the schema's order
 * @property {boolean} keepsUnknown whether it has a sidecar for what the schema does not name
 * @property {Place} place
 */

const sidecarName = "Preserved";
const anyValueName = "google.protobuf.Value";
const importedPackage = "google.protobuf";

/** The JSON types of the scalars that the mapping knows; every other one is refused when a schema is used. */
const scalarTypes = new Map([
  [ScalarType.STRING, "string"],
  [ScalarType.BOOL, "bool"],
  [ScalarType.INT32, "integer in the i32 range"],
  [ScalarType.UINT32, "integer in the u32 range"],
  [ScalarType.INT64, "integer in the i64 range"],
  [ScalarType.UINT64, "integer in the u64 range"],
  [ScalarType.DOUBLE, "number"],
]);

// Numbers of the fields of descriptor.proto, of which the paths of source code info are made.
const inFile = { message: 4, enum: 5 };
const inMessage = { field: 2, nestedMessage: 3, nestedEnum: 4 };
const inEnum = { value: 2 };
const inField = { scalarType: 5, typeName: 6, jsonName: 10 };

/**
 * @param {Uint8Array} image a buf image
 * @returns {Map<string, MessageContract>} by full name: every message that has a JSON form
 */
export function serdeContract(image) {
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, image));
  const files = [...registry.files].filter((file) => file.proto.package !== importedPackage);
  const messages = files.flatMap((file) => file.messages.flatMap(withNested));
  const sidecarParts = reachable(messages.filter(isSidecar));
  const contracts = messages
    .filter((message) => !sidecarParts.has(message))
    .map((message) => [message.typeName, messageContract(message)]);
  return new Map(contracts);
}

function withNested(message) {
  return [message, ...message.nestedMessages.flatMap(withNested)];
}

function isSidecar(message) {
  return message?.name === sidecarName && message.parent === undefined;
}

/** The sidecar and all that it is made of has no JSON form of its own. */
function reachable(from) {
  const seen = new Set(from);
  for (const message of seen) {
    for (const field of message.fields) if (field.message) seen.add(field.message);
    for (const nested of message.nestedMessages) seen.add(nested);
  }
  return seen;
}

function messageContract(message) {
  return {
    fullName: message.typeName,
    name: localName(message),
    members: message.fields.filter((field) => !isSidecarField(field)).map(memberContract),
    keepsUnknown: message.fields.some(isSidecarField),
    place: placeOf(message.file, pathOf(message)),
  };
}

function isSidecarField(field) {
  return field.fieldKind === "message" && isSidecar(field.message);
}

function memberContract(field) {
  const { enum: enumeration, message } = field;
  const { file } = field.parent;
  const path = [...pathOf(field.parent), inMessage.field, field.parent.proto.field.indexOf(field.proto)];
  const whole = placeOf(file, path);
  return {
    key: field.name,
    camelKey: field.jsonName,
    number: field.number,
    presence: presenceOf(field),
    type: typeOf(field),
    unsupported: unsupportedReason(field),
    enum: enumeration && enumContract(enumeration),
    message: message && message.typeName !== anyValueName ? message.typeName : undefined,
    places: {
      whole,
      type: placeOf(file, [...path, inField.typeName], placeOf(file, [...path, inField.scalarType], whole)),
      camelKey: placeOf(file, [...path, inField.jsonName], whole),
    },
  };
}

function presenceOf({ fieldKind, presence }) {
  if (fieldKind === "list") return "list";
  return presence === FeatureSet_FieldPresence.IMPLICIT ? "required" : "Option";
}

function typeOf(field) {
  if (field.fieldKind === "map") return "map";
  const one = typeOfOne(field);
  return field.fieldKind === "list" ? `list of ${one}` : one;
}

function typeOfOne({ enum: enumeration, message, scalar }) {
  if (enumeration) return "word";
  if (message) return message.typeName === anyValueName ? "any value" : "object";
  return scalarTypes.get(scalar) ?? ScalarType[scalar].toLowerCase();
}

/** What the mapping refuses when a schema is first used, which would be late to hear of it. */
function unsupportedReason(field) {
  const { enum: enumeration, message, scalar } = field;
  if (field.fieldKind === "map") return "a map";
  if (field.oneof) return "part of a oneof";
  if (field.presence === FeatureSet_FieldPresence.LEGACY_REQUIRED) return "required as proto2 has it";
  if (field.delimitedEncoding) return "a group";
  if (message && isWellKnown(message) && message.typeName !== anyValueName) return `a ${message.typeName}`;
  if (enumeration && (isWellKnown(enumeration) || !enumeration.open)) return `of the enum ${enumeration.typeName}`;
  if (scalar !== undefined && !scalarTypes.has(scalar)) return `of type ${ScalarType[scalar].toLowerCase()}`;
  return undefined;
}

function isWellKnown({ typeName }) {
  return typeName.startsWith(`${importedPackage}.`);
}

/** The word is the value's name without the prefix that all values share, in lower case; 0 is serde's catch-all. */
function enumContract(enumeration) {
  const prefix = enumeration.sharedPrefix?.length ?? 0;
  const path = pathOf(enumeration);
  const words = enumeration.values.map((value, index) => [
    value.number === 0 ? "Unknown" : value.name.slice(prefix).toLowerCase(),
    { number: value.number, place: placeOf(enumeration.file, [...path, inEnum.value, index]) },
  ]);
  return { name: localName(enumeration), words: new Map(words), place: placeOf(enumeration.file, path) };
}

function localName({ typeName, file }) {
  return file.proto.package === "" ? typeName : typeName.slice(file.proto.package.length + 1);
}

/** Where a message or enum stands in its file's descriptor. */
function pathOf(desc) {
  const isEnum = desc.kind === "enum";
  if (desc.parent) {
    const siblings = isEnum ? desc.parent.proto.enumType : desc.parent.proto.nestedType;
    const number = isEnum ? inMessage.nestedEnum : inMessage.nestedMessage;
    return [...pathOf(desc.parent), number, siblings.indexOf(desc.proto)];
  }
  const siblings = isEnum ? desc.file.proto.enumType : desc.file.proto.messageType;
  return [isEnum ? inFile.enum : inFile.message, siblings.indexOf(desc.proto)];
}

function placeOf(file, path, otherwise = { file: `${file.name}.proto`, line: 1, column: 1 }) {
  const wanted = path.join();
  const location = file.proto.sourceCodeInfo?.location.find((candidate) => candidate.path.join() === wanted);
  if (location === undefined) return otherwise;
  const [line, column] = location.span;
  return { file: `${file.name}.proto`, line: line + 1, column: column + 1 };
}
