// Long arrays of numbers are read and printed many digits at a time: every count of digits, before and after the
// point, beside every other, by the rule of number-rule.ts and by where JSON.parse finds a fault.
import { fromBinary } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { binaryToSerdeJsonString, serdeJsonToBinary, WireError } from "../src/index.js";
import { CAMEL, Envelope } from "./support/entry-points.js";
import { isInRange, isKept, printedNumber } from "./support/number-rule.js";
import { failures, Random } from "./support/numbers.js";

const random = new Random(20);
const envelope = (result: string) => `{"runId":"r","status":"completed","result":${result}}`;
const there = (text: string) => binaryToSerdeJsonString(Envelope, serdeJsonToBinary(Envelope, text), CAMEL);
const digits = (count: number) => random.digits(count).replace(/^0/, "7");

/** Numbers of each count of digits before and after the point, with zeros at either end, and round a few limits. */
function tokens(): string[] {
  const whole = ["0", "9", "10", "99999999", "100000000", "9007199254740991", "9007199254740992", "9007199254740993"];
  for (let count = 1; count <= 20; count++) {
    whole.push(digits(count), "9".repeat(count), `1${"0".repeat(count - 1)}`);
  }
  const found: string[] = [];
  for (const integer of whole) {
    found.push(integer, `${integer}e2`, `${integer}E-3`, `${integer}e+11`);
    for (let count = 1; count <= 17; count++) {
      const zeros = "0".repeat(random.below(count));
      found.push(`${integer}.${random.digits(count)}`, `${integer}.${zeros}${random.digits(count - zeros.length)}`);
      found.push(`${integer}.${random.digits(1)}${"0".repeat(count - 1)}`, `${integer}.${"0".repeat(count)}`);
      found.push(`${integer}.${random.digits(count)}e${random.below(20) - 10}`);
    }
  }
  return [...found, ...found.map((token) => `-${token}`)].filter(isInRange);
}

/** Some bytes after an array, so that its last elements are not the last bytes of the input. */
const behind = `,"${"x".repeat(40)}"`;

