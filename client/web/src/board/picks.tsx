// What may be picked now, and what was picked in this half-made turn. No two of these marks share a shape.
import type { VNode } from "preact";
import { MARK, type Offered } from "../../sdk/index.ts";
import { type Geometry, short } from "./geometry.ts";
import type { Marked } from "./marks.tsx";
import { counters, topOf } from "./pieces.ts";
import { barBox } from "./shapes.tsx";
import { Crown } from "./signs.tsx";

const LONGEST_CHIP = 3; // letters that fit into a chip

/** The cell where a pick is drawn; null: it is not on the board. */
export function cellOf(pick: Offered, geometry: Geometry): number | null {
  return pick.place < geometry.cells ? pick.place : pick.cell;
}

/** A line round whatever stands on a cell: a circle, or the outline of a bar. */
function Round({
  board,
  scene,
  geometry,
  cell,
  width,
  halo,
  reach,
}: Marked & { cell: number; width: number; halo: number; reach: number }): VNode {
  const { unit } = geometry;
  const top = topOf(board, scene, geometry, cell);
  const glyph = top && board.glyphs[top.glyph]!;
  const strokes = [
    ["var(--pick-halo)", halo, 0.85],
    ["var(--pick)", width, 1],
  ] as const;
  if (top && glyph && (glyph.columns ?? 1) * (glyph.rows ?? 1) > 1) {
    const box = geometry.around(geometry.covered(top.place, glyph));
    const bar = barBox(glyph, unit);
    return (
      <g transform={`translate(${short(box.x + box.width / 2)} ${short(box.y + box.height / 2)})`} fill="none">
        {strokes.map(([color, w, opacity]) => (
          <rect
            x={short(bar.x - 4)}
            y={short(bar.y - 4)}
            width={short(bar.width + 8)}
            height={short(bar.height + 8 + unit * 0.065)}
            rx={short(bar.radius + 4)}
            stroke={color}
            stroke-width={w}
            stroke-opacity={opacity}
          />
        ))}
      </g>
    );
  }
  const [x, y] = geometry.middle(cell);
  const stacked = glyph?.shape === "ring" || glyph?.shape === "ball";
  const lift = stacked ? Math.max(0, (top?.level ?? 0) - (glyph.shape === "ball" ? 1 : 0)) * 0.1 * unit : 0;
  return (
    <g fill="none">
      {strokes.map(([color, w, opacity]) => (
        <circle
          cx={short(x)}
          cy={short(y - lift)}
          r={short(unit * (stacked ? reach - 0.04 : reach))}
          stroke={color}
          stroke-width={w}
          stroke-opacity={opacity}
        />
      ))}
    </g>
  );
}

interface PicksProps extends Marked {
  picks: readonly Offered[];
  /** Places picked so far. */
  chosen: readonly number[];
  /** The pick under the pointer or the focus. */
  hover: number | null;
}

/** What may be picked, and what was picked in this half-made turn. */
export function Picks({ board, scene, geometry, picks, chosen, hover }: PicksProps): VNode {
  const own = scene[2];
  const drawn = { board, scene, geometry };
  const left = new Set(scene[3].filter(([kind]) => kind === MARK.STEP).map((mark) => mark[1]));
  return (
    <g class="picks">
      {chosen.map((place, n) => {
        if (place >= geometry.cells || left.has(place)) return null;
        const empty = !topOf(board, scene, geometry, place);
        return empty && n < chosen.length - 1 ? null : (
          <Round {...drawn} cell={place} width={9} halo={15} reach={empty ? 0.3 : 0.45} />
        );
      })}
      {picks.map((pick) => {
        const cell = cellOf(pick, geometry);
        if (cell === null) return null;
        const top = topOf(board, scene, geometry, cell);
        const [x, y] = geometry.middle(cell);
        const here = `translate(${short(x)} ${short(y)})`;
        const over = pick.place === hover;
        if (pick.kind === "crown") return <Badge at={here} unit={geometry.unit} />;
        if (pick.kind === "capture") return <Target at={here} unit={geometry.unit} />;
        if (pick.place !== cell && counters(board, scene).includes(cell))
          return over ? <Chip at={here} unit={geometry.unit} label={pick.label} over /> : null;
        if (pick.label && pick.label.length <= LONGEST_CHIP)
          return <Chip at={here} unit={geometry.unit} label={pick.label} over={over} />;
        const glyph = top && board.glyphs[top.glyph]!;
        if (glyph && (glyph.seat === own || glyph.shape === "ball"))
          return <Round {...drawn} cell={cell} width={over ? 7 : 4.5} halo={over ? 13 : 9} reach={0.43} />;
        return <Dot at={here} geometry={geometry} over={over} />;
      })}
    </g>
  );
}

function Dot({ at, geometry, over }: { at: string; geometry: Geometry; over: boolean }): VNode {
  const { unit } = geometry;
  const r = (geometry.columns > 6 ? Math.max(unit * 0.13, 16) : unit * 0.09) * (over ? 1.25 : 1);
  return (
    <g transform={at}>
      <circle r={short(r + 5)} fill="var(--pick-halo)" fill-opacity=".85" />
      <circle r={short(r)} fill="var(--pick)" />
    </g>
  );
}

function Chip({ at, unit, label, over }: { at: string; unit: number; label: string; over: boolean }): VNode {
  const r = unit * (over ? 0.31 : 0.27);
  return (
    <g transform={at}>
      <circle r={short(r + 4)} fill="var(--pick-halo)" />
      <circle r={short(r)} fill="var(--pick)" />
      <text x="-1" y={short(unit * 0.093)} class="on-piece" font-size={short(unit * 0.27)} fill="var(--pick-halo)">
        {label}
      </text>
    </g>
  );
}

function Target({ at, unit }: { at: string; unit: number }): VNode {
  const r = short(unit * 0.45);
  const arc = short((2 * Math.PI * unit * 0.45) / 8);
  return (
    <g transform={at} fill="none" stroke-dasharray={`${arc} ${arc}`} stroke-dashoffset={arc / 2}>
      <circle r={r} stroke="var(--pick-halo)" stroke-width="13" />
      <circle r={r} stroke="var(--pick)" stroke-width="7" />
    </g>
  );
}

function Badge({ at, unit }: { at: string; unit: number }): VNode {
  return (
    <g transform={`${at} translate(${short(unit * 0.27)} ${short(-unit * 0.29)})`}>
      <circle r={short(unit * 0.165)} fill="var(--pick)" stroke="var(--pick-halo)" stroke-width="4" />
      <Crown y={1} r={unit * 0.078} stroke="var(--pick-halo)" fill="var(--pick-halo)" width={1.5} />
    </g>
  );
}
