// protoc itself, as a person at a shell would ask it: --decode, and --encode of what it printed.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { canonical, parseLossless } from "../judge/lossless.js";
import { shown } from "../report.js";
import { faultsOf } from "./binary.js";

const proto = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), "proto");
const MESSAGE = "factory_run.v1.SessionFactoryRunFromToolResult";

/** @param {string[]} mode @param {Uint8Array | string} input @returns {Buffer} */
export function protoc(mode, input) {
  const { status, stdout, stderr } = spawnSync("protoc", ["-I", proto, ...mode, "factory_run/v1/factory_run.proto"], {
    input,
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`protoc: ${stderr}`);
  return stdout;
}

/** The message as Protobuf's text format. @param {Uint8Array} binary */
export function decodeWithProtoc(binary) {
  return protoc([`--decode=${MESSAGE}`], binary);
}

/** Bytes from text format, map entries in a settled order. @param {Uint8Array} text */
export function encodeWithProtoc(text) {
  return protoc([`--encode=${MESSAGE}`, "--deterministic_output"], text);
}

export function checkProtoc(context, label, cases) {
  const faults = faultsOf(cases, ({ binary, json }) => {
    try {
      const again = encodeWithProtoc(decodeWithProtoc(binary));
      const ours = context.wire.binaryToSerdeJsonString(context.schema, again);
      return canonical(parseLossless(ours)) === json ? undefined : `${shown(again)} gave ${shown(ours)}`;
    } catch (error) {
      return error.message;
    }
  });
  context.report.line("protoc", `--decode, then --encode, we read the same JSON, ${label}`, cases.length, faults);
}

export function protocVersion() {
  return spawnSync("protoc", ["--version"], { encoding: "utf8" }).stdout.trim();
}
