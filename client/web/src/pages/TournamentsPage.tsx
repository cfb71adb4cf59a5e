// All tournaments: those that take entries, those being played, and the finished ones.
import type { VNode } from "preact";
import { useCallback, useEffect, useState } from "preact/hooks";
import type { ListTournaments, TournamentSummary } from "../../sdk/index.ts";
import { Countdown } from "../components/Countdown.tsx";
import { ErrorMessage } from "../components/ErrorMessage.tsx";
import { Icon } from "../components/Icon.tsx";
import { NewTournamentDialog } from "../components/NewTournamentDialog.tsx";
import { PageLayout } from "../components/PageLayout.tsx";
import { formatAge, formatDateTime } from "../format/date.ts";
import { plural } from "../format/plural.ts";
import { deadlineOf, factsOf, progressOf } from "../format/tournament.ts";
import { firstTournaments } from "../state/pageData.ts";
import { connection, gameName, games, me } from "../state/server.ts";
import { useSignal } from "../state/signal.ts";

type Status = ListTournaments["status"];

const REFRESH_EVERY = 20_000; // milliseconds

const PARTS: readonly { status: Status; name: string; empty: string }[] = [
  { status: "running", name: "Being played", empty: "" },
  { status: "open", name: "Open for entries", empty: "None right now. Create one, and share its link." },
  { status: "finished", name: "Finished", empty: "No finished tournaments yet." },
];

export function TournamentsPage(): VNode {
  const [creating, setCreating] = useState(false);
  const isGuest = useSignal(me)?.guest;
  return (
    <PageLayout title="Tournaments" kind="reading">
      <div class="head">
        <h1>Tournaments</h1>
        {isGuest ? (
          <a class="button at-right" href="/account">
            Sign in to organise one
          </a>
        ) : (
          <button type="button" class="button primary at-right" onClick={() => setCreating(true)}>
            <Icon name="plus" size={18} />
            New tournament
          </button>
        )}
      </div>
      {PARTS.map((part) => (
        <List key={part.status} {...part} />
      ))}
      {creating && <NewTournamentDialog onClose={() => setCreating(false)} />}
    </PageLayout>
  );
}

function List({ status, name, empty }: (typeof PARTS)[number]): VNode | null {
  const current = useSignal(connection);
  const first = firstTournaments(status);
  const [rows, setRows] = useState<readonly TournamentSummary[] | null>(first?.rows ?? null);
  const [more, setMore] = useState(first?.more ?? "");
  const [error, setError] = useState("");
  const load = useCallback(
    async (before: string): Promise<void> => {
      try {
        const found = await current.call({ t: "list_tournaments", status, ...(before ? { before } : {}) });
        setRows((old) => (before ? [...(old ?? []), ...found.rows] : found.rows));
        setMore(found.more ?? "");
        setError("");
      } catch (reason) {
        setError((reason as Error).message);
      }
    },
    [status, current],
  );
  const isFirstPage = (rows?.length ?? 0) <= 20;
  useEffect(() => {
    void load("");
  }, [load]);
  useEffect(() => {
    if (status === "finished" || !isFirstPage) return undefined;
    const timer = setInterval(() => void load(""), REFRESH_EVERY);
    return () => clearInterval(timer);
  }, [load, status, isFirstPage]);
  if (rows?.length === 0 && !empty && !error) return null;
  return (
    <section class="part" aria-label={name}>
      <h2>{name}</h2>
      {rows?.length ? (
        <ul class="card rows tournaments">
          {rows.map((summary) => (
            <Line summary={summary} key={summary.tournament} />
          ))}
        </ul>
      ) : (
        !error && <p class="card empty-note">{rows ? empty : "Loading…"}</p>
      )}
      {more && (
        <button type="button" class="button" onClick={() => void load(more)}>
          More
        </button>
      )}
      <ErrorMessage text={error} />
    </section>
  );
}

function Line({ summary }: { summary: TournamentSummary }): VNode {
  const { tournament, settings, players, end = 0, needs_code } = summary;
  const card = useSignal(games).find(({ key }) => key === settings.terms.game);
  const deadline = deadlineOf(summary, 0, null);
  const progress = progressOf(summary);
  const count = plural(players, "player");
  return (
    <li>
      <a class="tournament-line" href={`/tournaments/${tournament}`}>
        <span class="what">
          <b>{settings.name}</b>
          <small>{factsOf(settings, gameName(settings.terms.game), card)}</small>
        </span>
        <span class="how">
          <span>{count}</span>
          <small>{[progress === count ? "" : progress, needs_code ? "by code" : ""].filter(Boolean).join(" · ")}</small>
        </span>
        {deadline ? (
          <span class="when">
            <small class="muted">{deadline.label}</small>
            <Countdown at={deadline.at} />
          </span>
        ) : end > 0 ? (
          <time class="when muted" dateTime={new Date(end).toISOString()} title={formatDateTime(end)}>
            {formatAge(end)}
          </time>
        ) : (
          <span class="when" />
        )}
      </a>
    </li>
  );
}
