// Measures, and puts the tables into the README between their marks: npm run readme:tables -- [size] [bench]
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const file = join(root, "README.md");

/** By mark: what prints the table. */
const TABLES = {
  size: ["scripts/size.js"],
  bench: ["bench/run.js", "--markdown", "cases", "others", "sizes", "messages"],
};

const chosen = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(TABLES);
for (const mark of chosen) {
  if (TABLES[mark] === undefined) throw new Error(`no table ${mark}: there are ${Object.keys(TABLES).join(", ")}`);
  const { status, stdout, stderr } = spawnSync(process.execPath, TABLES[mark], { cwd: root, encoding: "utf8" });
  if (status !== 0) throw new Error(`${TABLES[mark].join(" ")}: exit ${status}\n${stdout}${stderr}`);
  const readme = readFileSync(file, "utf8");
  const between = new RegExp(`(<!-- ${mark}:start -->\n)[\\s\\S]*?(<!-- ${mark}:end -->)`);
  if (!between.test(readme)) throw new Error(`README.md has no marks for ${mark}`);
  writeFileSync(
    file,
    readme.replace(between, (_, start, end) => `${start}\n${stdout.trim()}\n\n${end}`),
  );
  console.log(`${mark}: written`);
}

// Columns are aligned by the formatter.
spawnSync(join(root, "node_modules/.bin/biome"), ["format", "--write", file], { cwd: root, stdio: "inherit" });
