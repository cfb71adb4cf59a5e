// The bots of the server, named by their level.
import type { GameCard, Player, RoomReplica } from "../../sdk/index.ts";

const COMPUTER = /^Computer \(?(\w+)\)?$/; // no player can have such a name
const titles = new Map<string, string>();

/** Take over the names of all levels. */
export function learnLevels(cards: readonly GameCard[]): void {
  for (const { levels } of cards) for (const [key, title] of levels) titles.set(key, title);
}

/** The name to show: that of the level for a bot of the server, otherwise the player's own. */
export function nameOf(player: Player | null | undefined, otherwise = "unknown"): string {
  if (!player) return otherwise;
  return titles.get(levelOf(player)) ?? player.name;
}

/** The name of the player in a seat; without a player, that of the seat. */
export function nameInSeat({ players, room }: RoomReplica, seat: number | null): string {
  return seat === null ? "" : nameOf(players[seat]?.player, room.board.seats[seat]?.name ?? "");
}

/** A sentence of the server with the names of its bots replaced by their levels. */
export function withLevels(text: string, { players }: RoomReplica): string {
  return players.reduce((done, { player }) => done.replaceAll(player.name, nameOf(player)), text);
}

export const isServerBot = (player: Player): boolean => levelOf(player) !== "";

const levelOf = ({ name, bot }: Player): string => (bot && COMPUTER.exec(name)?.[1]) || "";
