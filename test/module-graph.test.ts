// The core runs wherever JavaScript runs: what dist/index.js loads is its own files and Protobuf-ES, no Node built-in.
import { existsSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { beforeAll, describe, expect, test } from "vitest";
import {
  binaryToSerdeJsonString,
  fromSerdeJson,
  fromSerdeJsonString,
  SessionFactoryRunFromToolResultSchema as Run,
  serdeJsonToBinary,
  toSerdeJsonString,
} from "../src/index.js";
import { capture } from "./support/material.js";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*["']([^"']+)["']/g;

/** Every file that the entry loads, with the specifiers that it names. */
function graph(entry: string, extension: ".js" | ".d.ts"): Map<string, string[]> {
  const seen = new Map<string, string[]>();
  const waiting = [entry];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file)) continue;
    const code = readFileSync(file, "utf8")
      .replaceAll(/\/\*[\s\S]*?\*\//g, "")
      .replaceAll(/^\s*\/\/.*$/gm, "");
    const specifiers = [...code.matchAll(IMPORT)].map(([, specifier]) => specifier!);
    seen.set(file, specifiers);
    for (const specifier of specifiers.filter((name) => name.startsWith("."))) {
      waiting.push(resolve(dirname(file), specifier).replace(/\.js$/, extension));
    }
  }
  return seen;
}

describe("the built core", () => {
  const index = join(root, "dist", "index.js");
  beforeAll(() => expect(existsSync(index), "npm run build comes first").toBe(true));

  test.each([".js", ".d.ts"] as const)("imports its own files and @bufbuild/protobuf only: %s", (extension) => {
    const files = graph(index.replace(/\.js$/, extension), extension);
    expect(files.size).toBeGreaterThan(5);
    for (const [file, specifiers] of files) {
      const name = relative(root, file);
      expect(name, "a shipped file").toMatch(/^(dist|gen)\//);
      for (const specifier of specifiers.filter((other) => !other.startsWith("."))) {
        expect(builtinModules, `${name} imports ${specifier}`).not.toContain(specifier);
        expect(specifier, name).toMatch(/^@bufbuild\/protobuf(\/(wkt|codegenv2|wire|reflect))?$/);
      }
    }
  });

  test("does not load the command", () => {
    const names = [...graph(index, ".js").keys()].map((file) => relative(root, file));
    expect(names.filter((name) => /^dist\/cli\//.test(name))).toEqual([]);
  });

  test("makes no code from text", () => {
    for (const file of graph(index, ".js").keys()) {
      expect(readFileSync(file, "utf8"), relative(root, file)).not.toMatch(/\bnew Function\b|\beval\s*\(/);
    }
  });

  test("carries an envelope where there is no global but the language's own, the text encoders and the streams", async () => {
    const { outputFiles } = await build({
      entryPoints: [index],
      bundle: true,
      write: false,
      format: "iife",
      globalName: "wire",
      platform: "neutral",
      mainFields: ["module", "main"],
      logLevel: "silent",
    });
    const web = {
      TextEncoder,
      TextDecoder,
      ReadableStream,
      WritableStream,
      TransformStream,
      TextDecoderStream,
      TextEncoderStream,
    };
    const context = createContext(
      { ...web, text: capture("dbedit-all-fields") },
      { codeGeneration: { strings: false, wasm: false } },
    );
    const out: unknown = runInContext(
      `"use strict";
      ${outputFiles[0]!.text.replace(/^"use strict";/, "")}
      const schema = wire.SessionFactoryRunFromToolResultSchema;
      const binary = wire.serdeJsonToBinary(schema, text);
      const message = wire.fromSerdeJson(schema, JSON.parse(text));
      [typeof process, typeof Buffer, wire.binaryToSerdeJsonString(schema, binary, { keys: "camelCase" }), wire.toSerdeJsonString(schema, message).length > 100].join("\\n")`,
      context,
    );
    expect(String(out).split("\n")).toEqual(["undefined", "undefined", capture("dbedit-all-fields"), "true"]);
  });
});

test("takes bytes and objects of another realm, as test runners and sandboxes hand them over", () => {
  const text = capture("dbedit-all-fields");
  const context = createContext({});
  const Foreign = runInContext("Uint8Array", context) as Uint8ArrayConstructor;
  const json = Foreign.from(new TextEncoder().encode(text));
  expect(json).not.toBeInstanceOf(Uint8Array);
  const binary = serdeJsonToBinary(Run, json);
  expect(binary).toEqual(serdeJsonToBinary(Run, text));
  expect(binaryToSerdeJsonString(Run, Foreign.from(binary), { keys: "camelCase" })).toBe(text);
  const object = runInContext(`JSON.parse(${JSON.stringify(text)})`, context) as object;
  expect(toSerdeJsonString(Run, fromSerdeJson(Run, object))).toBe(
    toSerdeJsonString(Run, fromSerdeJsonString(Run, binaryToSerdeJsonString(Run, binary), { numbers: "double" })),
  );
});
