// Reads JSON-RPC's frames as the Rust runtime reads them: one that serde_json cannot read is dropped without a word.
import { Transform } from "node:stream";

/** serde_json stops at this many open containers. */
const MAX_CONTAINERS = 127;

/**
 * A stream of frames that lets through what serde_json can read.
 *
 * @param {(text: string) => void} onDrop told of each frame that is dropped
 */
export function serdeFrames(onDrop) {
  let waiting = Buffer.alloc(0);
  return new Transform({
    transform(chunk, _encoding, done) {
      waiting = Buffer.concat([waiting, chunk]);
      for (let frame = firstFrame(waiting); frame !== undefined; frame = firstFrame(waiting)) {
        waiting = waiting.subarray(frame.whole.length);
        if (serdeReads(frame.text)) this.push(frame.whole);
        else onDrop(frame.text);
      }
      done();
    },
  });
}

/** @param {Buffer} bytes */
function firstFrame(bytes) {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const length = Number(/content-length: *(\d+)/i.exec(bytes.toString("latin1", 0, headEnd))?.[1]);
  const end = headEnd + 4 + length;
  return end > bytes.length
    ? undefined
    : { whole: bytes.subarray(0, end), text: bytes.toString("utf8", headEnd + 4, end) };
}

/**
 * Whether serde_json reads a text that JSON.stringify wrote.
 *
 * @param {string} text
 */
export function serdeReads(text) {
  const waiting = [{ value: JSON.parse(text), containers: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, containers } = next;
    if (typeof value === "string" && !isWellFormed(value)) return false;
    if (typeof value === "number" && !Number.isFinite(value)) return false;
    if (typeof value !== "object" || value === null) continue;
    if (containers === MAX_CONTAINERS) return false;
    for (const [key, member] of Object.entries(value)) {
      if (!isWellFormed(key)) return false;
      waiting.push({ value: member, containers: containers + 1 });
    }
  }
  return true;
}

/** @param {string} text */
function isWellFormed(text) {
  return !/\p{Surrogate}/u.test(text);
}
