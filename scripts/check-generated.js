// Says whether the generated code in the repository is what buf and protoc-gen-es make of the .proto files now.
//
// It is made anew in a temporary folder and compared file by file. Exit 0: fresh; 1: not.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** By folder of generated code: what makes it, as `npm run generate` does. */
const GENERATED = {
  gen: ["generate"],
  "test/schemas/gen": [
    ...["generate", "--config", "test/schemas/buf.workspace.yaml"],
    ...["--template", "test/schemas/buf.gen.yaml", "--path", "test/schemas/proto/wire_test"],
  ],
};

const work = mkdtempSync(join(tmpdir(), "factory-run-wire-generated-"));
process.on("exit", () => rmSync(work, { recursive: true, force: true }));

let stale = 0;
for (const [folder, command] of Object.entries(GENERATED)) {
  const { status, stdout, stderr, error } = spawnSync(join(root, "node_modules/.bin/buf"), [...command, "-o", work], {
    cwd: root,
    encoding: "utf8",
    // buf finds the plugin by name.
    env: { ...process.env, PATH: `${join(root, "node_modules/.bin")}:${process.env.PATH}` },
  });
  if (status !== 0) throw new Error(`buf ${command.join(" ")}: ${error?.message ?? stdout + stderr}`);
  const files = new Set([...filesIn(join(root, folder)), ...filesIn(join(work, folder))]);
  for (const file of [...files].sort()) {
    const [committed, fresh] = [root, work].map((base) => contentOf(join(base, folder, file)));
    if (committed === fresh) continue;
    const what = committed === undefined ? "is missing" : fresh === undefined ? "has no .proto" : "is not fresh";
    console.log(`${folder}/${file} ${what}: npm run generate`);
    stale++;
  }
  if (files.size === 0) throw new Error(`buf made nothing for ${folder}`);
  console.log(`${folder}: ${files.size} files compared`);
}
process.exitCode = stale === 0 ? 0 : 1;

function filesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(folder.length + 1));
}

function contentOf(file) {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}
