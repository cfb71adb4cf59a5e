// The way back to a running game, at the bottom of every page except its table. There it moves nothing when it appears.
// The way to a game of a tournament is shown at other tables, too.
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { turns } from "../state/badge.ts";
import { ownGames, ownTournaments } from "../state/ownTables.ts";
import { path } from "../state/router.ts";
import { call, gameName } from "../state/server.ts";
import { useSignal } from "../state/signal.ts";
import { Icon } from "./Icon.tsx";
import { nameOf } from "../state/botNames.ts";

export function ReturnBar(): VNode | null {
  const rooms = useSignal(ownGames);
  const here = useSignal(path);
  const waiting = useSignal(turns);
  const room = [...rooms.keys()].findLast((each) => waiting.has(each)) ?? [...rooms.keys()].at(-1);
  const [shown, setShown] = useState({ room: "", text: "" });
  useEffect(() => {
    if (!room) return undefined;
    let active = true;
    call({ t: "get_record", room }).then(
      ({ terms, players, result }) => {
        const opponent = nameOf(players[1 - (ownGames.value.get(room) ?? 0)]);
        if (active) setShown({ room, text: result ? "" : `${gameName(terms.game)} against ${opponent}` });
      },
      () => undefined, // it is not known any more
    );
    return () => {
      active = false;
    };
  }, [room]);
  const isPlaying = room !== undefined && shown.room === room && shown.text !== "";
  const isMine = room !== undefined && waiting.has(room);
  const tournament = ownTournaments.get(room ?? "");
  const isAtTable = tournament ? here === `/table/${room}` : here.startsWith("/table/");
  // The page of the tournament says the same.
  if (!isPlaying || isAtTable || (tournament && here === `/tournaments/${tournament}`)) return null;
  return (
    <nav aria-label="Your game">
      <a class={isMine ? "return-bar mine" : "return-bar"} href={`/table/${room}`}>
        <span class="what">
          {tournament ? "Tournament: " : ""}
          <b>{shown.text}</b>
          <small>
            {isMine ? "Your turn" : "Your opponent’s turn"}
            {rooms.size > 1 ? ` · ${rooms.size - 1} more` : ""}
          </small>
        </span>
        <span class="button primary">
          <Icon name="play" size={18} />
          <span>
            {tournament ? (
              "Go to the table"
            ) : (
              <>
                Return<span class="rest"> to your game</span>
              </>
            )}
          </span>
        </span>
      </a>
    </nav>
  );
}
