// The games in which it is the player's turn, and their number on the icon of the installed page.
import { onMessage } from "./messages.ts";
import { ownGames } from "./ownTables.ts";
import { Signal } from "./signal.ts";

export const turns = new Signal<ReadonlySet<string>>(new Set());

/** Note whether it is the player's turn in a room. */
export function noteTurn(room: string, isMine: boolean): void {
  if (turns.value.has(room) === isMine) return;
  const rooms = new Set(turns.value);
  if (isMine) rooms.add(room);
  else rooms.delete(room);
  turns.value = rooms;
}

/** Follow the messages about the player's games, and show the number of turns. */
export function startBadge(): void {
  onMessage((message) => {
    if (message.t === "welcome")
      turns.value = new Set(); // a `your_game` for each turn follows
    else if (message.t === "your_game")
      noteTurn(message.room, message.to_move != null && message.to_move === ownGames.value.get(message.room));
    else if (message.t === "event" && message.result) noteTurn(message.room, false);
  });
  if ("setAppBadge" in navigator)
    turns.watch(() => void navigator.setAppBadge(turns.value.size).catch(() => undefined));
}
