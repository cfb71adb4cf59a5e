// The strongest players of a game.
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Leader } from "../../sdk/index.ts";
import { call } from "../state/parlour.ts";
import { Absent } from "./Frame.tsx";
import { PlayerName } from "./PlayerName.tsx";
import { Refused } from "./Refused.tsx";

const PAGE = 20; // lines of an answer

/** `most`: so many, and no button for more. */
export function Leaders({ game, most }: { game: string; most?: number }): VNode {
  const [rows, setRows] = useState<readonly Leader[] | null>(null);
  const [more, setMore] = useState(false);
  const [refused, setRefused] = useState("");
  const ask = async (first: number): Promise<void> => {
    try {
      const found = await call({ t: "ask_leaders", game, first });
      setRows((old) => (first ? [...(old ?? []), ...found.rows] : found.rows));
      setMore(found.rows.length === PAGE);
      setRefused("");
    } catch (why) {
      setRefused((why as Error).message);
    }
  };
  useEffect(() => void ask(0), [game]);
  if (!rows) return <Absent refused={refused} />;
  if (!rows.length)
    return <p class="card nothing">Nobody yet. Ten rated games or so, with a name that is kept, bring you here.</p>;
  return (
    <>
      <ol class="card rows leaders">
        {rows.slice(0, most).map(([player, games], n) => (
          <li key={player.name}>
            <span class="place num muted">{n + 1}</span>
            <PlayerName player={{ ...player, rating: null }} />
            {!most && <span class="muted num">{games} games</span>}
            <b class="num">{player.rating}</b>
          </li>
        ))}
      </ol>
      {most === undefined && more && (
        <button type="button" class="button" onClick={() => void ask(rows.length)}>
          More
        </button>
      )}
      <Refused why={refused} />
    </>
  );
}
