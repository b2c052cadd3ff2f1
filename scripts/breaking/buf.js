// Runs the buf that package.json pins, whatever the current directory.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";

const bufCommand = bufExecutable();

/** What stopped a check before it could give a verdict: no finding about the schema. */
export class CannotCheck extends Error {}

/** The executable itself where it is found, since its launcher costs another start of Node. */
function bufExecutable() {
  const require = createRequire(import.meta.url);
  const launcher = require.resolve("@bufbuild/buf/bin/buf");
  try {
    return [createRequire(launcher).resolve(`@bufbuild/buf-${process.platform}-${process.arch}/bin/buf`)];
  } catch {
    return [process.execPath, launcher];
  }
}

/**
 * @param {string[]} args
 * @param {string} root the folder with buf.yaml; findings name files relative to it
 * @returns {{ status: number | null, stdout: Buffer, stderr: string }}
 */
export function runBuf(args, root) {
  const run = spawnSync(bufCommand[0], [...bufCommand.slice(1), ...args], { cwd: root, maxBuffer: 1 << 28 });
  if (run.error) throw new CannotCheck(`buf does not start: ${run.error.message}`);
  return { status: run.status, stdout: run.stdout, stderr: run.stderr.toString().trim() };
}

/**
 * The schema under `root` as a buf image, which is a FileDescriptorSet.
 *
 * @param {string} root
 * @param {{ sourceInfo: boolean }} options with source info, findings can say line and column; without it, two
 *   schemas that differ in comments and layout only give the same bytes
 * @returns {Uint8Array}
 */
export function buildImage(root, { sourceInfo }) {
  const { status, stdout, stderr } = runBuf(
    ["build", "-o", "-", ...(sourceInfo ? [] : ["--exclude-source-info"])],
    root,
  );
  if (status !== 0) throw new CannotCheck(`the schema does not compile:\n${stderr || stdout.toString().trim()}`);
  return stdout;
}

/**
 * An image names a file by its import path; people need the path on disk.
 *
 * @param {string} root
 * @returns {Map<string, string>} import path to path relative to `root`
 */
export function pathsOnDisk(root) {
  const { status, stdout, stderr } = runBuf(["ls-files", "--format", "json"], root);
  if (status !== 0) throw new CannotCheck(`buf cannot list the files of the schema: ${stderr}`);
  const lines = stdout.toString().split("\n").filter(Boolean);
  return new Map(lines.map((line) => JSON.parse(line)).map((file) => [file.import_path, file.path]));
}
