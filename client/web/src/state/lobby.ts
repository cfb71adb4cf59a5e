// The lobby: open tables and live games, kept up to date while a page shows them.
import { useEffect } from "preact/hooks";
import type { BoardSpec, LiveGame, Lobby, LobbyChanged, OpenSeek, Scene } from "../../sdk/index.ts";
import { onMessage } from "./messages.ts";
import { firstLobby } from "./pageData.ts";
import { call } from "./server.ts";
import { Signal, useSignal } from "./signal.ts";

/** A live game with its board, which the server sends only once. */
export type LiveGameView = LiveGame & { board: BoardSpec; scene: Scene };

export interface LobbyView {
  n: number;
  seeks: readonly OpenSeek[];
  live: readonly LiveGameView[];
  featured: string;
  online: number;
}

const lobby = new Signal<LobbyView | null>(firstLobby && fromSnapshot(firstLobby, []));
let viewers = 0;

/** The current lobby, or null until it arrives. */
export function useLobby(): LobbyView | null {
  useEffect(() => {
    if (viewers++ === 0) watchLobby(true);
    return () => {
      if (--viewers === 0) watchLobby(false);
    };
  }, []);
  return useSignal(lobby);
}

function watchLobby(on: boolean): void {
  call({ t: "watch_lobby", on }).catch(() => undefined); // repeated after a reconnect
}

/** Follow the messages about the lobby. */
export function startLobby(): void {
  onMessage((message) => {
    if (message.t === "lobby") lobby.value = fromSnapshot(message, lobby.value?.live ?? []);
    else if (message.t === "welcome" && viewers > 0) watchLobby(true);
    else if (message.t === "lobby_changed" && lobby.value) {
      if (message.n === lobby.value.n + 1) lobby.value = applyChange(lobby.value, message);
      else if (message.n > lobby.value.n) watchLobby(true);
    }
  });
}

function fromSnapshot({ n, seeks, live, featured = "", online = 0 }: Lobby, known: readonly LiveGameView[]): LobbyView {
  return { n, seeks, live: mergeGames([], live, known), featured, online };
}

function applyChange(old: LobbyView, change: LobbyChanged): LobbyView {
  const replacedSeeks = new Set([...(change.seeks_removed ?? []), ...(change.seeks ?? []).map(({ seek }) => seek)]);
  const finished = new Set(change.live_removed);
  return {
    n: change.n,
    seeks: [...old.seeks.filter(({ seek }) => !replacedSeeks.has(seek)), ...(change.seeks ?? [])],
    live: mergeGames(
      old.live.filter(({ room }) => !finished.has(room)),
      change.live ?? [],
      old.live,
    ),
    featured: change.featured ?? old.featured,
    online: change.online ?? old.online,
  };
}

/** Add new games at the end; known games keep their position and the board they had. */
function mergeGames(
  current: readonly LiveGameView[],
  updates: readonly LiveGame[],
  known: readonly LiveGameView[],
): LiveGameView[] {
  const games = new Map(current.map((game) => [game.room, game]));
  for (const game of updates) {
    const before = known.find(({ room }) => room === game.room);
    // The same objects as before, if they say the same, so that the board is not drawn again.
    const board = before?.board ?? game.board;
    const scene = before && before.ply === game.ply ? before.scene : (game.scene ?? before?.scene);
    if (board && scene) games.set(game.room, { ...game, board, scene });
  }
  return [...games.values()];
}
