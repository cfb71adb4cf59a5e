// The stand-in game, as bench/standin/stones plays it, with a clock for each side.

export const CELLS = 100;
export const IN_A_ROUND = 60;
export const CLOCK = 600_000; // milliseconds

export class Stones {
  constructor() {
    this.n = 0; // moves since the beginning
    this.begin();
  }

  begin() {
    this.cells = new Uint8Array(CELLS);
    this.turn = 0;
    this.stones = 0;
    this.clocks = [CLOCK, CLOCK];
    this.since = performance.now();
  }

  /** The whole position, for somebody who comes in. */
  state() {
    return { t: "state", n: this.n, cells: Buffer.from(this.cells), turn: this.turn, clocks: this.clocks };
  }

  /** Makes a move and gives what everybody has to be told; null if it is not allowed. */
  move(seat, cell) {
    if (seat !== this.turn || !Number.isInteger(cell) || cell < 0 || cell >= CELLS || this.cells[cell]) return null;
    const now = performance.now();
    this.clocks[seat] -= Math.trunc(now - this.since);
    this.since = now;
    this.cells[cell] = seat + 1;
    this.turn = 1 - seat;
    this.n++;
    if (++this.stones < IN_A_ROUND) return { t: "diff", n: this.n, cell, turn: this.turn, clocks: this.clocks };
    this.begin();
    return { t: "diff", n: this.n, cell, turn: this.turn, clocks: this.clocks, cleared: true };
  }
}
