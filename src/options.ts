/** How JSON is read. */
export interface SerdeReadOptions {
  /**
   * How deep the Values may nest on the wire, in message levels as prost, C++,
   * Java and upb count them: a Value that is a field costs 1, a level of
   * object 3, a level of array 2. Those decoders stop at 100, the default;
   * `Infinity` sets no limit but JSON's own of 127 containers.
   */
  maxNesting?: number;
  /**
   * The most bytes of input that are taken, default 64 MiB. For a JS string
   * its length in UTF-8 counts.
   */
  maxBytes?: number;
  /**
   * What becomes of number texts that a double alone would not give back
   * (`9007199254740993`, `1.0`): `"exact"` (the default) keeps them in
   * `preserved.numbers`, `"double"` keeps none.
   */
  numbers?: "exact" | "double";
  /**
   * What becomes of members that the schema does not name: `"keep"` (the
   * default) puts them into `preserved.members`, `"drop"` leaves them out,
   * `"reject"` throws `unknown_member`.
   */
  unknownMembers?: "keep" | "drop" | "reject";
}

/** How JSON is written. */
export interface SerdeWriteOptions {
  /**
   * How the fields of the schema are spelt: `"snake_case"` (the default) as a
   * plain serde struct reads and writes them, `"camelCase"` as the runtime and
   * the SDK's own structs do. Nothing inside a Value, and no preserved member,
   * is renamed.
   */
  keys?: "snake_case" | "camelCase";
  /** The most bytes of binary that are taken, default 512 MiB. */
  maxBytes?: number;
}

/** How a JS object is written. */
export interface SerdeObjectOptions extends SerdeWriteOptions {
  /**
   * What an integer outside ±(2^53 - 1) becomes: `"number"` (the default), the
   * double that `JSON.parse` would give, or `"bigint"`, exact.
   */
  integers?: "number" | "bigint";
}
