import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startRelay } from "../src/relay.js";
import { captures, life, runRustClient } from "./harness.js";

let relay;
before(async () => {
  relay = await startRelay();
});
after(() => relay.close());

/** The envelope's own keys as the Rust client prints them; nothing inside a value is renamed. */
function snakeCase(envelope) {
  const rename = { runId: "run_id", pauseInfo: "pause_info" };
  return Object.fromEntries(Object.entries(envelope).map(([key, value]) => [rename[key] ?? key, value]));
}

test("Rust, unary: tonic and prost read every captured envelope", async () => {
  const texts = [...captures.values()];
  // Captures share run ids; here each is a run of its own.
  const envelopes = texts.map((text, i) => ({ ...JSON.parse(text), runId: `run-${i}` }));
  for (const envelope of envelopes) relay.publish(envelope);
  const ids = envelopes.map(({ runId }) => runId);
  const { code, lines, stderr } = await runRustClient("get", relay.grpcUrl, ...ids);
  assert.equal(stderr, "");
  assert.equal(code, 0);
  assert.equal(lines.length, texts.length);
  lines.forEach((line, i) => {
    assert.deepEqual(JSON.parse(line), snakeCase(envelopes[i]), texts[i].slice(0, 200));
  });
});

test("Rust, server-streaming: a run to its end, with the digits of a number that no double holds", async () => {
  const states = life("rust");
  relay.publish(states[0]);
  const watching = runRustClient("watch", relay.grpcUrl, "rust");
  while (relay.runs.status.watchers === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  relay.publish(states.at(-1));
  const { code, lines, stderr } = await watching;
  assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
  assert.equal(lines.at(-1), LAST_STATE);
});

const LAST_STATE =
  '{"attempt":2,"result":{"list":[null,{},[]],"ratio":0.5,"seq":9007199254740993},"run_id":"rust","status":"completed"}';

test("Rust: unknown members, unknown status words and number texts of a gateway's newer peer", async () => {
  const text = '{"runId":"newer","status":"timed_out","result":[1.0,1e+16,-0.0],"retryAfter":18446744073709551615}';
  relay.runs.publishJson(text);
  const { lines } = await runRustClient("get", relay.grpcUrl, "newer");
  assert.deepEqual(lines, [
    '{"result":[1.0,1e+16,-0.0],"retryAfter":18446744073709551615,"run_id":"newer","status":"timed_out"}',
  ]);
});

test("Rust: a run that is not there", async () => {
  const { code, lines, stderr } = await runRustClient("get", relay.grpcUrl, "never");
  assert.deepEqual({ code, lines }, { code: 1, lines: [] });
  assert.match(stderr, /no run never/);
});
