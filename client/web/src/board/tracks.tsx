// Score tracks: a number in each free cell, and a ribbon along the cells that a score has walked.
import type { VNode } from "preact";
import type { BoardSpec, Scene } from "../../sdk/index.ts";
import { type Geometry, short } from "./geometry.ts";
import { toneOf } from "./ground.tsx";

interface Props {
  board: BoardSpec;
  scene: Scene;
  geometry: Geometry;
  /** Whether the numbers are shown too. */
  numbers: boolean;
}

export function Tracks({ board, scene, geometry, numbers }: Props): VNode | null {
  if (!board.tracks?.length) return null;
  const { unit } = geometry;
  const covered = new Set<number>();
  for (const [place, ...glyphs] of scene[0]) {
    if (place! >= geometry.cells) continue;
    for (const glyph of glyphs) for (const cell of geometry.covered(place!, board.glyphs[glyph]!)) covered.add(cell);
  }
  return (
    <g class="tracks">
      {board.tracks.map((track, seat) => {
        const dark = toneOf(board, seat) === "dark";
        const score = scene[1][seat]?.[0] ?? 0;
        const walked = track.slice(0, score).map((cell) => geometry.corner(cell));
        const ribbon = walked
          .map(([x, y]) => `M${short(x)} ${short(dark ? y : y + unit - 7)}h${short(unit)}v7h${short(-unit)}z`)
          .join("");
        return (
          <>
            <path d={ribbon} fill={dark ? "var(--dark-text)" : "var(--light-text)"} fill-opacity=".8" />
            {numbers &&
              track.map((cell, count) => {
                if (covered.has(cell)) return null;
                const [x, y] = geometry.corner(cell);
                const [column] = geometry.seen(cell);
                const first = dark ? column === geometry.columns - 1 : column === 0;
                return (
                  <text
                    class={first ? "first" : "other"}
                    fill={dark ? "var(--track-ink-dark)" : "var(--track-ink-light)"}
                    x={short(dark ? x + unit - 9 : x + 9)}
                    y={short(dark ? y + 27 : y + unit - 13)}
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
