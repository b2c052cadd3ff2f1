// A message in the notation that all peers share (interop/README.md), as bytes.

/** A Value without a kind. */
export const NO_KIND = Symbol("no kind");

/**
 * @typedef {null | boolean | number | string | typeof NO_KIND | WireValue[] | Map<string, WireValue>} WireValue
 * @typedef {{ key?: string, index?: number, text?: string, children: NumberNode[] }} NumberNode
 * @typedef {{ members: Map<string, WireValue>, words: Map<string, string>, numbers: NumberNode[] }} Preserved
 * @typedef {{ attempt?: bigint, error?: string, failure?: WireValue, pause_info?: WireValue, reason?: string,
 *   result?: WireValue, run_id: string, snapshot?: WireValue, status: number, preserved?: Preserved }} WireMessage
 */

/** @param {WireMessage} message @returns {Buffer} */
export function writeNeutral(message) {
  /** @type {Buffer[]} */
  const parts = [];
  optional(message.attempt, (attempt) => fixed(8, "writeBigInt64LE", attempt));
  optional(message.error, text);
  optional(message.failure, value);
  optional(message.pause_info, value);
  optional(message.reason, text);
  optional(message.result, value);
  text(message.run_id);
  optional(message.snapshot, value);
  fixed(4, "writeInt32LE", message.status);
  optional(message.preserved, ({ members, words, numbers }) => {
    map(members, value);
    map(words, text);
    nodes(numbers);
  });
  return Buffer.concat(parts);

  function nodes(list) {
    count(list.length);
    for (const node of list) {
      if (node.key !== undefined) {
        mark("k");
        text(node.key);
      } else if (node.index !== undefined) {
        mark("i");
        count(node.index);
      } else mark("-");
      optional(node.text, text);
      nodes(node.children);
    }
  }

  function value(item) {
    if (item === NO_KIND) mark("?");
    else if (item === null) mark("n");
    else if (typeof item === "boolean") mark(item ? "t" : "f");
    else if (typeof item === "number") {
      mark("d");
      fixed(8, "writeDoubleLE", item);
    } else if (typeof item === "string") {
      mark("s");
      text(item);
    } else if (Array.isArray(item)) {
      mark("a");
      count(item.length);
      item.forEach(value);
    } else {
      mark("o");
      map(item, value);
    }
  }

  function optional(item, write) {
    mark(item === undefined ? "\0" : "\x01");
    if (item !== undefined) write(item);
  }

  function map(entries, write) {
    count(entries.size);
    const sorted = [...entries].map(([key, item]) => [Buffer.from(key), item]);
    sorted.sort(([a], [b]) => Buffer.compare(a, b));
    for (const [key, item] of sorted) {
      count(key.length);
      parts.push(key);
      write(item);
    }
  }

  function text(string) {
    const bytes = Buffer.from(string);
    count(bytes.length);
    parts.push(bytes);
  }

  function count(number) {
    fixed(4, "writeUInt32LE", number);
  }

  function fixed(size, write, number) {
    const bytes = Buffer.alloc(size);
    bytes[write](number);
    parts.push(bytes);
  }

  function mark(letter) {
    parts.push(Buffer.from(letter, "latin1"));
  }
}

/** @param {Buffer} bytes @returns {WireMessage} */
export function readNeutral(bytes) {
  let at = 0;
  const message = {
    attempt: optional(() => fixed(8, "readBigInt64LE")),
    error: optional(text),
    failure: optional(value),
    pause_info: optional(value),
    reason: optional(text),
    result: optional(value),
    run_id: text(),
    snapshot: optional(value),
    status: fixed(4, "readInt32LE"),
    preserved: optional(() => ({ members: map(value), words: map(text), numbers: list(node) })),
  };
  if (at !== bytes.length) throw new Error(`${bytes.length - at} bytes too many`);
  return message;

  function node() {
    const place = mark();
    return {
      key: place === "k" ? text() : undefined,
      index: place === "i" ? count() : undefined,
      text: optional(text),
      children: list(node),
    };
  }

  function value() {
    const kind = mark();
    const read = {
      "?": () => NO_KIND,
      n: () => null,
      t: () => true,
      f: () => false,
      d: () => fixed(8, "readDoubleLE"),
      s: text,
      a: () => list(value),
      o: () => map(value),
    }[kind];
    return read();
  }

  function optional(read) {
    return mark() === "\x01" ? read() : undefined;
  }

  function list(read) {
    return Array.from({ length: count() }, read);
  }

  function map(read) {
    return new Map(list(() => [text(), read()]));
  }

  function text() {
    const length = count();
    at += length;
    return bytes.toString("utf8", at - length, at);
  }

  function count() {
    return fixed(4, "readUInt32LE");
  }

  function mark() {
    return String.fromCharCode(bytes[at++]);
  }

  function fixed(size, read) {
    at += size;
    return bytes[read](at - size);
  }
}
