// Work buffers grow at any time and are kept between calls: this file is a process of its own, and its first test the first to use them.
import { expect, test } from "vitest";
import {
  binaryToSerdeJsonString,
  SessionFactoryRunFromToolResultSchema as Run,
  serdeJsonToBinary,
} from "../src/index.js";

function carry(json: string): void {
  expect(binaryToSerdeJsonString(Run, serdeJsonToBinary(Run, json))).toBe(json);
}

test("a string is encoded into a buffer with room for a quarter more than its characters, or into one that is its own", () => {
  const head = '{"run_id":"r","status":"completed","error":"';
  const tail = '"}';
  let length = 7000;
  for (let wide = 0; wide < 2; wide++) {
    for (let spare = -8; spare <= 8; spare++) {
      // Each is longer than all before, so that the buffer has just this room.
      length += 41;
      const room = length + (length >> 2);
      // A character of three bytes takes two more than its one unit, a pair of surrogates two more than its two.
      const special = wide === 0 ? "\u20ac" : "\ud83d\ude00";
      const count = (room - spare - length) >> 1;
      const body = special.repeat(count);
      const filler = "x".repeat(length - body.length - head.length - tail.length);
      for (const text of [filler + body, body + filler]) {
        const json = head + text + tail;
        expect(json.length).toBe(length);
        expect(serdeJsonToBinary(Run, json)).toEqual(serdeJsonToBinary(Run, new TextEncoder().encode(json)));
      }
    }
  }
});

test("the buffer grows while the sidecar is written, with escaped keys above number texts", () => {
  const text = (size: number) =>
    `{"result":{"\\u0061":1.0,"b":"${"x".repeat(size)}"},"\\u007a":{"\\u0079":[2.0]},"run_id":"r","status":"completed"}`;
  const expected = (size: number) =>
    `{"result":{"a":1.0,"b":"${"x".repeat(size)}"},"run_id":"r","status":"completed","z":{"y":[2.0]}}`;
  for (let size = 500; size < 40_000; size = Math.ceil(size * 1.3)) {
    expect(binaryToSerdeJsonString(Run, serdeJsonToBinary(Run, text(size)))).toBe(expected(size));
  }
});

test("the buffer grows at each place in turn", () => {
  for (let size = 1; size < 3_000_000; size = Math.ceil(size * 1.7)) {
    const filler = "y".repeat(size);
    carry(`{"run_id":"${filler}","status":"completed"}`);
    carry(`{"result":"${filler}\\n","run_id":"r","status":"completed"}`);
    carry(`{"result":{"${filler}":[${filler.length},"${filler}"]},"run_id":"r","status":"completed"}`);
    carry(`{"error":"${filler}\\"","run_id":"r","status":"${filler}","${filler}":"${filler}"}`);
  }
});
