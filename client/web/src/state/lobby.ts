// The lobby: open tables and live games, followed as long as a page shows them.
import { useEffect } from "preact/hooks";
import type { BoardSpec, LiveGame, Lobby, LobbyChanged, OpenSeek, Scene } from "../../sdk/index.ts";
import { onNews } from "./news.ts";
import { call } from "./parlour.ts";
import { Signal, useSignal } from "./signal.ts";

/** A live game with its board, which the server tells only once. */
export type Live = LiveGame & { board: BoardSpec; scene: Scene };

export interface LobbyView {
  n: number;
  seeks: readonly OpenSeek[];
  live: readonly Live[];
  featured: string;
  online: number;
}

const lobby = new Signal<LobbyView | null>(null);
let followers = 0;

/** The lobby as it is now; null until it has come. */
export function useLobby(): LobbyView | null {
  useEffect(() => {
    if (followers++ === 0) follow(true);
    return () => {
      if (--followers === 0) follow(false);
    };
  }, []);
  return useSignal(lobby);
}

function follow(on: boolean): void {
  call({ t: "watch_lobby", on }).catch(() => undefined); // after a reconnect it is asked again
}

/** Listen from the beginning. */
export function followLobby(): void {
  onNews((message) => {
    if (message.t === "lobby") lobby.value = whole(message, lobby.value?.live ?? []);
    else if (message.t === "welcome" && followers > 0) follow(true);
    else if (message.t === "lobby_changed" && lobby.value) {
      if (message.n === lobby.value.n + 1) lobby.value = changed(lobby.value, message);
      else if (message.n > lobby.value.n) follow(true);
    }
  });
}

function whole({ n, seeks, live, featured = "", online = 0 }: Lobby, old: readonly Live[]): LobbyView {
  return { n, seeks, live: merged([], live, old), featured, online };
}

function changed(old: LobbyView, change: LobbyChanged): LobbyView {
  const goneSeeks = new Set([...(change.seeks_gone ?? []), ...(change.seeks ?? []).map(({ seek }) => seek)]);
  const gone = new Set(change.live_gone);
  return {
    n: change.n,
    seeks: [...old.seeks.filter(({ seek }) => !goneSeeks.has(seek)), ...(change.seeks ?? [])],
    live: merged(
      old.live.filter(({ room }) => !gone.has(room)),
      change.live ?? [],
      old.live,
    ),
    featured: change.featured ?? old.featured,
    online: change.online ?? old.online,
  };
}

/** Games that are new go to the end, those that are known stay at their place, with the board they had. */
function merged(now: readonly Live[], told: readonly LiveGame[], known: readonly Live[]): Live[] {
  const games = new Map(now.map((game) => [game.room, game]));
  for (const game of told) {
    const before = known.find(({ room }) => room === game.room);
    const board = game.board ?? before?.board;
    const scene = game.scene ?? before?.scene;
    if (board && scene) games.set(game.room, { ...game, board, scene });
  }
  return [...games.values()];
}