describe("numbers in arrays", () => {
  const all = tokens();

  test.each([
    ["alone", (token: string) => [token]],
    ["before others", (token: string) => [token, "1", "2.5", "-3"]],
    ["after an integer", (token: string) => ["12345678901", token, "0"]],
    ["after a decimal", (token: string) => ["0.25", token, "0.5"]],
    ["after a long one", (token: string) => ["0.12345678901234567", token, "7", token]],
    ["after a text", (token: string) => ['"a"', token, token, "null", token]],
  ])("%s", (_, around) => {
    const bad = failures(all, (token) => {
      const elements = around(token);
      const printed = elements.map((element) => (/^[-\d]/.test(element) ? printedNumber(element) : element));
      return ["", behind].every((rest) => {
        const text = envelope(`[${elements.join(",")}${rest}]`);
        const spaced = envelope(`[ ${elements.join(" ,\n")}${rest} ]`);
        const nested = envelope(`[[${elements.join(",")}]${rest}]`);
        const expected = envelope(`[${printed.join(",")}${rest}]`);
        return (
          there(text) === expected &&
          there(spaced) === expected &&
          there(nested) === envelope(`[[${printed.join(",")}]${rest}]`)
        );
      });
    });
    expect(bad).toEqual([]);
  });

  test("all of them in one array, in three orders", () => {
    for (const order of [all, [...all].reverse(), [...all].sort(() => random.unit() - 0.5)]) {
      expect(there(envelope(`[${order.join(",")}]`))).toBe(envelope(`[${order.map(printedNumber).join(",")}]`));
    }
  });

  test("each is the nearest double", () => {
    const { result } = fromBinary(Envelope, serdeJsonToBinary(Envelope, envelope(`[${all.join(",")}]`)));
    const values = result?.kind.case === "listValue" ? result.kind.value.values : [];
    const bad = failures(all.entries(), ([index, token]) => Object.is(values[index]?.kind.value, Number(token)));
    expect(values.length).toBe(all.length);
    expect(bad).toEqual([]);
  });

  test("a text is kept where it is needed, and only there", () => {
    const { preserved } = fromBinary(Envelope, serdeJsonToBinary(Envelope, envelope(`[${all.join(",")}]`)));
    const kept = preserved?.numbers[0]?.children.map(({ place, text }) => [Number(place.value), text]);
    expect(kept).toEqual([...all.entries()].filter(([, token]) => isKept(token)));
  });

  test('with numbers: "double" nothing is kept', () => {
    const binary = serdeJsonToBinary(Envelope, envelope("[1.0,2.50,12345678901234567890]"), { numbers: "double" });
    expect(fromBinary(Envelope, binary).preserved).toBeUndefined();
  });

  const faults = ["", "-", "01", "00", "-00", "-01", "0123456", "012345678", "00000000", "1.", "-1.", "1.e5", ".5"];
  faults.push(
    "1.5.",
    "1.5.5",
    "1..5",
    "1-2",
    "--1",
    "+1",
    "1+",
    "1e",
    "1e+",
    "1.5e",
    "1.5e-",
    "12345678a",
    "1a",
    "1.5a",
  );
  faults.push("12345678.", "1.12345678x", "1234567890123456-", "12345678.12345678.1", "1:2", "1/2", "1;", "1\u0000");
  for (let count = 1; count <= 18; count++) {
    faults.push(
      `0${digits(count)}`,
      `-0${digits(count)}.5`,
      `${digits(count)}.`,
      `${digits(count)}x`,
      `1.${digits(count)}x`,
    );
  }

  test.each([
    ["first", "[", ",1,2]"],
    ["last", "[1,2,", "]"],
    ["after a decimal", "[1.25,", ",3]"],
    ["after a long one", "[0.12345678901234567,", ",3]"],
  ])("%s in its array, what is no number is refused where it is in an object", (_, before, after) => {
    for (const fault of faults) {
      for (const rest of ["", behind]) {
        const inArray = offsetOf(`${before}${fault}${after.slice(0, -1)}${rest}]`) - before.length;
        const inObject = offsetOf(`{"a":${fault}}`) - '{"a":'.length;
        expect(inArray, `${before}${fault}${after}`).toBe(inObject);
      }
    }
  });

  /** Where the fault is that both this package and JSON.parse find in a result. */
  function offsetOf(result: string): number {
    const text = envelope(result);
    expect(() => JSON.parse(text), text).toThrow();
    try {
      serdeJsonToBinary(Envelope, text);
    } catch (error) {
      expect((error as WireError).code, text).toBe("syntax");
      return (error as WireError).offset! - envelope("").indexOf("}");
    }
    throw new Error(`not refused: ${text}`);
  }

  test("a number beyond the doubles is refused with its index", () => {
    for (const token of ["1e309", `1${"0".repeat(309)}`, "-1.5e400"]) {
      expect(() => serdeJsonToBinary(Envelope, envelope(`[1,2,${token},3]`))).toThrow(
        expect.objectContaining({ constructor: WireError, code: "out_of_range", pointer: "/result/2" }),
      );
    }
  });

  test("numbers up to the very end of a text that is cut off", () => {
    const text = envelope(`[${all.slice(0, 200).join(",")}]`);
    const bad = failures(
      Array.from({ length: 300 }, (_, cut) => text.slice(0, text.length - 1 - cut)),
      (short) => {
        try {
          serdeJsonToBinary(Envelope, short);
        } catch (error) {
          return error instanceof WireError && error.code === "syntax" && error.offset === short.length;
        }
        return false;
      },
    );
    expect(bad).toEqual([]);
  });

  test("kept texts of every length, beside numbers, containers and strings", () => {
    for (let size = 20; size < 44; size++) {
      const long = `1.${"0".repeat(size - 2)}`;
      const negative = `-${long.slice(1 - size)}`.replace("-.", "-7.").slice(0, size);
      for (const list of [
        [long],
        [long, long, "1", long, negative],
        ["1.5", long, "2.0", "null", long, '"1.0"', "3.0"],
        [`[${long},1.0]`, long, `{"a":${long}}`, "1.0", "1.5", long],
      ]) {
        const text = envelope(`[${list.join(",")}]`);
        expect(there(text)).toBe(text);
      }
    }
  });
});
