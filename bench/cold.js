// A fresh process's first calls, when nothing is compiled yet.
import { fileURLToPath } from "node:url";
import { cases } from "./cases.js";
import { prepare } from "./codec.js";
import { quantile } from "./interleave.js";
import { measureInProcess, withFiles } from "./processes.js";

const script = fileURLToPath(new URL("./cold-process.js", import.meta.url));

/** After how many calls the time is taken. */
const MARKS = [1, 10, 100];

/** By direction and contestant: ms from the first call to the end of the 1st, 10th and 100th; and ms to load. */
export function measureCold(processes = 9) {
  const { json, binary } = prepare(cases.typical);
  return withFiles({ json: pack(json), binary: pack(binary) }, (files) => {
    const result = [];
    for (const direction of ["toBinary", "toJson"]) {
      const runs = { ours: [], platform: [] };
      for (let i = 0; i < processes; i++) {
        for (const who of Object.keys(runs)) {
          const input = who === "ours" && direction === "toJson" ? files.binary : files.json;
          runs[who].push(measureInProcess(script, [who, direction, input, MARKS.join()]));
        }
      }
      for (const [who, list] of Object.entries(runs)) {
        const median = (pick) => quantile(list.map(pick), 0.5);
        result.push({
          direction,
          who,
          load: median(({ load }) => load),
          calls: MARKS.map((mark, index) => ({ calls: mark, time: median(({ times }) => times[index]) })),
        });
      }
    }
    return result;
  });
}

/** Documents one after the other, each behind its length. */
function pack(documents) {
  return Buffer.concat(
    documents.flatMap((document) => {
      const length = Buffer.alloc(4);
      length.writeUInt32LE(document.length);
      return [length, document];
    }),
  );
}
