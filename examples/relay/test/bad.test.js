import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startRelay } from "../src/relay.js";
import { createRelayClient } from "../src/relay-client.js";
import { envelope, tooDeep } from "./harness.js";

let relay;
before(async () => {
  relay = await startRelay();
  relay.publish(envelope("good", 10));
});
after(async () => {
  // After all of it the relay serves what it had.
  const { run } = await createRelayClient(relay.grpcUrl).getRun({ runId: "good" });
  assert.equal(run.result.kind.value, "x".repeat(10));
  await relay.close();
});

const put = async (type, body, id = "good") => {
  const response = await fetch(`${relay.httpUrl}/runs/${id}`, {
    method: "PUT",
    headers: { "content-type": type },
    body,
  });
  return { status: response.status, ...(response.status === 204 ? {} : await response.json()) };
};

const badObjects = [
  [
    "a number that JSON lacks",
    { runId: "good", status: "error", result: { a: [Number.NaN] } },
    "out_of_range",
    "/result/a/0",
  ],
  ["a status that is a number", { runId: "good", status: 3 }, "wrong_type", "/status"],
  ["no run id", { status: "running" }, "missing_field", "/run_id"],
];
for (const [what, object, code, pointer] of badObjects) {
  test(`an SDK object with ${what}`, () => {
    assert.throws(() => relay.publish(object), { name: "WireError", code, pointer });
  });
}

test("SDK objects that nest deeper than gRPC's decoders read", () => {
  assert.ok(tooDeep.size > 0);
  for (const [name, text] of tooDeep) {
    assert.throws(() => relay.publish(JSON.parse(text)), { name: "WireError", code: "nesting_too_deep" }, name);
  }
});

const badBodies = [
  ["half a surrogate", "application/json", '{"runId":"good",\n "status":"error","error":"cut \\ud83d"}', "syntax", 2],
  ["an envelope that ends early", "application/json", '{"runId":"good","status":"run', "syntax", 1],
  ["a byte that is not UTF-8", "application/json", Buffer.from([0x7b, 0xff]), "syntax", 1],
  [
    "a field of another wire type",
    "application/x-protobuf",
    Buffer.from("3803616263", "hex"),
    "malformed_binary",
    undefined,
  ],
  [
    "a child past its parent",
    "application/x-protobuf",
    Buffer.from("1a021a056162636465", "hex"),
    "malformed_binary",
    undefined,
  ],
];
for (const [what, type, body, code, line] of badBodies) {
  test(`a ${type} body with ${what}`, async () => {
    const answer = await put(type, body);
    assert.equal(answer.status, 400);
    assert.equal(answer.code, code);
    assert.equal(answer.line, line);
    assert.equal(typeof answer.offset, "number");
  });
}

test("an envelope of another run than the path says", async () => {
  const answer = await put("application/json", '{"runId":"good","status":"error"}', "other");
  assert.equal(answer.status, 400);
  assert.equal(answer.code, "wrong_run");
  assert.equal(relay.runs.get("other"), undefined);
});

test("a media type that is no envelope's", async () => {
  assert.equal((await put("text/plain", "run")).status, 415);
});

test("paths and methods that are not there", async () => {
  const status = async (path, method = "GET") => (await fetch(relay.httpUrl + path, { method })).status;
  assert.equal(await status("/"), 404);
  assert.equal(await status("/runs/"), 404);
  assert.equal(await status("/runs/never"), 404);
  assert.equal(await status("/runs/%ff"), 400);
  assert.equal(await status("/runs/good", "DELETE"), 405);
});

test("a request message that is not Protobuf", async () => {
  const response = await fetch(`${relay.httpUrl}/factory_relay.v1.FactoryRelayService/GetRun`, {
    method: "POST",
    headers: { "content-type": "application/proto", "connect-protocol-version": "1" },
    body: Buffer.from("0aff", "hex"),
  });
  // So Connect calls what it cannot decode, and gRPC too.
  assert.equal(response.status, 500);
  assert.equal((await response.json()).code, "internal");
});
