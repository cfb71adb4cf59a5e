// Places that a lesson points at: an outline around each, and a label at the first. Moves are arrows.
import type { VNode } from "preact";
import { type Geometry, rounded } from "./geometry.ts";

export interface Pointer {
  places: readonly number[];
  label: string;
}

export function Pointers({ pointers, geometry }: { pointers: readonly Pointer[]; geometry: Geometry }): VNode {
  const { unit } = geometry;
  const side = unit * 0.9;
  return (
    <g class="pointers" aria-hidden="true">
      {pointers.map(({ places, label }) => {
        const cells = places.filter((place) => place < geometry.cells);
        if (!cells.length) return null;
        const [x, y] = geometry.centre(cells[0]!);
        return (
          <g key={label}>
            {cells.map((cell) => {
              const [cx, cy] = geometry.centre(cell);
              const box = {
                x: rounded(cx - side / 2),
                y: rounded(cy - side / 2),
                width: rounded(side),
                height: rounded(side),
                rx: rounded(unit * 0.16),
                fill: "none",
              };
              return (
                <g key={cell}>
                  <rect {...box} stroke="var(--pick-halo)" stroke-width="9" />
                  <rect {...box} stroke="var(--pick)" stroke-width="5" stroke-dasharray="14 7" />
                </g>
              );
            })}
            <circle
              cx={rounded(x - side * 0.4)}
              cy={rounded(y - side * 0.4)}
              r={rounded(unit * 0.17)}
              fill="var(--pick)"
              stroke="var(--pick-halo)"
              stroke-width="4"
            />
            <text
              x={rounded(x - side * 0.4)}
              y={rounded(y - side * 0.4 + unit * 0.075)}
              text-anchor="middle"
              font-size={rounded(unit * 0.22)}
              font-weight="700"
              fill="var(--pick-halo)"
            >
              {label}
            </text>
          </g>
        );
      })}
    </g>
  );
}

/** Arrows from cell to cell. */
export function Arrows({
  arrows,
  geometry,
}: {
  arrows: readonly (readonly [number, number])[];
  geometry: Geometry;
}): VNode {
  const { unit } = geometry;
  return (
    <g class="arrows" aria-hidden="true" fill="none" stroke-linecap="round" stroke-linejoin="round">
      {arrows.map(([from, to]) => {
        const [[x, y], [toX, toY]] = [geometry.centre(from), geometry.centre(to)];
        const length = Math.hypot(toX - x, toY - y);
        const [dx, dy] = [(toX - x) / length, (toY - y) / length];
        const [tipX, tipY] = [toX - dx * unit * 0.12, toY - dy * unit * 0.12];
        const head = unit * 0.24;
        const wing = (side: number): string =>
          `L${rounded(tipX - head * (dx - side * dy * 0.7))} ${rounded(tipY - head * (dy + side * dx * 0.7))}`;
        const start = `M${rounded(x + dx * unit * 0.25)} ${rounded(y + dy * unit * 0.25)}`;
        const tip = `${rounded(tipX)} ${rounded(tipY)}`;
        const path = `${start}L${tip}M${tip}${wing(1)}M${tip}${wing(-1)}`;
        return (
          <g key={`${from} ${to}`}>
            <path d={path} stroke="var(--pick-halo)" stroke-width="19" />
            <path d={path} stroke="var(--pick)" stroke-width="11" />
          </g>
        );
      })}
    </g>
  );
}
