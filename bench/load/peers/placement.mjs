// The benchmark game, with the rules of bench/games/placement and a clock for each player.

export const CELLS = 100;
export const MOVES_PER_ROUND = 60;
export const CLOCK = 600_000; // milliseconds

export class Placement {
  constructor() {
    this.moves = 0; // since the first round
    this.startRound();
  }

  startRound() {
    this.cells = new Uint8Array(CELLS);
    this.turn = 0;
    this.placed = 0;
    this.clocks = [CLOCK, CLOCK];
    this.turnStarted = performance.now();
  }

  isLegal(seat, cell) {
    return seat === this.turn && Number.isInteger(cell) && cell >= 0 && cell < CELLS && this.cells[cell] === 0;
  }

  /** Returns the whole position, for a client that joins. */
  state() {
    return { t: "state", n: this.moves, cells: Buffer.from(this.cells), turn: this.turn, clocks: this.clocks };
  }

  /** Makes a legal move and returns the update for the clients. */
  play(seat, cell) {
    const now = performance.now();
    this.clocks[seat] -= Math.trunc(now - this.turnStarted);
    this.turnStarted = now;
    this.cells[cell] = seat + 1;
    this.turn = 1 - seat;
    this.moves++;
    if (++this.placed < MOVES_PER_ROUND) {
      return { t: "diff", n: this.moves, cell, turn: this.turn, clocks: this.clocks };
    }
    this.startRound();
    return { t: "diff", n: this.moves, cell, turn: this.turn, clocks: this.clocks, cleared: true };
  }
}
