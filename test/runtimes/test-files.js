import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** What materialFiles gives to a browser in place of Node's own. */
const SUPPLIED = ["node:fs", "node:url"];

/**
 * The test files by what they need.
 *
 * @param {string} root the repository
 * @returns {{ browser: string[], nodeOnly: string[] }} paths from the root: `browser` for what runs in a browser,
 *   `nodeOnly` for what starts processes, opens sockets, or otherwise needs Node
 */
export function testFilesFor(root) {
  const files = readdirSync(join(root, "test"), { recursive: true })
    .filter((file) => file.endsWith(".test.ts") && !file.includes("node_modules"))
    .map((file) => join(root, "test", file))
    .sort();
  const needsNode = (file) => [...outsidersOf(file, new Set())].some((name) => !SUPPLIED.includes(name));
  const paths = (wanted) => files.filter((file) => needsNode(file) === wanted).map((file) => relative(root, file));
  return { browser: paths(false), nodeOnly: paths(true) };
}

/** The Node built-ins, and the repository's scripts, that a file imports, itself or through another. */
function outsidersOf(file, seen) {
  const found = new Set();
  if (seen.has(file) || !existsSync(file)) return found;
  seen.add(file);
  const text = readFileSync(file, "utf8");
  for (const [, specifier] of text.matchAll(/^(?:import|export)\b[^;]*?"([^"]+)";$|\bimport\("([^"]+)"\)/gm)) {
    if (specifier?.startsWith("node:")) found.add(specifier);
    if (!specifier?.startsWith(".")) continue;
    const target = join(dirname(file), specifier.replace(/\.js$/, ".ts"));
    for (const name of outsidersOf(target, seen)) found.add(name);
    // Scripts are JavaScript, and made for Node; so is generated code, which is not.
    if (specifier.includes("/scripts/") || specifier.includes("/bench/")) found.add(specifier);
  }
  return found;
}
