import type { JsonValue } from "@bufbuild/protobuf";
import { setMember } from "./json-container.js";

/** A JSON value in which integers may be bigints. */
export type ExactJsonValue = JsonValue | bigint | ExactJsonValue[] | { [key: string]: ExactJsonValue };

/** An integer token of 16 digits or more, which may be beyond what a number holds exactly, right after punctuation. */
const LONG_INTEGER = /[[:,]-?[0-9]{16}/;

/**
 * Parses compact JSON text that is known to be well-formed, as `JSON.parse`
 * does, but for integer tokens outside ±(2^53 - 1), which become bigints.
 */
export function parseWithBigInts(text: string): ExactJsonValue {
  // Without such a token (the pattern may also find one inside a string) the platform's own parser does the same.
  return LONG_INTEGER.test(text) ? new Parser(text).value() : JSON.parse(text);
}

class Parser {
  private at = 0;

  constructor(private readonly text: string) {}

  value(): ExactJsonValue {
    switch (this.text[this.at]) {
      case "{":
        return this.object();
      case "[":
        return this.array();
      case '"':
        return this.string();
      default:
        return this.scalar();
    }
  }

  private object(): ExactJsonValue {
    const object: { [key: string]: ExactJsonValue } = {};
    this.at++;
    while (this.text[this.at] !== "}") {
      const key = this.string();
      this.at++;
      setMember(object, key, this.value());
      if (this.text[this.at] === ",") this.at++;
    }
    this.at++;
    return object;
  }

  private array(): ExactJsonValue {
    const array: ExactJsonValue[] = [];
    this.at++;
    while (this.text[this.at] !== "]") {
      array.push(this.value());
      if (this.text[this.at] === ",") this.at++;
    }
    this.at++;
    return array;
  }

  private string(): string {
    const start = this.at++;
    while (this.text[this.at] !== '"') this.at += this.text[this.at] === "\\" ? 2 : 1;
    return JSON.parse(this.text.slice(start, ++this.at));
  }

  private scalar(): ExactJsonValue {
    const start = this.at;
    while (this.at < this.text.length && !",]}".includes(this.text[this.at])) this.at++;
    const token = this.text.slice(start, this.at);
    const value = JSON.parse(token);
    return typeof value === "number" && !Number.isSafeInteger(value) && /^-?[0-9]+$/.test(token)
      ? BigInt(token)
      : value;
  }
}
