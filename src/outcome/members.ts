import type { JsonObject, JsonValue } from "@bufbuild/protobuf";

/**
 * The members of a JSON object by their names in the SDK, which are camelCase.
 * A service that mirrors the structs may have written them in snake_case.
 */
export class Members {
  private constructor(readonly json: JsonObject) {}

  /** The members of a value that is an object, else undefined. */
  static of(json: JsonValue | undefined): Members | undefined {
    return isObject(json) ? new Members(json) : undefined;
  }

  get(name: string): JsonValue | undefined {
    if (Object.hasOwn(this.json, name)) return this.json[name];
    const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return Object.hasOwn(this.json, snake) ? this.json[snake] : undefined;
  }

  text(name: string): string | undefined {
    const value = this.get(name);
    return typeof value === "string" ? value : undefined;
  }

  number(name: string): number | undefined {
    const value = this.get(name);
    return typeof value === "number" ? value : undefined;
  }

  /** The objects in a member that is an array; none for anything else. */
  objects(name: string): Members[] {
    const value = this.get(name);
    return Array.isArray(value) ? value.filter(isObject).map((json) => new Members(json)) : [];
  }
}

function isObject(json: JsonValue | undefined): json is JsonObject {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

/** An object of the members that are not undefined, which an optional property must not hold. */
export function defined<T extends object>(members: { [K in keyof T]: T[K] | undefined }): Defined<T> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<T>;
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** A word that is one of those known today, or any other. */
export type OpenWord<Known extends string> = Known | (string & Record<never, never>);
