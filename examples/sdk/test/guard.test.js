// The guard against the real SDK: it must foretell what becomes of each value that a factory returns.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { checkSerdeJson } from "factory-run-wire";
import { startStandInRuntime } from "../stand-in-runtime.js";
import { VALUES } from "./returned-values.js";

/** @type {Awaited<ReturnType<typeof startStandInRuntime>>} */
let runtime;
/** @type {(effect: string) => void} */
let dropped = () => {};

before(async () => {
  runtime = await startStandInRuntime(new URL("values-extension.mjs", import.meta.url), {
    onDrop: () => dropped("run_hangs"),
  });
});
after(() => runtime.stop());

/** @type {{ [effect: string]: number }} */
const seen = {};

for (const [name, make] of Object.entries(VALUES)) {
  test(`foretells what becomes of ${name}`, async () => {
    const hangs = new Promise((resolve) => {
      dropped = resolve;
    });
    const ends = runtime.run(name, {}).then((run) => (run?.status === "completed" ? "none" : "run_fails"));
    const effect = /** @type {string} */ (await Promise.race([hangs, ends]));
    seen[effect] = (seen[effect] ?? 0) + 1;
    assert.equal(checkSerdeJson(make())?.effect ?? "none", effect);
  });
}

test("all three came about", () => {
  assert.deepEqual(Object.keys(seen).sort(), ["none", "run_fails", "run_hangs"]);
});
