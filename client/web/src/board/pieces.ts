// The pieces of a scene as a flat list in drawing order, and how one list differs from the next.
import { type BoardSpec, type Scene, stacksOf } from "../../sdk/index.ts";
import type { Geometry } from "./geometry.ts";
import { rise } from "./shapes.tsx";

export interface Piece {
  place: number;
  level: number;
  glyph: number;
  x: number;
  y: number;
}

/** The pieces on the board, from the top of the screen down, then by level; counters last. */
export function piecesOf(board: BoardSpec, scene: Scene, geometry: Geometry): Piece[] {
  const found: (Piece & { top: boolean })[] = [];
  for (const [place, ...glyphs] of stacksOf(scene)) {
    if (place! >= geometry.cells) break; // the remaining stacks are beside the board
    glyphs.forEach((glyph, level) => {
      const kind = board.glyphs[glyph];
      if (!kind) return;
      const { x, y, width, height } = geometry.boundingBox(geometry.coveredCells(place!, kind));
      const middle = y + height / 2 - rise(kind.shape, level, geometry.unit);
      found.push({ place: place!, level, glyph, x: x + width / 2, y: middle, top: kind.shape === "counter" });
    });
  }
  const row = (piece: Piece): number => geometry.screenPosition(piece.place)[1];
  return found.sort(
    (a, b) => Number(a.top) - Number(b.top) || row(a) - row(b) || a.place - b.place || a.level - b.level,
  );
}

/** How one list of pieces became another. */
export interface Changes {
  moved: { from: Piece; to: Piece }[];
  flipped: { from: Piece; to: Piece }[];
  removed: Piece[];
  added: Piece[];
}

export function compare(before: readonly Piece[], after: readonly Piece[]): Changes {
  const same = (one: Piece, other: Piece): boolean => one.place === other.place && one.level === other.level;
  const key = (piece: Piece): string => `${piece.place} ${piece.level} ${piece.glyph}`;
  const [old, now] = [new Set(before.map(key)), new Set(after.map(key))];
  const removed = before.filter((piece) => !now.has(key(piece)));
  const found: Changes = { moved: [], flipped: [], removed, added: [] };
  const fresh = after.filter((piece) => !old.has(key(piece)));
  const rest: Piece[] = [];
  for (const to of fresh) {
    // Assume that the nearest piece of the same kind moved here.
    const from = removed
      .filter((piece) => piece.glyph === to.glyph)
      .sort((a, b) => distance(a, to) - distance(b, to))[0];
    if (from) found.moved.push({ from: removed.splice(removed.indexOf(from), 1)[0]!, to });
    else rest.push(to);
  }
  for (const to of rest) {
    const at = removed.findIndex((piece) => same(piece, to));
    if (at >= 0) found.flipped.push({ from: removed.splice(at, 1)[0]!, to });
    else found.added.push(to);
  }
  return found;
}

function distance(one: Piece, other: Piece): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

/** The top piece on a cell; a piece that covers several cells is found on each of them. */
export function topOf(
  board: BoardSpec,
  scene: Scene,
  geometry: Geometry,
  cell: number,
): { glyph: number; place: number; level: number } | null {
  let found: { glyph: number; place: number; level: number } | null = null;
  for (const [place, ...glyphs] of stacksOf(scene)) {
    if (place! >= geometry.cells) break;
    const level = glyphs.length - 1;
    const glyph = glyphs[level]!;
    if (place === cell) return { glyph, place, level };
    glyphs.forEach((each, height) => {
      const spec = board.glyphs[each]!;
      if ((spec.columns ?? 1) * (spec.rows ?? 1) > 1 && geometry.coveredCells(place!, spec).includes(cell))
        found = { glyph: each, place: place!, level: height };
    });
  }
  return found;
}

/** The places of counters, whose numbers must stay readable. */
export function counters(board: BoardSpec, scene: Scene): number[] {
  return stacksOf(scene)
    .filter(([, ...glyphs]) => glyphs.some((glyph) => board.glyphs[glyph]?.shows_score))
    .map((stack) => stack[0]!);
}
