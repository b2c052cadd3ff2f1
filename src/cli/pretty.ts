const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const LINE_FEED = 0x0a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

const INDENT = 2;
/** JSON of this project has at most 127 open containers. */
const DEEPEST = 127;
const PART_BYTES = 64 * 1024;

/**
 * Breaks and indents compact JSON.
 *
 * It adds white space and touches nothing else: numbers keep their texts,
 * members their order. Indentation can be many times the text, so it comes in
 * parts, each valid until the next one is asked for.
 */
export function* prettyParts(json: Uint8Array): Generator<Uint8Array, void, undefined> {
  const part = new Uint8Array(PART_BYTES);
  const margin = part.length - 2 - DEEPEST * INDENT;
  let filled = 0;
  let depth = 0;
  const breakLine = () => {
    part[filled++] = LINE_FEED;
    part.fill(SPACE, filled, filled + depth * INDENT);
    filled += depth * INDENT;
  };
  for (let at = 0; at < json.length; ) {
    if (filled >= margin) {
      yield part.subarray(0, filled);
      filled = 0;
    }
    const byte = json[at];
    if (byte === QUOTE) {
      const end = endOfString(json, at);
      for (let from = at; from < end; ) {
        const run = json.subarray(from, Math.min(end, from + margin - filled));
        part.set(run, filled);
        filled += run.length;
        from += run.length;
        if (filled < margin) break;
        yield part.subarray(0, filled);
        filled = 0;
      }
      at = end;
      continue;
    }
    at++;
    if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
      depth--;
      breakLine();
    }
    part[filled++] = byte;
    if (byte === COLON) part[filled++] = SPACE;
    else if (byte === COMMA) breakLine();
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      if (json[at] === byte + 2) {
        // An empty container stays on its line; its closing bracket is two above the opening one.
        part[filled++] = json[at++];
      } else {
        depth++;
        breakLine();
      }
    }
  }
  yield part.subarray(0, filled);
}

function endOfString(json: Uint8Array, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    if (json[at] === BACKSLASH) at++;
    else if (json[at] === QUOTE) return at + 1;
  }
  return json.length;
}
