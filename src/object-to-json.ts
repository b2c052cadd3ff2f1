import { WireError, type WireErrorCode } from "./error.js";
import { isPlainArray, isPlainObject, kindOfValue } from "./json-container.js";
import { MAX_CONTAINERS } from "./limits.js";
import { type MessagePlan, pointerInMessage } from "./plan.js";
import { isWellFormed } from "./utf8.js";

/**
 * Writes a JS object as JSON text, or refuses what JSON cannot hold.
 *
 * It is not `JSON.stringify`, which turns NaN into null, drops functions, calls
 * `toJSON` and throws on a bigint: here a bigint is an integer token, a member
 * that is undefined is absent, and everything else that is not JSON is a
 * {@link WireError} with its pointer.
 */
export function objectToJson(value: unknown, plan: MessagePlan): string {
  const writer = new ObjectWriter(plan);
  try {
    writer.value(value);
    return writer.text;
  } catch (error) {
    if (error instanceof WireError) throw error;
    throw writer.fault("wrong_type", "the value could not be read: an accessor or a proxy threw");
  }
}

/** What does not stand for itself in a JSON string. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are to be escaped.
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

class ObjectWriter {
  text = "";
  /** The keys and indices from the outermost value to the one that is being written, up to `depth`. */
  private readonly path: (string | number)[] = [];
  /** The containers on that path. */
  private readonly open: object[] = [];
  private depth = 0;

  constructor(private readonly plan: MessagePlan) {}

  value(value: unknown): void {
    switch (typeof value) {
      case "string":
        this.string(value);
        return;
      case "number":
        if (value - value !== 0) throw this.fault("out_of_range", `JSON has no number for ${value}`);
        this.text += Object.is(value, -0) ? "-0" : value;
        return;
      case "boolean":
      case "bigint":
        this.text += value;
        return;
      case "object":
        if (value === null) this.text += "null";
        else if (Array.isArray(value)) this.array(value);
        else this.object(value);
        return;
      default:
        throw this.fault("wrong_type", `JSON cannot hold ${kindOfValue(value)}`);
    }
  }

  private string(text: string): void {
    if (!ESCAPED.test(text)) {
      this.text += `"${text}"`;
      return;
    }
    if (!isWellFormed(text)) throw this.fault("invalid_utf8", "a lone surrogate in a string");
    this.text += JSON.stringify(text);
  }

  private array(array: readonly unknown[]): void {
    if (!isPlainArray(array)) throw this.fault("wrong_type", `JSON cannot hold ${kindOfValue(array)}`);
    this.enter(array);
    const at = this.depth - 1;
    this.text += "[";
    for (let i = 0; i < array.length; i++) {
      this.path[at] = i;
      if (i > 0) this.text += ",";
      this.value(array[i]);
    }
    this.text += "]";
    this.depth = at;
  }

  private object(object: object): void {
    if (!isPlainObject(object)) throw this.fault("wrong_type", `JSON cannot hold ${kindOfValue(object)}`);
    this.enter(object);
    const at = this.depth - 1;
    let separator = "{";
    for (const key of Object.keys(object)) {
      this.path[at] = key;
      const value = object[key];
      if (value === undefined) continue;
      this.text += separator;
      separator = ",";
      this.string(key);
      this.text += ":";
      this.value(value);
    }
    this.text += separator === "{" ? "{}" : "}";
    this.depth = at;
  }

  private enter(container: object): void {
    if (this.depth >= MAX_CONTAINERS) {
      // The way down may be a circle; then the place is where it first closes.
      const seen = new Set<object>();
      this.open.length = this.depth;
      const closing = [...this.open, container].findIndex((one) => seen.size === seen.add(one).size);
      if (closing < 0) throw this.fault("nesting_too_deep", `over ${MAX_CONTAINERS} containers are open`);
      this.depth = closing;
      throw this.fault("wrong_type", "JSON cannot hold a value that holds itself");
    }
    this.open[this.depth++] = container;
  }

  fault(code: WireErrorCode, message: string): WireError {
    return new WireError(code, message, { pointer: pointerInMessage(this.plan, this.path.slice(0, this.depth)) });
  }
}
