// Documents that somebody made to be slow, each in a size of choice. What no
// JSON text gives is written as binary by hand.
import { BinaryWriter } from "@bufbuild/protobuf/wire";
import { completed } from "./generate.js";
import { Random } from "./random.js";

/**
 * @typedef {object} Shape
 * @property {number} count how many parts the full document has; a quarter of it is measured too
 * @property {string[]} [directions] which way it is measured, default both
 * @property {(count: number) => string} [json] the JSON text
 * @property {(count: number) => Uint8Array} [binary] the binary, where no JSON text gives it
 */

const random = new Random(4);
const envelope = (result) => completed(random, null).replace(/null}$/, `${result}}`);
const times = (count, part) => Array.from({ length: count }, (_, index) => part(index)).join(",");

/** @type {Record<string, Shape>} */
export const shapes = {
  "one key, 100,000 times": {
    count: 100_000,
    directions: ["toBinary"],
    json: (count) => envelope(`{${times(count, (i) => `"key":${i}`)}}`),
  },
  "1,000 keys, each many times": {
    count: 100_000,
    directions: ["toBinary"],
    json: (count) => envelope(`{${times(count, (i) => `"key ${(i * 7919) % 1000}":${i}`)}}`),
  },
  "one key with kept numbers, many times": {
    count: 40_000,
    directions: ["toBinary"],
    json: (count) => envelope(`{${times(count, (i) => `"key":[1.0,${i}.0]`)}}`),
  },
  "an object of a million keys": {
    count: 1_000_000,
    json: (count) => envelope(`{${times(count, (i) => `"k${i.toString(36)}":${i % 10}`)}}`),
  },
  "keys of 10 KB": {
    count: 100,
    json: (count) => envelope(`{${times(count, (i) => `"${"k".repeat(10_000)}${i}":${i}`)}}`),
  },
  "nothing but short escapes": {
    count: 500_000,
    json: (count) => envelope(`"${'\\"\\\\\\n\\t'.repeat(count / 4)}"`),
  },
  "nothing but \\u escapes": {
    count: 160_000,
    json: (count) => envelope(`"${"\\u00e9\\u6f22\\ud83d\\ude00".repeat(count / 4)}"`),
  },
  "empty containers": {
    count: 350_000,
    json: (count) => envelope(`[${times(count, (i) => (i % 2 === 0 ? "[]" : "{}"))}]`),
  },
  "kept numbers only": {
    count: 250_000,
    json: (count) => envelope(`[${times(count, (i) => `${i % 10}.0`)}]`),
  },
  "100,000 unknown members": {
    count: 100_000,
    json: (count) => `{"runId":"r","status":"running",${times(count, (i) => `"x${i}":${i}`)}}`,
  },
  "binary: one map key, 100,000 times": {
    count: 100_000,
    directions: ["toJson"],
    binary: (count) => message((w) => value(w, (v) => struct(v, count, () => "key"))),
  },
  "binary: map keys given twice": {
    count: 100_000,
    directions: ["toJson"],
    binary: (count) => message((w) => value(w, (v) => struct(v, count, (i) => `k${i % (count / 2)}`))),
  },
  "binary: result in 50,000 pieces": {
    count: 50_000,
    directions: ["toJson"],
    binary: (count) =>
      message((w) => {
        for (let i = 0; i < count; i++) value(w, (v) => struct(v, 1, () => `k${i}`));
      }),
  },
  "binary: a Struct in 50,000 pieces": {
    count: 50_000,
    directions: ["toJson"],
    binary: (count) =>
      message((w) =>
        value(w, (v) => {
          for (let i = 0; i < count; i++) struct(v, 1, () => `k${i}`);
        }),
      ),
  },
  "binary: number texts in reverse order": {
    count: 50_000,
    directions: ["toJson"],
    binary: (count) =>
      message((w) => {
        value(w, (v) => {
          v.tag(6, 2).fork();
          for (let i = 0; i < count; i++) v.tag(1, 2).fork().tag(2, 1).double(1).join();
          v.join();
        });
        w.tag(15, 2).fork().tag(3, 2).fork().tag(1, 2).string("result");
        for (let i = count - 1; i >= 0; i--) w.tag(4, 2).fork().tag(2, 0).uint32(i).tag(3, 2).string("1.0").join();
        w.join().join();
      }),
  },
};

/** An envelope with whatever `body` writes between the run's id and its status. */
function message(body) {
  const writer = new BinaryWriter();
  writer.tag(7, 2).string("r");
  body(writer);
  return writer.tag(9, 0).int32(3).finish();
}

/** Field `result`, a google.protobuf.Value. */
function value(writer, body) {
  writer.tag(6, 2).fork();
  body(writer);
  writer.join();
}

/** A Value's Struct of numbers under the keys given. */
function struct(writer, count, key) {
  writer.tag(5, 2).fork();
  for (let i = 0; i < count; i++) {
    writer.tag(1, 2).fork().tag(1, 2).string(key(i)).tag(2, 2).fork().tag(2, 1).double(i).join().join();
  }
  writer.join();
}
