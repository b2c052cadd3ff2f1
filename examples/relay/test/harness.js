import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { connect as connectHttp2 } from "node:http2";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { create, toBinary } from "@bufbuild/protobuf";
import { WatchRunRequestSchema } from "../gen/factory_relay/v1/factory_relay_pb.js";

const captureFolder = fileURLToPath(new URL("../../../test/captures/", import.meta.url));

/** What a real runtime sent: by name, the JSON text of each envelope. */
const recorded = readdirSync(captureFolder)
  .filter((file) => file.endsWith(".json"))
  .map((file) => [file.slice(0, -".json".length), readFileSync(captureFolder + file, "utf8")]);
const nestsDeeply = ([name, text]) => name.startsWith("depth-") && JSON.parse(text).result !== undefined;

/** Those that nest deeper than gRPC's usual decoders read. */
export const tooDeep = new Map(recorded.filter(nestsDeeply));

/** All others. */
export const captures = new Map(recorded.filter((capture) => !nestsDeeply(capture)));

/** One run's life, as the SDK hands its envelopes over. */
export function life(runId) {
  const snapshot = { journal: [{ journalKey: "step", resultJson: '{"n":1}' }], progress: [] };
  return [
    { runId, attempt: 1, status: "running" },
    { runId, attempt: 1, status: "paused", reason: "by hand", snapshot, pauseInfo: { type: "user" } },
    { runId, attempt: 2, status: "running" },
    { runId, attempt: 2, status: "completed", result: { seq: 9007199254740993n, ratio: 0.5, list: [null, {}, []] } },
  ];
}

/** An envelope whose result is a text of so many bytes. */
export function envelope(runId, bytes, status = "running") {
  return { runId, status, result: "x".repeat(bytes) };
}

/** A relay in a process of its own, so that its memory is its own. */
export async function startRelayProcess() {
  const main = fileURLToPath(new URL("../src/main.js", import.meta.url));
  const child = spawn(process.execPath, [main, "--http-port", "0", "--grpc-port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(createInterface(child.stdout), "line");
  const { http, grpc } = JSON.parse(line);
  return {
    http,
    grpc,
    child,
    async put(runId, envelope) {
      const response = await fetch(`${http}/runs/${runId}`, {
        method: "PUT",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(envelope),
      });
      assert.equal(response.status, 204, await response.text());
    },
    status: async () => (await fetch(`${http}/status`)).json(),
    async stop() {
      child.kill("SIGTERM");
      const [code] = child.exitCode === null ? await once(child, "exit") : [child.exitCode];
      return code;
    },
  };
}

/**
 * Watches a run without a gRPC library, so that the test decides when the socket is read.
 *
 * @param {string} url
 * @param {string} runId
 */
export function watchByHand(url, runId) {
  const session = connectHttp2(url);
  // Losing the connection is what these tests are about.
  session.on("error", () => {});
  const stream = session.request({
    ":method": "POST",
    ":path": "/factory_relay.v1.FactoryRelayService/WatchRun",
    "content-type": "application/grpc+proto",
    te: "trailers",
  });
  stream.on("error", () => {});
  const request = toBinary(WatchRunRequestSchema, create(WatchRunRequestSchema, { runId }));
  stream.end(Buffer.concat([frameHeader(request.length), request]));
  return { session, stream };
}

/** The messages of a gRPC body: each is a flag byte, a big-endian length, and so many bytes. */
export function grpcMessages(body) {
  const messages = [];
  for (let at = 0; at < body.length; ) {
    assert.equal(body[at], 0, "an uncompressed message");
    const end = at + 5 + body.readUInt32BE(at + 1);
    messages.push(body.subarray(at + 5, end));
    at = end;
  }
  return messages;
}

/** @param {number} length */
export function frameHeader(length) {
  const header = Buffer.alloc(5);
  header.writeUInt32BE(length, 1);
  return header;
}

/** Waits until a condition holds, for at most twenty seconds. */
export async function until(what, condition) {
  for (const end = Date.now() + 20_000; Date.now() < end; await sleep(10)) {
    if (await condition()) return;
  }
  assert.fail(`never: ${what}`);
}

/** All that an async iterable gives. */
export async function all(iterable) {
  const items = [];
  for await (const item of iterable) items.push(item);
  return items;
}

/** The binary of the Rust client, and a call of it that ends. */
export const rustClient = fileURLToPath(new URL("../rust/target/debug/factory-relay-client", import.meta.url));

export async function runRustClient(...args) {
  const child = spawn(rustClient, args, { stdio: ["ignore", "pipe", "pipe"] });
  const texts = Promise.all([child.stdout, child.stderr].map(async (out) => (await out.toArray()).join("")));
  const [code] = await once(child, "exit");
  const [stdout, stderr] = await texts;
  return { code, lines: stdout.split("\n").filter((line) => line !== ""), stderr };
}
