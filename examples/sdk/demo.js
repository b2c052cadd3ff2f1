// Shows both sides at work: `npm run demo`.
import { readFileSync } from "node:fs";
import { CopilotClient, RuntimeConnection } from "@github/copilot-sdk";
import { describeRun, runAsBinary } from "./carry-run.js";
import { startStandInRuntime } from "./stand-in-runtime.js";

/** What the real runtime answered, as it was recorded. */
const recorded = Object.fromEntries(
  ["limit-ai-credits", "paused-checkpoint", "halted-exit9", "cancelled-cooperative"].map((name) => [
    name,
    JSON.parse(readFileSync(new URL(`../../test/captures/${name}.json`, import.meta.url), "utf8")),
  ]),
);

const runtime = await startStandInRuntime(new URL("extension/extension.mjs", import.meta.url), { recorded });
const client = new CopilotClient({ connection: RuntimeConnection.forUri(runtime.url) });
const session = await client.createSession({});

const runs = [
  { factory: "excerpts", args: { texts: ["Grüße", "plain"], length: 3 } },
  // The cut parts the surrogate pair. The guard makes an error of what would else never end.
  { factory: "excerpts", args: { texts: ["ab😀"], length: 3 } },
  ...Object.keys(recorded).map((factory) => ({ factory, args: {} })),
];
for (const { factory, args } of runs) {
  const binary = await runAsBinary(session, factory, args);
  console.log(`${factory}: ${binary.length} bytes; ${describeRun(binary)}`);
}
await client.stop();
await runtime.stop();
