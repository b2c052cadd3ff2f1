/**
 * Whether an object is one that JSON text could have made: an object literal,
 * or one without a prototype. Instances of classes are not, arrays neither.
 */
export function isPlainObject(value: object): value is { [key: string]: unknown } {
  const prototype = Object.getPrototypeOf(value);
  // The prototype of object literals is the one that has none itself, also in an object of another realm.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Whether an array is one that JSON text could have made, not an instance of a subclass. */
export function isPlainArray(value: readonly unknown[]): boolean {
  const prototype = Object.getPrototypeOf(Object.getPrototypeOf(value));
  return prototype !== null && Object.getPrototypeOf(prototype) === null;
}

/** Sets a member under any key: by assignment, `__proto__` would set the prototype. */
export function setMember(object: { [key: string]: unknown }, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[key] = value;
  }
}

/** Names what a JS value is, for a message: `a function`, `an instance of Date`. */
export function kindOfValue(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (typeof value !== "object") return `a ${typeof value}`;
  if (Array.isArray(value) && isPlainArray(value)) return "an array";
  if (isPlainObject(value)) return "an object";
  const name = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(value), "constructor")?.value?.name;
  return typeof name === "string" && name !== "" ? `an instance of ${name}` : "an instance of a class";
}
