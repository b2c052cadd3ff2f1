// What a release that changes the schema must bring: a version that fits, and a CHANGELOG entry that says it.
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";

/**
 * @typedef {"breaking" | "addition" | "none"} Change an addition is any change that breaks nothing; comments and
 *   layout are none
 */

/** By how much a version rises, and how big a change npm's ^ ranges take that for: below 1.0.0, one place further right. */
const changeOfStep = {
  stable: { major: "breaking", minor: "addition", patch: "none" },
  below1: { major: "breaking", minor: "breaking", patch: "addition" },
};
const sizes = ["none", "addition", "breaking"];
const versionForm = /^(\d+)\.(\d+)\.(\d+)$/;

/**
 * @param {string} released the baseline's version
 * @param {string} version the version to release
 * @param {Change} change
 * @returns {string | undefined} what is wrong with the version
 */
export function versionFault(released, version, change) {
  const [from, to] = [parts(released), parts(version)];
  if (to === undefined) return `package.json's version ${version} is not of the form 1.2.3`;
  const place = from.findIndex((part, index) => part !== to[index]);
  if (place === -1) return `the schema has changed (${change}), and package.json still says version ${version}`;
  if (to[place] < from[place]) return `package.json's version ${version} is lower than the baseline's ${released}`;
  const step = ["major", "minor", "patch"][place];
  const allowed = changeOfStep[from[0] === 0 ? "below1" : "stable"][step];
  if (sizes.indexOf(allowed) >= sizes.indexOf(change)) return undefined;
  return `version ${version} is too small a step from ${released} for this change (${change}): it must be ${leastVersion(from, change)} or higher`;
}

function parts(version) {
  return versionForm.exec(version)?.slice(1).map(Number);
}

function leastVersion([major, minor, patch], change) {
  const breaking = change === "breaking";
  if (major === 0) return breaking ? `0.${minor + 1}.0` : `0.${minor}.${patch + 1}`;
  return breaking ? `${major + 1}.0.0` : `${major}.${minor + 1}.0`;
}

/**
 * @param {string} changelog the whole CHANGELOG, in the form of Keep a Changelog
 * @param {string} version
 * @param {Change} change
 * @param {string[][]} elements what was added to or removed from the schema, each with all its names
 * @returns {string[]} what is wrong with the version's entry
 */
export function changelogFaults(changelog, version, change, elements) {
  const entry = entryOf(changelog, version);
  if (entry === undefined) return [`CHANGELOG.md has no entry "## [${version}] - YYYY-MM-DD"`];
  const faults = [];
  if (!/^[-*] /m.test(entry)) faults.push(`CHANGELOG.md says nothing under ${version}`);
  if (change === "breaking" && !/\bbreaking\b/i.test(entry)) {
    faults.push(`CHANGELOG.md's entry ${version} does not say that the change is breaking`);
  }
  const unnamed = elements.filter((names) => !names.some((name) => namesWord(entry, name)));
  if (unnamed.length > 0) {
    faults.push(`CHANGELOG.md's entry ${version} does not name ${unnamed.map(([name]) => name).join(", ")}`);
  }
  return faults;
}

function entryOf(changelog, version) {
  const sections = changelog.split(/^## /m);
  const heading = new RegExp(`^\\[?${version.replaceAll(".", "\\.")}\\]? - \\d{4}-\\d{2}-\\d{2}\\s*$`, "m");
  return sections.find((section) => heading.test(section.split("\n", 1)[0]));
}

function namesWord(text, word) {
  return new RegExp(`(?<![\\w])${word}(?![\\w])`).test(text);
}

/**
 * @param {Uint8Array} before a buf image
 * @param {Uint8Array} after a buf image
 * @returns {string[][]} messages, fields, enums and values that only one of them has, each as the names it goes by.
 *   What stands in one of those is not listed again.
 */
export function changedElements(before, after) {
  const [old, now] = [elementsOf(before), elementsOf(after)];
  const onlyIn = (own, other) =>
    [...own]
      .filter(([path, { parent }]) => !other.has(path) && (parent === "" || other.has(parent)))
      .map(([, { names }]) => names);
  return [...onlyIn(now, old), ...onlyIn(old, now)];
}

/**
 * @param {Uint8Array} before a buf image without source info
 * @param {Uint8Array} after a buf image without source info
 */
export function sameSchema(before, after) {
  const [old, now] = [before, after].map((image) =>
    Buffer.from(toBinary(FileDescriptorSetSchema, create(FileDescriptorSetSchema, { file: ownFiles(image) }))),
  );
  return old.equals(now);
}

/** Without Protobuf's own files, which change with the version of buf. */
function ownFiles(image) {
  return fromBinary(FileDescriptorSetSchema, image).file.filter((file) => file.package !== "google.protobuf");
}

/** Paths leave the package out, as a new package name would make everything new. */
function elementsOf(image) {
  const elements = new Map();
  const add = (parent, name, names = [name]) => {
    const path = `${parent}/${name}`;
    elements.set(path, { parent, names });
    return path;
  };
  const addEnum = (parent, enumeration) => {
    const path = add(parent, enumeration.name);
    for (const { name } of enumeration.value) add(path, name, [name, wordOf(name, enumeration.name)]);
  };
  const addMessage = (parent, message) => {
    const path = add(parent, message.name);
    for (const { name, jsonName } of message.field) add(path, name, [name, jsonName]);
    for (const nested of message.nestedType) addMessage(path, nested);
    for (const nested of message.enumType) addEnum(path, nested);
  };
  for (const file of ownFiles(image)) {
    for (const message of file.messageType) addMessage("", message);
    for (const enumeration of file.enumType) addEnum("", enumeration);
  }
  return elements;
}

function wordOf(valueName, enumName) {
  const prefix = `${enumName.replace(/(?<=[a-z\d])(?=[A-Z])/g, "_").toUpperCase()}_`;
  return (valueName.startsWith(prefix) ? valueName.slice(prefix.length) : valueName).toLowerCase();
}
