// Positions on the board in drawing units: the longer inner side is 1000, the frame around it 44.
import type { BoardSpec, Glyph } from "../../sdk/index.ts";

export const FRAME = 44;
export const SIDE = 1000;

export interface Point {
  x: number;
  y: number;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A board on the screen. `flipped` rotates it by 180 degrees, while pieces and text stay upright. */
export class Geometry {
  readonly columns: number;
  readonly rows: number;
  readonly flipped: boolean;
  /** The side length of a cell. */
  readonly unit: number;
  readonly width: number;
  readonly height: number;

  constructor(board: BoardSpec, flipped: boolean) {
    this.columns = board.columns;
    this.rows = board.rows;
    this.flipped = flipped;
    this.unit = SIDE / Math.max(board.columns, board.rows);
    this.width = this.unit * board.columns + 2 * FRAME;
    this.height = this.unit * board.rows + 2 * FRAME;
  }

  /** The width divided by the height, with the frame. */
  get aspect(): number {
    return this.width / this.height;
  }

  get cells(): number {
    return this.columns * this.rows;
  }

  /** The column and row on the screen, counted from the top left. */
  screenPosition(cell: number): [number, number] {
    const column = cell % this.columns;
    const row = Math.floor(cell / this.columns);
    return this.flipped ? [this.columns - 1 - column, row] : [column, this.rows - 1 - row];
  }

  /** The cell at a column and row of the screen. */
  cellAt(column: number, row: number): number {
    return this.flipped
      ? row * this.columns + (this.columns - 1 - column)
      : (this.rows - 1 - row) * this.columns + column;
  }

  corner(cell: number): [number, number] {
    const [column, row] = this.screenPosition(cell);
    return [FRAME + column * this.unit, FRAME + row * this.unit];
  }

  centre(cell: number): [number, number] {
    const [x, y] = this.corner(cell);
    return [x + this.unit / 2, y + this.unit / 2];
  }

  /** The cells that a glyph on `cell` covers. */
  coveredCells(cell: number, glyph: Glyph): number[] {
    const found: number[] = [];
    for (let row = 0; row < (glyph.rows ?? 1); row++) {
      for (let column = 0; column < (glyph.columns ?? 1); column++) found.push(cell + row * this.columns + column);
    }
    return found;
  }

  /** The smallest box around some cells. */
  boundingBox(cells: readonly number[]): Box {
    const corners = cells.map((cell) => this.corner(cell));
    const x = Math.min(...corners.map((corner) => corner[0]));
    const y = Math.min(...corners.map((corner) => corner[1]));
    const right = Math.max(...corners.map((corner) => corner[0]));
    const bottom = Math.max(...corners.map((corner) => corner[1]));
    return { x, y, width: right - x + this.unit, height: bottom - y + this.unit };
  }
}

/** Round a coordinate to one decimal, which keeps the markup short. */
export function rounded(number: number): number {
  return Math.round(number * 10) / 10;
}

/** The `points` attribute of a polygon. */
export function points(list: readonly (readonly [number, number])[]): string {
  return list.map(([x, y]) => `${rounded(x)},${rounded(y)}`).join(" ");
}

/**
 * Whether the board is flipped for a player, so that the player's home, or the start of the player's track, is at the
 * bottom and the goal at the top.
 */
export function isFlippedFor(board: BoardSpec, seat: number | null): boolean {
  if (seat === null) return false;
  const last = board.columns * board.rows - 1;
  const home = board.regions?.find((region) => region.seat === seat && region.kind === "home")?.cells;
  const goal = board.regions?.find((region) => region.seat === seat && region.kind === "goal")?.cells;
  const start = board.tracks?.[seat]?.[0];
  const near = home ?? (start === undefined ? undefined : [start]) ?? goal?.map((cell) => last - cell);
  if (!near?.length) return false;
  return near.reduce((sum, cell) => sum + cell, 0) / near.length > last / 2;
}
