import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const generated = ["factory_relay_pb.js", "factory_relay_pb.d.ts"].map((file) => `factory_relay/v1/${file}`);

test("the generated code is what buf makes of the .proto", () => {
  const folder = mkdtempSync(join(tmpdir(), "relay-gen-"));
  try {
    const { status, stderr } = spawnSync("npm", ["exec", "--", "buf", "generate", "-o", folder], {
      cwd: root,
      encoding: "utf8",
    });
    assert.equal(status, 0, stderr);
    for (const file of generated) {
      const fresh = readFileSync(join(folder, "gen", file), "utf8");
      assert.equal(readFileSync(join(root, "gen", file), "utf8"), fresh, `${file}: npm run generate`);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
