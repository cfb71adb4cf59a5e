// The way back to a running game, on every page except its table.
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ownGames } from "../state/ownTables.ts";
import { path } from "../state/router.ts";
import { call, gameName } from "../state/server.ts";
import { useSignal } from "../state/signal.ts";
import { Icon } from "./Icon.tsx";

export function ReturnBar(): VNode | null {
  const rooms = useSignal(ownGames);
  const here = useSignal(path);
  const room = [...rooms.keys()].at(-1);
  const [shown, setShown] = useState({ room: "", text: "" });
  useEffect(() => {
    if (!room) return undefined;
    let active = true;
    call({ t: "get_record", room }).then(
      ({ terms, players, result }) => {
        const opponent = players[1 - (ownGames.value.get(room) ?? 0)]?.name ?? "unknown";
        if (active) setShown({ room, text: result ? "" : `${gameName(terms.game)} against ${opponent}` });
      },
      () => undefined, // it is not known any more
    );
    return () => {
      active = false;
    };
  }, [room]);
  const isPlaying = room !== undefined && shown.room === room && shown.text !== "";
  if (!isPlaying || here.startsWith("/table/")) return null;
  return (
    <a class="return-bar" href={`/table/${room}`}>
      <span>
        <b>{shown.text}</b>
        {rooms.size > 1 ? ` and ${rooms.size - 1} more` : ""}
      </span>
      <span class="button primary">
        <Icon name="play" size={18} />
        Return to your game
      </span>
    </a>
  );
}
