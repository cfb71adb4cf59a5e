// The player's next step in a tournament: enter, wait, or go to the table. A game that has just begun opens by itself.
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { GameCard, YourTournament } from "../../sdk/index.ts";
import { isOpenToEnter, nextStep } from "../format/tournament.ts";
import { useTicker } from "../format/clock.ts";
import { announce } from "../state/announcements.ts";
import { nameOf } from "../state/botNames.ts";
import { endedGames } from "../state/ownTables.ts";
import { navigate } from "../state/router.ts";
import { call } from "../state/server.ts";
import { playSound } from "../state/sound.ts";
import type { TournamentView } from "../state/tournament.ts";
import { ErrorMessage } from "./ErrorMessage.tsx";
import { Icon } from "./Icon.tsx";

const OPEN_AFTER = 3; // seconds

export function TournamentBar({ view, card }: { view: TournamentView; card: GameCard | undefined }): VNode | null {
  const { tournament, fresh } = view;
  const own = view.own && upToDate(view.own);
  const { summary, round = 0 } = tournament;
  const id = summary.tournament;
  const [error, setError] = useState("");
  const isOut = !own || own.state === "withdrawn";
  useTicker(own?.state === "waiting" ? 1000 : 0);
  const left = useOpening(own?.state === "playing" && own.room === fresh ? fresh : "");

  const act = (done: Promise<unknown>): void => {
    setError("");
    done.catch((reason: Error) => setError(reason.message));
  };
  if (isOut && isOpenToEnter(summary)) return <Entry view={view} />;
  if (!own) return null;
  const seat = own.seat == null ? "" : (card?.seats[own.seat]?.name ?? "");
  const running = tournament.games?.filter(({ over }) => !over).length ?? 0;
  const { title, text } = nextStep(own, summary, {
    opponent: nameOf(own.opponent, ""),
    seat,
    round,
    now: Date.now(),
    left: running,
  });
  return (
    <section class={`next-step card ${own.state}`} aria-label="Your next step">
      <span class="ring num" aria-hidden="true">
        {left ?? (
          <Icon name={own.state === "playing" ? "play" : own.state === "paused" ? "pause" : "clock"} size={22} />
        )}
      </span>
      <div class="what" role={own.state === "waiting" ? undefined : "status"}>
        <b>{title}</b>
        <small>{left === null ? text : `${text.replace("the game runs", `opens in ${left} s`)}`}</small>
        <ErrorMessage text={error} />
      </div>
      {own.state === "playing" && own.room && (
        <a class="button primary" href={`/table/${own.room}`}>
          Go to the table
        </a>
      )}
      {own.state === "paused" && (
        <button
          type="button"
          class="button primary"
          onClick={() => act(call({ t: "pause_tournament", tournament: id, on: false }))}
        >
          <Icon name="play" size={18} />
          Resume
        </button>
      )}
    </section>
  );
}

/** A player whose game has just ended waits for the next one, before the server has recorded the result. */
function upToDate(own: YourTournament): YourTournament {
  const isOver = own.state === "playing" && own.room != null && endedGames.has(own.room);
  return isOver ? { ...own, state: "waiting", opponent: null, room: null } : own;
}

/** Open the table of a new game after a few seconds. Returns the seconds left; null while no game opens. */
function useOpening(room: string): number | null {
  const [left, setLeft] = useState(OPEN_AFTER);
  useEffect(() => {
    if (!room) return undefined;
    let seconds = OPEN_AFTER;
    setLeft(seconds);
    announce("Your game begins. The table opens in three seconds.");
    playSound("turn");
    const timer = setInterval(() => {
      seconds -= 1;
      setLeft(seconds);
      if (seconds > 0) return;
      clearInterval(timer);
      navigate(`/table/${room}`);
    }, 1000);
    return () => clearInterval(timer);
  }, [room]);
  return room ? left : null;
}

/** The fields to enter, as far as the tournament needs any. */
function Entry({ view }: { view: TournamentView }): VNode {
  const { summary } = view.tournament;
  const { teams = [] } = summary.settings;
  const [code, setCode] = useState("");
  const [team, setTeam] = useState(view.own?.row?.team || teams[0] || "");
  const [error, setError] = useState("");
  const [busy, setBusy] = useState(false);
  const join = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setError("");
    try {
      await call({
        t: "join_tournament",
        tournament: summary.tournament,
        ...(code.trim() ? { code: code.trim() } : {}),
        ...(team ? { team } : {}),
      });
    } catch (reason) {
      setError((reason as Error).message);
    }
    setBusy(false);
  };
  const hasLeft = view.own !== null;
  return (
    <section aria-label="Your next step">
      <form class="next-step card entry" onSubmit={(event) => void join(event)}>
        <span class="ring" aria-hidden="true">
          <Icon name="trophy" size={22} />
        </span>
        <div class="what">
          <b>
            {hasLeft ? "You have withdrawn" : summary.status === "open" ? "Open for entries" : "You can still enter"}
          </b>
          <small>{hasLeft ? "You can enter again." : "Your games open by themselves."}</small>
          <ErrorMessage text={error} />
        </div>
        {summary.needs_code && (
          <label class="field">
            <span>Code</span>
            <input
              type="text"
              value={code}
              required
              maxLength={32}
              autocomplete="off"
              onInput={(event) => setCode(event.currentTarget.value)}
            />
          </label>
        )}
        {teams.length > 0 && (
          <label class="field">
            <span>Team</span>
            <select value={team} onChange={(event) => setTeam(event.currentTarget.value)}>
              {teams.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          </label>
        )}
        <button type="submit" class="button primary" disabled={busy}>
          {hasLeft ? "Enter again" : "Join"}
        </button>
      </form>
    </section>
  );
}
