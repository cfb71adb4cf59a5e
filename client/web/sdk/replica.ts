// A client's copy of a room, which knows when it has diverged from the server's.
import type { SeatedPlayer, RoomEvent, Moved, Result, Room, Scene, Cursor, TimeLeft } from "./protocol.ts";
import { patch, sceneHash } from "./scene.ts";

/** A change of a room, with names for the fields of `moved`, which is an array on the wire. */
export type Update = RoomEvent | NamedMoved;

/** A `moved`, with names for its fields. */
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

/** Return a `moved` with names for its fields. */
export function named(moved: Moved): NamedMoved {
  const [, room, epoch, seq, hash, move, clock, change] = moved;
  return { t: "moved", room, epoch, seq, hash, move, clock, change };
}

/**
 * The outcome of `apply`: `applied`; `stale`, already known; `gap`, an earlier update is missing; `diverged`, the replica
 * does not match the server's room.
 */
export type ApplyResult = "applied" | "stale" | "gap" | "diverged";

/** The room as this client knows it: the last `room` message and every update since. */
export class RoomReplica {
  /** As it was received; the fields below have changed since. */
  readonly room: Room;
  /** Increases when the numbering of updates starts again. */
  epoch: number;
  /** The number of the last update. */
  seq: number;
  /** The contents of the board. */
  scene: Scene;
  /** The player's own seat; null for a spectator. */
  seat: number | null;
  /** All moves, as text. */
  moves: string[];
  /** Who plays, by seat. */
  players: SeatedPlayer[];
  /** The clocks when the turn began, by seat. Empty without clocks. */
  clocks: TimeLeft[];
  /** Open offers, as `seat:kind`. */
  offers: ReadonlySet<string>;
  /** `choosing` who moves first, `playing` or `over`. */
  status: string;
  /** How the game ended; null while it goes on. */
  result: Result | null;
  /** The room of the rematch. */
  next: string | null;
  /** The seat that decides who moves first, while the status is `choosing`. */
  chooser: number | null;
  /** By seat: whether the player has halved the clock. Empty where that is not possible. */
  berserk: readonly boolean[];
  /** False from a wrong hash until the whole room arrives: until then the scene may be wrong. */
  inSync: boolean;

  /** Begin with a whole room. */
  constructor(room: Room) {
    this.room = room;
    this.epoch = room.epoch;
    this.seq = room.seq;
    this.scene = room.scene;
    this.seat = room.seat ?? null;
    this.moves = [...room.moves];
    this.players = room.players;
    this.clocks = room.clocks ?? [];
    this.offers = new Set(room.offers ?? []);
    this.status = room.status;
    this.result = room.result ?? null;
    this.next = room.next ?? null;
    this.chooser = room.chooser ?? null;
    this.berserk = room.berserk ?? [];
    this.inSync = sceneHash(room.scene) === room.hash;
  }

  /** The cursor to send to the server. A replica that has to be replaced as a whole sends 0, 0. */
  get cursor(): Cursor {
    return this.inSync ? [this.room.room, this.epoch, this.seq] : [this.room.room, 0, 0];
  }

  /** The seat whose clock runs: the one to move, once each side has made its first move. */
  get running(): number | null {
    return this.clocks.length > 0 && this.status === "playing" && this.moves.length >= 2 ? this.scene[2] : null;
  }

  /** Apply the update if it is the next one. */
  apply(update: Update): ApplyResult {
    if (update.epoch !== this.epoch) return update.epoch > this.epoch ? "diverged" : "stale";
    if (update.seq <= this.seq) return "stale";
    if (!this.inSync) return "diverged";
    if (update.seq > this.seq + 1) return "gap";
    this.seq = update.seq;
    try {
      this.#apply(update);
      this.inSync = sceneHash(this.scene) === update.hash;
    } catch {
      this.inSync = false; // the change does not fit the scene
    }
    return this.inSync ? "applied" : "diverged";
  }

  #apply(update: Update): void {
    const mover = this.scene[2];
    if (update.change) this.scene = patch(this.scene, update.change);
    if (update.t === "event") {
      this.#event(update);
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

  /** Apply the changes of an event other than those of the scene. */
  #event(update: RoomEvent): void {
    this.clocks = update.clocks ?? this.clocks;
    this.players = update.players ?? this.players;
    this.status = update.status ?? this.status;
    this.result = update.result ?? this.result;
    this.next = update.next ?? this.next;
    switch (update.kind) {
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
      case "berserk":
        this.berserk = this.berserk.map((halved, seat) => halved || seat === update.seat);
        break;
      case "ended":
      case "rematch":
      case "closed":
        this.offers = new Set();
        break;
    }
  }
}
