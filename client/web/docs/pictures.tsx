// Pictures for the documentation, drawn by the page's own board: SVG files that need no other file.
import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import type { BoardSpec, Offered, Scene } from "../sdk/index.ts";
import { Board } from "../src/board/Board.tsx";
import { Geometry } from "../src/board/geometry.ts";
import { SharedDefs } from "../src/board/SharedDefs.tsx";
import { PLOTS, RatingPlots, type Ratings } from "./RatingPlots.tsx";
import { SCALE_PLOT, type Scale, ScalePlot } from "./ScalePlot.tsx";
import { cardsHeight, SeatCards } from "./SeatCards.tsx";

export interface Position {
  board: BoardSpec;
  scene: Scene;
  picks: readonly Offered[];
  /** The places picked so far in this turn. */
  chosen: readonly number[];
  /** Whether the seats are shown below the board. */
  seats: boolean;
}

export type Picture = { title: string } & ({ position: Position } | { ratings: Ratings } | { scale: Scale });

export interface StyleSheets {
  tokens: string;
  board: string;
}

// Pictures are smaller than the board of the page: coordinates are larger in them, and absent where unreadable.
const SMALL = ".coordinates{font-size:28px}@media(max-width:300px){.coordinates,.tracks text{display:none}}";

/** Return the picture as the text of an SVG file. */
export function render(picture: Picture, css: StyleSheets): string {
  const { body, width, height, pixels } = draw(picture);
  const size = `viewBox="0 0 ${width} ${height}" width="${pixels}" height="${Math.round((pixels * height) / width)}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img">`,
    `<title>${renderToString(<>{picture.title}</>)}</title>`,
    `<style>${style(css, body)}</style>`,
    body.replaceAll("><g", ">\n<g"),
    "</svg>\n",
  ].join("\n");
}

function draw(picture: Picture): Drawing {
  if ("position" in picture) return drawPosition(picture.position);
  return "ratings" in picture ? drawRatings(picture.ratings) : drawScale(picture.scale);
}

interface Drawing {
  body: string;
  width: number;
  height: number;
  /** The width at which a document shows the picture. */
  pixels: number;
}

const ignore = (): void => {};
const HANDLERS = { onPick: ignore, onBack: ignore, onMiss: ignore, onHover: ignore };

function drawPosition({ board, scene, picks, chosen, seats }: Position): Drawing {
  const { width, height } = new Geometry(board, false);
  const drawn = contentOf(<Board label="" board={board} scene={scene} play={{ picks, chosen, ...HANDLERS }} />);
  const cards = <SeatCards board={board} scene={scene} picks={picks} chosen={chosen} width={width} top={height} />;
  return {
    body: contentOf(<SharedDefs />) + withoutUnusedPieces(drawn) + (seats ? xmlOf(cards) : ""),
    width,
    height: height + (seats ? cardsHeight(board, scene) : 0),
    pixels: 400,
  };
}

function drawRatings(ratings: Ratings): Drawing {
  return { body: xmlOf(<RatingPlots {...ratings} />), ...PLOTS, pixels: PLOTS.width };
}

function drawScale(scale: Scale): Drawing {
  return { body: xmlOf(<ScalePlot {...scale} />), ...SCALE_PLOT, pixels: SCALE_PLOT.width };
}

/** Render as XML rather than HTML: empty elements are closed at once, and no attribute lacks a value. */
function xmlOf(component: VNode): string {
  return renderToString(component)
    .replace(/<(\w+)([^<>]*)><\/\1>/g, "<$1$2/>")
    .replace(/<path d [^>]*>/g, "");
}

/** The elements inside the `<svg>` that a component renders. */
function contentOf(component: VNode): string {
  const [, content] = /<svg[^>]*>(.*)<\/svg>/s.exec(xmlOf(component))!;
  return content!;
}

/** A board defines every piece of its game; keep those that the position shows. */
function withoutUnusedPieces(drawn: string): string {
  const end = drawn.indexOf("</defs>");
  const [start, ...pieces] = drawn.slice(0, end).split(/(?=<g id=")/);
  const used = pieces.filter((piece) => drawn.includes(`href="#${/id="([^"]+)"/.exec(piece)![1]}"`));
  return [start, ...used, drawn.slice(end)].join("");
}

/** The page's style as far as the drawing uses it; the dark colours apply where the reader prefers them. */
function style(css: StyleSheets, body: string): string {
  const classes = new Set([...body.matchAll(/class="([^"]*)"/g)].flatMap(([, names]) => names!.split(" ")));
  const rules = (css.board.match(/[^{}]+{[^}]*}/g) ?? []).filter((rule) =>
    [...rule.slice(0, rule.indexOf("{")).matchAll(/\.([\w-]+)/g)].every(([, name]) => classes.has(name!)),
  );
  const names = new Set([...`${body}${rules.join()}`.matchAll(/var\((--[\w-]+)\)/g)].map(([, name]) => name!));
  const tokens = (selector: RegExp): string =>
    [...css.tokens.matchAll(selector)]
      .flatMap(([, declarations]) => declarations!.split(";"))
      .filter((declaration) => names.has(declaration.slice(0, declaration.indexOf(":"))))
      .join(";");
  const dark = tokens(/\.dark{([^}]*)}/g);
  return `:root{${tokens(/:root[^{]*{([^}]*)}/g)}}@media(prefers-color-scheme:dark){:root{${dark}}}${rules.join("")}${SMALL}`;
}
