import assert from "node:assert/strict";
import { once } from "node:events";
import { after, before, test } from "node:test";
import { fromBinary } from "@bufbuild/protobuf";
import { FactoryRunStatus } from "factory-run-wire";
import { WatchRunResponseSchema } from "../gen/factory_relay/v1/factory_relay_pb.js";
import { envelope, grpcMessages, startRelayProcess, until, watchByHand } from "./harness.js";

const ENVELOPES = 2_000;
const ENVELOPE_BYTES = 256 * 1024;
/** What a process may grow by for passing things through; the envelopes together are 500 MiB. */
const ALLOWED_GROWTH = 128 * 1024 * 1024;

let relay;
before(async () => {
  relay = await startRelayProcess();
});
after(() => relay.stop());

test("a reader that stops reading costs the relay no memory, and then gets the newest state", async (t) => {
  // Warm, so that what is measured is not the compiler's.
  for (let i = 0; i < 100; i++) await relay.put("warm", envelope("warm", ENVELOPE_BYTES));
  await relay.put("slow", envelope("slow", ENVELOPE_BYTES));
  const { session, stream } = watchByHand(relay.grpc, "slow");
  await once(stream, "response");
  await until("one watcher", async () => (await relay.status()).watchers === 1);
  const { rssBytes: before } = await relay.status();

  let peak = 0;
  for (let i = 1; i < ENVELOPES; i++) {
    await relay.put("slow", envelope("slow", ENVELOPE_BYTES));
    if (i % 50 === 0) peak = Math.max(peak, (await relay.status()).rssBytes);
  }
  await relay.put("slow", envelope("slow", ENVELOPE_BYTES, "completed"));
  const { heldBytes } = await relay.status();

  const chunks = await stream.toArray();
  session.close();
  const states = grpcMessages(Buffer.concat(chunks)).map((bytes) => fromBinary(WatchRunResponseSchema, bytes));
  const mib = (bytes) => Math.round(bytes / 1024 / 1024);
  t.diagnostic(`memory ${mib(before)} MiB, at most ${mib(peak)} MiB; ${states.length} of ${ENVELOPES} states sent`);
  assert.ok(peak - before < ALLOWED_GROWTH, `grew from ${mib(before)} to ${mib(peak)} MiB`);
  assert.ok(heldBytes < 3 * ENVELOPE_BYTES, "the relay holds the newest envelope of each run only");
  assert.ok(states.length >= 2 && states.length < 20, `${states.length} states`);
  assert.equal(states[0].run.status, FactoryRunStatus.RUNNING);
  assert.equal(states.at(-1).run.status, FactoryRunStatus.COMPLETED);
});
