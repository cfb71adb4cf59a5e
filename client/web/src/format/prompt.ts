// The sentence that tells the player what to do now.
import { noteOf, type Offered, placeName, seatToMove } from "../../sdk/index.ts";
import { formatCountdown } from "./clock.ts";
import { ghostOf, openPlacing, type View } from "../state/tableView.ts";
import { nameInSeat, withLevels } from "../state/botNames.ts";

const CHIP_LENGTH = 3; // shorter labels are drawn on the board
const WARN_BEFORE_ABORT = 30_000; // milliseconds

/** The prompt for the state of the table; `hovered` is the pick under the pointer or the focus. */
export function promptText(view: View, hovered?: Offered): string {
  const { replica, turn, sent, viewedPly } = view;
  const { board } = replica.room;
  const { scene, status } = replica;
  const mover = seatToMove(scene);
  if (viewedPly !== null) return `Viewing move ${viewedPly} of ${replica.moves.length}.`;
  if (!replica.inSync) return "Updating the board…";
  if (status === "choosing")
    return choosesFirst(view)
      ? `${view.seats.length > 1 ? `${nameInSeat(replica, replica.chooser)}: ` : ""}Look at the board. Who moves first?`
      : `${nameInSeat(replica, replica.chooser)} is choosing who moves first.`;
  if (status === "over" || mover === null) return noteOf(scene) || "The game is over.";
  const note = noteOf(scene) ? `${noteOf(scene)} ` : "";
  if (sent) return "Sending your turn…";
  if (replica.seat === null) return `${note}${board.seats[mover]?.name}: ${nameInSeat(replica, mover)} to move.`;
  if (!view.seats.includes(mover)) {
    if (!view.premove.length) return `${note}${nameInSeat(replica, mover)} is thinking.`;
    return `Your next turn: ${view.premove.map((place) => placeName(board, place)).join(" ")}.`;
  }
  const shared = view.seats.length > 1; // then the prompt says whose turn it is
  const who = shared ? `${nameInSeat(replica, mover)}: ` : "";
  if (!turn) return shared ? `${note}${nameInSeat(replica, mover)} to move.` : `${note}Your turn.`;
  if (turn.complete) return `${who}Your turn is complete. Play it?`;
  if (turn.unexplored) return "Loading…";
  if (view.preview?.text) return view.preview.text;
  const ghost = ghostOf(view);
  if (ghost && !ghost.ends) return "It does not fit there.";
  if (openPlacing(view)) return `${who}${capitalized(placeName(board, turn.picks.at(-1)!))}: choose where it goes.`;
  return hovered && hovered.label.length > CHIP_LENGTH
    ? `${placeName(board, hovered.place)} ${hovered.label}.`
    : `${note}${who}${turn.prompt}`;
}

/** A warning to move soon; empty while there is plenty of time. */
export function firstMoveWarning({ replica, presence, presenceReceivedAt }: View, now: number): string {
  if (presence?.abort_in == null) return "";
  const left = presence.abort_in - (now - presenceReceivedAt);
  if (left > WARN_BEFORE_ABORT) return "";
  const seconds = 10 * Math.max(1, Math.ceil(left / 10_000)); // in steps, since a screen reader reads each change
  const otherwise = replica.room.tournament ? "you lose the game" : "the game is aborted";
  return `Make your first move within ${seconds} seconds, or ${otherwise}.`;
}

/** Milliseconds until this player may claim the win against an opponent who is away; null if the opponent is not. */
export function claimableIn({ replica, presence, presenceReceivedAt }: View, now: number): number | null {
  if (replica.seat === null || replica.status !== "playing" || presence?.claim_in == null) return null;
  return presence.online[1 - replica.seat] ? null : presence.claim_in - (now - presenceReceivedAt);
}

/** The player's options if the opponent is away, or null if there is something better to say. */
export function claimText(view: View, now: number): string | null {
  const left = claimableIn(view, now);
  if (left === null || seatToMove(view.replica.scene) === view.replica.seat) return null;
  const name = nameInSeat(view.replica, 1 - view.replica.seat!);
  return left > 0 ? `${name} is away. You can claim the win in ${formatCountdown(left)}.` : `${name} is still away.`;
}

/** The last move in words, as the server tells it; until it does, in the game's notation. */
export function lastMoveText({ replica, told }: View): string {
  const { moves } = replica;
  if (told?.ply === moves.length) return withLevels(told.text, replica);
  const last = moves[moves.length - 1];
  return last ? `Last move: ${last}.` : "";
}

/** Whether this player decides who moves first. */
export function choosesFirst({ replica, seats }: View): boolean {
  return replica.chooser !== null && seats.includes(replica.chooser);
}

/** An opponent's offer, such as `0:draw`, in words. */
export function offerText(view: View, offer: string): string {
  const name = nameInSeat(view.replica, Number(offer.charAt(0)));
  if (offer.endsWith(":draw")) return `${name} offers a draw.`;
  return offer.endsWith(":takeback") ? `${name} asks to take back the last turn.` : `${name} offers a rematch.`;
}

const capitalized = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
