// Started by memory.js in a process of its own: who, direction, file.
import { existsSync, readFileSync } from "node:fs";
import { factoryRunWire } from "./peers/factory-run-wire.js";
import { platform } from "./peers/platform.js";

const [who, direction, file] = process.argv.slice(2);
const reference = { ...platform, toJson: (json) => platform.toJson(platform.toBinary(json)) };
const work = (who === "ours" ? factoryRunWire : reference)[direction];

const input = readFileSync(file);
// Pages of the input count only once they have been touched.
let touched = 0;
for (let i = 0; i < input.length; i += 1024) touched ^= input[i];

const before = peak();
const made = work(input);
const over = peak() - before;
console.log(JSON.stringify({ bytes: input.length, over, touched, made: made !== undefined }));

/**
 * The most memory that this process has had, in bytes. Linux hands the peak of
 * the process that started this one down into maxRSS; its own stands in /proc.
 */
function peak() {
  const status = existsSync("/proc/self/status") ? readFileSync("/proc/self/status", "utf8") : "";
  const kib = /^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1] ?? process.resourceUsage().maxRSS;
  return Number(kib) * 1024;
}
