// The pairings of a round, or the games of an arena.
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Player, Tournament, TournamentGame } from "../../sdk/index.ts";
import { formatPoints } from "../format/tournament.ts";
import { call } from "../state/server.ts";
import { ErrorMessage } from "./ErrorMessage.tsx";
import { Icon } from "./Icon.tsx";
import { Placeholder } from "./PageLayout.tsx";
import { PlayerName } from "./PlayerName.tsx";
import { nameOf } from "../state/botNames.ts";

interface Page {
  round: number;
  games: readonly TournamentGame[];
  byes: readonly Player[];
  total: number;
}

export function Pairings({ tournament }: { tournament: Tournament }): VNode | null {
  const { summary, round: current = 0, n } = tournament;
  const id = summary.tournament;
  const isArena = summary.settings.format === "arena";
  const [chosen, setChosen] = useState<number | null>(null); // null: the current round
  const [page, setPage] = useState<Page | null>(null);
  const [error, setError] = useState("");
  const round = isArena ? 0 : (chosen ?? current);
  const isCurrent = !isArena && round === current;
  const load = async (offset: number): Promise<void> => {
    try {
      const { games, byes = [], total } = await call({ t: "get_round", tournament: id, round, offset });
      setPage((old) => ({ round, byes, total, games: offset ? [...(old?.games ?? []), ...games] : games }));
      setError("");
    } catch (reason) {
      setError((reason as Error).message);
    }
  };
  useEffect(() => {
    if (!isCurrent && !isArena) void load(0);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `load` belongs to the round
  }, [id, round, isCurrent]);
  if (!isArena && !current) return null;
  const known: Page = { round, games: tournament.games ?? [], byes: tournament.byes ?? [], total: 0 };
  const shown = page?.round === round && (!isCurrent || page.games.length > known.games.length) ? page : known;
  const games = isCurrent ? withNews(shown.games, known.games) : shown.games;
  return (
    <section class="part" aria-label={isArena ? "Games" : "Pairings"} key={id}>
      <div class="head">
        <h2>{isArena ? "Games" : `Round ${round}`}</h2>
        {!isArena && current > 1 && (
          <span class="round-steps">
            <button
              type="button"
              class="tool"
              aria-label="Previous round"
              disabled={round <= 1}
              onClick={() => setChosen(round - 1)}
            >
              <Icon name="prev" />
            </button>
            <button
              type="button"
              class="tool"
              aria-label="Next round"
              disabled={round >= current}
              onClick={() => setChosen(round + 1 >= current ? null : round + 1)}
            >
              <Icon name="next" />
            </button>
          </span>
        )}
      </div>
      {games.length ? (
        <ul class="card rows pairings">
          {games.map((game) => (
            <Pairing game={game} key={game.number} />
          ))}
          {shown.byes.map((player) => (
            <li key={player.name}>
              <span class="sides">
                <PlayerName player={player} />
              </span>
              <span class="muted">no opponent in this round</span>
            </li>
          ))}
        </ul>
      ) : isCurrent || isArena ? (
        <p class="card empty-note">{isArena ? "No running games." : "No games in this round."}</p>
      ) : (
        <Placeholder error={error} />
      )}
      {(isArena ? n > 0 && (page?.total ?? Infinity) > games.length : games.length < shown.total) &&
        games.length > 0 && (
          <button type="button" class="button" onClick={() => void load(page?.games.length ?? 0)}>
            {isArena && !page ? "All games" : "More"}
          </button>
        )}
      {games.length > 0 && <ErrorMessage text={error} />}
    </section>
  );
}

/** The games of a page with what has changed since. */
function withNews(games: readonly TournamentGame[], news: readonly TournamentGame[]): readonly TournamentGame[] {
  const byNumber = new Map(news.map((game) => [game.number, game]));
  return games.map((game) => byNumber.get(game.number) ?? game);
}

function Pairing({ game }: { game: TournamentGame }): VNode {
  const { number, players, ranks, room, points = [0, 0], over, forfeit } = game;
  const score = over || points[0] + points[1] > 0 ? `${formatPoints(points[0])} : ${formatPoints(points[1])}` : "";
  const names = players.map((player) => nameOf(player)).join(" and ");
  return (
    <li>
      <span class="muted num table-number" title={`Table ${number}`}>
        {number}
      </span>
      <span class="sides">
        {players.map((player, n) => (
          <span class={over && points[n]! > points[1 - n]! ? "player-line won" : "player-line"} key={n}>
            <PlayerName player={{ ...player, rating: null }} />
            <small class="muted num">{ranks[n]}</small>
          </span>
        ))}
      </span>
      <span class="num score">
        {score}
        {forfeit && <small class="muted">not played</small>}
      </span>
      {room && (
        <a
          class="link"
          href={over ? `/game/${room}` : `/table/${room}`}
          aria-label={`${over ? "Replay" : "Watch"} ${names}`}
        >
          {over ? "Replay" : "Watch"}
        </a>
      )}
    </li>
  );
}
