import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** The folders that tests read files from. Code is imported, not read. */
const FOLDERS = ["test", "proto", "gen", "schema", "docs"];
const NOT_READ = /(?:^|\/)(?:node_modules|target|runtimes|consumers)\/|\.test\.ts$/;

/**
 * Lets tests in a browser read the recorded material as they do in Node: `node:fs` becomes a table of those files,
 * `node:url` the one function that makes a path of an address, and a test's own address a file's.
 *
 * @param {string} root the repository
 * @returns {import("vite").Plugin}
 */
export function materialFiles(root) {
  const modules = new Map([
    ["node:fs", () => fsModule(root)],
    ["node:url", () => "export const fileURLToPath = (url) => decodeURIComponent(new URL(url).pathname);"],
  ]);
  return {
    name: "material-files",
    enforce: "pre",
    resolveId: (id) => (modules.has(id) ? `\0${id}` : undefined),
    load: (id) => modules.get(id.slice(1))?.(),
    transform(code, id) {
      const [file] = id.split("?");
      if (!file.startsWith(join(root, "test/")) || file.includes("/node_modules/") || !code.includes('"node:')) return;
      return code.replaceAll("import.meta.url", JSON.stringify(`file:///${relative(root, file)}`));
    },
  };
}

function fsModule(root) {
  const files = Object.fromEntries(FOLDERS.flatMap((folder) => filesIn(root, folder)));
  return `
    const files = new Map(Object.entries(${JSON.stringify(files)}));
    const pathOf = (file) => (file instanceof URL ? file.pathname : file);
    export const existsSync = (file) => files.has(pathOf(file)) || readdirSync(file).length > 0;
    export function readFileSync(file, encoding) {
      const path = pathOf(file);
      if (!files.has(path)) throw new Error("no such file in the browser: " + path);
      const bytes = Uint8Array.from(atob(files.get(path)), (c) => c.charCodeAt(0));
      return encoding === undefined ? Buffer.from(bytes.buffer) : new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    }
    export function readdirSync(file) {
      const folder = pathOf(file).replace(/\\/*$/, "/");
      const inside = [...files.keys()].filter((file) => file.startsWith(folder));
      return [...new Set(inside.map((file) => file.slice(folder.length).split("/")[0]))];
    }
  `;
}

/** By path from the root, with a slash in front: the bytes in base64. */
function filesIn(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((file) => !NOT_READ.test(relative(root, file)))
    .map((file) => [`/${relative(root, file)}`, readFileSync(file).toString("base64")]);
}
