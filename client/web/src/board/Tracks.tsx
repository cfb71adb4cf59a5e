// Score tracks: a number in each free cell, and a ribbon along the cells that the score has passed.
import type { VNode } from "preact";
import { type BoardSpec, type Scene, stacksOf, talliesOf } from "../../sdk/index.ts";
import { type Geometry, rounded } from "./geometry.ts";
import { toneOf } from "./Surface.tsx";

interface Props {
  board: BoardSpec;
  scene: Scene;
  geometry: Geometry;
  /** Whether to draw the numbers. */
  numbers: boolean;
}

export function Tracks({ board, scene, geometry, numbers }: Props): VNode | null {
  if (!board.tracks?.length) return null;
  const { unit } = geometry;
  const covered = new Set<number>();
  for (const [place, ...glyphs] of stacksOf(scene)) {
    if (place! >= geometry.cells) continue;
    for (const glyph of glyphs)
      for (const cell of geometry.coveredCells(place!, board.glyphs[glyph]!)) covered.add(cell);
  }
  return (
    <g class="tracks">
      {board.tracks.map((track, seat) => {
        const dark = toneOf(board, seat) === "dark";
        const score = talliesOf(scene)[seat]?.[0] ?? 0;
        const passed = track.slice(0, score).map((cell) => geometry.corner(cell));
        const ribbon = passed
          .map(([x, y]) => `M${rounded(x)} ${rounded(dark ? y : y + unit - 7)}h${rounded(unit)}v7h${rounded(-unit)}z`)
          .join("");
        return (
          <>
            <path d={ribbon} fill={dark ? "var(--dark-text)" : "var(--light-text)"} fill-opacity=".8" />
            {numbers &&
              track.map((cell, count) => {
                if (covered.has(cell)) return null;
                const [x, y] = geometry.corner(cell);
                const [column] = geometry.screenPosition(cell);
                const first = dark ? column === geometry.columns - 1 : column === 0;
                return (
                  <text
                    class={first ? "first" : "other"}
                    fill={dark ? "var(--track-ink-dark)" : "var(--track-ink-light)"}
                    x={rounded(dark ? x + unit - 9 : x + 9)}
                    y={rounded(dark ? y + 27 : y + unit - 13)}
                    text-anchor={dark ? "end" : "start"}
                  >
                    {String(count).padStart(2, "0")}
                  </text>
                );
              })}
          </>
        );
      })}
    </g>
  );
}
