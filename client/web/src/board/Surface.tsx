// Everything under the pieces: frame, surface, cells, regions, coordinates. It does not change during a game.
import type { VNode } from "preact";
import { memo } from "../components/memo.ts";
import type { BoardSpec, Region } from "../../sdk/index.ts";
import { FRAME, Geometry, rounded } from "./geometry.ts";
import { Crown, SeatSymbol, type Tone } from "./symbols.tsx";

const SURFACES = new Set(["birch", "felt", "chart", "clay"]);
const CHEQUERED = new Set(["clay"]); // cells differ in tone, so they need no lines

/** The surface's name in the design tokens; a plain one for a surface that is not known here. */
export function surfaceOf(board: BoardSpec): string {
  return SURFACES.has(board.surface) ? board.surface : "birch";
}

export function toneOf(board: BoardSpec, seat: number | null | undefined): Tone {
  const tone = seat == null ? undefined : board.seats[seat]?.tone;
  return tone === "dark" || tone === "light" ? tone : "none";
}

interface Props {
  board: BoardSpec;
  geometry: Geometry;
  coordinates: boolean;
  id: string;
}

export const Surface = memo(function Surface({ board, geometry, coordinates, id }: Props): VNode {
  const { width, height } = geometry;
  const [w, h] = [width - 2 * FRAME, height - 2 * FRAME];
  const surface = surfaceOf(board);
  return (
    <g>
      <rect width={width} height={height} rx="30" fill="var(--frame)" />
      <rect width={width} height={height} rx="30" fill="url(#light)" />
      <rect
        x="2"
        y="2"
        width={width - 4}
        height={height - 4}
        rx="28"
        fill="none"
        stroke="var(--frame-hi)"
        stroke-width="3"
      />
      <rect x={FRAME - 5} y={FRAME - 5} width={w + 10} height={h + 10} rx="9" fill="rgb(0 0 0/.35)" />
      <clipPath id={`${id}-inner`}>
        <rect x={FRAME} y={FRAME} width={w} height={h} rx="5" />
      </clipPath>
      <g clip-path={`url(#${id}-inner)`}>
        <rect x={FRAME} y={FRAME} width={w} height={h} fill={`var(--${surface})`} />
        {board.alternate && <path d={squares(geometry, board.alternate)} fill={`var(--${surface}-alt)`} />}
        {surface === "chart" && <Chart board={board} geometry={geometry} />}
        {board.regions?.map((region) => (
          <Tint region={region} board={board} geometry={geometry} />
        ))}
        {!CHEQUERED.has(surface) && (
          <path d={lines(board, geometry)} stroke={`var(--${surface}-line)`} stroke-width="2" fill="none" />
        )}
        {surface === "felt" && <Wells geometry={geometry} />}
        {board.regions?.map((region) => (
          <Outline region={region} board={board} geometry={geometry} />
        ))}
      </g>
      {coordinates && <Coordinates geometry={geometry} />}
    </g>
  );
});

function lines(board: BoardSpec, { columns, rows, unit }: Geometry): string {
  const edge = board.rim?.length ? 1 : 0; // the rim has no lines between its cells
  const [left, top] = [FRAME + edge * unit, FRAME + edge * unit];
  const [right, bottom] = [FRAME + (columns - edge) * unit, FRAME + (rows - edge) * unit];
  let path = "";
  for (let n = edge; n <= columns - edge; n++)
    path += `M${rounded(FRAME + n * unit)} ${rounded(top)}V${rounded(bottom)}`;
  for (let n = edge; n <= rows - edge; n++) path += `M${rounded(left)} ${rounded(FRAME + n * unit)}H${rounded(right)}`;
  return path;
}

