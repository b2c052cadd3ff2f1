// Both checks of the schema under a folder against a baseline image.

import { readImage } from "./baseline.js";
import { buildImage, CannotCheck, pathsOnDisk, runBuf } from "./buf.js";
import { jsonFindings } from "./json-breaking.js";

/** What `buf breaking` exits with when it has findings; anything else but 0 is a failure to check. */
const bufHasFindings = 100;

/**
 * @param {string} root the folder with buf.yaml
 * @param {string} baselineFile
 * @returns {{ buf: string[], json: string[] }} findings as lines FILE:LINE:COLUMN:MESSAGE, FILE relative to `root`
 */
export function checkSchema(root, baselineFile) {
  const baseline = readImage(baselineFile);
  const json = jsonFindings(baseline, buildImage(root, { sourceInfo: true }));
  const paths = json.length > 0 ? pathsOnDisk(root) : new Map();
  return {
    buf: bufFindings(root, baselineFile),
    json: json.map(
      ({ file, line, column, message }) => `${paths.get(file) ?? file}:${line}:${column}:JSON: ${message}`,
    ),
  };
}

function bufFindings(root, baselineFile) {
  const { status, stdout, stderr } = runBuf(["breaking", "--against", baselineFile], root);
  if (status === 0) return [];
  if (status !== bufHasFindings) throw new CannotCheck(`buf breaking gives no verdict: ${stderr || `exit ${status}`}`);
  return stdout.toString().trim().split("\n");
}
