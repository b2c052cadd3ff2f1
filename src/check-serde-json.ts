import { isPlainObject, kindOfValue } from "./json-container.js";
import { pointerToken } from "./pointer.js";
import { isWellFormed } from "./utf8.js";

/** Why a JS value will not arrive as a factory's result. */
export interface SerdeJsonProblem {
  /**
   * What kind of fault it is, in the words of WireError: `wrong_type` for what
   * JSON does not have, `out_of_range` for a number that it does not have,
   * `invalid_utf8` for a lone surrogate, `nesting_too_deep`.
   */
  readonly code: "wrong_type" | "out_of_range" | "invalid_utf8" | "nesting_too_deep";
  /** The value at fault as a JSON Pointer (RFC 6901), counted from the result; "" is the result itself. */
  readonly pointer: string;
  /** What is wrong, in one line. */
  readonly message: string;
  /**
   * What comes of it. `run_fails`: the SDK refuses the result, and the run
   * ends with status `error`. `run_hangs`: the SDK sends it, the Rust runtime
   * cannot read the frame and drops it without a word, and the run stays
   * `running` until it is cancelled or reaches its timeout.
   */
  readonly effect: "run_fails" | "run_hangs";
}

/**
 * The most containers inside a result: serde_json reads 127 open ones, and the
 * frame that carries the result has two around it.
 */
const MAX_CONTAINERS = 125;

/**
 * Says whether the Rust runtime will be able to read a JS value as the result
 * of a factory, or of a `ctx.step` in one.
 *
 * Gives undefined when it will, else the first problem in the order of the
 * value. Call it where the factory returns, and fail in your own words:
 *
 * ```ts
 * const problem = checkSerdeJson(result);
 * if (problem) throw new Error(`result${problem.pointer}: ${problem.message}`);
 * ```
 *
 * Refused are lone surrogates in strings and keys, more than 125 containers,
 * NaN, infinities, -0, bigints, functions, symbols, undefined inside a value,
 * class instances, cycles, accessors, properties that are not enumerable, and
 * arrays with holes or with properties of their own. Undefined itself is
 * good: the factory then completes without a result. Nothing is changed, no
 * getter and no `toJSON` is called, and no input overflows the stack. The
 * texts of errors and of `ctx.log` travel in the same frames: a lone surrogate
 * there hangs the run too.
 */
export function checkSerdeJson(value: unknown): SerdeJsonProblem | undefined {
  if (value === undefined) return undefined;
  const check = new Check();
  try {
    return check.visit(value);
  } catch {
    // Only a Proxy can make looking at a value throw, and it would throw at the SDK too.
    return check.at(refused("wrong_type", "a value that cannot be read"));
  }
}

type Fault = Omit<SerdeJsonProblem, "pointer">;

/** One walk over a value. When it stops at a fault, it is there. */
class Check {
  private readonly path: (string | number)[] = [];
  /** The containers that are being read, to find the one that holds itself. */
  private readonly open = new Set<object>();
  /**
   * The most containers around each container that was found good, so that
   * one reached along many ways is not read again along each.
   */
  private readonly good = new Map<object, number>();

  visit(value: unknown): SerdeJsonProblem | undefined {
    if (typeof value !== "object" || value === null) return this.at(scalarFault(value));
    const around = this.open.size;
    if (around <= (this.good.get(value) ?? -1)) return undefined;
    const keys = Reflect.ownKeys(value);
    const problem = this.at(this.placeFault(value) ?? containerFault(value, keys)) ?? this.visitProperties(value, keys);
    if (problem === undefined) {
      this.open.delete(value);
      this.good.set(value, around);
    }
    return problem;
  }

  /** The fault as a problem of the value that the walk is at. */
  at(fault: Fault | undefined): SerdeJsonProblem | undefined {
    return fault && { ...fault, pointer: this.path.map(pointerToken).join("") };
  }

  private placeFault(container: object): Fault | undefined {
    if (this.open.has(container)) return refused("wrong_type", "a value that holds itself");
    if (this.open.size < MAX_CONTAINERS) return undefined;
    return dropped("nesting_too_deep", `more than ${MAX_CONTAINERS} arrays and objects inside each other`);
  }

  private visitProperties(container: object, keys: readonly (string | symbol)[]): SerdeJsonProblem | undefined {
    this.open.add(container);
    const isArray = Array.isArray(container);
    for (const key of keys as readonly string[]) {
      if (isArray && key === "length") continue;
      this.path.push(isArray ? Number(key) : key);
      const property = Object.getOwnPropertyDescriptor(container, key);
      const problem = this.at(keyFault(key) ?? propertyFault(property)) ?? this.visit(property!.value);
      if (problem !== undefined) return problem;
      this.path.pop();
    }
    return undefined;
  }
}

/** What ails a value that is no object, by its type. */
function scalarFault(value: unknown): Fault | undefined {
  switch (typeof value) {
    case "string":
      return isWellFormed(value) ? undefined : dropped("invalid_utf8", "a string with a lone surrogate");
    case "number":
      if (!Number.isFinite(value)) return refused("out_of_range", `${value}, which JSON cannot hold`);
      return Object.is(value, -0) ? refused("out_of_range", "-0, which the SDK refuses; make it 0") : undefined;
    case "boolean":
      return undefined;
    case "undefined":
      return refused("wrong_type", "undefined inside a value; leave it out or make it null");
    default:
      return value === null ? undefined : refused("wrong_type", `${kindOfValue(value)}, which JSON cannot hold`);
  }
}

/** What ails an array or object apart from what its properties hold. */
function containerFault(container: object, keys: readonly (string | symbol)[]): Fault | undefined {
  if (Array.isArray(container)) {
    const { length } = container;
    // An array owns its elements and "length"; with fewer it has holes.
    if (keys.length <= length) return refused("wrong_type", "an array with holes");
    const plain = keys.length === length + 1 && keys.every((key) => key === "length" || isIndex(key, length));
    return plain ? undefined : refused("wrong_type", "an array with properties of its own");
  }
  if (!isPlainObject(container)) return refused("wrong_type", `${kindOfValue(container)}, which JSON cannot hold`);
  return keys.some((key) => typeof key === "symbol")
    ? refused("wrong_type", "an object with a symbol as a key")
    : undefined;
}

function isIndex(key: string | symbol, length: number): boolean {
  return typeof key === "string" && /^(?:0|[1-9]\d*)$/.test(key) && Number(key) < length;
}

function keyFault(key: string): Fault | undefined {
  return isWellFormed(key) ? undefined : dropped("invalid_utf8", "a key with a lone surrogate");
}

function propertyFault(property: PropertyDescriptor | undefined): Fault | undefined {
  if (property === undefined || !("value" in property)) return refused("wrong_type", "an accessor");
  return property.enumerable === true ? undefined : refused("wrong_type", "a property that is not enumerable");
}

/** The SDK itself refuses it. */
function refused(code: SerdeJsonProblem["code"], message: string): Fault {
  return { code, message, effect: "run_fails" };
}

/** The SDK sends it, and the runtime drops the frame. */
function dropped(code: SerdeJsonProblem["code"], message: string): Fault {
  return { code, message, effect: "run_hangs" };
}
