import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect as connectTcp } from "node:net";
import { after, before, test } from "node:test";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { FactoryRelayService } from "../gen/factory_relay/v1/factory_relay_pb.js";
import { createRelayClient } from "../src/relay-client.js";
import { envelope, rustClient, startRelayProcess, until, watchByHand } from "./harness.js";

let relay;
before(async () => {
  relay = await startRelayProcess();
});
after(async () => {
  assert.equal(await relay.stop(), 0, "the relay stops cleanly");
});

const watchers = async (count) => (await relay.status()).watchers === count;

test("a peer that resets its connection mid-stream is forgotten", async () => {
  await relay.put("reset", envelope("reset", 10));
  const { session, stream } = watchByHand(relay.grpc, "reset");
  await once(stream, "data");
  await until("one watcher", () => watchers(1));
  session.destroy();
  await until("no watcher", () => watchers(0));
});

test("a peer that resets its connection while a write to it waits is forgotten", async () => {
  await relay.put("stuck", envelope("stuck", 2_000_000));
  const { session, stream } = watchByHand(relay.grpc, "stuck");
  await once(stream, "response");
  await relay.put("stuck", envelope("stuck", 2_000_000));
  await until("one watcher", () => watchers(1));
  session.destroy();
  await until("no watcher", () => watchers(0));
});

test("a Connect client that gives up, over HTTP/1.1", async () => {
  await relay.put("abort", envelope("abort", 10));
  const client = createClient(
    FactoryRelayService,
    createConnectTransport({ baseUrl: relay.http, httpVersion: "1.1", useBinaryFormat: true }),
  );
  const giveUp = new AbortController();
  const states = client.watchRun({ runId: "abort" }, { signal: giveUp.signal })[Symbol.asyncIterator]();
  assert.equal((await states.next()).value.run.runId, "abort");
  await until("one watcher", () => watchers(1));
  giveUp.abort();
  await assert.rejects(states.next());
  await until("no watcher", () => watchers(0));
});

test("a Rust client that is killed", async () => {
  await relay.put("killed", envelope("killed", 10));
  const child = spawn(rustClient, ["watch", relay.grpc, "killed"], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  await until("one watcher", () => watchers(1));
  child.kill("SIGKILL");
  await until("no watcher", () => watchers(0));
});

test("a sender that goes away inside an envelope leaves the one before it", async () => {
  await relay.put("half", envelope("half", 10));
  const socket = connectTcp(Number(new URL(relay.http).port), "127.0.0.1");
  await once(socket, "connect");
  socket.write(
    "PUT /runs/half HTTP/1.1\r\nhost: relay\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n",
  );
  socket.write('{"runId":"half","status":"comp');
  await new Promise((resolve) => setTimeout(resolve, 50));
  socket.destroy();
  const { run } = await createRelayClient(relay.grpc).getRun({ runId: "half" });
  assert.equal(run.result.kind.value, "x".repeat(10));
});

test("a relay that goes away ends its readers' streams with an error", async () => {
  const other = await startRelayProcess();
  await other.put("gone", envelope("gone", 10));
  const states = createRelayClient(other.grpc).watchRun({ runId: "gone" })[Symbol.asyncIterator]();
  assert.equal((await states.next()).value.run.runId, "gone");
  other.child.kill("SIGKILL");
  await assert.rejects(states.next(), { name: "ConnectError" });
});

test("a relay stops although a peer keeps its connection open", async () => {
  const other = await startRelayProcess();
  const { hostname, port } = new URL(other.grpc);
  const socket = connectTcp({ host: hostname, port: Number(port), allowHalfOpen: true });
  // HTTP/2's opening, and a SETTINGS frame with nothing in it.
  socket.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
  socket.write(Uint8Array.of(0, 0, 0, 4, 0, 0, 0, 0, 0));
  socket.on("error", () => {});
  await once(socket, "data");
  try {
    assert.equal(await other.stop(), 0);
  } finally {
    other.child.kill("SIGKILL");
    socket.destroy();
  }
});
