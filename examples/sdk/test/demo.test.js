// The lines of the README at work: an extension, an app and a reader, with the real SDK between them.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

test("the demo tells what became of each run", async () => {
  const demo = fileURLToPath(new URL("../demo.js", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [demo], { timeout: 60_000 });
  const told = stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.replace(/\d+ bytes/, "N bytes"));
  assert.deepEqual(told, [
    'excerpts: N bytes; returned {"cuts":["Grü","pla"]}',
    'excerpts: N bytes; error: Request factory.execute failed with message: The result at "/0" is a string with a lone surrogate',
    "limit-ai-credits: N bytes; error: maxAiCredits of 1 was reached, 2 might do",
    "paused-checkpoint: N bytes; waits at review-ready",
    "halted-exit9: N bytes; halted: factory_provider_disconnected",
    "cancelled-cooperative: N bytes; cancelled after 2 steps",
  ]);
});