function Wells({ geometry }: { geometry: Geometry }): VNode {
  const { unit } = geometry;
  const r = rounded(unit * 0.3);
  return (
    <g>
      {Array.from({ length: geometry.cells }, (_, cell) => {
        const [x, y] = geometry.centre(cell);
        const cy = rounded(y + unit * 0.035);
        return (
          <>
            <circle cx={rounded(x)} cy={cy} r={r} fill="rgb(var(--hole)/.13)" />
            <path
              d={`M${rounded(x - r)} ${cy}a${r} ${r} 0 0 1 ${2 * r} 0`}
              fill="none"
              stroke="rgb(0 0 0/.16)"
              stroke-width="3"
            />
          </>
        );
      })}
    </g>
  );
}

interface RegionProps {
  region: Region;
  board: BoardSpec;
  geometry: Geometry;
}

function Tint({ region, board, geometry }: RegionProps): VNode | null {
  const tone = toneOf(board, region.seat);
  const fill = { home: `var(--${tone}-tint)`, goal: `var(--${tone}-soft)` }[region.kind];
  if (fill === undefined || tone === "none") return null;
  return <path d={squares(geometry, region.cells)} fill={fill} fill-opacity={region.kind === "home" ? 0.55 : 1} />;
}

function Outline({ region, board, geometry }: RegionProps): VNode | null {
  const tone = toneOf(board, region.seat);
  const color = `var(--${tone}-text)`;
  const { unit } = geometry;
  if (tone === "none") return null;
  if (region.kind === "goal") {
    return (
      <g>
        {region.cells.map((cell) => {
          const [x, y] = geometry.corner(cell);
          const inset = unit * 0.06;
          return (
            <g transform={`translate(${rounded(x)} ${rounded(y)})`}>
              <rect
                x={rounded(inset)}
                y={rounded(inset)}
                width={rounded(unit - 2 * inset)}
                height={rounded(unit - 2 * inset)}
                rx={rounded(unit * 0.12)}
                fill="none"
                stroke={color}
                stroke-width="4"
                stroke-dasharray={`${rounded(unit * 0.09)} ${rounded(unit * 0.06)}`}
              />
              <g transform={`translate(${rounded(unit / 2)} ${rounded(unit / 2)})`}>
                <Crown r={unit * 0.21} stroke={color} fill="none" width={4} />
              </g>
            </g>
          );
        })}
      </g>
    );
  }
  if (region.kind !== "home") return null;
  return (
    <g>
      <path
        d={border(geometry, region.cells)}
        stroke={color}
        stroke-width="5"
        stroke-linecap="round"
        stroke-opacity=".75"
        fill="none"
      />
      {region.cells.map((cell) => {
        const [x, y] = geometry.corner(cell);
        const inset = unit * 0.1;
        // In the outer corner: for a home at the bottom of the screen, the bottom left.
        const low = geometry.boundingBox(region.cells).y > geometry.height / 2 - unit;
        return (
          <SeatSymbol
            x={low ? x + inset : x + unit - inset}
            y={low ? y + unit - inset : y + inset}
            r={unit * 0.042}
            tone={tone}
            fill={color}
          />
        );
      })}
    </g>
  );
}

/** The outline of a group of cells: every side without a neighbour in the group. */
function border(geometry: Geometry, cells: readonly number[]): string {
  const { unit } = geometry;
  const seen = new Set(cells.map((cell) => geometry.screenPosition(cell).join()));
  let path = "";
  for (const cell of cells) {
    const [column, row] = geometry.screenPosition(cell);
    const [x, y] = geometry.corner(cell).map(rounded) as [number, number];
    const u = rounded(unit);
    if (!seen.has([column, row - 1].join())) path += `M${x} ${y}h${u}`;
    if (!seen.has([column, row + 1].join())) path += `M${x} ${rounded(y + unit)}h${u}`;
    if (!seen.has([column - 1, row].join())) path += `M${x} ${y}v${u}`;
    if (!seen.has([column + 1, row].join())) path += `M${rounded(x + unit)} ${y}v${u}`;
  }
  return path;
}

