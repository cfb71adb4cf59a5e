// The view of a table at one moment, and values derived from it.
import {
  type Assessment,
  MARK,
  marksOf,
  patch,
  type Presence,
  type RoomReplica,
  type Said,
  type Scene,
  seatToMove,
  type Turn,
} from "../../sdk/index.ts";
import { type Ghost, ghostAt, type Placing, placingOf, stands } from "../board/placing.ts";

/** The board after a pick that is not made yet, and in words if the pick completes the turn. */
export interface Preview {
  picks: readonly number[];
  scene: Scene;
  text: string;
}

/** The cell where a piece is about to be placed, and its direction. */
export interface Aim {
  upright: boolean;
  at: number | null;
  /** A finger has left the piece there, so it stays until it is placed or taken away. */
  held: boolean;
}

/** The state of a table. Every change makes a new value, so nothing has to be compared. */
export interface View {
  replica: RoomReplica;
  /** The seats that are played on this page: none by a spectator, both if two players share the device. */
  seats: readonly number[];
  /** Increases with every change. */
  version: number;
  turn: Turn | null;
  /** A complete turn that the server has not answered yet. */
  sent: Turn | null;
  presence: Presence | null;
  /** When `presence` arrived and when the current turn started, on this browser's clock. */
  presenceReceivedAt: number;
  turnStartedAt: number;
  chat: readonly Said[];
  /** The number of unread chat lines. */
  unread: number;
  /** The positions seen so far, by ply. */
  history: ReadonlyMap<number, Scene>;
  /** The earlier ply that is shown; null shows the current position. */
  viewedPly: number | null;
  /** Why the last action failed, or an empty string. */
  error: string;
  /** The new ratings by seat, after a rated game. */
  ratings: readonly number[];
  /** The computer's suggestion for this position, if the player asked for one. */
  hint: Assessment | null;
  /** The last move in words, and the number of moves with it. */
  told: { ply: number; text: string } | null;
  /** The outcome of an offer, or an empty string. */
  notice: string;
  /** A preview of the pick under the pointer or the focus. */
  preview: Preview | null;
  /** Cells chosen for the next turn while the opponent thinks. */
  premove: readonly number[];
  /** How a piece that covers several cells is about to be placed. */
  aim: Aim;
  /** A place that cannot be picked, and why. */
  refusedPick: { place: number; text: string } | null;
}

/** Aim at no cell, in the direction of the last piece. */
export function noAim(view: View | null): Aim {
  return { upright: view?.aim.upright ?? false, at: null, held: false };
}

/** Whether it is the turn of a player on this page. */
export function isOwnTurn({ replica, seats }: View): boolean {
  const mover = seatToMove(replica.scene);
  return mover !== null && seats.includes(mover) && replica.status === "playing";
}

/** Whether players can still halve their own clock. */
export function mayBerserk({ replica: { seat, berserk, moves, scene, status } }: View): boolean {
  if (seat === null || status !== "playing" || berserk[seat] !== false) return false;
  return moves.length === 0 || (moves.length === 1 && seatToMove(scene) === seat);
}

/** The seat for which results and offers are worded; null for a spectator, and for two players at one device. */
export function readerOf({ seats }: View): number | null {
  return seats.length === 1 ? seats[0]! : null;
}

/** The turn that the player can add picks to now, or null. */
export function openTurn(view: View): Turn | null {
  const { replica, turn, sent, viewedPly } = view;
  return isOwnTurn(view) && replica.inSync && !sent && viewedPly === null ? turn : null;
}

/** The piece that is about to be placed, or null. */
export function openPlacing(view: View): Placing | null {
  const turn = openTurn(view);
  return turn && placingOf(view.replica.room.board, view.replica.scene, turn);
}

/** Where that piece would lie, or null while the player points at no cell. */
export function ghostOf(view: View): Ghost | null {
  const { at, upright } = view.aim;
  const placing = at === null ? null : openPlacing(view);
  return placing && ghostAt(placing, stands(placing, upright), at!);
}

/** The position to draw: the earlier one that is viewed, or the current one with the unfinished turn applied. */
export function visibleScene({ replica, turn, sent, viewedPly, history }: View): Scene {
  if (viewedPly !== null) return history.get(viewedPly) ?? replica.scene;
  const unfinished = turn ?? sent;
  const diff = unfinished && unfinished.ply === replica.moves.length ? unfinished.look : null;
  if (!diff) return replica.scene;
  const [stacks, tallies, toMove, marks, note] = patch(replica.scene, diff);
  const ofLastTurn = ([kind]: readonly number[]): boolean => kind! <= MARK.GONE;
  if (marks.some(ofLastTurn)) return [stacks, tallies, toMove, marks, note];
  return [stacks, tallies, toMove, [...marksOf(replica.scene).filter(ofLastTurn), ...marks], note];
}
