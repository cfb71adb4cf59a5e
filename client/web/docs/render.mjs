// Renders the pictures of the documentation: reads descriptions from stdin and writes SVG by name to stdout, both as
// JSON. Run by docs/draw.py.
import { dirname } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const { outputFiles } = await build({
  absWorkingDir: dirname(dirname(fileURLToPath(import.meta.url))),
  entryPoints: ["docs/pictures.tsx", "styles/tokens.css", "styles/board.css"],
  outdir: "built", // for the names of the outputs; nothing is written
  bundle: true,
  minify: true,
  write: false,
  format: "esm",
  jsx: "automatic",
  jsxImportSource: "preact",
});
const [script, tokens, board] = outputFiles;
const { render } = await import(`data:text/javascript;base64,${Buffer.from(script.contents).toString("base64")}`);
const css = { tokens: tokens.text, board: board.text };
const pictures = JSON.parse(await text(process.stdin));
const drawn = Object.entries(pictures).map(([name, picture]) => [name, render(picture, css)]);
process.stdout.write(JSON.stringify(Object.fromEntries(drawn)));