// Contour lines for an area of 800 by 800, stretched to the size of the land.
const CONTOURS =
  "M0 230C110 150 190 230 280 160S420 30 540 70 680 200 800 140M0 300C130 230 200 320 310 250S460 130 560 160 700 280 800 230" +
  "M0 380C140 330 230 400 330 350S490 250 590 270 710 360 800 330M0 540C90 490 150 560 240 600S370 760 500 730 600 590 800 550" +
  "M0 620C80 590 130 640 200 690S320 800 370 800M460 800C540 800 630 720 670 670S750 630 800 630M140 0C150 60 230 100 320 70S400 20 410 0";

/** A sea chart: waves on the rim, contour lines on the land, and a chequered scale along the edge. */
function Chart({ board, geometry }: { board: BoardSpec; geometry: Geometry }): VNode {
  const { unit, columns, rows } = geometry;
  const rim = board.rim ?? [];
  const [w, h] = [columns * unit, rows * unit];
  const [land, tall] = [w - 2 * unit, h - 2 * unit];
  const right = FRAME + w;
  const bottom = FRAME + h;
  const scale = 9;
  let waves = "";
  for (const cell of rim) {
    const [x, y] = geometry.corner(cell);
    for (const [dx, dy] of [
      [12, 32],
      [42, 62],
    ] as const)
      waves += `M${rounded(x + (dx * unit) / 100)} ${rounded(y + (dy * unit) / 100)}q7 -8 14 0t14 0`;
  }
  let chequer = "";
  const half = rounded(unit / 2);
  for (let n = 0; n < columns; n++)
    for (const y of [FRAME, bottom - scale]) chequer += `M${rounded(FRAME + n * unit)} ${y}h${half}v${scale}h${-half}z`;
  for (let n = 0; n < rows; n++)
    for (const x of [FRAME, right - scale]) chequer += `M${x} ${rounded(FRAME + n * unit)}v${half}h${scale}v${-half}z`;
  return (
    <g>
      <path d={squares(geometry, rim)} fill="var(--chart-sea)" />
      <path d={waves} stroke="var(--chart-wave)" stroke-width="2.6" fill="none" stroke-linecap="round" />
      <path
        d={CONTOURS}
        fill="none"
        stroke="var(--chart-line)"
        stroke-width="3"
        stroke-opacity=".85"
        transform={`translate(${rounded(FRAME + unit)} ${rounded(FRAME + unit)}) scale(${rounded(land / 8) / 100} ${rounded(tall / 8) / 100})`}
      />
      <rect
        x={FRAME}
        y={FRAME}
        width={rounded(w)}
        height={rounded(h)}
        fill="none"
        stroke="var(--chart)"
        stroke-width={2 * scale}
      />
      <path d={chequer} fill="var(--chart-wave)" />
      {rim.length > 0 && (
        <rect
          x={rounded(FRAME + unit - 6)}
          y={rounded(FRAME + unit - 6)}
          width={rounded(land + 12)}
          height={rounded(tall + 12)}
          rx="10"
          fill="none"
          stroke="var(--chart-line)"
          stroke-width="12"
        />
      )}
    </g>
  );
}

function Coordinates({ geometry }: { geometry: Geometry }): VNode {
  const { columns, rows, unit, height } = geometry;
  return (
    <g class="coordinates">
      {Array.from({ length: columns }, (_, column) => {
        const cell = geometry.cellAt(column, 0) % columns;
        return (
          <text x={rounded(FRAME + (column + 0.5) * unit)} y={height - FRAME / 2 + 9}>
            {String.fromCharCode(97 + cell)}
          </text>
        );
      })}
      {Array.from({ length: rows }, (_, row) => (
        <text x={FRAME / 2 - 1} y={rounded(FRAME + (row + 0.5) * unit + 8)}>
          {Math.floor(geometry.cellAt(0, row) / columns) + 1}
        </text>
      ))}
    </g>
  );
}

/** One path that covers some cells. */
function squares(geometry: Geometry, cells: readonly number[]): string {
  const u = rounded(geometry.unit);
  return cells
    .map((cell) => {
      const [x, y] = geometry.corner(cell);
      return `M${rounded(x)} ${rounded(y)}h${u}v${u}h${-u}z`;
    })
    .join("");
}
