// Started by cold.js in a process of its own: who, direction, file of documents, marks.
import { readFileSync } from "node:fs";

const [who, direction, file, marks] = process.argv.slice(2);
const documents = [...unpack(readFileSync(file))];

const beforeLoad = performance.now();
const codec =
  who === "ours"
    ? (await import("./peers/factory-run-wire.js")).factoryRunWire
    : (await import("./peers/platform.js")).platform;
const load = performance.now() - beforeLoad;

const work = codec[direction];
const inputs = who === "ours" || direction === "toBinary" ? documents : documents.map((json) => JSON.parse(json));

let sink;
const start = performance.now();
let calls = 0;
const times = marks.split(",").map((mark) => {
  for (; calls < Number(mark); calls++) sink = work(inputs[calls % inputs.length]);
  return performance.now() - start;
});
console.log(JSON.stringify({ load, times, made: sink !== undefined }));

function* unpack(bytes) {
  for (let place = 0; place < bytes.length; ) {
    const length = bytes.readUInt32LE(place);
    yield bytes.subarray(place + 4, place + 4 + length);
    place += 4 + length;
  }
}
