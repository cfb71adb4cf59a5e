// Builds the browser client: a page with its script and style sheet, and scripts that are loaded on demand.
// `node build.mjs FOLDER` writes them there.
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

const HERE = dirname(fileURLToPath(import.meta.url));
const SIZE_LIMIT = 60_000; // bytes with gzip, for everything that the first visit loads

const folder = resolve(process.argv[2] ?? join(HERE, "../parlour/client/page"));

const bundled = await build({
  absWorkingDir: HERE,
  entryPoints: { app: "src/app.tsx", style: "styles/index.css", icon: "icon.svg" },
  loader: { ".svg": "copy" },
  outdir: folder,
  entryNames: "[name]-[hash]", // browsers may cache a file forever if its name contains its hash
  chunkNames: "[name]-[hash]",
  bundle: true,
  splitting: true,
  metafile: true,
  minify: true,
  write: false,
  format: "esm",
  target: ["es2022", "chrome111", "firefox113", "safari16.4"],
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none",
  logLevel: "warning",
});

const files = new Map(bundled.outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)]));

// The page names what it needs at once: the entry points and their imports.
const outputs = Object.entries(bundled.metafile.outputs);
const outputOf = (entry) => outputs.find(([, { entryPoint }]) => entryPoint === entry);
const [script, { imports }] = outputOf("src/app.tsx");
const shared = imports.filter(({ kind }) => kind === "import-statement").map(({ path }) => basename(path));
const page = (await readFile(join(HERE, "index.html"), "utf8"))
  .replace("/style.css", `/${basename(outputOf("styles/index.css")[0])}`)
  .replace("/app.js", `/${basename(script)}`)
  .replace("/icon.svg", `/${[...files.keys()].find((name) => name.startsWith("icon-"))}`)
  .replace("</head>", shared.map((name) => `  <link rel="modulepreload" href="/${name}" />\n  `).join("") + "</head>");
files.set("index.html", Buffer.from(page));

const first = [...files].filter(([name]) => name === "index.html" || page.includes(`/${name}"`));
const size = first.reduce((sum, [, content]) => sum + gzipSync(content).length, 0);
if (size > SIZE_LIMIT) {
  console.error(`The first visit loads ${size} bytes with gzip; the limit is ${SIZE_LIMIT}.`);
  process.exit(1);
}
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
for (const [name, content] of files) await writeFile(join(folder, name), content);
console.log(`${folder}: ${files.size} files; the first visit loads ${size} bytes with gzip`);
