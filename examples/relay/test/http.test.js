import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fromBinary } from "@bufbuild/protobuf";
import { SessionFactoryRunFromToolResultSchema as schema } from "factory-run-wire";
import { preferred } from "../src/accept.js";
import { startRelay } from "../src/relay.js";
import { captures } from "./harness.js";

// Members in an order of the sender's, and numbers that a double would change.
const TEXT = '{"status":"completed","runId":"r1","attempt":9007199254740993,"result":{"b":1.0,"a":[1e16,-0.0]}}';
const SNAKE = TEXT.replace("runId", "run_id");

let relay;
before(async () => {
  relay = await startRelay();
  assert.equal((await put("r1", "application/json", TEXT)).status, 204);
});
after(() => relay.close());

const put = (id, type, body) =>
  fetch(`${relay.httpUrl}/runs/${id}`, { method: "PUT", headers: { "content-type": type }, body });
const get = (path, accept) => fetch(relay.httpUrl + path, { headers: accept === undefined ? {} : { accept } });

test("the same run, as JSON or as Protobuf, by Accept", async () => {
  const json = await get("/runs/r1", "application/json");
  assert.equal(json.headers.get("content-type"), "application/json");
  assert.equal(json.headers.get("vary"), "accept");
  assert.equal(await json.text(), SNAKE);

  const protobuf = await get("/runs/r1", "application/x-protobuf");
  assert.equal(protobuf.headers.get("content-type"), "application/x-protobuf");
  const message = fromBinary(schema, new Uint8Array(await protobuf.arrayBuffer()));
  assert.equal(message.attempt, 9007199254740993n);

  assert.equal((await get("/runs/r1", "text/html")).status, 406);
});

test("keys as a plain serde struct has them, or as the SDK's structs do", async () => {
  assert.equal(await (await get("/runs/r1?keys=snake_case")).text(), SNAKE);
  assert.equal(await (await get("/runs/r1?keys=camelCase")).text(), TEXT);
  assert.equal((await get("/runs/r1?keys=kebab")).status, 400);
});

test("every captured envelope, put as one form and read as the other, is the text that it was", async () => {
  for (const [name, text] of captures) {
    const { runId } = JSON.parse(text);
    assert.equal((await put(runId, "application/json", text)).status, 204, name);
    const binary = await (await get(`/runs/${runId}`, "application/x-protobuf")).arrayBuffer();
    assert.equal((await put(runId, "application/x-protobuf", binary)).status, 204, name);
    assert.equal(await (await get(`/runs/${runId}?keys=camelCase`)).text(), text, name);
  }
});

const JSON_TYPE = "application/json";
const PROTOBUF_TYPE = "application/x-protobuf";
const accepts = [
  [undefined, JSON_TYPE],
  ["*/*", JSON_TYPE],
  ["application/*", JSON_TYPE],
  ["Application/X-Protobuf", PROTOBUF_TYPE],
  ["application/x-protobuf, application/json;q=0.9", PROTOBUF_TYPE],
  ["application/x-protobuf;q=0.5, application/json", JSON_TYPE],
  ["application/json;q=0, */*", PROTOBUF_TYPE],
  ["*/*;q=0.1, application/x-protobuf;q=0.2", PROTOBUF_TYPE],
  ["application/json;q=0, application/x-protobuf;q=0", undefined],
  ["application/json;q=x", undefined],
  ["text/html", undefined],
  ["", undefined],
];
for (const [accept, type] of accepts) {
  test(`Accept: ${accept ?? "(none)"} prefers ${type ?? "neither"}`, () => {
    assert.equal(preferred(accept, [JSON_TYPE, PROTOBUF_TYPE]), type);
  });
}
