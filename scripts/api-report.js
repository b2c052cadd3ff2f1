// Writes docs/api-report.md: every declaration that the package's entry points show, and each that those lean on,
// without comments, so that a change of the public surface is a change of that file.
//
//   node scripts/api-report.js           writes it
//   node scripts/api-report.js --check   fails when it is not up to date
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { publicSurface } from "./api/public-surface.js";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { ts, entries, exportsOf, declarationsOf, usedBy } = publicSurface(root);
const file = join(root, "docs", "api-report.md");
const printer = ts.createPrinter({ removeComments: true });

const report = [
  "# The public surface",
  "",
  "Made by `npm run api`; do not edit. What changes here changes for users.",
  ...entries.flatMap(sectionOf),
  "",
].join("\n");

if (!process.argv.includes("--check")) {
  writeFileSync(file, report);
} else if (!existsSync(file) || readFileSync(file, "utf8") !== report) {
  console.error(`${relative(root, file)} is not up to date: npm run api, and look at what changed`);
  process.exitCode = 1;
}

function sectionOf(entry) {
  const shown = exportsOf(entry);
  const known = new Set(shown.map(([, symbol]) => symbol));
  const hidden = new Map();
  const queue = [...known];
  for (let symbol = queue.pop(); symbol !== undefined; symbol = queue.pop()) {
    for (const used of usedBy(symbol)) {
      if (known.has(used)) continue;
      known.add(used);
      hidden.set(used.name, used);
      queue.push(used);
    }
  }
  const { name } = entry;
  return [
    "",
    `## ${name}`,
    ...blocks(shown),
    ...(hidden.size === 0
      ? []
      : ["", `### Not exported from ${name}, but part of the types above`, ...blocks([...hidden])]),
  ];
}

/** By name, which is what a reader looks for; the order of exports means nothing. */
function blocks(named) {
  const sorted = named.sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.flatMap(([name, symbol]) => [
    "",
    "```ts",
    ...declarationsOf(symbol).map((node) => print(name, node)),
    "```",
  ]);
}

function print(name, node) {
  const text = printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile());
  const own = node.name?.text;
  return own === undefined || own === name ? text : `${text}\n// exported as ${name}`;
}
