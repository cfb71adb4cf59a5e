// A running game that a page shows small: the room is joined as a spectator while it is shown.
import { useEffect, useState } from "preact/hooks";
import type { RoomReplica } from "../../sdk/index.ts";
import type { LiveGameView } from "./lobby.ts";
import { path } from "./router.ts";
import { connection } from "./server.ts";
import { useSignal } from "./signal.ts";

/** The game in a room, or null until it arrives. */
export function useLiveRoom(room: string): LiveGameView | null {
  const current = useSignal(connection);
  const [game, setGame] = useState<LiveGameView | null>(null);
  useEffect(() => {
    let active = true;
    const show = (): void => {
      const replica = current.rooms.get(room);
      if (active && replica) setGame(liveGameOf(replica));
    };
    const unsubscribe = current.listen((message) => {
      if (Array.isArray(message) ? message[1] === room : "room" in message && message.room === room) show();
    });
    current.call({ t: "join", room }).then(show, () => undefined); // without it, the card is left out
    return () => {
      active = false;
      unsubscribe();
      // The table of this game has joined the same room.
      if (path.value !== `/table/${room}` && !current.fault) current.call({ t: "leave", room }).catch(() => undefined);
    };
  }, [room, current]);
  return game;
}

function liveGameOf({ room, players, moves, scene }: RoomReplica): LiveGameView {
  const { terms, board, spectators = 0 } = room;
  return {
    room: room.room,
    game: terms.game,
    players: players.map(({ player }) => player),
    ...(terms.clock ? { clock: terms.clock } : {}),
    spectators,
    ply: moves.length,
    board,
    scene,
  };
}
