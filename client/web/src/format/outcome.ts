// The outcome of a game, worded for the reader.
import type { GameCard, RoomReplica, Result } from "../../sdk/index.ts";
import { nameInSeat } from "../state/botNames.ts";

/** The endings that every game shares: for the winner, the loser and a spectator. */
const ENDINGS: { [reason: string]: readonly [string, string, string] } = {
  resigned: ["{loser} resigned.", "You resigned.", "{loser} resigned."],
  flag: ["{loser} ran out of time.", "You ran out of time.", "{loser} ran out of time."],
  abandoned: ["{loser} left the game.", "You were away for too long.", "{loser} left the game."],
  not_begun: [
    "{loser} did not make the first move in time.",
    "You did not make your first move in time.",
    "{loser} did not make the first move in time.",
  ],
};

/** As they read after “White wins: ”, in lists. */
const REASONS: { [reason: string]: string } = {
  resigned: "by resignation",
  flag: "on time",
  agreed: "by agreement",
  repetition: "the same position came up three times",
  abandoned: "the opponent left",
  aborted: "aborted before both sides had moved",
  adjudicated: "the operator of the server decided the game",
  cancelled: "the operator of the server cancelled the game; it does not count",
};

const UNRATED: { [why: string]: string } = {
  not_both_moved: "it does not count for the ratings, because not both players had moved",
  too_short: "it does not count for the ratings, because it was too short",
  same_network: "it does not count for the ratings, because both players are in the same network",
  repeated_pairing: "it does not count for the ratings, because the two players have had many rated games today",
};

/** “You won, 50 to 30” for the player in the seat `reader`, “fern won, 50 to 30” for others, and the reason. */
export function outcome(
  replica: RoomReplica,
  card: GameCard | undefined,
  reader: number | null,
): { title: string; reason: string } {
  const result = countedResult(replica);
  return result
    ? { title: title(replica, result, card, reader), reason: sentence(replica, result, card, reader) }
    : { title: "", reason: "" };
}

/** The result as it counts: in a tournament, a player who does not begin in time has lost. */
function countedResult({ result, room, moves }: RoomReplica): Result | null {
  if (result?.reason !== "aborted" || !room.tournament || moves.length > 1) return result;
  return { winner: 1 - moves.length, reason: "not_begun" };
}

/** Why a rated game that has just begun will not count, as a sentence; empty if it will. */
export function unratedNotice({ room, moves, result }: RoomReplica): string {
  if (!room.unrated || result || moves.length > 1) return "";
  const reason = UNRATED[room.unrated] ?? "it does not count for the ratings";
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}

/** Why the game ended, as it reads after “White wins: ”. */
export function reasonOf(card: GameCard | undefined, reason: string): string {
  return card?.reasons[reason] ?? REASONS[reason] ?? reason;
}

function title(
  replica: RoomReplica,
  { winner, reason, scores = [] }: Result,
  card: GameCard | undefined,
  seat: number | null,
): string {
  if (winner === null) {
    if (reason === "cancelled") return "Game cancelled";
    if (reason === "aborted") return "Game aborted";
    return scores.length && card?.reasons[reason] ? `Draw, ${scores.join(" to ")}` : "Draw";
  }
  const who = seat === null ? `${nameInSeat(replica, winner)} won` : winner === seat ? "You won" : "You lost";
  // A score means something where the game was played to its end, and the reader's own comes first.
  if (ENDINGS[reason] || scores.length !== 2) return who;
  const first = seat ?? winner;
  return `${who}, ${scores[first]} to ${scores[1 - first]}`;
}

function sentence(replica: RoomReplica, result: Result, card: GameCard | undefined, seat: number | null): string {
  const { winner, reason, unrated } = result;
  const counts = unrated ? ` ${capitalized(UNRATED[unrated] ?? "it does not count for the ratings")}.` : "";
  const shared = ENDINGS[reason];
  if (shared && winner !== null) {
    const reader = seat === null ? 2 : seat === winner ? 0 : 1;
    return shared[reader].replace("{loser}", nameInSeat(replica, 1 - winner)) + counts;
  }
  const lost = seat !== null && winner !== null && seat !== winner ? card?.loser_reasons?.[reason] : undefined;
  return `${capitalized(lost ?? reasonOf(card, reason))}.${counts}`;
}

const capitalized = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
