// Nested values: towers at the edge of what decoders read, and random mixes of arrays and objects.

/** `count` containers around `inner`. */
export function tower(count, [open, close], inner = "1") {
  return open.repeat(count) + inner + close.repeat(count);
}

export const ARRAY = ["[", "]"];
export const OBJECT = ['{"a":', "}"];

/** The levels of messages that a value needs, counted as Protobuf's decoders do: a container, an element, a member. */
const COST = { array: { open: 1, inner: 2 }, object: { open: 1, inner: 3 } };

/**
 * A random chain of containers, with siblings, that needs exactly or nearly `levels` levels.
 * @param {import("./random.js").Random} random
 * @param {number} start the level at which the value stands: 1 in a field, 3 in a preserved member
 */
export function randomShape(random, start, levels) {
  let left = levels - start;
  const opens = [];
  const closes = [];
  while (left >= 1) {
    const kind = random.chance(0.5) ? "array" : "object";
    const { open, inner } = COST[kind];
    if (left < inner) {
      // What is left is enough for a container, but not for anything in it.
      opens.push(left >= open ? random.pick(["[]", "{}"]) : "0");
      return opens.join("") + closes.reverse().join("");
    }
    const sibling = random.chance(0.3);
    if (kind === "array") {
      opens.push(sibling ? "[null," : "[");
      closes.push("]");
    } else {
      opens.push(sibling ? '{"s":[],"k":' : '{"k":');
      closes.push("}");
    }
    left -= inner;
  }
  opens.push("7");
  return opens.join("") + closes.reverse().join("");
}
