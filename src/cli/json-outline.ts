import { counted, harmless, shortened, size } from "./terminal.js";

/** How much of a JSON text is looked into. */
export interface OutlineLimits {
  /** Containers within containers; what is deeper is only counted. */
  readonly depth: number;
  /** Members or elements of each container; the rest is only counted. */
  readonly breadth: number;
}

type Kind = "object" | "array" | "string" | "number" | "boolean" | "null";

/** A value in a JSON text, as far as the limits go. */
export interface JsonNode {
  readonly kind: Kind;
  /** The value as the text writes it: the number 1.0 is "1.0" here. */
  readonly text: string;
  /** Members or elements in all. */
  readonly count: number;
  /** The first of them, by key or by index. */
  readonly children: readonly (readonly [key: string, node: JsonNode])[];
  /** For an array: how many elements of each kind it has. */
  readonly kinds: ReadonlyMap<Kind, number>;
}

const KINDS: Record<string, Kind> = {
  "{": "object",
  "[": "array",
  '"': "string",
  t: "boolean",
  f: "boolean",
  n: "null",
};
const PLURALS: Record<Kind, string> = {
  object: "objects",
  array: "arrays",
  string: "strings",
  number: "numbers",
  boolean: "booleans",
  null: "nulls",
};

/** What is short enough is shown as it is. */
const INLINE_LENGTH = 64;
const STRING_LENGTH = 100;
const ROW_LENGTH = 72;
const SHORT_KINDS: ReadonlySet<Kind> = new Set(["number", "boolean", "null"]);
const PLAIN_KEY = /^[\w$-]{1,40}$/;

/**
 * Reads compact JSON that is known to be right, as this package writes it,
 * without turning numbers into doubles or members into properties.
 */
export function readOutline(json: string, limits: OutlineLimits): JsonNode {
  return new OutlineReader(json, limits.breadth).value(limits.depth);
}

/** The value of a string node. */
export function stringOf(node: JsonNode | undefined): string | undefined {
  return node?.kind === "string" ? (JSON.parse(node.text) as string) : undefined;
}

/** The member of an object node. */
export function memberOf(node: JsonNode | undefined, key: string): JsonNode | undefined {
  return node?.kind === "object" ? node.children.find(([name]) => name === key)?.[1] : undefined;
}

/** A value in one line: itself when it is short, else what it is. */
export function describe(node: JsonNode): string {
  const { kind, text, count, kinds } = node;
  if (kind === "string") {
    if (text.length <= STRING_LENGTH) return harmless(text);
    return `${shortened(text, STRING_LENGTH)} (${counted([...(JSON.parse(text) as string)].length, "character")})`;
  }
  if (text.length <= INLINE_LENGTH) return harmless(text);
  if (kind === "object") return `object of ${counted(count, "member")}, ${size(byteLength(text))}`;
  if (kind !== "array") return shortened(text, INLINE_LENGTH);
  const [first] = kinds.keys();
  const what = [...kinds].map(([one, many]) => counted(many, one, PLURALS[one])).join(", ");
  return `array of ${kinds.size === 1 ? counted(count, first, PLURALS[first]) : `${count}: ${what}`}, ${size(byteLength(text))}`;
}

/** A value as an outline: a line for it, and lines below for what is in it. */
export function outlineLines(node: JsonNode): string[] {
  const { text, children, count, kinds } = node;
  const first = describe(node);
  if (text.length <= INLINE_LENGTH || children.length === 0) return [first];
  if (kinds.size > 0 && [...kinds.keys()].every((kind) => SHORT_KINDS.has(kind))) return [first, `  ${row(node)}`];
  const labels = children.map(([key]) => label(node, key));
  const width = Math.max(...labels.map((one) => one.length));
  const lines = children.flatMap(([, child], index) => {
    const [line, ...below] = outlineLines(child);
    return [`${labels[index].padEnd(width)}  ${line}`, ...below];
  });
  const left = count - children.length;
  if (left > 0) lines.push(`… ${counted(left, "more", "more")}`);
  return [first, ...lines.map((line) => `  ${line}`)];
}

/** Elements that need no lines of their own, in one. */
function row({ children, count }: JsonNode): string {
  const parts: string[] = [];
  for (const [, child] of children) {
    const part = describe(child);
    if ([...parts, part].join(", ").length > ROW_LENGTH) break;
    parts.push(part);
  }
  const left = count - parts.length;
  return [...parts, ...(left > 0 ? [`… ${counted(left, "more", "more")}`] : [])].join(", ");
}

function label(parent: JsonNode, key: string): string {
  if (parent.kind === "array") return `[${key}]`;
  return PLAIN_KEY.test(key) ? key : shortened(JSON.stringify(key), 42);
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

class OutlineReader {
  readonly #json: string;
  readonly #breadth: number;
  #at = 0;

  constructor(json: string, breadth: number) {
    this.#json = json;
    this.#breadth = breadth;
  }

  value(depth: number): JsonNode {
    const start = this.#at;
    const kind = this.#kind();
    const children: [string, JsonNode][] = [];
    const kinds = new Map<Kind, number>();
    const isContainer = kind === "object" || kind === "array";
    const count = isContainer ? this.#container(kind, depth, children, kinds) : this.#pass();
    return { kind, text: this.#json.slice(start, this.#at), count, children, kinds };
  }

  #kind(): Kind {
    return KINDS[this.#json[this.#at]] ?? "number";
  }

  #container(kind: Kind, depth: number, children: [string, JsonNode][], kinds: Map<Kind, number>): number {
    let count = 0;
    this.#at++;
    while (!this.#isClosing()) {
      if (count > 0) this.#at++;
      const key = kind === "object" ? this.#key() : String(count);
      if (kind === "array") kinds.set(this.#kind(), (kinds.get(this.#kind()) ?? 0) + 1);
      if (depth > 0 && count < this.#breadth) children.push([key, this.value(depth - 1)]);
      else this.#pass();
      count++;
    }
    this.#at++;
    return count;
  }

  #isClosing(): boolean {
    const char = this.#json[this.#at];
    return char === "}" || char === "]";
  }

  #key(): string {
    const start = this.#at;
    this.#passString();
    const key = JSON.parse(this.#json.slice(start, this.#at)) as string;
    this.#at++;
    return key;
  }

  /** Goes behind a value without looking into it. */
  #pass(): number {
    let open = 0;
    do {
      const char = this.#json[this.#at];
      if (char === '"') this.#passString();
      else if (char === "{" || char === "[") {
        open++;
        this.#at++;
      } else if (char === "}" || char === "]") {
        open--;
        this.#at++;
      } else if (char === "," || char === ":") this.#at++;
      else this.#passWord();
    } while (open > 0);
    return 0;
  }

  #passWord(): void {
    while (this.#at < this.#json.length && !",]}".includes(this.#json[this.#at])) this.#at++;
  }

  #passString(): void {
    let end = this.#at;
    for (;;) {
      end = this.#json.indexOf('"', end + 1);
      let escapes = end;
      while (this.#json[escapes - 1] === "\\") escapes--;
      if ((end - escapes) % 2 === 0) break;
    }
    this.#at = end + 1;
  }
}
