// The player's own tables: open seeks, games in progress, and invitations from other players.
import type { Challenged, Seek, Terms } from "../../sdk/index.ts";
import { matchmaking } from "./matchmaking.ts";
import { onMessage } from "./messages.ts";
import { navigate } from "./router.ts";
import { call, connection } from "./server.ts";
import { Signal } from "./signal.ts";
import { saveStored } from "./storage.ts";

interface OwnSeek {
  seek: string;
  request: Omit<Seek, "id">;
}

/** Open tables that this tab has created. */
export const ownSeeks = new Signal<readonly OwnSeek[]>([]);
/** The player's games in progress: room -> seat. */
export const ownGames = new Signal<ReadonlyMap<string, number>>(new Map());
/** Where the number of these games is stored, so that the lobby keeps their place until they are known. */
export const GAME_COUNT = "parlour.ownGames";
const tournaments = new Map<string, string>();
/** The tournaments that some of them are part of: room -> tournament. */
export const ownTournaments: ReadonlyMap<string, string> = tournaments;
const ended = new Set<string>();
/** Games of the player that have ended since the page was opened. A tournament records their results a moment later. */
export const endedGames: ReadonlySet<string> = ended;
export const invitations = new Signal<readonly Challenged[]>([]);

/** Open a table that any player can join. */
export async function openTable(terms: Terms, seat: "any" | "first" | "second"): Promise<void> {
  const request = { t: "seek", terms, seat } as const;
  const { seek } = await call(request);
  if (seek) ownSeeks.value = [...ownSeeks.value, { seek, request }];
}

export async function cancelSeek(seek: string): Promise<void> {
  ownSeeks.value = ownSeeks.value.filter((own) => own.seek !== seek);
  await call({ t: "cancel", seek }).catch(() => undefined); // if it is too late, `paired` follows
}

/** Join another player's table, play with a player who waits, or accept an invitation. */
export async function acceptSeek(seek: string): Promise<void> {
  const { room } = await call({ t: "accept", seek });
  if (room) openGame(room);
}

export async function declineInvitation(seek: string): Promise<void> {
  removeInvitation(seek);
  await call({ t: "cancel", seek }).catch(() => undefined);
}

function removeInvitation(seek: string): void {
  invitations.value = invitations.value.filter((invitation) => invitation.seek !== seek);
}

/** Start a game against a bot and go to it. `seat` is the player's own. */
export async function playBot(terms: Terms, level: string, seat: 0 | 1, start: { position?: string }): Promise<void> {
  const levels: [string | null, string | null] = seat === 0 ? [null, level] : [level, null];
  const { room } = await call({ t: "create", terms, levels, ...start });
  if (!room) return;
  ownGames.value = new Map([...ownGames.value, [room, seat]]);
  navigate(`/table/${room}`);
}

/** Let two levels of the computer play each other and watch them. `levels` are by seat. */
export async function watchBots(terms: Terms, levels: [string, string], start: { position?: string }): Promise<void> {
  const { room } = await call({ t: "create", terms, levels, ...start });
  if (room) navigate(`/table/${room}`);
}

/** Go to a game. A player who has one stops looking for others. */
function openGame(room: string): void {
  for (const { seek } of ownSeeks.value) void cancelSeek(seek);
  if (matchmaking.state.value.kind === "queued") void matchmaking.cancel();
  navigate(`/table/${room}`);
}

/** Follow the messages about the player's tables. */
export function startOwnTables(): void {
  onMessage((message) => {
    switch (message.t) {
      case "welcome":
        tournaments.clear();
        ownGames.value = new Map(); // a `paired` for each game in progress follows
        invitations.value = [];
        break;
      case "paired": {
        if (message.tournament) tournaments.set(message.room, message.tournament);
        ownGames.value = new Map([...ownGames.value, [message.room, message.seat]]);
        const own = ownSeeks.value.find(({ seek }) => seek === message.seek);
        if (message.seek) removeInvitation(message.seek);
        if (!own) break;
        ownSeeks.value = ownSeeks.value.filter((each) => each !== own);
        openGame(message.room);
        break;
      }
      case "your_game": {
        const games = new Map(ownGames.value); // a new map, so that the list is loaded again
        if (message.to_move == null) {
          games.delete(message.room);
          ended.add(message.room);
        }
        ownGames.value = games;
        break;
      }
      case "event":
        if (message.result && ownGames.value.has(message.room)) {
          ownGames.value = new Map([...ownGames.value].filter(([room]) => room !== message.room));
          ended.add(message.room);
        }
        break;
      case "challenged":
        removeInvitation(message.seek);
        invitations.value = [...invitations.value, message];
        break;
      case "challenge_closed":
        removeInvitation(message.seek);
        break;
    }
  });
  ownGames.watch(() => {
    if (ownGames.value.size) saveStored(GAME_COUNT, ownGames.value.size); // the lobby stores that there are none
  });
  // The seeks belong to the previous identity.
  connection.watch(() => {
    ownSeeks.value = [];
  });
}
