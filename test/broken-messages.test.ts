// Messages with one part replaced by something that no message of Protobuf-ES has there, be it a trap.
import { create, type DescMessage, type Message, toBinary } from "@bufbuild/protobuf";
import type { Value } from "@bufbuild/protobuf/wkt";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  binaryToSerdeJsonString,
  checkSerdeJson,
  fromSerdeJson,
  fromSerdeJsonString,
  fromValue,
  outcomeOf,
  type Preserved,
  type SessionFactoryRunFromToolResult,
  toSerdeJson,
  toSerdeJsonString,
  toValue,
  WireError,
  writeDelimited,
  writeSerdeNdjson,
} from "../src/index.js";
import { directJson } from "../src/message-to-json.js";
import { planOf } from "../src/plan.js";
import { KindsSchema, ListsSchema, OptionsSchema } from "./schemas/gen/wire_test/v1/kinds_pb.js";
import { envelope, type Piece } from "./support/arbitrary-json.js";
import { kinds, lists, options, withUnknown } from "./support/arbitrary-kinds.js";
import { Envelope } from "./support/entry-points.js";

const trap = () => {
  throw new Error("a trap");
};
const { proxy: revoked, revoke } = Proxy.revocable({}, {});
revoke();
const revokedList = Proxy.revocable([], {});
revokedList.revoke();
const sparse: unknown[] = [];
sparse.length = 2;

/** What a part is replaced by. */
const JUNK: [what: string, junk: unknown][] = [
  ["undefined", undefined],
  ["null", null],
  ["a number", 5],
  ["zero", 0],
  ["a fraction", 0.5],
  ["NaN", Number.NaN],
  ["a bigint", 2n ** 70n],
  ["a string", "junk"],
  ["an empty string", ""],
  ["a lone surrogate", "\ud800"],
  ["true", true],
  ["a symbol", Symbol("junk")],
  ["a function", () => 1],
  ["an object", {}],
  ["an array", []],
  ["a sparse array", sparse],
  ["an array of null", [null]],
  ["a Map", new Map([["a", 1]])],
  ["a Date", new Date(0)],
  ["a Uint8Array", new Uint8Array(2)],
  ["a message", create(Envelope, { runId: "a" })],
  ["a Value", toValue([1])],
  ["a Value of no kind", { $typeName: "google.protobuf.Value" }],
  ["a kind that is a symbol", { case: Symbol("junk"), value: 1 }],
  ["an object without a prototype that cannot be written as text", Object.create(null)],
  ["a proxy that traps reading", new Proxy({}, { get: trap })],
  ["a proxy that traps everything", new Proxy({}, { get: trap, ownKeys: trap, has: trap, getPrototypeOf: trap })],
  ["a list that traps reading", new Proxy([1], { get: trap })],
  ["a revoked proxy", revoked],
  ["a revoked list", revokedList.proxy],
];

/** Where a part of a message stands: in which object, by which key. */
type Place = [owner: { [key: string]: unknown }, key: string];

function placesOf(owner: object, places: Place[] = []): Place[] {
  for (const key of Object.keys(owner)) {
    const place: Place = [owner as Place[0], key];
    places.push(place);
    const part = place[0][key];
    if (typeof part === "object" && part !== null) placesOf(part, places);
  }
  return places;
}

/** Messages that hold all there is, sidecars too, and what one of their parts is replaced by. */
function broken(schema: DescMessage, json: fc.Arbitrary<Piece>): fc.Arbitrary<[Message, what: string]> {
  const withTexts = json.map(({ written }) => fromSerdeJsonString(schema, written));
  return fc
    .tuple(withTexts, fc.nat(), fc.constantFrom(...JUNK), fc.integer({ min: 0, max: 5 }))
    .map(([message, at, [what, junk], how]): [Message, string] => {
      const places = placesOf(message);
      const [owner, key] = places[at % places.length]!;
      if (how === 0) Object.defineProperty(owner, key, { get: trap, enumerable: true });
      else if (how === 1) delete owner[key];
      else Object.defineProperty(owner, key, { value: junk, enumerable: true, writable: true, configurable: true });
      return [message, `${key} ${how === 0 ? "a getter" : how === 1 ? "gone" : what}`];
    });
}

/** What a call gives, or a WireError. Anything else that is thrown is a fault of the package. */
function outcome<T>(call: () => T): T | WireError {
  try {
    return call();
  } catch (error) {
    if (error instanceof WireError) return error;
    throw error;
  }
}

async function streamed(writing: AsyncIterable<unknown>): Promise<unknown> {
  try {
    const parts = [];
    for await (const part of writing) parts.push(part);
    return parts.length;
  } catch (error) {
    if (error instanceof WireError) return error;
    throw error;
  }
}

