// The schema as last released: one buf image, whose file name says the version. The name and the schema
// cannot come apart, and no git history is needed, so a shallow or detached checkout can be checked too.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { CannotCheck } from "./buf.js";

const folderName = "schema";
const fileName = /^released-(\d+\.\d+\.\d+)\.binpb$/;

/**
 * @param {string} root
 * @returns {{ file: string, version: string }} `file` with its path
 */
export function findBaseline(root) {
  const found = baselinesIn(join(root, folderName));
  if (found.length === 0) {
    throw new CannotCheck(
      `no baseline: ${folderName}/released-VERSION.binpb, the schema as last released, is missing. It is committed; ` +
        "bring it back from git. A project without a release makes its first one with: npm run release:schema -- --first",
    );
  }
  if (found.length > 1) {
    throw new CannotCheck(
      `${found.length} baselines in ${folderName}/, there must be one: ${found.map((b) => b.name).join(", ")}`,
    );
  }
  return { file: join(root, folderName, found[0].name), version: found[0].version };
}

/** @param {string} root */
export function hasBaseline(root) {
  return baselinesIn(join(root, folderName)).length > 0;
}

/**
 * @param {string} root
 * @param {string} version
 * @param {Uint8Array} image
 * @returns {string} the new baseline's path, relative to `root`
 */
export function replaceBaseline(root, version, image) {
  const name = `released-${version}.binpb`;
  const folder = join(root, folderName);
  mkdirSync(folder, { recursive: true });
  const unfinished = join(folder, `${name}.tmp`);
  writeFileSync(unfinished, image);
  renameSync(unfinished, join(folder, name));
  for (const old of baselinesIn(folder)) {
    if (old.name !== name) rmSync(join(folder, old.name));
  }
  return `${folderName}/${name}`;
}

/**
 * @param {string} file
 * @returns {Uint8Array} a buf image that holds a schema: an empty one would let every change pass
 */
export function readImage(file) {
  if (!existsSync(file)) throw new CannotCheck(`no such baseline: ${file}`);
  const image = readFileSync(file);
  if (!holdsSchema(image)) throw new CannotCheck(`not a buf image of a schema: ${file}`);
  return image;
}

function holdsSchema(image) {
  try {
    return fromBinary(FileDescriptorSetSchema, image).file.length > 0;
  } catch {
    return false;
  }
}

function baselinesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .map((name) => ({ name, version: fileName.exec(name)?.[1] }))
    .filter((baseline) => baseline.version !== undefined);
}
