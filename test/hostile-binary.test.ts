import { describe, expect, test } from "vitest";
import { binaryToSerdeJson, binaryToSerdeJsonString, checkBinary } from "../src/index.js";
import { Envelope, refusal } from "./support/entry-points.js";
import {
  beforeElement,
  beforeMember,
  cat,
  header,
  hex,
  int,
  len,
  member,
  nest,
  REQUIRED,
  str,
  tag,
  valueBytes,
  WIRE,
  withResult,
} from "./support/wire.js";

/** One print and one check: the inputs are too large to try every shape of them. */
function decode(binary: Uint8Array): string {
  checkBinary(Envelope, binary);
  return binaryToSerdeJsonString(Envelope, binary);
}

describe("deep", () => {
  const n = 100_000;
  test.each([130, 2000, n])("binary: %i arrays, objects, members, nodes", (levels) => {
    for (const before of [beforeElement, beforeMember]) {
      const nested = nest(levels, valueBytes(1), before);
      for (const binary of [withResult(nested), cat(REQUIRED, len(15, member(1, "x", nested)))]) {
        refusal(() => binaryToSerdeJson(Envelope, binary), { code: "nesting_too_deep" });
        refusal(() => checkBinary(Envelope, binary), { code: "nesting_too_deep" });
      }
    }
    const nodes = len(
      15,
      len(
        3,
        nest(levels, new Uint8Array(0), (length) => header(4, length)),
      ),
    );
    refusal(() => checkBinary(Envelope, cat(REQUIRED, nodes)), { code: "nesting_too_deep" });
  });
  test("binary: groups, closed and open", () => {
    const open = cat(...Array.from({ length: n }, () => tag(20, WIRE.startGroup)));
    const close = cat(...Array.from({ length: n }, () => tag(20, WIRE.endGroup)));
    expect(decode(cat(open, close, REQUIRED))).toBe('{"run_id":"a","status":"completed"}');
    expect(decode(withResult(cat(open, close)))).toBe('{"result":null,"run_id":"a","status":"completed"}');
    refusal(() => checkBinary(Envelope, cat(REQUIRED, open)), { code: "malformed_binary" });
    refusal(() => checkBinary(Envelope, cat(open, close.subarray(2), REQUIRED)), { code: "malformed_binary" });
  });
});

