/** A fenced block of a Markdown page. */
export interface Block {
  language: string;
  text: string;
  /** The line in the page on which the block's text begins, from 1. */
  line: number;
  /** The block that follows with nothing but blank lines between. */
  next?: Block;
}

export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  const lines = markdown.split("\n");
  let previousEnd = -1;
  for (let at = 0; at < lines.length; at++) {
    const language = /^```(\w+)$/.exec(lines[at])?.[1];
    if (language === undefined) continue;
    const end = lines.indexOf("```", at);
    if (end < 0) throw new Error(`the block of line ${at + 1} does not end`);
    const block: Block = { language, text: lines.slice(at + 1, end).join("\n"), line: at + 2 };
    const last = blocks.at(-1);
    if (last !== undefined && lines.slice(previousEnd + 1, at).every((line) => line.trim() === "")) last.next = block;
    blocks.push(block);
    previousEnd = end;
    at = end;
  }
  return blocks;
}

/** The rows of the table whose header has these cells, each as its cells. */
export function tableOf(markdown: string, ...header: string[]): string[][] {
  const lines = markdown.split("\n");
  const start = lines.findIndex((line) => {
    const cells = cellsOf(line);
    return cells.length >= header.length && header.every((cell, index) => cells[index] === cell);
  });
  if (start < 0) throw new Error(`no table with the columns ${header.join(", ")}`);
  const rest = lines.slice(start + 2);
  const end = rest.findIndex((line) => !line.startsWith("|"));
  return rest.slice(0, end < 0 ? undefined : end).map(cellsOf);
}

function cellsOf(line: string): string[] {
  return line.startsWith("|")
    ? line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll("\\|", "|"))
    : [];
}

/** The targets of links, in text and in lists of references. */
export function linksOf(markdown: string): string[] {
  return [...markdown.replace(/^```[\s\S]*?^```$/gm, "").matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target);
}

/** The anchors that GitHub gives to the headings of a page. */
export function anchorsOf(markdown: string): Set<string> {
  const headings = [...markdown.replace(/^```[\s\S]*?^```$/gm, "").matchAll(/^#+ (.+)$/gm)].map(([, title]) => title);
  return new Set(
    headings.map((title) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\- _]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

/** The bytes at the beginning of each line, up to two blanks in a row. */
export function hexOf(text: string): string {
  return text
    .split("\n")
    .map((line) => /^\s*((?:[0-9a-f]{2} ?)+)(?:\s|$)/.exec(line)?.[1] ?? "")
    .join("")
    .replaceAll(" ", "");
}
