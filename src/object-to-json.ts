import { WireError, type WireErrorCode } from "./error.js";
import { isPlainArray, isPlainObject, kindOfValue } from "./json-container.js";
import { FALSE, NULL, TRUE } from "./json-sink.js";
import { JsonTextSink } from "./json-text-sink.js";
import { MAX_CONTAINERS } from "./limits.js";
import { type MessagePlan, pointerInMessage } from "./plan.js";
import { isWellFormed } from "./utf8.js";

/**
 * Writes a JS object as JSON text, or refuses what JSON cannot hold.
 *
 * It is not `JSON.stringify`, which turns NaN into null, drops functions, calls
 * `toJSON` and throws on a bigint: here a bigint is an integer token, a member
 * that is undefined is absent, and everything else that is not JSON is a
 * {@link WireError} with its pointer, and so is more JSON than `maxBytes`. The bytes are handed to `take`, and good
 * until it returns.
 */
export function objectToJson<T>(value: unknown, plan: MessagePlan, maxBytes: number, take: (json: Uint8Array) => T): T {
  const writer = idle ?? new ObjectWriter();
  idle = undefined;
  try {
    return take(writer.run(value, plan, maxBytes));
  } finally {
    writer.reset();
    idle = writer;
  }
}

/** A writer that is not in use, kept for its buffers. */
let idle: ObjectWriter | undefined;

const hasOwn = Object.prototype.hasOwnProperty;

class ObjectWriter extends JsonTextSink {
  private plan!: MessagePlan;
  /** The keys and indices from the outermost value to the one that is being written, up to `depth`. */
  private readonly path: (string | number)[] = [];
  /** The containers on that path. */
  private readonly open: object[] = [];
  private depth = 0;
  /** What was found wrong. Anything else that is thrown comes out of the value. */
  private found: WireError | undefined;

  run(value: unknown, plan: MessagePlan, maxBytes: number): Uint8Array {
    this.plan = plan;
    this.limit = maxBytes;
    try {
      this.value(value);
    } catch (error) {
      if (error === this.found) throw error;
      throw this.fault("wrong_type", "the value could not be read: an accessor or a proxy threw");
    }
    return this.out.subarray(0, this.o);
  }

  private value(value: unknown): void {
    switch (typeof value) {
      case "string":
        this.text(value);
        return;
      case "number":
        if (value - value !== 0) throw this.fault("out_of_range", `JSON has no number for ${value}`);
        this.double(value);
        return;
      case "boolean":
        this.packed(value ? TRUE : FALSE);
        return;
      case "bigint":
        this.ascii(String(value));
        return;
      case "object":
        if (value === null) this.packed(NULL);
        else if (Array.isArray(value)) this.array(value);
        else this.object(value);
        return;
      default:
        throw this.fault("wrong_type", `JSON cannot hold ${kindOfValue(value)}`);
    }
  }

  protected override encoded(text: string): void {
    if (!isWellFormed(text)) throw this.fault("invalid_utf8", "a lone surrogate in a string");
    super.encoded(text);
  }

  protected override tooLarge(): WireError {
    return this.fault("too_large", `the value takes more than the limit of ${this.limit} bytes of JSON`);
  }

  private array(array: readonly unknown[]): void {
    if (!isPlainArray(array)) throw this.fault("wrong_type", `JSON cannot hold ${kindOfValue(array)}`);
    this.enter(array);
    const at = this.depth - 1;
    let before = 0x5b;
    for (let i = 0; i < array.length; i++) {
      this.path[at] = i;
      this.byte(before);
      before = 0x2c;
      this.value(array[i]);
    }
    this.close(before, 0x5b, 0x5d);
    this.depth = at;
  }

  private object(object: object): void {
    if (!isPlainObject(object)) throw this.fault("wrong_type", `JSON cannot hold ${kindOfValue(object)}`);
    this.enter(object);
    const at = this.depth - 1;
    let before = 0x7b;
    for (const key in object) {
      if (!hasOwn.call(object, key)) continue;
      this.path[at] = key;
      const value = object[key];
      if (value === undefined) continue;
      this.text(key, before, 0x3a);
      before = 0x2c;
      this.value(value);
    }
    this.close(before, 0x7b, 0x7d);
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

  private fault(code: WireErrorCode, message: string): WireError {
    this.found = new WireError(code, message, { pointer: pointerInMessage(this.plan, this.path.slice(0, this.depth)) });
    return this.found;
  }

  override reset(): void {
    super.reset();
    // What was passed in is not kept.
    this.found = undefined;
    this.depth = 0;
    this.path.length = 0;
    this.open.length = 0;
  }
}
