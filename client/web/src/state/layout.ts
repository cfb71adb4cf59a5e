// A custom layout under construction, driven only by the option's specification. Pure.
import { type BoardSpec, type LayoutPiece, type LayoutSpec, type Scene, stacksOf } from "../../sdk/index.ts";

export type Symmetry = "none" | "turn" | "mirror";

/** One character for each cell, a1 first. */
export type Cells = readonly string[];

/** The layout as text: rows from the top, joined by slashes. */
export function formatLayout({ columns, rows }: LayoutSpec, cells: Cells): string {
  return Array.from({ length: rows }, (_, row) =>
    cells.slice((rows - 1 - row) * columns, (rows - row) * columns).join(""),
  ).join("/");
}

/** The layout without placed pieces. */
export function blankCells(spec: LayoutSpec): Cells {
  return [...spec.blank.split("/").reverse().join("")];
}

/** Parse a text of the right size and symbols, or return null. The server checks the rest. */
export function parseLayout(spec: LayoutSpec, text: string): Cells | null {
  const rows = text.trim().split(/[/\s]+/);
  if (rows.length !== spec.rows || rows.some((row) => [...row].length !== spec.columns)) return null;
  const [cells, blank] = [[...rows.reverse().join("")], blankCells(spec)];
  return cells.every((symbol, cell) => symbol === blank[cell] || pieceAt(spec, cell, symbol)) ? cells : null;
}

/** The piece that the symbol stands for on this cell. */
function pieceAt(spec: LayoutSpec, cell: number, symbol: string): LayoutPiece | undefined {
  return spec.pieces.find((piece) => piece.symbol === symbol && piece.cells.includes(cell));
}

/** The number of placed pieces of a kind. */
export function countPlaced(spec: LayoutSpec, cells: Cells, { symbol }: LayoutPiece): number {
  const blank = blankCells(spec);
  return cells.filter((each, cell) => each === symbol && each !== blank[cell]).length;
}

/** The cells where the piece may be placed; without a piece, those that the eraser can clear. */
export function allowedCells(spec: LayoutSpec, piece: LayoutPiece | null): number[] {
  return piece ? piece.cells : [...new Set(spec.pieces.flatMap(({ cells }) => cells))].sort((a, b) => a - b);
}

/** The cell and its image under the symmetry. */
function withImage({ columns, rows }: LayoutSpec, cell: number, symmetry: Symmetry): Set<number> {
  const column = cell % columns;
  if (symmetry === "turn") return new Set([cell, columns * rows - 1 - cell]);
  return new Set([cell, symmetry === "mirror" ? cell - column + columns - 1 - column : cell]);
}

/**
 * Place a piece on a cell, or remove it if it is there already; null erases. Returns the same cells if the layout has
 * too many of the piece already.
 */
export function place(
  spec: LayoutSpec,
  cells: Cells,
  cell: number,
  piece: LayoutPiece | null,
  symmetry: Symmetry,
): Cells {
  const [next, blank] = [[...cells], blankCells(spec)];
  const erasing = piece === null || cells[cell] === piece.symbol;
  const allowed = new Set(allowedCells(spec, piece));
  for (const each of withImage(spec, cell, symmetry))
    if (allowed.has(each)) next[each] = erasing ? blank[each]! : piece.symbol;
  return erasing || countPlaced(spec, next, piece) <= piece.high ? next : cells;
}

/** The scene that shows the layout on the game's board. */
export function layoutScene(spec: LayoutSpec, cells: Cells, board: BoardSpec): Scene {
  const blank = blankCells(spec);
  const placed = cells.flatMap((symbol, cell) => {
    const piece = symbol === blank[cell] ? undefined : pieceAt(spec, cell, symbol);
    return piece ? [[cell, piece.glyph]] : [];
  });
  const stacks = [...(spec.fixed ?? []), ...placed].sort((one, other) => one[0]! - other[0]!);
  return [stacks, board.seats.map(() => []), null, [], ""];
}

/** The layout that a scene of the game shows. */
export function cellsFromScene(spec: LayoutSpec, scene: Scene): Cells {
  const cells = [...blankCells(spec)];
  for (const stack of stacksOf(scene)) {
    const [cell, glyph] = [stack[0]!, stack[stack.length - 1]];
    const piece = spec.pieces.find((each) => each.glyph === glyph && each.cells.includes(cell));
    if (piece) cells[cell] = piece.symbol;
  }
  return cells;
}
