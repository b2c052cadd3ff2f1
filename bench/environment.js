// What the figures were taken with.
import { readFileSync } from "node:fs";
import { arch, cpus, platform, totalmem } from "node:os";
import { others } from "./codec.js";

/** Machine and versions, for the record. */
export function environment() {
  const processor = cpus();
  return {
    processor: processor[0]?.model.trim() ?? "unknown processor",
    cores: processor.length,
    memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
    system: `${platform()} ${arch()}`,
    node: process.version,
    v8: process.versions.v8,
    packages: Object.fromEntries([
      ["factory-run-wire", versionIn("../package.json")],
      ...others.map(({ package: name }) => [name, versionIn(`../node_modules/${name}/package.json`)]),
    ]),
  };
}

function versionIn(path) {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8")).version;
}
