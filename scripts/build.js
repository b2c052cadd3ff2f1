// Builds dist/ from src/. Does nothing when dist/ is newer than all it is made from.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join(root, "dist", ".built");

const sources = [...files(join(root, "src")), ...files(join(root, "gen")), join(root, "tsconfig.json")];
if (existsSync(stamp) && sources.every((file) => statSync(file).mtimeMs <= statSync(stamp).mtimeMs)) {
  process.exit(0);
}
rmSync(join(root, "dist"), { recursive: true, force: true });
const require = createRequire(import.meta.url);
const tsc = join(dirname(require.resolve("typescript/package.json")), "bin", "tsc");
const { status } = spawnSync(process.execPath, [tsc, "-p", root], { stdio: "inherit" });
if (status === 0) writeFileSync(stamp, "");
process.exit(status ?? 1);

function files(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}
