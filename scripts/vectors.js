// Makes test/vectors/ anew with the Rust peer, the C++ peer and protoc; with --check, says whether it is current.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { PeerProcess } from "../interop/peer-process.js";
import { buildPeer, PEERS } from "../interop/peers.js";
import { makeBinaryVerdicts, makeTextVerdicts, makeVectors } from "../interop/vectors.js";

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), "test/vectors");
const check = process.argv.includes("--check");

const peers = {};
for (const name of ["rust", "rust-exact", "cpp"]) {
  const peer = PEERS.find((one) => one.name === name);
  peers[name] = Object.assign(new PeerProcess(name, buildPeer(peer)), { skills: peer.skills });
}
const files = {
  "vectors.json": await makeVectors(peers),
  "text-verdicts.json": await makeTextVerdicts(peers),
  "binary-verdicts.json": await makeBinaryVerdicts(peers),
};
for (const peer of Object.values(peers)) peer.close();

let stale = 0;
for (const [name, content] of Object.entries(files)) {
  const path = join(folder, name);
  if (!check) {
    writeFileSync(path, content);
    console.log(`${name}: ${content.length} characters`);
  } else if (read(path) === content) {
    console.log(`${name}: current`);
  } else {
    console.log(`${name}: not what the peers make now; run \`npm run vectors\``);
    stale++;
  }
}
process.exitCode = stale === 0 ? 0 : 1;

function read(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
