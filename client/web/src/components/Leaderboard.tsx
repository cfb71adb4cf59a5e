// The top players of a game.
import type { VNode } from "preact";
import { useCallback, useEffect, useState } from "preact/hooks";
import type { LeaderboardEntry } from "../../sdk/index.ts";
import { plural } from "../format/plural.ts";
import { call } from "../state/server.ts";
import { Placeholder } from "./PageLayout.tsx";
import { PlayerName } from "./PlayerName.tsx";
import { ErrorMessage } from "./ErrorMessage.tsx";

const PAGE_SIZE = 20; // of the server's answers

/** With a `limit`, there is no button to load more. */
export function Leaderboard({ game, limit }: { game: string; limit?: number }): VNode {
  const [rows, setRows] = useState<readonly LeaderboardEntry[] | null>(null);
  const [more, setMore] = useState(false);
  const [error, setError] = useState("");
  const load = useCallback(
    async (first: number): Promise<void> => {
      try {
        const found = await call({ t: "get_leaderboard", game, first });
        setRows((old) => (first ? [...(old ?? []), ...found.rows] : found.rows));
        setMore(found.rows.length === PAGE_SIZE);
        setError("");
      } catch (reason) {
        setError((reason as Error).message);
      }
    },
    [game],
  );
  useEffect(() => void load(0), [load]);
  if (!rows) return <Placeholder error={error} />;
  if (!rows.length)
    return (
      <p class="card empty-note">No players yet. Register a name and play about ten rated games to appear here.</p>
    );
  return (
    <>
      <ol class="card rows leaderboard">
        {rows.slice(0, limit).map(([player, games], n) => (
          <li key={player.name}>
            <span class="place num muted">{n + 1}</span>
            <PlayerName player={{ ...player, rating: null }} />
            {!limit && <span class="muted num">{plural(games, "game")}</span>}
            <b class="num">{player.rating}</b>
          </li>
        ))}
      </ol>
      {limit === undefined && more && (
        <button type="button" class="button" onClick={() => void load(rows.length)}>
          More
        </button>
      )}
      <ErrorMessage text={error} />
    </>
  );
}
