// Every piece of a scene as one flat list, in the order of drawing, and what became of each from one scene to the next.
import type { BoardSpec, Scene } from "../../sdk/index.ts";
import type { Geometry } from "./geometry.ts";
import { rise } from "./shapes.tsx";

export interface Piece {
  place: number;
  level: number;
  glyph: number;
  x: number;
  y: number;
}

/** The pieces on the board, from far to near, then by level; counters last. */
export function piecesOf(board: BoardSpec, scene: Scene, geometry: Geometry): Piece[] {
  const found: (Piece & { top: boolean })[] = [];
  for (const [place, ...glyphs] of scene[0]) {
    if (place! >= geometry.cells) break; // what follows lies beside the board
    glyphs.forEach((glyph, level) => {
      const kind = board.glyphs[glyph];
      if (!kind) return;
      const { x, y, width, height } = geometry.around(geometry.covered(place!, kind));
      const middle = y + height / 2 - rise(kind.shape, level, geometry.unit);
      found.push({ place: place!, level, glyph, x: x + width / 2, y: middle, top: kind.shape === "counter" });
    });
  }
  const row = (piece: Piece): number => geometry.seen(piece.place)[1];
  return found.sort(
    (a, b) => Number(a.top) - Number(b.top) || row(a) - row(b) || a.place - b.place || a.level - b.level,
  );
}

/** What happened to the pieces between two lists. */
export interface Changes {
  moved: { from: Piece; to: Piece }[];
  turned: { from: Piece; to: Piece }[];
  gone: Piece[];
  come: Piece[];
}

export function changes(before: readonly Piece[], after: readonly Piece[]): Changes {
  const same = (one: Piece, other: Piece): boolean => one.place === other.place && one.level === other.level;
  const key = (piece: Piece): string => `${piece.place} ${piece.level} ${piece.glyph}`;
  const [old, now] = [new Set(before.map(key)), new Set(after.map(key))];
  const gone = before.filter((piece) => !now.has(key(piece)));
  const found: Changes = { moved: [], turned: [], gone, come: [] };
  const fresh = after.filter((piece) => !old.has(key(piece)));
  const rest: Piece[] = [];
  for (const to of fresh) {
    // The nearest one of the same kind has gone there.
    const from = gone.filter((piece) => piece.glyph === to.glyph).sort((a, b) => apart(a, to) - apart(b, to))[0];
    if (from) found.moved.push({ from: gone.splice(gone.indexOf(from), 1)[0]!, to });
    else rest.push(to);
  }
  for (const to of rest) {
    const at = gone.findIndex((piece) => same(piece, to));
    if (at >= 0) found.turned.push({ from: gone.splice(at, 1)[0]!, to });
    else found.come.push(to);
  }
  return found;
}

function apart(one: Piece, other: Piece): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

/** The glyph on top of a cell, and the cell where it stands; a piece of several cells is found in each of them. */
export function topOf(
  board: BoardSpec,
  scene: Scene,
  geometry: Geometry,
  cell: number,
): { glyph: number; place: number; level: number } | null {
  let found: { glyph: number; place: number; level: number } | null = null;
  for (const [place, ...glyphs] of scene[0]) {
    if (place! >= geometry.cells) break;
    const level = glyphs.length - 1;
    const glyph = glyphs[level]!;
    if (place === cell) return { glyph, place, level };
    glyphs.forEach((each, height) => {
      const spec = board.glyphs[each]!;
      if ((spec.columns ?? 1) * (spec.rows ?? 1) > 1 && geometry.covered(place!, spec).includes(cell))
        found = { glyph: each, place: place!, level: height };
    });
  }
  return found;
}

/** Where counters stand: they are smaller than a cell, and must stay readable. */
export function counters(board: BoardSpec, scene: Scene): number[] {
  return scene[0]
    .filter(([, ...glyphs]) => glyphs.some((glyph) => board.glyphs[glyph]?.shows_score))
    .map((stack) => stack[0]!);
}
