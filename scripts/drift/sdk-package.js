// Finds the JSON Schema of the runtime's API in what a person points at.
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** The path does not lead to what is looked for. */
export class NotFound extends Error {}

const schemaFile = "schemas/api.schema.json";

/**
 * @param {string} path the unpacked package, or the api.schema.json in it
 * @returns {{ apiSchema: object, name: string | undefined, version: string | undefined }} name and version of the
 *   package around it, when there is one
 */
export function readSdkPackage(path) {
  if (!existsSync(path)) throw new NotFound(`no such file or folder: ${path}`);
  const file = statSync(path).isDirectory() ? join(path, schemaFile) : path;
  if (!existsSync(file)) throw new NotFound(`no ${schemaFile} in ${path}`);
  const apiSchema = parsed(file);
  const manifest = join(dirname(dirname(file)), "package.json");
  const { name, version } = existsSync(manifest) ? parsed(manifest) : {};
  return { apiSchema, name, version };
}

function parsed(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new NotFound(`${file} is not JSON: ${error.message}`);
  }
}
