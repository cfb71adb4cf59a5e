// Placing a piece that covers several cells: where it fits, and where it would lie under the pointer.
import { type BoardSpec, cellsOf, type Offered, type Scene, stacksOf, type Turn } from "../../sdk/index.ts";

/** A piece from a hand that is to be placed by picking its two ends. */
export interface Placing {
  /** The glyphs of the piece, lying and standing. */
  glyphs: readonly [lying: number, standing: number];
  /** How many cells it covers. */
  length: number;
  columns: number;
  rows: number;
  /** Where it fits, lying and standing: the low end -> the picks that place it there. */
  fits: readonly [ReadonlyMap<number, Ends>, ReadonlyMap<number, Ends>];
}

type Ends = readonly [number, number];

/** The piece where it would lie. */
export interface Ghost {
  glyph: number;
  low: number;
  cells: readonly number[];
  /** The picks that place it there; null if it does not fit. */
  ends: Ends | null;
}

/** The glyph that was picked from a hand and covers several cells, or null. */
function longGlyph(board: BoardSpec, scene: Scene, slot: number | undefined): number | null {
  if (slot === undefined || slot < cellsOf(board)) return null;
  const glyph = stacksOf(scene)
    .find(([place]) => place === slot)
    ?.at(-1);
  return glyph !== undefined && (board.glyphs[glyph]?.columns ?? 1) > 1 ? glyph : null;
}

/** Whether the rest of the turn has to be explored before the piece that was picked can be placed. */
export function lacksEnds(board: BoardSpec, scene: Scene, turn: Turn): boolean {
  return longGlyph(board, scene, turn.picks.at(-1)) !== null && turn.offered.some((pick) => pick.more);
}

/** The piece that the turn is about to place, or null if its next picks are not the two ends of a piece. */
export function placingOf(board: BoardSpec, scene: Scene, turn: Turn): Placing | null {
  const lying = longGlyph(board, scene, turn.picks.at(-1));
  if (lying === null) return null;
  const { columns: length = 1, seat } = board.glyphs[lying]!;
  const standing = board.glyphs.findIndex((glyph) => glyph.rows === length && glyph.seat === seat);
  const fits = [new Map<number, Ends>(), new Map<number, Ends>()] as const;
  for (const first of turn.offered) {
    const seconds = secondEnds(first);
    if (!seconds || first.place >= cellsOf(board)) return null;
    for (const second of seconds) {
      const low = Math.min(first.place, second);
      const distance = Math.max(first.place, second) - low;
      if (distance === length - 1) fits[0].set(low, [first.place, second]);
      else if (distance === (length - 1) * board.columns) fits[1].set(low, [first.place, second]);
      else return null;
    }
  }
  if (standing < 0 || fits[0].size + fits[1].size === 0) return null;
  return { glyphs: [lying, standing], length, columns: board.columns, rows: board.rows, fits };
}

/** The places that complete the turn after this pick, or null if they are not known or do not complete it. */
function secondEnds({ then }: Offered): number[] | null {
  if (!then) return null;
  const found: number[] = [];
  for (const pick of then[1]) {
    if (typeof pick !== "number") return null;
    found.push(pick);
  }
  return found;
}

/** Whether the piece stands: as the player wants it, unless it fits only the other way. */
export function stands({ fits }: Placing, wanted: boolean): boolean {
  return fits[wanted ? 1 : 0].size ? wanted : !wanted;
}

/** The cells that the piece can cover in this direction. */
export function coverable(placing: Placing, upright: boolean): Set<number> {
  return new Set([...placing.fits[upright ? 1 : 0].keys()].flatMap((low) => covered(placing, upright, low)));
}

function covered({ length, columns }: Placing, upright: boolean, low: number): number[] {
  return Array.from({ length }, (_, n) => low + n * (upright ? columns : 1));
}

/** The piece with its middle at a cell, or as near as it fits while it covers the cell. */
export function ghostAt(placing: Placing, upright: boolean, cell: number): Ghost {
  const { length, columns, rows, fits, glyphs } = placing;
  const step = upright ? columns : 1;
  const [along, last] = upright ? [Math.floor(cell / columns), rows - length] : [cell % columns, columns - length];
  const middle = Math.floor((length - 1) / 2);
  const starts = Array.from({ length }, (_, n) => along - n)
    .filter((start) => start >= 0 && start <= last)
    .sort((one, other) => Math.abs(along - middle - one) - Math.abs(along - middle - other));
  const lows = starts.map((start) => cell + (start - along) * step);
  const low = lows.find((each) => fits[upright ? 1 : 0].has(each)) ?? lows[0]!;
  return {
    glyph: glyphs[upright ? 1 : 0],
    low,
    cells: covered(placing, upright, low),
    ends: fits[upright ? 1 : 0].get(low) ?? null,
  };
}
