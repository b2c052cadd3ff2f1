// A relay, a run that is handed to it as the SDK hands envelopes over, and two readers: npm run demo

import { SessionFactoryRunFromToolResultSchema as schema, toSerdeJsonString } from "factory-run-wire";
import { startRelay } from "./relay.js";
import { createRelayClient } from "./relay-client.js";

const runId = "7d1b0e0c-3f0a-4d59-9f5e-0c1f3f6f2a10";
const snapshot = { journal: [{ journalKey: "draft", resultJson: '{"words":812}' }], progress: [] };
const envelopes = [
  { runId, attempt: 1, status: "running" },
  {
    runId,
    attempt: 1,
    status: "paused",
    reason: "Paused at a checkpoint",
    snapshot,
    pauseInfo: { type: "checkpoint", key: "review" },
  },
  { runId, attempt: 2, status: "running" },
  { runId, attempt: 2, status: "completed", result: { words: 812, score: 0.75, tags: ["draft", null] } },
];

const relay = await startRelay();
console.log(`gRPC and Connect at ${relay.grpcUrl}, HTTP at ${relay.httpUrl}`);

const readers = ["grpc", "connect"].map(async (protocol) => {
  for await (const { run } of createRelayClient(relay.grpcUrl, { protocol }).watchRun({ runId })) {
    console.log(`${protocol.padEnd(7)}  ${toSerdeJsonString(schema, run)}`);
  }
});
for (const envelope of envelopes) {
  relay.publish(envelope);
  await new Promise((resolve) => setTimeout(resolve, 200));
}
await Promise.all(readers);

const response = await fetch(`${relay.httpUrl}/runs/${runId}`, { headers: { accept: "application/x-protobuf" } });
console.log(`http     ${response.headers.get("content-type")}, ${(await response.arrayBuffer()).byteLength} bytes`);
await relay.close();
