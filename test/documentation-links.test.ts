// Links in the documentation lead to files and headings that are there, and scripts that it names can be run.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { anchorsOf, linksOf } from "./support/markdown.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (file: string) => readFileSync(join(root, file), "utf8");
const { scripts } = JSON.parse(read("package.json"));

const ROOT_PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "bench/README.md", "interop/README.md"];
const DOCS = readdirSync(join(root, "docs")).map((name) => `docs/${name}`);
const EXAMPLES = ["examples/relay/README.md", "examples/sdk/README.md"];

test.each([...ROOT_PAGES, ...DOCS, ...EXAMPLES])("links of %s", (page) => {
  for (const link of linksOf(read(page)).filter((target) => !/^https?:/.test(target))) {
    const [path, anchor] = link.split("#");
    const file = path === "" ? page : join(dirname(page), path);
    expect(existsSync(join(root, file)), link).toBe(true);
    if (anchor) expect(anchorsOf(read(file)), link).toContain(anchor);
  }
});

// Those of the examples are scripts of their own packages.
test.each([...ROOT_PAGES, ...DOCS])("scripts that %s names", (page) => {
  const named = [...read(page).matchAll(/npm run ([a-z][a-z:-]*)/g)].map(([, name]) => name);
  for (const name of named) expect(scripts, `npm run ${name}`).toHaveProperty([name]);
});
