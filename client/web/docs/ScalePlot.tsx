// The resources that a number of games needs, on logarithmic axes.
import type { VNode } from "preact";
import { rounded } from "../src/board/geometry.ts";
import { Frame, Plot } from "./Plot.tsx";

export interface Scale {
  /** Each line has a name, and points of games and what they need. */
  lines: readonly { name: string; points: readonly [number, number][] }[];
}

const WIDTH = 420;
const HEIGHT = 320;
const MARGIN = 64;
const NAMES = 206; // the width of the names at the ends of the lines
const NAME_HEIGHT = 16; // below which names would overlap
const [FEWEST, MOST] = [3, 7]; // games, as powers of ten
const [LEAST, LARGEST] = [-4, 4]; // needs
const DASHES = ["none", "8 4", "2 3", "10 3 2 3"]; // the lines differ without colours, too
const COLORS = ["var(--pick)", "var(--last)", "var(--ink)", "var(--ink-2)"];

export const SCALE_PLOT = { width: MARGIN + WIDTH + NAMES, height: HEIGHT + 106 };

export function ScalePlot({ lines }: Scale): VNode {
  const x = (games: number): number => ((Math.log10(games) - FEWEST) / (MOST - FEWEST)) * WIDTH;
  const y = (need: number): number => ((Math.log10(need) - LEAST) / (LARGEST - LEAST)) * HEIGHT;
  const ends = spread(lines.map(({ points }) => HEIGHT - y(points.at(-1)![1])));
  return (
    <>
      <Frame {...SCALE_PLOT} />
      <Plot
        left={MARGIN}
        width={WIDTH}
        height={HEIGHT}
        title="What games in progress need"
        x={{ scale: x, ticks: powers(FEWEST, MOST), label: "games in progress", text: power }}
        y={{ scale: y, ticks: powers(LEAST, LARGEST), label: "cores, GiB or Gbit/s", text: power }}
      >
        {lines.map(({ name, points }, n) => (
          <>
            <path
              d={`M${points.map(([games, need]) => `${rounded(x(games))} ${rounded(HEIGHT - y(need))}`).join("L")}`}
              fill="none"
              stroke={COLORS[n]}
              stroke-width="2.4"
              stroke-dasharray={DASHES[n]}
            />
            <path
              d={`M${WIDTH + 6} ${rounded(ends[n]!)}h20`}
              stroke={COLORS[n]}
              stroke-width="2.4"
              stroke-dasharray={DASHES[n]}
            />
            <text x={WIDTH + 32} y={rounded(ends[n]! + 4)} font-size="12">
              {name}
            </text>
          </>
        ))}
      </Plot>
    </>
  );
}

/** Move heights apart that are too close for text. */
function spread(heights: readonly number[]): number[] {
  const moved = [...heights];
  let lowest = -Infinity;
  for (const n of heights.map((_, at) => at).sort((a, b) => heights[a]! - heights[b]!)) {
    moved[n] = lowest = Math.max(heights[n]!, lowest + NAME_HEIGHT);
  }
  return moved;
}

function powers(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, n) => 10 ** (from + n));
}

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

function power(value: number): string {
  const exponent = Math.round(Math.log10(value));
  if (exponent === 0) return "1";
  if (exponent === 1) return "10";
  return `10${exponent < 0 ? "⁻" : ""}${SUPERSCRIPTS[Math.abs(exponent)]}`;
}
