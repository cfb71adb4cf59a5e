// How a game ended, in words.
import type { BoardSpec, GameCard, Mirror, Result } from "../../sdk/index.ts";

const REASONS: { [reason: string]: string } = {
  resigned: "by resignation",
  flag: "on time",
  agreed: "by agreement",
  repetition: "by repetition",
  abandoned: "the opponent has left",
  aborted: "called off before both sides had moved",
};

/** “You won: three balls home.” for a player, “White wins: …” for a watcher. */
export function outcome(mirror: Mirror, card: GameCard | undefined): { title: string; reason: string; scores: string } {
  const { result, seat } = mirror;
  if (!result) return { title: "", reason: "", scores: "" };
  return {
    title: title(mirror.room.board, result, seat),
    reason: reasonOf(card, result.reason),
    scores: (result.scores ?? []).join(" : "),
  };
}

/** Why it ended: words after “White wins: ”. */
export function reasonOf(card: GameCard | undefined, reason: string): string {
  return card?.reasons[reason] ?? REASONS[reason] ?? reason;
}

function title(board: BoardSpec, { winner, reason }: Result, seat: number | null): string {
  if (winner === null) return reason === "aborted" ? "Called off" : "A draw";
  if (seat === null) return `${board.seats[winner]?.name ?? ""} wins`;
  return winner === seat ? "You won" : "You lost";
}
