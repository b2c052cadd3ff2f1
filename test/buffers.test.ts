// Work buffers grow at any time and are kept between calls: each test here starts with new ones, as its own file.
import { expect, test } from "vitest";
import {
  binaryToSerdeJsonString,
  SessionFactoryRunFromToolResultSchema as Run,
  serdeJsonToBinary,
} from "../src/index.js";

function carry(json: string): void {
  expect(binaryToSerdeJsonString(Run, serdeJsonToBinary(Run, json))).toBe(json);
}

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
