// A tournament: the player's next step, standings, pairings, the top table, and the settings in words.
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { TournamentSummary } from "../../sdk/index.ts";
import { Countdown } from "../components/Countdown.tsx";
import { ErrorMessage } from "../components/ErrorMessage.tsx";
import { Icon } from "../components/Icon.tsx";
import { PageLayout, Placeholder } from "../components/PageLayout.tsx";
import { Pairings } from "../components/Pairings.tsx";
import { ShareButton } from "../components/ShareButton.tsx";
import { Standings } from "../components/Standings.tsx";
import { TournamentBar } from "../components/TournamentBar.tsx";
import { TournamentBoards } from "../components/TournamentBoards.tsx";
import { TournamentChat } from "../components/TournamentChat.tsx";
import { formatDateTime } from "../format/date.ts";
import { deadlineOf, factsOf, progressOf, rulesOf } from "../format/tournament.ts";
import { call, gameName, games, me } from "../state/server.ts";
import { useSignal } from "../state/signal.ts";
import { type TournamentView, useTournament } from "../state/tournament.ts";
import { TopTable } from "./TopTable.tsx";

export function TournamentPage({ id, part }: { id: string; part: string }): VNode {
  const { view, error } = useTournament(id);
  if (!view)
    return (
      <PageLayout title="Tournament">
        <h1>{error ? "Tournament not available" : "Tournament"}</h1>
        <Placeholder error={error} />
        {error && (
          <a class="button" href="/tournaments">
            All tournaments
          </a>
        )}
      </PageLayout>
    );
  return part === "top" ? <TopTable view={view} /> : <OpenTournament view={view} />;
}

function OpenTournament({ view }: { view: TournamentView }): VNode {
  const { tournament, own, chat } = view;
  const { summary, round = 0, rounds = 0, next_round } = tournament;
  const { settings } = summary;
  const card = useSignal(games).find(({ key }) => key === settings.terms.game);
  const deadline = deadlineOf(summary, round, next_round);
  return (
    <PageLayout title={settings.name} kind="tournament">
      <header class="tournament-head">
        <div>
          <h1>{settings.name}</h1>
          <p class="muted">
            {factsOf(settings, gameName(settings.terms.game), card)} · {progressOf(summary, round, rounds)}
          </p>
        </div>
        {deadline && (
          <p class="deadline">
            <small class="muted">{deadline.label}</small>
            <Countdown at={deadline.at} />
          </p>
        )}
        <Buttons view={view} />
      </header>
      {summary.next && (
        <p>
          <a href={`/tournaments/${summary.next}`}>The next one is open</a>
        </p>
      )}
      <TournamentBar view={view} card={card} />
      <div class="columns">
        <div class="column">
          <Standings tournament={tournament} card={card} own={own?.row ?? null} key={summary.tournament} />
          <Pairings tournament={tournament} />
        </div>
        <div class="column">
          <TournamentBoards tournament={tournament} except={own?.state === "playing" ? (own.room ?? "") : ""} />
          <Settings summary={summary} />
          <TournamentChat id={summary.tournament} chat={chat} />
        </div>
      </div>
    </PageLayout>
  );
}

/** The actions of the player and the organiser besides the next step. */
function Buttons({ view }: { view: TournamentView }): VNode {
  const { tournament, own } = view;
  const { tournament: id, status, settings, organiser } = tournament.summary;
  const player = useSignal(me)?.name;
  const [error, setError] = useState("");
  const [confirming, setConfirming] = useState("");
  useEffect(() => setConfirming(""), [own?.state, status]);
  const act = (done: Promise<unknown>): void => {
    setError("");
    done.catch((reason: Error) => setError(reason.message));
  };
  const isIn = own && ["entered", "waiting", "playing", "paused"].includes(own.state);
  const canPause = isIn && own.state !== "paused" && (settings.format === "arena" || settings.format === "swiss");
  // A simul cannot take place without its organiser.
  const isHost = settings.format === "simul" && organiser === player && status === "open";
  const confirmed = (action: string, what: () => void) => () =>
    confirming === action ? what() : setConfirming(action);
  return (
    <div class="button-row">
      {canPause && status === "running" && (
        <button type="button" class="button" onClick={() => act(call({ t: "pause_tournament", tournament: id }))}>
          <Icon name="pause" size={18} />
          Pause
        </button>
      )}
      {isIn && !isHost && (
        <button
          type="button"
          class={confirming === "withdraw" ? "button danger" : "button"}
          onClick={confirmed("withdraw", () => act(call({ t: "withdraw_tournament", tournament: id })))}
        >
          {confirming === "withdraw" ? "Confirm withdrawal" : "Withdraw"}
        </button>
      )}
      {organiser === player && status === "open" && (
        <button
          type="button"
          class={confirming === "cancel" ? "button danger" : "button"}
          onClick={confirmed("cancel", () => act(call({ t: "cancel_tournament", tournament: id })))}
        >
          {confirming === "cancel" ? "Confirm cancellation" : "Cancel the tournament"}
        </button>
      )}
      <ShareButton url={location.href} title={settings.name} />
      <ErrorMessage text={error} />
    </div>
  );
}

function Settings({ summary }: { summary: TournamentSummary }): VNode {
  const { settings, organiser, start = 0, end = 0, status } = summary;
  return (
    <section class="part" aria-label="About this tournament">
      <h2>About</h2>
      <div class="card about-tournament">
        {rulesOf(settings).map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        <p class="muted">
          {start > 0 && `${status === "open" ? "Starts" : "Started"} ${formatDateTime(start)}. `}
          {end > 0 && status === "finished" && `Ended ${formatDateTime(end)}. `}
          {organiser ? `Organised by ${organiser}.` : "Organised by the server."}
        </p>
      </div>
    </section>
  );
}
