// The font of headings, as an esbuild plugin: `@import "fonts"` in a style sheet becomes the rules below.
//
// The font is Source Serif 4, cut into subsets by characters. Browsers load a subset when a page contains one of its
// characters, so most visits load only the first. It has a name of its own because its licence reserves "Source".
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import subsetFont from "subset-font";

const { resolve } = createRequire(import.meta.url);

/** The npm package of the font. */
export const FONT_PACKAGE = "@fontsource/source-serif-4";
const FAMILY = "Parlour Serif";
const WEIGHT = 600; // of all headings
const PUNCTUATION = "U+A0, U+B7, U+D7, U+2013-2014, U+2018-2019, U+201C-201D, U+2026, U+2191, U+2193, U+2212";
/** The subset that every page needs. */
export const FIRST_FONT = "serif-english";
const SUBSETS = [
  { name: FIRST_FONT, source: "latin", characters: `U+20-7E, ${PUNCTUATION}` },
  { name: "serif-latin", source: "latin", characters: "U+A1-B6, U+B8-D6, U+D8-FF" },
  { name: "serif-extended", source: "latin-ext", characters: "U+100-17F" },
];

// Until the font is there, a font of the system takes its place, scaled to its width, so that lines break where they will
// break, and with its ascent and descent, so that they stay where they are. tokens.css lists all names.
const SYSTEM_FONTS = [
  { family: "Georgia", names: ["Georgia Bold", "Georgia-Bold"], size: 93.8 },
  { family: "Noto Serif", names: ["Noto Serif Bold", "NotoSerif-Bold"], size: 95.3 },
  { family: "DejaVu Serif", names: ["DejaVu Serif Bold", "DejaVuSerif-Bold"], size: 85.2 },
  { family: "Times", names: ["Times New Roman Bold", "TimesNewRomanPS-BoldMT", "Liberation Serif Bold"], size: 111.5 },
];
const ASCENT = 103.6; // percent of the size
const DESCENT = 33.5;

const sourceOf = (source) => resolve(`${FONT_PACKAGE}/files/source-serif-4-${source}-${WEIGHT}-normal.woff2`);

/** Return all characters of a `unicode-range`. */
function textOf(characters) {
  const ranges = characters.matchAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?/g);
  return [...ranges].flatMap(([, first, last = first]) => expand(parseInt(first, 16), parseInt(last, 16))).join("");
}

const expand = (first, last) => Array.from({ length: last - first + 1 }, (_, n) => String.fromCodePoint(first + n));

const percent = (value) => `${value.toFixed(1)}%`;

const rules = [
  ...SUBSETS.map(
    ({ name, characters }) => `@font-face {
  font-family: "${FAMILY}";
  font-weight: ${WEIGHT};
  font-display: swap;
  src: url("fonts/${name}.woff2") format("woff2");
  unicode-range: ${characters};
}`,
  ),
  ...SYSTEM_FONTS.map(
    ({ family, names, size }) => `@font-face {
  font-family: "Scaled ${family}";
  font-weight: ${WEIGHT};
  src: ${names.map((name) => `local("${name}")`).join(", ")};
  size-adjust: ${percent(size)};
  ascent-override: ${percent((ASCENT / size) * 100)};
  descent-override: ${percent((DESCENT / size) * 100)};
  line-gap-override: 0%;
}`,
  ),
].join("\n");

export const fonts = {
  name: "fonts",
  setup(build) {
    build.onResolve({ filter: /^fonts(\/|$)/ }, ({ path }) => ({ path, namespace: "fonts" }));
    build.onLoad({ filter: /^fonts$/, namespace: "fonts" }, () => ({ contents: rules, loader: "css" }));
    build.onLoad({ filter: /\.woff2$/, namespace: "fonts" }, async ({ path }) => {
      const { source, characters } = SUBSETS.find(({ name }) => path === `fonts/${name}.woff2`);
      const font = await readFile(sourceOf(source));
      const options = { targetFormat: "woff2", keepFeatures: ["kern"], noHinting: true };
      return { contents: await subsetFont(font, textOf(characters), options), loader: "file" };
    });
  },
};
