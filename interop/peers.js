// The peers: what each needs, how it is built, how it is started.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { requireTools } from "./toolchain.js";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const proto = join(root, "proto");
const schema = join(proto, "factory_run/v1/factory_run.proto");

/**
 * @typedef {"serde" | "sdk" | "binary"} Skill `serde`: the snake_case struct and serde_json::Value; `sdk`: the SDK's own
 *   struct; `binary`: a Protobuf library
 * @typedef {{ name: string, tools: string[], skills: Skill[], build: () => string[] }} Peer `build` gives the command
 */

/** @type {Peer[]} */
export const PEERS = [
  {
    name: "rust",
    tools: ["cargo", "pkg-config", "openssl"],
    skills: ["serde", "sdk", "binary"],
    build: () => cargo("rust", ["sdk", "preserve_order"]),
  },
  { name: "rust-sorted", tools: ["cargo"], skills: ["serde"], build: () => cargo("rust-sorted", []) },
  {
    name: "rust-exact",
    tools: ["cargo"],
    skills: ["serde"],
    build: () => cargo("rust-exact", ["preserve_order", "float_roundtrip"]),
  },
  { name: "cpp", tools: ["g++", "protoc", "pkg-config", "protobuf"], skills: ["binary"], build: buildCpp },
  { name: "java", tools: ["java", "mvn"], skills: ["binary"], build: buildJava },
  { name: "go", tools: ["go"], skills: ["binary"], build: buildGo },
  { name: "python", tools: ["python3", "protoc"], skills: ["binary"], build: buildPython },
];

/**
 * Throws MissingTool where the machine lacks what the peer needs, and an Error where its build fails.
 * @param {Peer} peer
 * @returns {string[]} the command that starts it
 */
export function buildPeer(peer) {
  requireTools(peer.tools);
  return peer.build();
}

/** One program for each set of features: they share a target folder, so that each dependency is compiled once. */
function cargo(name, features) {
  const folder = join(root, "interop/rust");
  run("cargo", ["build", "--quiet", "--locked", "--features", features.join(",")], folder);
  const program = join(folder, "target", name);
  copyFileSync(join(folder, "target/debug/rust-peer"), program);
  return [program];
}

function buildCpp() {
  const folder = join(root, "interop/cpp");
  const build = join(folder, "build");
  const program = join(build, "cpp-peer");
  mkdirSync(build, { recursive: true });
  run("protoc", ["-I", proto, `--cpp_out=${build}`, schema], folder);
  const flags = run("pkg-config", ["--cflags", "--libs", "protobuf"], folder).trim().split(/\s+/);
  const sources = ["peer.cpp", "neutral.cpp", join(build, "factory_run/v1/factory_run.pb.cc")];
  run("g++", ["-std=c++17", "-O1", `-I${build}`, "-I.", ...sources, "-o", program, ...flags], folder);
  return [program];
}

function buildJava() {
  const folder = join(root, "interop/java");
  run("mvn", ["-q", "-B", "process-classes"], folder);
  const path = [join(folder, "target/classes"), join(folder, "target/dependency/*")].join(":");
  return ["java", "-Xss64m", "-cp", path, "interop.Peer"];
}

function buildGo() {
  const folder = join(root, "interop/go");
  const program = join(folder, "build/go-peer");
  const buf = join(root, "node_modules/.bin/buf");
  run(buf, ["generate", proto, "--template", "buf.gen.yaml"], folder);
  run("go", ["build", "-o", program, "."], folder);
  return [program];
}

function buildPython() {
  const folder = join(root, "interop/python");
  const build = join(folder, "build");
  const python = join(build, "venv/bin/python");
  mkdirSync(build, { recursive: true });
  run("protoc", ["-I", proto, `--python_out=${build}`, schema], folder);
  run("python3", ["-m", "venv", join(build, "venv")], folder);
  run(python, ["-m", "pip", "install", "-q", "--disable-pip-version-check", "-r", "requirements.txt"], folder);
  return [python, join(folder, "peer.py")];
}

function run(command, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8", maxBuffer: 2 ** 28 });
  if (error || status !== 0) {
    throw new Error(`${command} ${args.join(" ")}: ${error?.message ?? ""}\n${stdout}\n${stderr}`);
  }
  return stdout;
}
