// A turn under construction: a path through `choices`. The server learns of it when it is played.
import type { Choices, Pick, SceneDiff, Step } from "./protocol.ts";

/** A pick that is on offer. */
export interface Offered {
  place: number;
  label: string;
  kind: string;
  /** Where to draw it if the place is not a cell of the board. */
  cell: number | null;
  then: Step | null;
  /** The turn continues, but only `explore` returns its next step. */
  more: boolean;
}

interface Stop {
  step: Step | null; // null until it is explored
  prompts: readonly string[];
}

/** An immutable turn: `pick` and `back` return new turns. */
export class Turn {
  /** The room of the game. */
  readonly room: string;
  /** The number of moves before this turn. */
  readonly ply: number;
  /** The places picked so far. */
  readonly picks: readonly number[];
  /** Whether the turn is complete and can be played. */
  readonly complete: boolean;
  readonly #stops: readonly Stop[]; // one before each pick and one after the last

  private constructor(room: string, ply: number, picks: readonly number[], stops: readonly Stop[], complete: boolean) {
    this.room = room;
    this.ply = ply;
    this.picks = picks;
    this.#stops = stops;
    this.complete = complete;
  }

  /** Start a turn. `choices` must be those of a whole turn, not the answer to a later `explore`. */
  static begin(choices: Choices): Turn {
    return new Turn(choices.room, choices.ply, [], [{ step: choices.step, prompts: choices.prompts }], false);
  }

  get #here(): Stop {
    return this.#stops[this.#stops.length - 1]!;
  }

  /** Whether `explore` has to be called before the next pick. */
  get unexplored(): boolean {
    return !this.complete && this.#here.step === null;
  }

  /** The prompt for the player, in the server's words. */
  get prompt(): string {
    const { step, prompts } = this.#here;
    return step === null ? "" : (prompts[step[0]] ?? "");
  }

  /** The diff from the room's scene to the board with these picks; null if it looks the same. */
  get look(): SceneDiff | null {
    for (let n = this.#stops.length - 1; n >= 0; n--) {
      const step = this.#stops[n]!.step;
      if (step) return step[2] ?? null; // an unexplored step looks like the one before
    }
    return null;
  }

  /** The picks that are legal now. */
  get offered(): Offered[] {
    return this.complete || this.#here.step === null ? [] : this.#here.step[1].map(offered);
  }

  /** Return the turn with one more pick. Throws if the pick is not on offer. */
  pick(place: number): Turn {
    const found = this.offered.find((pick) => pick.place === place);
    if (!found) throw new RangeError(`${place} is not offered`);
    const complete = found.then === null && !found.more;
    const stop: Stop = { step: found.then, prompts: this.#here.prompts };
    return new Turn(this.room, this.ply, [...this.picks, place], [...this.#stops, stop], complete);
  }

  /**
   * Return the turn with the answer to `explore`, which may list more than `choices` did. An answer about other picks
   * changes nothing.
   */
  explored(choices: Choices): Turn {
    const same = choices.ply === this.ply && String(choices.picks ?? []) === String(this.picks);
    if (!same || this.complete) return this;
    const stop: Stop = { step: choices.step, prompts: choices.prompts };
    return new Turn(this.room, this.ply, this.picks, [...this.#stops.slice(0, -1), stop], false);
  }

  /** Return the turn with only the first `count` picks; by default, without the last one. */
  back(count = this.picks.length - 1): Turn {
    const left = Math.max(0, count);
    if (left >= this.picks.length) return this;
    return new Turn(this.room, this.ply, this.picks.slice(0, left), this.#stops.slice(0, left + 1), false);
  }
}

function offered(pick: number | Pick): Offered {
  if (typeof pick === "number") return { place: pick, label: "", kind: "", cell: null, then: null, more: false };
  const [place, label = "", kind = "", cell = null, then = null, more = false] = pick;
  return { place, label, kind, cell, then, more };
}
