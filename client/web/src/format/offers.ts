// What became of an offer, in words for the one who reads them.
import type { RoomEvent, RoomReplica } from "../../sdk/index.ts";

const NAMES: { [kind: string]: string } = {
  draw: "draw offer",
  takeback: "request to take back a turn",
  rematch: "rematch offer",
};

/** What an event did to an offer; an empty string for an event that concerns none. */
export function offerNotice({ seat, players, room }: RoomReplica, event: RoomEvent): string {
  if (event.kind === "taken_back") return "The last turn was taken back.";
  const offer = NAMES[event.offer ?? ""];
  if (!offer || event.seat == null) return "";
  const own = event.seat === seat;
  const name = players[event.seat]?.player?.name ?? room.board.seats[event.seat]?.name ?? "";
  const who = own ? "You" : name;
  switch (event.kind) {
    case "declined":
      return seat === null ? "" : own ? `You declined the ${offer}.` : `${who} declined your ${offer}.`;
    case "withdrawn":
      return seat === null ? "" : `${who} withdrew the ${offer}.`;
    default:
      return "";
  }
}
