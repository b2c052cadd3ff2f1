import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Code } from "@connectrpc/connect";
import { SessionFactoryRunFromToolResultSchema as schema, toSerdeJson, toSerdeJsonString } from "factory-run-wire";
import { startRelay } from "../src/relay.js";
import { createRelayClient } from "../src/relay-client.js";
import { all, captures, life } from "./harness.js";

let relay;
before(async () => {
  relay = await startRelay();
});
after(() => relay.close());

for (const protocol of ["connect", "grpc"]) {
  test(`${protocol}, unary: every captured envelope comes through`, async () => {
    const client = createRelayClient(relay.grpcUrl, { protocol });
    assert.ok(captures.size > 0);
    for (const [name, text] of captures) {
      const { runId } = relay.publish(JSON.parse(text));
      const { run } = await client.getRun({ runId });
      assert.deepEqual(toSerdeJson(schema, run, { keys: "camelCase" }), JSON.parse(text), name);
    }
  });

  test(`${protocol}, server-streaming: a run from its first envelope to its last`, async () => {
    const client = createRelayClient(relay.grpcUrl, { protocol });
    const [first, ...others] = life(`stream-${protocol}`);
    const seen = [];
    relay.publish(first);
    for await (const { run, revision } of client.watchRun({ runId: first.runId })) {
      seen.push({ revision, envelope: toSerdeJson(schema, run, { keys: "camelCase", integers: "bigint" }) });
      if (others.length > 0) relay.publish(others.shift());
    }
    assert.deepEqual(
      seen.map(({ envelope }) => envelope),
      life(first.runId),
    );
    const revisions = seen.map(({ revision }) => revision);
    assert.deepEqual(
      revisions,
      revisions.toSorted((a, b) => Number(a - b)),
    );
  });

  test(`${protocol}: a run can be watched before it begins, by several readers`, async () => {
    const client = createRelayClient(relay.grpcUrl, { protocol });
    const runId = `early-${protocol}`;
    const readers = [1, 2, 3].map(() => all(client.watchRun({ runId })));
    for (const end = Date.now() + 20_000; relay.runs.status.watchers < 3; ) {
      assert.ok(Date.now() < end, "three watchers");
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    relay.publish({ runId, status: "cancelled", reason: "by hand" });
    for (const states of await Promise.all(readers)) {
      assert.deepEqual(
        states.map(({ run }) => toSerdeJsonString(schema, run)),
        [`{"reason":"by hand","run_id":"${runId}","status":"cancelled"}`],
      );
    }
    assert.equal(relay.runs.status.watchers, 0);
  });

  test(`${protocol}: a run that is not there, and none at all`, async () => {
    const client = createRelayClient(relay.grpcUrl, { protocol });
    await assert.rejects(client.getRun({ runId: "never" }), { code: Code.NotFound });
    await assert.rejects(client.getRun({}), { code: Code.InvalidArgument });
    await assert.rejects(all(client.watchRun({})), { code: Code.InvalidArgument });
  });
}

test("a reader of a run that the relay lets go of is told so", async () => {
  const small = await startRelay({ maxHeldBytes: 1_000 });
  try {
    const client = createRelayClient(small.grpcUrl);
    small.publish({ runId: "old", status: "running" });
    const states = client.watchRun({ runId: "old" })[Symbol.asyncIterator]();
    assert.equal((await states.next()).value.run.runId, "old");
    small.publish({ runId: "new", status: "running", reason: "x".repeat(990) });
    await assert.rejects(states.next(), { code: Code.Aborted });
    await assert.rejects(client.getRun({ runId: "old" }), { code: Code.NotFound });
    assert.equal((await client.getRun({ runId: "new" })).run.runId, "new");
    assert.equal(small.runs.status.runs, 1);
  } finally {
    await small.close();
  }
});
