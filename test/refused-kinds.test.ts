// Schemas with a field kind that the mapping does not know are refused when they are first used, by name.
import { create, type DescMessage } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import {
  binaryToSerdeJson,
  binaryToSerdeJsonString,
  checkBinary,
  fromSerdeJson,
  fromSerdeJsonString,
  serdeJsonToBinary,
  toSerdeJson,
  toSerdeJsonString,
  WireError,
} from "../src/index.js";
import * as refused from "./schemas/gen/wire_test/v1/refused_pb.js";

const schemas = Object.values(refused).filter(
  (desc): desc is Extract<typeof desc, DescMessage> => desc.kind === "message",
);

describe("a schema that holds a refused kind", () => {
  test("24 of them", () => expect(schemas).toHaveLength(24));

  test.each(schemas.map((schema): [string, DescMessage] => [schema.name, schema]))(
    "%s: every function throws a TypeError that names the field",
    (_, schema) => {
      const runs: (() => unknown)[] = [
        () => serdeJsonToBinary(schema, "{}"),
        () => serdeJsonToBinary(schema, "nonsense"),
        () => serdeJsonToBinary(schema, new Uint8Array(0)),
        () => binaryToSerdeJson(schema, new Uint8Array(0)),
        () => binaryToSerdeJsonString(schema, new Uint8Array(0)),
        () => checkBinary(schema, new Uint8Array(0)),
        () => fromSerdeJson(schema, {}),
        () => fromSerdeJsonString(schema, "{}"),
        () => toSerdeJson(schema, create(schema)),
        () => toSerdeJsonString(schema, create(schema)),
      ];
      const field = schema.name.startsWith("RefusedInside") ? "payload" : schema.fields[0]!.name;
      // The second round finds the schema refused once already.
      for (const run of [...runs, ...runs]) {
        let error: unknown;
        try {
          run();
        } catch (caught) {
          error = caught;
        }
        expect(error).toBeInstanceOf(TypeError);
        expect(error).not.toBeInstanceOf(WireError);
        expect((error as Error).message).toContain(field);
      }
    },
  );
});
