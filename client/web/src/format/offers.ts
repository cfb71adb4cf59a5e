// The outcome of an offer, worded for the reader.
import type { RoomEvent, RoomReplica } from "../../sdk/index.ts";
import { nameInSeat } from "../state/botNames.ts";

const NAMES: { [kind: string]: string } = {
  draw: "draw offer",
  takeback: "request to take back a turn",
  rematch: "rematch offer",
};
const AGREED = "agreed"; // the reason of a result: a draw offer was accepted

/** The effect of an event on an offer; an empty string for an event that concerns none. */
export function offerNotice(replica: RoomReplica, event: RoomEvent): string {
  if (event.kind === "taken_back") return "The last turn was taken back.";
  const offer = NAMES[event.offer ?? ""];
  if (!offer || event.seat == null || replica.seat === null) return "";
  const own = event.seat === replica.seat;
  const who = own ? "You" : nameInSeat(replica, event.seat);
  switch (event.kind) {
    case "offered":
      return own ? `Your ${offer} was sent.` : "";
    case "declined":
      return own ? `You declined the ${offer}.` : `${who} declined your ${offer}.`;
    case "withdrawn":
      return `${who} withdrew the ${offer}.`;
    default:
      return "";
  }
}

/** Which offers of `before` a move, or the end of the game, has closed without an answer; an empty string for none. */
export function lapsedNotice(replica: RoomReplica, before: ReadonlySet<string>): string {
  if (replica.seat === null || replica.result?.reason === AGREED || replica.next) return "";
  return [...before]
    .filter((offer) => !replica.offers.has(offer))
    .map((each) => {
      const [seat, offer] = [Number(each.charAt(0)), NAMES[each.slice(2)] ?? "offer"];
      return `${seat === replica.seat ? "Your" : `${nameInSeat(replica, seat)}’s`} ${offer} is no longer open.`;
    })
    .join(" ");
}
