// The declarations that the package's entry points show, read from the built .d.ts files.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative, sep } from "node:path";

/**
 * @param {string} root the repository, built
 */
export function publicSurface(root) {
  // TypeScript 7 has no API for programs; the older one is there to be tried out with: npm ci --prefix test/runtimes
  const ts = createRequire(join(root, "test/runtimes/package.json"))("typescript-5");
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const entries = Object.entries(manifest.exports)
    .filter(([, target]) => target.types !== undefined)
    .map(([name, { types }]) => ({ name: join(manifest.name, name), types: join(root, types) }));
  const program = ts.createProgram({
    rootNames: entries.map(({ types }) => types),
    options: { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2022, skipLibCheck: true, types: [] },
  });
  const checker = program.getTypeChecker();

  /** What an entry exports, with aliases followed, as pairs of name and symbol. */
  function exportsOf({ types }) {
    const source = program.getSourceFile(types);
    if (source === undefined) throw new Error(`${types} is not there: npm run build`);
    return checker
      .getExportsOfModule(checker.getSymbolAtLocation(source))
      .map((symbol) => [symbol.name, resolved(symbol)]);
  }

  function resolved(symbol) {
    return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  }

  /** A variable's declaration is printed with the statement that it stands in. */
  function declarationsOf(symbol) {
    const nodes = (symbol.declarations ?? []).map((node) =>
      ts.isVariableDeclaration(node) ? node.parent.parent : node,
    );
    if (nodes.length === 0) throw new Error(`${symbol.name} has no declaration`);
    return nodes;
  }

  /** The package's own top-level symbols that the declarations of a symbol name. */
  function usedBy(symbol) {
    const used = new Set();
    const visit = (node) => {
      if (ts.isIdentifier(node)) {
        const found = checker.getSymbolAtLocation(node);
        if (found !== undefined && isOwn(resolved(found))) used.add(resolved(found));
      }
      ts.forEachChild(node, visit);
    };
    for (const node of symbol.declarations ?? []) if (isOurs(node)) visit(node);
    return used;
  }

  function isOwn(symbol) {
    return (symbol.declarations ?? []).some((node) => {
      const statement = ts.isVariableDeclaration(node) ? node.parent.parent : node;
      return isOurs(node) && ts.isSourceFile(statement.parent);
    });
  }

  function isOurs(node) {
    const path = relative(root, node.getSourceFile().fileName);
    return !path.startsWith("..") && !path.split(sep).includes("node_modules");
  }

  return { ts, entries, exportsOf, declarationsOf, usedBy };
}