describe("binary with many parts", () => {
  const n = 30_000;
  const times = (count: number, make: (i: number) => Uint8Array) =>
    cat(...Array.from({ length: count }, (_, i) => make(i)));
  test("a field again and again", () => {
    expect(
      decode(
        cat(
          times(n, (i) => str(2, `e${i}`)),
          REQUIRED,
        ),
      ),
    ).toBe(`{"error":"e${n - 1}","run_id":"a","status":"completed"}`);
    expect(
      decode(
        cat(
          times(n, () => len(6, valueBytes([1]))),
          REQUIRED,
        ),
      ).length,
    ).toBe(`{"result":[${"1,".repeat(n - 1)}1],"run_id":"a","status":"completed"}`.length);
    expect(
      decode(
        cat(
          times(n, (i) => len(6, valueBytes({ [`k${i % 10}`]: 1 }))),
          REQUIRED,
        ),
      ).length,
    ).toBeLessThan(200);
    expect(
      decode(
        cat(
          times(n, () => int(9, 3)),
          REQUIRED,
        ),
      ),
    ).toBe('{"status":"completed","run_id":"a"}');
    expect(
      decode(
        cat(
          times(n, () => len(15, member(1, "x", valueBytes(1)))),
          REQUIRED,
        ),
      ),
    ).toBe('{"run_id":"a","status":"completed","x":1}');
  });
  test("a oneof that changes its mind", () => {
    const content = times(n, (i) => (i % 2 === 0 ? valueBytes("s") : valueBytes([1])));
    expect(decode(withResult(content))).toBe('{"result":[1],"run_id":"a","status":"completed"}');
  });
  test("merging at depth", () => {
    let content = times(2000, () => valueBytes([1]));
    for (let level = 0; level < 30; level++) content = cat(len(6, len(1, content)), len(6, len(1, valueBytes(level))));
    expect(JSON.parse(decode(withResult(content)))).toHaveProperty("result");
  });
  test("duplicate keys, entries without parts", () => {
    expect(
      decode(
        withResult(
          len(
            5,
            times(n, (i) => member(1, `k${i % 3}`, valueBytes(i))),
          ),
        ),
      ),
    ).toContain(`"k2":${n - 1}`);
    expect(
      decode(
        withResult(
          len(
            5,
            times(n, () => len(1)),
          ),
        ),
      ),
    ).toBe('{"result":{"":null},"run_id":"a","status":"completed"}');
    expect(
      decode(
        withResult(
          len(
            5,
            times(n / 2, (i) => member(1, `k${i}`, valueBytes(null))),
            times(n / 2, (i) => member(1, `k${i}`, valueBytes(true))),
          ),
        ),
      ).length,
    ).toBeGreaterThan(n);
  });
  test("unknown fields, empty elements, stale nodes, words, members", () => {
    expect(
      decode(
        cat(
          times(n, () => int(20, 1)),
          REQUIRED,
        ),
      ),
    ).toBe('{"run_id":"a","status":"completed"}');
    expect(
      decode(
        withResult(
          len(
            6,
            times(n, () => hex("0a00")),
          ),
        ),
      ).length,
    ).toBeGreaterThan(5 * n);
    const one = len(6, valueBytes(1));
    expect(
      decode(
        cat(
          one,
          REQUIRED,
          len(
            15,
            times(n, (i) => len(3, str(1, `k${i}`), str(3, "1.0"))),
          ),
        ),
      ),
    ).toBe('{"result":1,"run_id":"a","status":"completed"}');
    expect(
      decode(
        cat(
          one,
          REQUIRED,
          len(
            15,
            times(n, () => len(3, str(1, "result"), str(3, "1.0"))),
          ),
        ),
      ),
    ).toBe('{"result":1.0,"run_id":"a","status":"completed"}');
    expect(
      decode(
        cat(
          str(7, "a"),
          len(
            15,
            times(n, (i) => len(2, str(1, "status"), str(2, `w${i}`))),
          ),
        ),
      ),
    ).toBe(`{"run_id":"a","status":"w${n - 1}"}`);
    expect(
      decode(
        cat(
          str(7, "a"),
          len(
            15,
            times(n, (i) => len(2, str(1, `f${i}`), str(2, "w"))),
          ),
        ),
      ),
    ).toBe('{"run_id":"a","status":"Unknown"}');
    expect(
      decode(
        cat(
          REQUIRED,
          len(
            15,
            times(n, (i) => member(1, i % 2 === 0 ? "runId" : `k${i}`, valueBytes("b"))),
          ),
        ),
      ).length,
    ).toBeGreaterThan(n);
  });
  test("number texts in the order that suits least", () => {
    const list = withResult(
      len(
        6,
        times(20_000, () => len(1, valueBytes(1))),
      ),
    );
    const backwards = len(
      15,
      len(
        3,
        str(1, "result"),
        times(20_000, (i) => len(4, int(2, 19_999 - i), str(3, "1.0"))),
      ),
    );
    expect(decode(cat(list, backwards))).toBe(
      `{"result":[${"1.0,".repeat(19_999)}1.0],"run_id":"a","status":"completed"}`,
    );
    const object = withResult(
      len(
        5,
        times(20_000, (i) => member(1, `k${i}`, valueBytes(1))),
      ),
    );
    const nodes = len(
      15,
      len(
        3,
        str(1, "result"),
        times(20_000, (i) => len(4, str(1, `k${19_999 - i}`), str(3, "1.0"))),
      ),
    );
    expect(decode(cat(object, nodes)).match(/1\.0/g)).toHaveLength(20_000);
  });
});
