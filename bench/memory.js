// The most memory that a process needs for one large document.
import { fileURLToPath } from "node:url";
import { findings } from "./generate.js";
import { factoryRunWire } from "./peers/factory-run-wire.js";
import { measureInProcess, withFiles } from "./processes.js";

const script = fileURLToPath(new URL("./memory-process.js", import.meta.url));
const SIZE = 64 * 1000 * 1000;

/** What may come on top of the input, as a multiple of the input. */
const BAR = 4;

/**
 * By direction and contestant: the input's bytes, and by how many bytes one
 * call raised the process's peak above what it was with the input in memory.
 * The platform's way to JSON starts from an object, so its input is the JSON
 * and the parse counts.
 */
export function measureMemory() {
  const json = new TextEncoder().encode(findings(SIZE));
  return withFiles({ json, binary: factoryRunWire.toBinary(json) }, (files) =>
    ["toBinary", "toJson"].flatMap((direction) =>
      ["ours", "platform"].map((who) => {
        const input = who === "ours" && direction === "toJson" ? files.binary : files.json;
        const { bytes, over } = measureInProcess(script, [who, direction, input]);
        const multiple = over / bytes;
        return { direction, who, bytes, over, multiple, ...(who === "ours" && { bar: BAR, holds: multiple < BAR }) };
      }),
    ),
  );
}
