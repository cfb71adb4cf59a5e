// The picks on offer, and those made in this unfinished turn. Each kind of mark has its own shape.
import type { VNode } from "preact";
import { MARK, marksOf, type Offered, seatToMove } from "../../sdk/index.ts";
import { type Geometry, rounded } from "./geometry.ts";
import type { Marked } from "./Marks.tsx";
import { counters, topOf } from "./pieces.ts";
import { barBox } from "./shapes.tsx";
import { Crown } from "./symbols.tsx";

const MANY = 40; // picks above which the other cells are marked instead
const CHIP_LENGTH = 3; // characters that fit into a chip

/** The cell where a pick is drawn, or null if it is not on the board. */
export function cellOf(pick: Offered, geometry: Geometry): number | null {
  return pick.place < geometry.cells ? pick.place : pick.cell;
}

/** A line around the piece on a cell: a circle, or the outline of a bar. */
function Outline({
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
    const box = geometry.boundingBox(geometry.coveredCells(top.place, glyph));
    const bar = barBox(glyph, unit);
    return (
      <g transform={`translate(${rounded(box.x + box.width / 2)} ${rounded(box.y + box.height / 2)})`} fill="none">
        {strokes.map(([color, w, opacity]) => (
          <rect
            x={rounded(bar.x - 4)}
            y={rounded(bar.y - 4)}
            width={rounded(bar.width + 8)}
            height={rounded(bar.height + 8 + unit * 0.065)}
            rx={rounded(bar.radius + 4)}
            stroke={color}
            stroke-width={w}
            stroke-opacity={opacity}
          />
        ))}
      </g>
    );
  }
  const [x, y] = geometry.centre(cell);
  const stacked = glyph?.shape === "ring" || glyph?.shape === "ball";
  const lift = stacked ? Math.max(0, (top?.level ?? 0) - (glyph.shape === "ball" ? 1 : 0)) * 0.1 * unit : 0;
  return (
    <g fill="none">
      {strokes.map(([color, w, opacity]) => (
        <circle
          cx={rounded(x)}
          cy={rounded(y - lift)}
          r={rounded(unit * (stacked ? reach - 0.04 : reach))}
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

export function Picks({ board, scene, geometry, picks, chosen, hover }: PicksProps): VNode {
  const own = seatToMove(scene);
  const drawn = { board, scene, geometry };
  const left = new Set(
    marksOf(scene)
      .filter(([kind]) => kind === MARK.STEP)
      .map((mark) => mark[1]),
  );
  const dotted = picks.filter((pick) => pick.place < geometry.cells && !pick.label && !pick.kind);
  const many = dotted.length > MANY && dotted.every((pick) => !topOf(board, scene, geometry, pick.place));
  return (
    <g class="picks">
      {many && <Exceptions cells={new Set(dotted.map((pick) => pick.place))} geometry={geometry} />}
      {chosen.map((place, n) => {
        if (place >= geometry.cells || left.has(place)) return null;
        const empty = !topOf(board, scene, geometry, place);
        return empty && n < chosen.length - 1 ? null : (
          <Outline {...drawn} cell={place} width={9} halo={15} reach={empty ? 0.3 : 0.45} />
        );
      })}
      {picks.map((pick) => {
        const cell = cellOf(pick, geometry);
        if (cell === null) return null;
        const top = topOf(board, scene, geometry, cell);
        const [x, y] = geometry.centre(cell);
        const here = `translate(${rounded(x)} ${rounded(y)})`;
        const over = pick.place === hover;
        if (pick.kind === "crown") return <Badge at={here} unit={geometry.unit} />;
        if (pick.kind === "capture") return <Target at={here} unit={geometry.unit} />;
        if (pick.place !== cell && counters(board, scene).includes(cell))
          return over ? <Chip at={here} unit={geometry.unit} label={pick.label} over /> : null;
        if (pick.label && pick.label.length <= CHIP_LENGTH)
          return <Chip at={here} unit={geometry.unit} label={pick.label} over={over} />;
        const glyph = top && board.glyphs[top.glyph]!;
        // A dot would cover a text, such as the points of a star.
        if (glyph && (glyph.seat === own || glyph.shape === "ball" || glyph.text))
          return <Outline {...drawn} cell={cell} width={over ? 7 : 4.5} halo={over ? 13 : 9} reach={0.43} />;
        return many && !over ? null : <Dot at={here} geometry={geometry} over={over} />;
      })}
    </g>
  );
}

/** The cells that cannot be picked, shaded, where nearly all can: a few exceptions are easier to see than many dots. */
export function Exceptions({ cells, geometry }: { cells: ReadonlySet<number>; geometry: Geometry }): VNode {
  const { unit } = geometry;
  return (
    <g fill="rgb(var(--hole) / .26)">
      {Array.from({ length: geometry.cells }, (_, cell) => {
        if (cells.has(cell)) return null;
        const [x, y] = geometry.corner(cell);
        return <rect key={cell} x={rounded(x)} y={rounded(y)} width={rounded(unit)} height={rounded(unit)} />;
      })}
    </g>
  );
}

function Dot({ at, geometry, over }: { at: string; geometry: Geometry; over: boolean }): VNode {
  const { unit } = geometry;
  const r = (geometry.columns > 6 ? Math.max(unit * 0.13, 16) : unit * 0.09) * (over ? 1.25 : 1);
  return (
    <g transform={at}>
      <circle r={rounded(r + 5)} fill="var(--pick-halo)" fill-opacity=".85" />
      <circle r={rounded(r)} fill="var(--pick)" />
    </g>
  );
}

function Chip({ at, unit, label, over }: { at: string; unit: number; label: string; over: boolean }): VNode {
  const r = unit * (over ? 0.31 : 0.27);
  return (
    <g transform={at}>
      <circle r={rounded(r + 4)} fill="var(--pick-halo)" />
      <circle r={rounded(r)} fill="var(--pick)" />
      <text x="-1" y={rounded(unit * 0.093)} class="on-piece" font-size={rounded(unit * 0.27)} fill="var(--pick-halo)">
        {label}
      </text>
    </g>
  );
}

function Target({ at, unit }: { at: string; unit: number }): VNode {
  const r = rounded(unit * 0.45);
  const arc = rounded((2 * Math.PI * unit * 0.45) / 8);
  return (
    <g transform={at} fill="none" stroke-dasharray={`${arc} ${arc}`} stroke-dashoffset={arc / 2}>
      <circle r={r} stroke="var(--pick-halo)" stroke-width="13" />
      <circle r={r} stroke="var(--pick)" stroke-width="7" />
    </g>
  );
}

function Badge({ at, unit }: { at: string; unit: number }): VNode {
  return (
    <g transform={`${at} translate(${rounded(unit * 0.27)} ${rounded(-unit * 0.29)})`}>
      <circle r={rounded(unit * 0.165)} fill="var(--pick)" stroke="var(--pick-halo)" stroke-width="4" />
      <Crown y={1} r={unit * 0.078} stroke="var(--pick-halo)" fill="var(--pick-halo)" width={1.5} />
    </g>
  );
}
