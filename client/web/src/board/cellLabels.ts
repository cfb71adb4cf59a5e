// The cells in words, for screen readers.
import { type BoardSpec, MARK, marksOf, type Offered, placeName, type Scene, stacksOf } from "../../sdk/index.ts";
import type { Geometry } from "./geometry.ts";

/** The label of every cell: its name, its pieces from top to bottom, its region, and whether it can be picked. */
export function cellLabels(
  board: BoardSpec,
  scene: Scene,
  geometry: Geometry,
  picks: ReadonlyMap<number, Offered>,
  chosen: readonly number[],
): string[] {
  const parts = Array.from({ length: geometry.cells }, (_, cell) => [placeName(board, cell)]);
  for (const [place, ...glyphs] of stacksOf(scene)) {
    if (place! >= geometry.cells) break;
    const whole = glyphs
      .filter((glyph) => span(board, glyph) === 1)
      .reverse()
      .map((glyph) => board.glyphs[glyph]!.name);
    if (whole.length) parts[place!]!.push(whole.join(" on "));
    for (const glyph of glyphs.filter((glyph) => span(board, glyph) > 1)) {
      const spec = board.glyphs[glyph]!;
      const covered = geometry.coveredCells(place!, spec);
      const value = spec.pips ? `, value ${spec.pips}` : "";
      const words = `${spec.name}, ${placeName(board, place!)} to ${placeName(board, covered[covered.length - 1]!)}${value}`;
      for (const cell of covered) parts[cell]?.push(words);
    }
  }
  for (const part of parts) if (part.length === 1) part.push("empty");
  for (const { kind, seat, cells } of board.regions ?? []) {
    for (const cell of cells) parts[cell]?.push(`${board.seats[seat]?.name ?? ""} ${kind}`);
  }
  for (const [kind, ...cells] of marksOf(scene)) {
    const words =
      kind === MARK.LAST
        ? "last move"
        : kind === MARK.FROM
          ? "last move from here"
          : kind === MARK.TURNED
            ? "just turned over"
            : "";
    if (words) for (const cell of cells) parts[cell]?.push(words);
  }
  for (const cell of chosen) parts[cell]?.push("chosen");
  for (const [cell, pick] of picks) parts[cell]?.push(pick.label ? `can be chosen: ${pick.label}` : "can be chosen");
  return parts.map((part) => part.join(", "));
}

function span(board: BoardSpec, glyph: number): number {
  const { columns = 1, rows = 1 } = board.glyphs[glyph] ?? {};
  return columns * rows;
}
