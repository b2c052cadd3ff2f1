import type { NumberText, Preserved } from "../index.js";
import { describe, type JsonNode } from "./json-outline.js";
import { counted, harmless, type Paint, shortened } from "./terminal.js";

/** So many of each kind are shown. */
const SHOWN = 10;
const POINTER_LENGTH = 80;

/** What the sidecar of an envelope keeps, and why it has to. */
export function preservedLines(
  preserved: Preserved | undefined,
  members: readonly (readonly [key: string, node: JsonNode])[],
  paint: Paint,
): string[] {
  const words = Object.entries(preserved?.words ?? {});
  const numbers = [...numberTexts(preserved?.numbers ?? [], "")];
  const lines = [
    ...block(members.length, counted(members.length, "member"), "that the schema does not name", () =>
      members.slice(0, SHOWN).map(([key, node]) => `${shortened(key, POINTER_LENGTH)}  ${describe(node)}`),
    ),
    ...block(words.length, counted(words.length, "word"), "that the schema's enum does not name", () =>
      words
        .slice(0, SHOWN)
        .map(([field, word]) => `${harmless(field)}  ${shortened(JSON.stringify(word), POINTER_LENGTH)}`),
    ),
    ...block(numbers.length, counted(numbers.length, "number text"), "that a double alone would not give back", () =>
      numbers.slice(0, SHOWN).map(([pointer, text]) => {
        const why = `a double alone gives ${String(Number(text))}`;
        return `${shortened(pointer, POINTER_LENGTH)}  ${shortened(text, POINTER_LENGTH)}  ${paint("dim", `(${why})`)}`;
      }),
    ),
  ];
  return lines.length > 0 ? lines : [paint("dim", "nothing: the schema's fields hold all of it")];
}

function block(count: number, title: string, why: string, rows: () => string[]): string[] {
  if (count === 0) return [];
  const left = count - SHOWN;
  return [
    `${title} ${why}`,
    ...rows().map((row) => `  ${row}`),
    ...(left > 0 ? [`  … ${counted(left, "more", "more")}`] : []),
  ];
}

/** The leaves of the tree of number texts, by JSON Pointer. */
function* numberTexts(nodes: readonly NumberText[], above: string): Generator<[pointer: string, text: string]> {
  for (const { place, text, children } of nodes) {
    const pointer = `${above}/${String(place.value ?? "?")
      .replaceAll("~", "~0")
      .replaceAll("/", "~1")}`;
    if (text !== undefined) yield [pointer, text];
    yield* numberTexts(children, pointer);
  }
}
