// A Mapello board that is being drawn: ten rows of text, from the top one down, as the server takes them. Pure.
import type { BoardSpec, Scene } from "../../sdk/index.ts";

export const SIDE = 10;
export const MOST = 8; // of each thing
export type Thing = "#" | "*" | "J" | ".";
export type Symmetry = "none" | "turn" | "mirror";

const MIDDLE = new Set([44, 45, 54, 55]);
const CENTRE: { [cell: number]: string } = { 54: "X", 55: "O", 44: "O", 45: "X" };

/** A letter for each cell, a1 first. */
export type Cells = readonly string[];

export function isRim(cell: number): boolean {
  const [column, row] = [cell % SIDE, Math.floor(cell / SIDE)];
  return column === 0 || row === 0 || column === SIDE - 1 || row === SIDE - 1;
}

export const BARE: Cells = Array.from({ length: SIDE * SIDE }, (_, cell) => CENTRE[cell] ?? (isRim(cell) ? "#" : "."));

export function rowsOf(cells: Cells): string {
  return Array.from({ length: SIDE }, (_, row) =>
    cells.slice((SIDE - 1 - row) * SIDE, (SIDE - row) * SIDE).join(""),
  ).join("/");
}

/** The cells of ten rows of ten; null: they are not. What they may hold is for the server to say. */
export function cellsOf(text: string): Cells | null {
  const rows = text.trim().split(/[/\s]+/);
  if (rows.length !== SIDE || rows.some((row) => row.length !== SIDE || /[^#J*.XO]/.test(row))) return null;
  return [...rows.reverse().join("")];
}

/** How many of a thing there are; walls only inside the rim. */
export function countOf(cells: Cells, thing: Thing): number {
  return cells.filter((letter, cell) => letter === thing && !(thing === "#" && isRim(cell))).length;
}

/** Whether a thing can be put there. */
export function mayHold(cell: number, thing: Thing): boolean {
  if (MIDDLE.has(cell)) return false;
  return thing === "." || (thing === "J") === isRim(cell);
}

/** The cell and those that go with it. */
export function alike(cell: number, symmetry: Symmetry): number[] {
  const other = symmetry === "turn" ? SIDE * SIDE - 1 - cell : cell - (cell % SIDE) + SIDE - 1 - (cell % SIDE);
  return symmetry === "none" || other === cell ? [cell] : [cell, other];
}

/** The board with a thing put there, or taken away if it is there already; the same board if there are too many. */
export function put(cells: Cells, cell: number, thing: Thing, symmetry: Symmetry): Cells {
  const next = [...cells];
  const away = thing === "." || cells[cell] === thing;
  for (const each of alike(cell, symmetry)) if (!MIDDLE.has(each)) next[each] = away ? BARE[each]! : thing;
  return away || countOf(next, thing) <= MOST ? next : cells;
}

const SHAPES: { [letter: string]: (glyph: BoardSpec["glyphs"][number]) => boolean } = {
  "#": ({ shape }) => shape === "block",
  J: ({ shape }) => shape === "joker",
  "*": ({ shape }) => shape === "star",
  X: ({ shape, seat }) => shape === "disc" && seat === 0,
  O: ({ shape, seat }) => shape === "disc" && seat === 1,
};

/** What it looks like, drawn with the glyphs of the board. */
export function sceneOf(cells: Cells, board: BoardSpec): Scene {
  const pieces = cells.flatMap((letter, cell) => {
    const glyph = letter === "#" && isRim(cell) ? -1 : board.glyphs.findIndex((each) => SHAPES[letter]?.(each));
    return glyph < 0 ? [] : [[cell, glyph]];
  });
  return [pieces, [[], []], null, [], ""];
}

/** The opposite: a board of the server as cells. */
export function cellsFrom(scene: Scene, board: BoardSpec): Cells {
  const cells = [...BARE];
  for (const [cell, glyph] of scene[0]) {
    const letter = Object.keys(SHAPES).find((each) => SHAPES[each]!(board.glyphs[glyph!]!));
    if (letter) cells[cell!] = letter;
  }
  return cells;
}
