// Places that a lesson points at: an outline around each, and a label at the first. Moves are arrows.
import type { VNode } from "preact";
import type { BoardSpec, Scene } from "../../sdk/index.ts";
import { type Box, type Geometry, rounded } from "./geometry.ts";
import { topOf } from "./pieces.ts";

export interface Pointer {
  places: readonly number[];
  label: string;
}

interface PointersProps {
  pointers: readonly Pointer[];
  board: BoardSpec;
  scene: Scene;
  geometry: Geometry;
}

/** The boxes around some cells: one for each cell, or for each piece that covers several of them. */
function boxesOf(cells: readonly number[], { board, scene, geometry }: PointersProps): Box[] {
  const pieces = new Map<number, number[]>();
  for (const cell of cells) {
    const place = topOf(board, scene, geometry, cell)?.place ?? cell;
    pieces.set(place, [...(pieces.get(place) ?? []), cell]);
  }
  return [...pieces.values()].map((covered) => geometry.boundingBox(covered));
}

export function Pointers(props: PointersProps): VNode {
  const { pointers, geometry } = props;
  const { unit } = geometry;
  const side = unit * 0.9;
  const inset = (unit - side) / 2;
  return (
    <g class="pointers" aria-hidden="true">
      {pointers.map(({ places, label }) => {
        const cells = places.filter((place) => place < geometry.cells);
        if (!cells.length) return null;
        const [x, y] = geometry.centre(cells[0]!);
        return (
          <g key={label}>
            {boxesOf(cells, props).map(({ x, y, width, height }) => {
              const box = {
                x: rounded(x + inset),
                y: rounded(y + inset),
                width: rounded(width - 2 * inset),
                height: rounded(height - 2 * inset),
                rx: rounded(unit * 0.16),
                fill: "none",
              };
              return (
                <g key={`${x} ${y}`}>
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
