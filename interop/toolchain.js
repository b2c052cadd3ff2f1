// What building a peer needs on the machine, and how CI gets what Debian has of it.
import { spawnSync } from "node:child_process";

/** A toolchain that this machine lacks. */
export class MissingTool extends Error {}

/** Libraries, by pkg-config's names; every other tool is a command. */
const LIBRARIES = ["protobuf", "openssl"];

/** Debian's packages for what is no language's own toolchain. */
const DEBIAN_PACKAGES = {
  "g++": "g++",
  "pkg-config": "pkg-config",
  protoc: "protobuf-compiler",
  protobuf: "libprotobuf-dev",
  openssl: "libssl-dev",
};

/**
 * Throws {@link MissingTool} when one of the tools is not there. In CI, as root, those that Debian has are installed
 * first.
 * @param {string[]} tools commands and libraries
 */
export function requireTools(tools) {
  const packages = tools.filter((tool) => !isThere(tool)).flatMap((tool) => DEBIAN_PACKAGES[tool] ?? []);
  if (packages.length > 0 && process.env.CI === "true" && process.getuid?.() === 0) install(packages);
  const missing = tools.filter((tool) => !isThere(tool));
  if (missing.length > 0) throw new MissingTool(missing.join(", "));
}

function isThere(tool) {
  if (LIBRARIES.includes(tool)) return spawnSync("pkg-config", ["--exists", tool]).status === 0;
  return spawnSync(tool, [tool === "go" ? "version" : "--version"]).error === undefined;
}

function install(packages) {
  for (const args of [
    ["update", "-qq"],
    ["install", "-y", "-qq", "--no-install-recommends", ...packages],
  ]) {
    spawnSync("apt-get", args, { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } });
  }
}
