// The standings of a tournament, a page at a time. The player's own row is always in sight.
import type { ComponentChild, VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { GameCard, StandingRow, Tournament } from "../../sdk/index.ts";
import { crossTable, formatPoints, ordinal } from "../format/tournament.ts";
import { call } from "../state/server.ts";
import { ErrorMessage } from "./ErrorMessage.tsx";
import { Icon } from "./Icon.tsx";
import { PlayerName } from "./PlayerName.tsx";
import { TournamentResult } from "./TournamentResult.tsx";

const REFRESH_EVERY = 5000; // milliseconds, for pages after the first one, which the server does not send unasked
const MAX_CROSS_TABLE = 14; // players
const SHORT: { [tieBreak: string]: string } = {
  Buchholz: "Buch.",
  "Sonneborn-Berger": "S-B",
  "Direct encounter": "Dir.",
  Performance: "Perf.",
};

interface Props {
  tournament: Tournament;
  card: GameCard | undefined;
  own: StandingRow | null;
}

export function Standings({ tournament, card, own }: Props): VNode {
  const { summary, standings = [] } = tournament;
  const { rows, offset, error, turnTo, pageSize } = usePages(tournament);
  const { format } = summary.settings;
  const total = Math.max(summary.players, offset + rows.length, own?.rank ?? 0); // those who have withdrawn are listed
  const cross = format === "round_robin" && total <= MAX_CROSS_TABLE && !offset ? crossTable(standings, total) : null;
  const isListed = own !== null && rows.some(({ rank }) => rank === own.rank);
  const columns: Columns = { tournament, card, cross };
  return (
    <section class="card standings" aria-label={cross ? "Cross table" : "Standings"}>
      <div class="head">
        <h2>{cross ? "Cross table" : "Standings"}</h2>
        {own && (
          <span class="muted">
            you are {ordinal(own.rank)} of {total}
          </span>
        )}
        <Teams tournament={tournament} />
      </div>
      {rows.length ? (
        <div class={format === "arena" ? "" : "scrollable"}>
          <table class={format}>
            <Head {...columns} />
            <tbody>
              {rows.map((row) => (
                <Row key={row.player.name} row={row} mine={row.player.name === own?.player.name} {...columns} />
              ))}
              {own && !isListed && <Row row={own} mine {...columns} />}
            </tbody>
          </table>
        </div>
      ) : (
        <p class="empty-note">No players yet.</p>
      )}
      <ErrorMessage text={error} />
      {total > pageSize && (
        <div class="button-row pages">
          <button type="button" class="button" disabled={!offset} onClick={() => turnTo(offset - pageSize)}>
            <Icon name="prev" size={18} />
            Higher
          </button>
          <span class="muted num">
            {offset + 1} to {offset + rows.length} of {total}
          </span>
          <button
            type="button"
            class="button"
            disabled={offset + rows.length >= total}
            onClick={() => turnTo(offset + pageSize)}
          >
            Lower
            <Icon name="next" size={18} />
          </button>
          {own && !isListed && (
            <button
              type="button"
              class="button"
              onClick={() => turnTo(Math.floor((own.rank - 1) / pageSize) * pageSize)}
            >
              Show my place
            </button>
          )}
        </div>
      )}
    </section>
  );
}

/** The rows of the page that is shown: the first one comes with the tournament, the others are asked for. */
function usePages({ summary, standings = [] }: Tournament): {
  rows: readonly StandingRow[];
  offset: number;
  error: string;
  pageSize: number;
  turnTo(offset: number): void;
} {
  const id = summary.tournament;
  const [page, setPage] = useState<{ offset: number; rows: readonly StandingRow[] } | null>(null);
  const [offset, turnTo] = useState(0);
  const [error, setError] = useState("");
  const isRunning = summary.status === "running";
  useEffect(() => {
    if (offset <= 0) return undefined;
    let active = true;
    const load = (): void => {
      call({ t: "get_standings", tournament: id, offset }).then(
        ({ rows }) => active && (setPage({ offset, rows }), setError("")),
        (reason: Error) => active && setError(reason.message),
      );
    };
    load();
    const timer = isRunning ? setInterval(load, REFRESH_EVERY) : undefined;
    return () => {
      active = false;
      clearInterval(timer);
    };
  }, [id, offset, isRunning]);
  const pageSize = Math.max(1, standings.length);
  if (offset <= 0 || !page) return { rows: standings, offset: 0, error, pageSize, turnTo };
  return { ...page, error, pageSize, turnTo };
}

interface Columns {
  tournament: Tournament;
  card: GameCard | undefined;
  cross: ReturnType<typeof crossTable>;
}

const roundsOf = ({ round = 0, rounds = 0, standings = [] }: Tournament): number[] => {
  const played = Math.max(round, rounds, ...standings.map(({ results = [] }) => results.length));
  return Array.from({ length: played }, (_, n) => n + 1);
};

function Head({ tournament, cross }: Columns): VNode {
  const { format } = tournament.summary.settings;
  return (
    <thead>
      <tr>
        <th scope="col">
          <abbr title="Rank">#</abbr>
        </th>
        <th scope="col">Player</th>
        {format === "arena" || format === "simul" ? (
          <th scope="col" class="wide">
            {format === "arena" ? "Last five" : "Results"}
          </th>
        ) : (
          (cross ? cross.map((_, n) => n + 1) : roundsOf(tournament)).map((n) => (
            <th scope="col" class="wide" key={n}>
              {cross ? <span title={`Against number ${n}`}>{n}</span> : <abbr title={`Round ${n}`}>R{n}</abbr>}
            </th>
          ))
        )}
        <th scope="col" class="amount">
          Points
          <TieBreaks cells={tournament.tie_breaks?.map(shortName)} />
        </th>
        {tournament.tie_breaks?.map((name) => (
          <th scope="col" class="amount wide" key={name}>
            {shortName(name)}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function Row({ row, mine, tournament, card, cross }: Columns & { row: StandingRow; mine: boolean }): VNode {
  const { rank, player, points, results = [], tie_breaks = [], streak = 0, state = "active", team } = row;
  const { format } = tournament.summary.settings;
  const isArena = format === "arena";
  const decided = tournament.tie_breaks?.map((name, n) =>
    tie_breaks[n] === undefined || (name === "Performance" && !tie_breaks[n]) ? "" : formatPoints(tie_breaks[n]),
  );
  return (
    <tr class={mine ? "mine" : state === "active" ? "" : "away"}>
      <td class="num">{rank}</td>
      <th scope="row">
        <span class="named">
          <PlayerName player={player} />
          {mine && <span class="tag">you</span>}
          {team && <small class="muted">{team}</small>}
          {state !== "active" && <small class="muted">{state === "eliminated" ? "out" : state}</small>}
        </span>
        {!isArena && (
          <span class="chips narrow">
            {results.map((result, n) => (
              <TournamentResult result={result} card={card} key={n} />
            ))}
          </span>
        )}
      </th>
      {isArena ? (
        <td class="wide">
          <span class="last-five num">
            {results.map((result, n) => (
              <TournamentPoints result={result} key={n} />
            ))}
          </span>
        </td>
      ) : format === "simul" ? (
        <td class="wide">
          <span class="chips">
            {results.map((result, n) => (
              <TournamentResult result={result} card={card} key={n} />
            ))}
          </span>
        </td>
      ) : cross ? (
        cross[rank - 1]?.map((against, n) => (
          <td class="wide" key={n}>
            {n + 1 === rank ? (
              <span class="self">
                <span class="visually-hidden">the same player</span>
              </span>
            ) : (
              <span class="chips">
                {against.map((result, game) => (
                  <TournamentResult result={result} card={card} rank={false} key={game} />
                ))}
              </span>
            )}
          </td>
        ))
      ) : (
        roundsOf(tournament).map((round, n) => (
          <td class="wide" key={round}>
            {results[n] ? <TournamentResult result={results[n]} card={card} /> : <span class="muted">–</span>}
          </td>
        ))
      )}
      <td class="amount num points">
        {streak > 1 && (
          <span class="streak" title={`${streak} wins in a row`}>
            <Icon name="flame" size={16} />
            <span aria-hidden="true">{streak}</span>
            <span class="visually-hidden">{streak} wins in a row</span>
          </span>
        )}
        <b>{formatPoints(points)}</b>
        <TieBreaks cells={decided} />
      </td>
      {decided?.map((text, n) => (
        <td class="amount num wide" key={n}>
          {text}
        </td>
      ))}
    </tr>
  );
}

function shortName(name: string): VNode {
  return (
    <abbr title={name} key={name}>
      {SHORT[name] ?? name}
    </abbr>
  );
}

/** The tie-breaks below the points, where there is no room for columns of their own. */
function TieBreaks({ cells = [] }: { cells: readonly ComponentChild[] | undefined }): VNode | null {
  const [first, ...rest] = cells.filter(Boolean);
  if (!first) return null;
  return (
    <small class="tie-breaks">
      {first}
      {rest.map((cell) => [" · ", cell])}
    </small>
  );
}

/** The points of a game of an arena. */
function TournamentPoints({ result }: { result: NonNullable<StandingRow["results"]>[number] }): VNode {
  const { points = 0, double, berserk, result: kind } = result;
  if (kind === "playing")
    return (
      <span class="muted">
        …<span class="visually-hidden"> playing</span>
      </span>
    );
  const notes = [double && "counts double", berserk && "half the time"].filter(Boolean).join(", ");
  return (
    <span class={double ? "double" : kind} title={notes || undefined}>
      {formatPoints(points)}
      {notes && <span class="visually-hidden"> ({notes})</span>}
    </span>
  );
}

function Teams({ tournament: { teams = [] } }: { tournament: Tournament }): VNode | null {
  if (!teams.length) return null;
  return (
    <ol class="teams" aria-label="Teams">
      {teams.map(({ rank, team, points, players }) => (
        <li key={team} title={`${players} players`}>
          <span class="muted num">{rank}</span> <b>{team}</b> <span class="num">{formatPoints(points)}</span>
        </li>
      ))}
    </ol>
  );
}