describe("a broken message", () => {
  test.each<[string, DescMessage, fc.Arbitrary<Piece>]>([
    ["the envelope", Envelope, envelope],
    ["Kinds", KindsSchema, withUnknown(kinds)],
    ["Options", OptionsSchema, withUnknown(options)],
    ["Lists", ListsSchema, withUnknown(lists)],
  ])("of %s is refused, or written as what Protobuf-ES writes", async (_, schema, json) => {
    await fc.assert(
      fc.asyncProperty(broken(schema, json), async ([message]) => {
        const written = outcome(() => toSerdeJsonString(schema, message));
        outcome(() => toSerdeJson(schema, message));
        const binary = await streamed(writeDelimited(schema, [message]));
        await streamed(writeSerdeNdjson(schema, [message]));
        if (written instanceof WireError) {
          expect(binary).toBeInstanceOf(WireError);
          expect(outcome(() => toSerdeJsonString(schema, message, { maxBytes: 1 << 30 }))).toBeInstanceOf(WireError);
        } else {
          expect(binaryToSerdeJsonString(schema, toBinary(schema, message))).toBe(written);
          expect(toSerdeJsonString(schema, message, { maxBytes: 1 << 30 })).toBe(written);
        }
        if (schema === Envelope) outcome(() => outcomeOf(message as SessionFactoryRunFromToolResult));
      }),
      { numRuns: 1000 },
    );
  });

  test("as a whole", () => {
    for (const [, junk] of JUNK) {
      const message = junk as SessionFactoryRunFromToolResult;
      outcome(() => toSerdeJsonString(Envelope, message));
      outcome(() => outcomeOf(message));
    }
  });
});

describe("one part that stands in many places, and so comes to more than any memory", () => {
  const inside = (depth: number, leaf: unknown, around: (inner: unknown) => unknown): unknown =>
    depth === 0 ? leaf : around(inside(depth - 1, leaf, around));
  const list = (inner: unknown) => ({
    $typeName: "google.protobuf.Value",
    kind: { case: "listValue", value: { $typeName: "google.protobuf.ListValue", values: [inner, inner] } },
  });
  const numberText = (inner: unknown[]) => {
    const node = (index: number) => ({
      $typeName: "factory_run.v1.NumberText",
      place: { case: "index", value: index },
      children: inner,
    });
    return [node(0), node(1)];
  };

  test("in a Value", () => {
    const message = create(Envelope, { runId: "r" });
    message.result = inside(100, toValue(1), list) as Value;
    const refused = { code: "too_large", pointer: expect.stringMatching(/^\/result\/0\/0\/0/) };
    expect(outcome(() => toSerdeJsonString(Envelope, message, { maxBytes: 1 << 20 }))).toMatchObject(refused);
  });

  test("in the texts of numbers", () => {
    const message = create(Envelope, { runId: "r" });
    message.preserved = {
      $typeName: "factory_run.v1.Preserved",
      members: {},
      words: {},
      numbers: inside(100, [], (inner) => numberText(inner as unknown[])),
    } as unknown as Preserved;
    const written = outcome(() => toSerdeJsonString(Envelope, message, { maxBytes: 1 << 20 }));
    expect(written).toMatchObject({ code: "too_large", pointer: "/preserved" });
    expect(directJson(planOf(Envelope), message, "snake_case")).toBeUndefined();
  });

  test("in a JS value", () => {
    const result = inside(100, 1, (inner) => [inner, inner]);
    const made = outcome(() => fromSerdeJson(Envelope, { run_id: "r", result }, { maxBytes: 1 << 20 }));
    expect(made).toMatchObject({ code: "too_large", pointer: expect.stringMatching(/^\/result\/0\/0\/0/) });
  });
});

describe("a broken Value", () => {
  test("gives what is JSON, or is refused", () => {
    fc.assert(
      fc.property(
        envelope
          .map(({ written }) => fromSerdeJsonString(Envelope, written).result)
          .filter((value) => value !== undefined),
        fc.nat(),
        fc.constantFrom(...JUNK),
        fc.boolean(),
        (value, at, [, junk], isGetter) => {
          const places = placesOf(value);
          const [owner, key] = places[at % places.length]!;
          Object.defineProperty(
            owner,
            key,
            isGetter ? { get: trap, enumerable: true } : { value: junk, enumerable: true },
          );
          const json = outcome(() => fromValue(value));
          if (!(json instanceof WireError)) expect(fromValue(toValue(json))).toEqual(json);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test("as a whole", () => {
    for (const [, junk] of JUNK) outcome(() => fromValue(junk as Value));
  });
});

describe("a broken JS value", () => {
  const json = envelope.map(({ written }) => JSON.parse(written) as { [key: string]: unknown });

  test("is refused, or read as JSON", () => {
    fc.assert(
      fc.property(json, fc.nat(), fc.constantFrom(...JUNK), fc.boolean(), (value, at, [, junk], isGetter) => {
        const places = placesOf(value);
        const [owner, key] = places[at % places.length]!;
        Object.defineProperty(
          owner,
          key,
          isGetter ? { get: trap, enumerable: true } : { value: junk, enumerable: true },
        );
        outcome(() => fromSerdeJson(Envelope, value));
        outcome(() => checkSerdeJson(value));
        const made = outcome(() => toValue(value));
        if (!(made instanceof WireError)) expect(toValue(fromValue(made))).toEqual(made);
      }),
      { numRuns: 1000 },
    );
  });

  test("as a whole", () => {
    for (const [, junk] of JUNK) {
      outcome(() => fromSerdeJson(Envelope, junk as object));
      outcome(() => checkSerdeJson(junk));
      outcome(() => toValue(junk));
    }
  });

  test("a value that throws a WireError of its own", () => {
    const getter = {
      get a(): never {
        throw new WireError("out_of_range", "a value's own", { pointer: "/elsewhere" });
      },
    };
    const error = outcome(() => fromSerdeJson(Envelope, { run_id: "r", status: "x", result: [getter] }));
    expect(error).toMatchObject({ code: "wrong_type", pointer: "/result/0/a" });
  });
});
