import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { envelope, startRelayProcess } from "./harness.js";

const script = (name) => fileURLToPath(new URL(`../src/${name}`, import.meta.url));
const node = promisify(execFile).bind(null, process.execPath);

test("npm run demo: both readers see the run to its end", async () => {
  const { stdout } = await node([script("demo.js")]);
  const lines = stdout.trimEnd().split("\n");
  for (const protocol of ["grpc   ", "connect"]) {
    const seen = lines.filter((line) => line.startsWith(`${protocol}  {`));
    assert.match(seen.at(-1), /"status":"completed"\}$/);
    assert.ok(seen.length >= 2, stdout);
  }
  assert.match(lines.at(-1), /^http {5}application\/x-protobuf, \d+ bytes$/);
});

test("npm start and npm run client", async () => {
  const relay = await startRelayProcess();
  try {
    await relay.put("r1", { runId: "r1", status: "completed", pauseInfo: null });
    for (const args of [
      ["get", relay.grpc, "r1"],
      ["watch", relay.grpc, "r1", "--protocol", "connect"],
    ]) {
      const { stdout } = await node([script("client.js"), ...args]);
      assert.equal(stdout, '{"pause_info":null,"run_id":"r1","status":"completed"}\n');
    }
    await assert.rejects(node([script("client.js"), "get", relay.grpc, "never"]), { code: 1 });
    for (const args of [
      ["get"],
      [],
      ["put", relay.grpc, "r1"],
      ["get", relay.grpc, "r1", "--protocol", "soap"],
      ["--no"],
    ]) {
      await assert.rejects(node([script("client.js"), ...args]), { code: 2 }, args.join(" "));
    }
  } finally {
    assert.equal(await relay.stop(), 0);
  }
});

test("a relay that is told to stop ends a stream that is open, and stops", async () => {
  const relay = await startRelayProcess();
  await relay.put("open", envelope("open", 10));
  const client = spawn(process.execPath, [script("client.js"), "watch", relay.grpc, "open"]);
  const exited = once(client, "exit");
  await once(client.stdout, "data");
  assert.equal(await relay.stop(), 0);
  assert.deepEqual(await exited, [1, null]);
});
