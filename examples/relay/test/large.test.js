import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Code } from "@connectrpc/connect";
import { WireError } from "factory-run-wire";
import { startRelay } from "../src/relay.js";
import { createRelayClient } from "../src/relay-client.js";
import { all, envelope, runRustClient } from "./harness.js";

const MIB = 1024 * 1024;

let relay;
before(async () => {
  relay = await startRelay();
});
after(() => relay.close());

test("the largest envelope that the relay takes is read by clients with their default limits", async () => {
  relay.publish(envelope("largest", relay.runs.maxBytes - 100));
  for (const protocol of ["connect", "grpc"]) {
    const { run } = await createRelayClient(relay.grpcUrl, { protocol }).getRun({ runId: "largest" });
    assert.equal(run.result.kind.value.length, relay.runs.maxBytes - 100);
  }
  const { code, lines } = await runRustClient("get", relay.grpcUrl, "largest");
  assert.equal(code, 0);
  assert.equal(JSON.parse(lines[0]).result.length, relay.runs.maxBytes - 100);
});

test("a larger one is refused where it comes in, in every form", async () => {
  relay.publish(envelope("kept", 10));
  const big = envelope("kept", 5 * MIB);
  assert.throws(() => relay.publish(big), { name: "WireError", code: "too_large" });
  const json = JSON.stringify(big);
  assert.throws(() => relay.runs.publishJson(json), { name: "WireError", code: "too_large" });
  assert.throws(
    () => relay.runs.publishBinary(new Uint8Array(5 * MIB)),
    (error) => {
      return error instanceof WireError && error.code === "too_large";
    },
  );
  for (const body of [json, chunked(json)]) {
    const response = await fetch(`${relay.httpUrl}/runs/kept`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body,
      duplex: "half",
    });
    assert.equal(response.status, 413);
    assert.equal((await response.json()).code, "too_large");
  }
  assert.equal(relay.runs.get("kept").binary.length < 100, true, "the run is as it was");
});

/** Without a length up front. */
function chunked(text) {
  return new ReadableStream({
    start(controller) {
      const bytes = new TextEncoder().encode(text);
      for (let at = 0; at < bytes.length; at += 64 * 1024) controller.enqueue(bytes.subarray(at, at + 64 * 1024));
      controller.close();
    },
  });
}

test("a client refuses a message over its own limit, and the connection goes on", async () => {
  relay.publish(envelope("medium", 100_000, "completed"));
  relay.publish(envelope("small", 10, "completed"));
  for (const protocol of ["connect", "grpc"]) {
    const client = createRelayClient(relay.grpcUrl, { protocol, readMaxBytes: 10_000 });
    await assert.rejects(client.getRun({ runId: "medium" }), { code: Code.ResourceExhausted });
    await assert.rejects(all(client.watchRun({ runId: "medium" })), { code: Code.ResourceExhausted });
    assert.equal((await client.getRun({ runId: "small" })).run.runId, "small");
  }
});

test("Rust's client refuses a message over gRPC's usual limit of 4 MiB", async () => {
  const generous = await startRelay({ maxBytes: 8 * MIB });
  try {
    generous.publish(envelope("big", 5 * MIB));
    const { code, lines, stderr } = await runRustClient("get", generous.grpcUrl, "big");
    assert.deepEqual({ code, lines }, { code: 1, lines: [] });
    assert.match(stderr, /too large/);
  } finally {
    await generous.close();
  }
});

test("a request over the relay's limit is refused", async () => {
  for (const protocol of ["connect", "grpc"]) {
    const client = createRelayClient(relay.grpcUrl, { protocol });
    await assert.rejects(client.getRun({ runId: "x".repeat(20_000) }), { code: Code.ResourceExhausted });
  }
});
