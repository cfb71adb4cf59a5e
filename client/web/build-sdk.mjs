// Builds the npm package of the SDK: `node build-sdk.mjs FOLDER` writes everything that is published there.
// JavaScript modules with their types, for Node and bundlers; and one file with everything, for <script type="module">.
import { copyFile, mkdir, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import ts from "typescript";

const HERE = dirname(fileURLToPath(import.meta.url));
const ENTRY = join(HERE, "sdk", "index.ts");

const folder = resolve(process.argv[2]);
const dist = join(folder, "dist");
await rm(dist, { recursive: true, force: true });
await mkdir(dist, { recursive: true });

const program = ts.createProgram([ENTRY], {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.NodeNext,
  lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  rewriteRelativeImportExtensions: true,
  declaration: true,
  sourceMap: true,
  inlineSources: true,
  rootDir: join(HERE, "sdk"),
  outDir: dist,
});
// In declarations TypeScript leaves the names of the sources, which are not published.
const withoutSources = (name, text) =>
  name.endsWith(".d.ts") ? text.replace(/(from "\.\/\w+)\.ts"/g, '$1.js"') : text;
const { diagnostics } = program.emit(undefined, (name, text) => ts.sys.writeFile(name, withoutSources(name, text)));
const problems = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
if (problems.length > 0) {
  console.error(ts.formatDiagnostics(problems, { ...ts.sys, getCanonicalFileName: String, getNewLine: () => "\n" }));
  process.exit(1);
}

await build({
  entryPoints: [ENTRY],
  outfile: join(dist, "parlour-client.min.js"),
  bundle: true,
  minify: true,
  sourcemap: true,
  format: "esm",
  target: ["es2022"],
  legalComments: "none",
  logLevel: "warning",
});

for (const name of ["package.json", "README.md"]) await copyFile(join(HERE, "sdk", name), join(folder, name));
await copyFile(join(HERE, "../../LICENSE"), join(folder, "LICENSE"));
