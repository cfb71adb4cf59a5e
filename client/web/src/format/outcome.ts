// The outcome of a game in words.
import type { BoardSpec, GameCard, RoomReplica, Result } from "../../sdk/index.ts";

const REASONS: { [reason: string]: string } = {
  resigned: "by resignation",
  flag: "on time",
  agreed: "by agreement",
  repetition: "by repetition",
  abandoned: "the opponent left",
  aborted: "aborted before both sides had moved",
  adjudicated: "the operator of the server decided the game",
  cancelled: "the operator of the server cancelled the game; it does not count",
};

const UNRATED: { [why: string]: string } = {
  not_both_moved: "it does not count for the ratings, because not both players had moved",
  too_short: "it does not count for the ratings, because it was too short",
};

/** “You won” for a player, “White wins” for a spectator, with the reason and the scores. */
export function outcome(
  replica: RoomReplica,
  card: GameCard | undefined,
): { title: string; reason: string; scores: string } {
  const { result, seat } = replica;
  if (!result) return { title: "", reason: "", scores: "" };
  return {
    title: title(replica.room.board, result, seat),
    reason: reasonOf(card, result.reason) + unratedReason(result),
    scores: (result.scores ?? []).join(" : "),
  };
}

/** Why a rated game does not count, to be put after the reason of its end; empty if it does. */
function unratedReason({ unrated }: Result): string {
  return unrated ? `; ${UNRATED[unrated] ?? "it does not count for the ratings"}` : "";
}

/** Why the game ended, as it reads after “White wins: ”. */
export function reasonOf(card: GameCard | undefined, reason: string): string {
  return card?.reasons[reason] ?? REASONS[reason] ?? reason;
}

function title(board: BoardSpec, { winner, reason }: Result, seat: number | null): string {
  if (winner === null) {
    if (reason === "cancelled") return "Game cancelled";
    return reason === "aborted" ? "Game aborted" : "Draw";
  }
  if (seat === null) return `${board.seats[winner]?.name ?? ""} wins`;
  return winner === seat ? "You won" : "You lost";
}
