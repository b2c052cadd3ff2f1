// A plain reader of JSON text that keeps what JSON.parse drops: number texts, the order of members, duplicate keys.

export type JsonNode =
  | { kind: "null" }
  | { kind: "boolean"; value: boolean }
  | { kind: "number"; text: string }
  | { kind: "string"; value: string }
  | { kind: "array"; items: JsonNode[] }
  | { kind: "object"; members: [string, JsonNode][] };

const TOKEN =
  /[\t\n\r ]*(?:([[\]{},:])|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)|("(?:[^"\\]|\\.)*")|(true|false|null))/y;

const END = /[\t\n\r ]*$/y;

/** Reads a whole text, which must be good JSON. Not for hostile input: it recurses. */
export function readTree(text: string): JsonNode {
  TOKEN.lastIndex = 0;
  let token = next();
  const root = value();
  if (token !== undefined) throw new Error("text after the value");
  return root;

  function next(): RegExpExecArray | undefined {
    const start = TOKEN.lastIndex;
    END.lastIndex = start;
    if (END.test(text)) return undefined;
    const match = TOKEN.exec(text);
    if (match === null) throw new Error(`no JSON token at ${start}`);
    return match;
  }
  function isPunctuation(mark: string): boolean {
    return token?.[1] === mark;
  }
  function take(mark: string): void {
    if (!isPunctuation(mark)) throw new Error(`${mark} expected before ${TOKEN.lastIndex}`);
    token = next();
  }
  function value(): JsonNode {
    if (token === undefined) throw new Error("a value expected");
    const [, , number, string, literal] = token;
    if (isPunctuation("{")) return object();
    if (isPunctuation("[")) return array();
    if (isPunctuation("}") || isPunctuation("]") || isPunctuation(",") || isPunctuation(":")) {
      throw new Error(`a value expected before ${TOKEN.lastIndex}`);
    }
    token = next();
    if (number !== undefined) return { kind: "number", text: number };
    if (string !== undefined) return { kind: "string", value: JSON.parse(string) as string };
    return literal === "null" ? { kind: "null" } : { kind: "boolean", value: literal === "true" };
  }
  function object(): JsonNode {
    const members: [string, JsonNode][] = [];
    take("{");
    while (!isPunctuation("}")) {
      if (members.length > 0) take(",");
      if (token?.[3] === undefined) throw new Error("a key expected");
      const key = JSON.parse(token[3]) as string;
      token = next();
      take(":");
      members.push([key, value()]);
    }
    take("}");
    return { kind: "object", members };
  }
  function array(): JsonNode {
    const items: JsonNode[] = [];
    take("[");
    while (!isPunctuation("]")) {
      if (items.length > 0) take(",");
      items.push(value());
    }
    take("]");
    return { kind: "array", items };
  }
}

/** The members of an object node. */
export function membersOf(node: JsonNode): [string, JsonNode][] {
  if (node.kind !== "object") throw new Error(`an object expected, not ${node.kind}`);
  return node.members;
}

/** The tree without the order of members: for what passed through JS objects. */
export function unordered(node: JsonNode): JsonNode {
  if (node.kind === "array") return { kind: "array", items: node.items.map(unordered) };
  if (node.kind !== "object") return node;
  const members = node.members.map(([key, value]): [string, JsonNode] => [key, unordered(value)]);
  members.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return { kind: "object", members };
}

/** The tree with each number as the double it stands for. */
export function withDoubles(node: JsonNode): JsonNode {
  if (node.kind === "number") return { kind: "number", text: doubleKey(Number(node.text)) };
  if (node.kind === "array") return { kind: "array", items: node.items.map(withDoubles) };
  if (node.kind !== "object") return node;
  return { kind: "object", members: node.members.map(([key, value]) => [key, withDoubles(value)]) };
}

/** A double as a text that tells -0 from 0. */
export function doubleKey(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}
