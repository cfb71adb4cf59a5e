// Builds the browser client: a page with its script and style sheet, and scripts that are loaded on demand; and the page
// for operators, which players do not load. `node build.mjs FOLDER ADMIN_FOLDER` writes them there.
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { FIRST_FONT, FONT_PACKAGE, fonts } from "./fonts.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const SIZE_LIMIT = 70_000; // bytes with gzip, for everything that the first visit loads

const folder = resolve(process.argv[2] ?? join(HERE, "../parlour/web/page"));
const adminFolder = resolve(process.argv[3] ?? join(HERE, "../parlour/web/admin_page"));

const OPTIONS = {
  absWorkingDir: HERE,
  loader: { ".svg": "copy" },
  entryNames: "[name]-[hash]", // browsers may cache a file forever if its name contains its hash
  chunkNames: "[name]-[hash]",
  assetNames: "[name]-[hash]",
  plugins: [fonts],
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
};

/** Bundle a script and a style sheet, and return all files of their page, with the HTML that names them. */
async function bundlePage(script, style, html, outdir) {
  const entryPoints = { app: script, style, icon: "icon.svg" };
  const bundled = await build({ ...OPTIONS, entryPoints, outdir });
  const files = new Map(bundled.outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)]));
  // The page names what it needs at once: the entry points and their imports.
  const outputs = Object.entries(bundled.metafile.outputs);
  const outputOf = (entry) => outputs.find(([, { entryPoint }]) => entryPoint === entry);
  const [name, { imports }] = outputOf(script);
  const shared = imports.filter(({ kind }) => kind === "import-statement").map(({ path }) => basename(path));
  const font = [...files.keys()].find((each) => each.startsWith(FIRST_FONT));
  const preload = [
    `<link rel="preload" href="/${font}" as="font" type="font/woff2" crossorigin />`,
    ...shared.map((each) => `<link rel="modulepreload" href="/${each}" />`),
  ].map((link) => `  ${link}\n  `);
  const page = (await readFile(join(HERE, html), "utf8"))
    .replace("/style.css", `/${basename(outputOf(style)[0])}`)
    .replace("/app.js", `/${basename(name)}`)
    .replace("/icon.svg", `/${[...files.keys()].find((each) => each.startsWith("icon-"))}`)
    .replace("</head>", preload.join("") + "</head>");
  files.set("index.html", Buffer.from(page));
  return files;
}

/** Render the parts of the HTML that are the same on all pages. */
async function renderShell() {
  const { outputFiles } = await build({ ...OPTIONS, entryPoints: ["shell.tsx"], outdir: "built", splitting: false });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

/** Bundle the service worker, which keeps these files. */
async function bundleServiceWorker(names) {
  const define = { FILES: JSON.stringify(names) };
  const options = { ...OPTIONS, entryPoints: ["service-worker.ts"], outdir: "built", splitting: false, define };
  return Buffer.from((await build({ ...options, format: "iife" })).outputFiles[0].contents);
}

/** The licences of the packages that these files contain. */
async function licences(packages) {
  const texts = packages.map(async (name) => {
    const { version, license } = JSON.parse(await readFile(join(HERE, "node_modules", name, "package.json"), "utf8"));
    const text = await readFile(join(HERE, "node_modules", name, "LICENSE"), "utf8");
    return `${name} ${version}, ${license}\n\n${text.trim()}\n`;
  });
  return Buffer.from((await Promise.all(texts)).join(`\n${"-".repeat(80)}\n\n`));
}

async function write(files, outdir) {
  await rm(outdir, { recursive: true, force: true });
  await mkdir(outdir, { recursive: true });
  for (const [name, content] of files) await writeFile(join(outdir, name), content);
}

const files = await bundlePage("src/app.tsx", "styles/index.css", "index.html", folder);
const { header, dock } = await renderShell();
const page = files.get("index.html").toString().replace("<!--header-->", header).replace("<!--dock-->", dock);
files.set("index.html", Buffer.from(page));
const first = [...files].filter(([name]) => name === "index.html" || page.includes(`/${name}"`));
const size = first.reduce((sum, [, content]) => sum + gzipSync(content).length, 0);
if (size > SIZE_LIMIT) {
  console.error(`The first visit loads ${size} bytes with gzip; the limit is ${SIZE_LIMIT}.`);
  process.exit(1);
}
files.set("service-worker.js", await bundleServiceWorker([...files.keys()].filter((name) => name !== "index.html")));
files.set("licences.txt", await licences(["preact", "marked", FONT_PACKAGE]));
files.set("manifest.webmanifest", await readFile(join(HERE, "manifest.webmanifest")));
for (const name of await readdir(join(HERE, "icons"))) files.set(name, await readFile(join(HERE, "icons", name)));
await write(files, folder);
await write(await bundlePage("admin/admin.tsx", "admin/admin.css", "admin/index.html", adminFolder), adminFolder);
console.log(`${folder}: ${files.size} files; the first visit loads ${size} bytes with gzip`);
