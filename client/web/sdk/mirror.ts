// A client's copy of a room, which knows when it is not a true copy any more.
import type { Chair, Happened, Moved, Result, Room, Scene, Standing, TimeLeft } from "./protocol.ts";
import { patch, sceneHash } from "./scene.ts";

/** What changes a room, with names for the fields of `moved`, which travels as an array. */
export type Update = Happened | NamedMoved;

export interface NamedMoved {
  t: "moved";
  room: string;
  epoch: number;
  seq: number;
  hash: number;
  move: string;
  clock: Moved[6];
  change: Moved[7];
}

export function named(moved: Moved): NamedMoved {
  const [, room, epoch, seq, hash, move, clock, change] = moved;
  return { t: "moved", room, epoch, seq, hash, move, clock, change };
}

/**
 * What became of an update: `applied`; `old`, nothing to do; `gap`, something before it is missing; `broken`, the copy is
 * not what the server has.
 */
export type Verdict = "applied" | "old" | "gap" | "broken";

/** The room as this client knows it: the last `room`, and every update since. */
export class Mirror {
  readonly room: Room; // as it was sent; what has changed since is below
  epoch: number;
  seq: number;
  scene: Scene;
  seat: number | null;
  moves: string[];
  chairs: Chair[];
  clocks: TimeLeft[];
  offers: ReadonlySet<string>;
  status: string;
  result: Result | null;
  next: string | null; // the room of the rematch
  chooser: number | null; // who says who moves first, while the status is choosing
  /** False from a wrong hash until the whole room comes: what is drawn then may be wrong. */
  true: boolean;

  constructor(room: Room) {
    this.room = room;
    this.epoch = room.epoch;
    this.seq = room.seq;
    this.scene = room.scene;
    this.seat = room.seat ?? null;
    this.moves = [...room.moves];
    this.chairs = room.chairs;
    this.clocks = room.clocks ?? [];
    this.offers = new Set(room.offers ?? []);
    this.status = room.status;
    this.result = room.result ?? null;
    this.next = room.next ?? null;
    this.chooser = room.chooser ?? null;
    this.true = sceneHash(room.scene) === room.hash;
  }

  /** What to tell the server; a copy that has to be replaced as a whole stands nowhere. */
  get standing(): Standing {
    return this.true ? [this.room.room, this.epoch, this.seq] : [this.room.room, 0, 0];
  }

  /** The seat whose clock runs: the one to move, once each side has made its first move. */
  get running(): number | null {
    return this.clocks.length > 0 && this.status === "playing" && this.moves.length >= 2 ? this.scene[2] : null;
  }

  /** Apply the update if it is the next one. */
  take(update: Update): Verdict {
    if (update.epoch !== this.epoch) return update.epoch > this.epoch ? "broken" : "old";
    if (update.seq <= this.seq) return "old";
    if (!this.true) return "broken";
    if (update.seq > this.seq + 1) return "gap";
    this.seq = update.seq;
    try {
      this.#apply(update);
      this.true = sceneHash(this.scene) === update.hash;
    } catch {
      this.true = false; // the change does not fit what is here
    }
    return this.true ? "applied" : "broken";
  }

  #apply(update: Update): void {
    const mover = this.scene[2];
    if (update.change) this.scene = patch(this.scene, update.change);
    if (update.t === "happened") {
      this.#happened(update);
      return;
    }
    this.moves = [...this.moves, update.move];
    this.offers = new Set();
    const clock = update.clock;
    if (clock !== null && mover !== null) {
      this.clocks = this.clocks.map((left, seat) =>
        seat !== mover ? left : Array.isArray(clock) ? clock : [clock, 0],
      );
    }
  }

  /** What belongs to the table around the board. */
  #happened(update: Happened): void {
    this.clocks = update.clocks ?? this.clocks;
    this.chairs = update.chairs ?? this.chairs;
    this.status = update.status ?? this.status;
    this.result = update.result ?? this.result;
    this.next = update.next ?? this.next;
    switch (update.what) {
      case "swapped":
        if (this.seat !== null) this.seat = 1 - this.seat;
        break;
      case "offered":
        this.offers = new Set([...this.offers, `${update.seat}:${update.offer}`]);
        break;
      case "declined":
      case "withdrawn":
        this.offers = new Set([...this.offers].filter((offer) => !offer.endsWith(`:${update.offer}`)));
        break;
      case "taken_back":
        this.moves = this.moves.slice(0, update.plies ?? 0);
        this.offers = new Set();
        break;
      case "ended":
      case "rematch":
        this.offers = new Set();
        break;
    }
  }
}
