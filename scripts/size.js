// Measures what the package costs in a browser, minified and gzipped, and fails where it is over its budget.
//
// With --files it also says what each file adds, minified.
//
// Bundling for a browser also proves that no Node built-in is in the core's module graph: one would not resolve.
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const transcoders = "serdeJsonToBinary, binaryToSerdeJson, binaryToSerdeJsonString, checkBinary";
const schema = "SessionFactoryRunFromToolResultSchema";

/** What is bundled, whether Protobuf-ES is in it, and the most that it may weigh, in bytes of gzip. */
const measures = [
  { what: "everything, with Protobuf-ES", code: `export * from "factory-run-wire"`, budget: 57_500 },
  {
    what: "transcoders and schema, with Protobuf-ES",
    code: `export { ${transcoders}, ${schema} } from "factory-run-wire"`,
    budget: 44_500,
  },
  {
    what: "the transcoders' own code",
    code: `export { ${transcoders} } from "factory-run-wire"`,
    budget: 27_500,
    external: ["@bufbuild/protobuf"],
  },
  { what: "everything but Protobuf-ES", code: `export * from "factory-run-wire"`, external: ["@bufbuild/protobuf"] },
];

const kilobytes = (bytes) => (bytes / 1000).toFixed(1);
let over = 0;
console.log("| what | minified | gzip | budget |\n| --- | ---: | ---: | ---: |");
for (const { what, code, budget, external = [] } of measures) {
  const { bytes, files } = await bundle(code, external);
  const zipped = gzipSync(bytes, { level: 9 }).length;
  const limit = budget === undefined ? "" : `${kilobytes(budget)} kB`;
  console.log(`| ${what} | ${kilobytes(bytes.length)} kB | ${kilobytes(zipped)} kB | ${limit} |`);
  if (budget !== undefined && zipped > budget) {
    console.error(`${what}: ${zipped - budget} bytes over its budget of ${budget}`);
    over++;
  }
  if (process.argv.includes("--files")) for (const [file, size] of files) console.log(`${size}\t${file}`);
}
process.exitCode = over === 0 ? 0 : 1;

async function bundle(contents, external) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    absWorkingDir: root,
    format: "esm",
    platform: "browser",
    target: "es2022",
    external,
    legalComments: "none",
    logLevel: "error",
  });
  const [{ inputs }] = Object.values(metafile.outputs);
  const files = Object.entries(inputs).map(([file, { bytesInOutput }]) => [file, bytesInOutput]);
  return { bytes: outputFiles[0].contents, files: files.filter(([, size]) => size > 0).sort((a, b) => b[1] - a[1]) };
}
