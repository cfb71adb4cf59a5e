// A list of finished games, each with a link to its replay.
import type { ComponentChildren, VNode } from "preact";
import { useCallback, useEffect, useState } from "preact/hooks";
import type { GameSummary } from "../../sdk/index.ts";
import { call, gameName, games } from "../state/server.ts";
import { useSignal } from "../state/signal.ts";
import { Placeholder } from "./PageLayout.tsx";
import { Icon, SeatIcon } from "./Icon.tsx";
import { reasonOf } from "../format/outcome.ts";
import { PlayerName } from "./PlayerName.tsx";
import { ErrorMessage } from "./ErrorMessage.tsx";
import { formatAge, formatDateTime } from "../format/date.ts";
import { plural } from "../format/plural.ts";
import { nameOf } from "../state/botNames.ts";

interface Props {
  /** Show only this game, or only this player's games. */
  game?: string;
  player?: string;
  /** The number of games to show; without it, a button loads more. */
  limit?: number;
  empty: string;
  /** Shown below the list, once that has its height. */
  children?: ComponentChildren;
}

export function GameList({ game, player, limit, empty, children }: Props): VNode {
  const [lines, setLines] = useState<readonly GameSummary[] | null>(null);
  const [more, setMore] = useState("");
  const [error, setError] = useState("");
  const load = useCallback(
    async (before: string): Promise<void> => {
      try {
        const filter = { ...(game ? { game } : {}), ...(player ? { player } : {}), ...(before ? { before } : {}) };
        const found = await call({ t: "list_games", ...filter });
        setLines((old) => (before ? [...(old ?? []), ...found.rows] : found.rows));
        setMore(found.more ?? "");
      } catch (reason) {
        setError((reason as Error).message);
      }
    },
    [game, player],
  );
  useEffect(() => void load(""), [load]);
  if (!lines) return <Placeholder error={error} />;
  if (!lines.length)
    return (
      <>
        <p class="card empty-note">{empty}</p>
        {children}
      </>
    );
  return (
    <>
      <ul class="card rows results">
        {lines.slice(0, limit).map((line) => (
          <Row line={line} key={line.room} />
        ))}
      </ul>
      {limit === undefined && more && (
        <button type="button" class="button" onClick={() => void load(more)}>
          Older games
        </button>
      )}
      <ErrorMessage text={error} />
      {children}
    </>
  );
}

function Row({ line }: { line: GameSummary }): VNode {
  const card = useSignal(games).find(({ key }) => key === line.game);
  const { winner, scores = [] } = line.result;
  return (
    <li>
      <a class="result-line" href={`/game/${line.room}`}>
        <span class="what">
          <b>{gameName(line.game)}</b>
          <small>
            {plural(line.plies, "move")}
            {line.rated ? " · rated" : ""}
          </small>
        </span>
        <span class="pair">
          {line.players.map((player, seat) => (
            <span key={seat} class={seat === winner ? "player-line won" : "player-line"}>
              <SeatIcon tone={card?.seats[seat]?.tone === "dark" ? "dark" : "light"} size={13} />
              <PlayerName player={player} plain />
              {seat === winner && <Icon name="check" size={16} />}
            </span>
          ))}
        </span>
        <span class="how">
          <span>
            {winner === null ? "Draw" : `${nameOf(line.players[winner])} won`}
            {scores.length ? `, ${scores.join(" : ")}` : ""}
          </span>
          <small>{reasonOf(card, line.result.reason)}</small>
        </span>
        <time class="muted" dateTime={new Date(line.ended).toISOString()} title={formatDateTime(line.ended)}>
          {formatAge(line.ended)}
        </time>
      </a>
    </li>
  );
}
