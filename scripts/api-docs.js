// Writes docs/api.md: what the package exports, by topic, with the doc comments of the sources.
//
//   node scripts/api-docs.js           writes it
//   node scripts/api-docs.js --check   fails when it is not up to date
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { publicSurface } from "./api/public-surface.js";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { ts, entries, exportsOf, declarationsOf, usedBy } = publicSurface(root);
const file = join(root, "docs", "api.md");

/** Topics in the order of the page; a declaration belongs to the first whose files hold its own. */
const TOPICS = [
  { title: "Bytes to bytes", files: /^dist\/(json-to-binary|binary-to-json)\./ },
  { title: "Messages", files: /^dist\/(message|json-to-object)\./ },
  { title: "Options", files: /^dist\/options\./ },
  { title: "Errors", files: /^dist\/error\./ },
  { title: "Streams", files: /^dist\/stream\// },
  { title: "A typed view of a run", files: /^dist\/outcome\// },
  { title: "A guard for factory authors", files: /^dist\/check-serde-json\./ },
  { title: "google.protobuf.Value", files: /^dist\/value\./ },
  { title: "Generated messages", files: /^gen\// },
  { title: "From Protobuf-ES", files: /^node_modules\/@bufbuild\/protobuf\// },
];

const [entry] = entries;
const shown = new Map(exportsOf(entry));
const hidden = hiddenBehind([...shown.values()]);
const names = new Map([...shown, ...hidden].map(([name, symbol]) => [symbol, name]));
const topics = TOPICS.map(({ title }) => ({ title, items: [] }));
for (const [name, symbol] of shown) topics[topicOf(symbol)].items.push([name, symbol]);

const page = [
  "# API",
  "",
  "Made by `npm run docs` from the doc comments in `src/`; do not edit. The [README](../README.md) has the overview,",
  "[wire-format.md](wire-format.md) the rules.",
  "",
  ...topics.map(
    ({ title, items }) => `- [${title}](#${anchor(title)}): ${items.map(([name]) => link(name)).join(", ")}`,
  ),
  ...topics.flatMap(({ title, items }) => ["", `## ${title}`, ...items.flatMap(section)]),
  "",
  "## Not exported, but part of the types above",
  ...[...hidden].flatMap(section),
  "",
].join("\n");

if (!process.argv.includes("--check")) {
  writeFileSync(file, page);
} else if (!existsSync(file) || readFileSync(file, "utf8") !== page) {
  console.error(`${relative(root, file)} is not up to date: npm run docs`);
  process.exitCode = 1;
}

/** Fails for a declaration in a file that no topic has, so that none is left out. */
function topicOf(symbol) {
  const [node] = declarationsOf(symbol);
  const path = relative(root, node.getSourceFile().fileName).split(sep).join("/");
  const index = TOPICS.findIndex(({ files }) => files.test(path));
  if (index < 0) throw new Error(`${symbol.name} is in ${path}, which belongs to no topic of scripts/api-docs.js`);
  return index;
}

function hiddenBehind(symbols) {
  const found = new Map();
  const queue = [...symbols];
  for (let symbol = queue.pop(); symbol !== undefined; symbol = queue.pop()) {
    for (const used of usedBy(symbol)) {
      if (symbols.includes(used) || found.get(used.name) === used) continue;
      found.set(used.name, used);
      queue.push(used);
    }
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Heading, declaration, and what its comment says. Comments of members stay where they are, in the declaration. */
function section([name, symbol]) {
  const nodes = declarationsOf(symbol);
  const text = nodes.map((node) => plain(node.getText().replace(/^export (declare )?/, ""))).join("\n");
  const comments = nodes.flatMap((node) => commentOf(node));
  return ["", `### ${name}`, "", "```ts", text, "```", ...comments.flatMap((comment) => ["", comment])];
}

/** A declaration without what only tools read in its comments. */
function plain(declaration) {
  return declaration
    .replace(/(\n[ \t]*\*[ \t]*)?\n[ \t]*\* @generated.*$/gm, "")
    .replace(/\n[ \t]*\/\*\*\n[ \t]*\*\/$/gm, "")
    .replace(/\{@link (\w+)\}/g, "$1");
}

function commentOf(node) {
  return ts
    .getJSDocCommentsAndTags(node)
    .filter(ts.isJSDoc)
    .map((comment) => comment.getText())
    .map((text) =>
      text
        .replace(/^\/\*\*|\*\/$/g, "")
        .replace(/^[ \t]*\*[ \t]?/gm, "")
        .replace(/^@(generated|returns?|template)\b.*$/gm, "")
        .replace(/^@throws\s+/gm, "Throws: ")
        .replace(/^@param\s+(\w+)\s+/gm, "`$1`: ")
        .replace(/\{@link (\w+)\}/g, (_, name) => link(name))
        .trim(),
    )
    .filter((text) => text !== "");
}

function link(name) {
  return [...names.values()].includes(name) ? `[\`${name}\`](#${anchor(name)})` : `\`${name}\``;
}

/** As GitHub makes them of headings. */
function anchor(title) {
  return title
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");
}
