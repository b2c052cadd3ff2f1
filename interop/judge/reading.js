// What a text must become: the message that a reader of JSON has to put on the wire.
import { NumberToken } from "./lossless.js";
import { isKept } from "./numbers.js";
import { FIELD_BY_KEY, STATUS_WORDS } from "./schema.js";

/**
 * @param {Map<string, import("./lossless.js").Tree>} envelope an accepted one
 * @returns {import("./neutral.js").WireMessage}
 */
export function messageOf(envelope) {
  const message = { run_id: "", status: 0 };
  const preserved = { members: new Map(), words: new Map(), numbers: [] };
  const memberNumbers = [];
  for (const [key, tree] of envelope) {
    const field = FIELD_BY_KEY.get(key);
    if (field === undefined) {
      preserved.members.set(key, wireValue(tree));
      memberNumbers.push(...numberNodes({ key }, tree));
    } else if (field.kind === "value") {
      message[field.name] = wireValue(tree);
      preserved.numbers.push(...numberNodes({ key: field.name }, tree));
    } else if (field.kind === "enum") {
      message.status = Math.max(STATUS_WORDS.indexOf(tree), 0);
      if (!STATUS_WORDS.includes(tree)) preserved.words.set(field.name, tree);
    } else if (tree !== null) {
      message[field.name] = field.kind === "int64" ? BigInt(tree.text) : tree;
    }
  }
  preserved.numbers.push(...memberNumbers);
  const holds = preserved.members.size + preserved.words.size + preserved.numbers.length > 0;
  return holds ? { ...message, preserved } : message;
}

/** @returns {import("./neutral.js").WireValue} */
function wireValue(tree) {
  if (tree instanceof NumberToken) return Number(tree.text);
  if (Array.isArray(tree)) return tree.map(wireValue);
  if (tree instanceof Map) return new Map([...tree].map(([key, member]) => [key, wireValue(member)]));
  return tree;
}

/** The node at a place, or none when there is no text to keep at or below it. */
function numberNodes(place, tree) {
  if (tree instanceof NumberToken) return isKept(tree.text) ? [{ ...place, text: tree.text, children: [] }] : [];
  let children = [];
  if (Array.isArray(tree)) children = tree.flatMap((item, index) => numberNodes({ index }, item));
  if (tree instanceof Map) children = [...tree].flatMap(([key, member]) => numberNodes({ key }, member));
  return children.length === 0 ? [] : [{ ...place, children }];
}
