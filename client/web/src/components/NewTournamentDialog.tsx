// A dialog to create a tournament: what is played, how players are paired, when it starts, and who may enter.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Clock, OptionValue, Terms, TournamentFormat } from "../../sdk/index.ts";
import { FORMATS, HOST_SIDES } from "../format/tournament.ts";
import { formatTerms } from "../format/terms.ts";
import { TIME_CONTROLS } from "../state/matchmaking.ts";
import { preferences } from "../state/preferences.ts";
import { commandOf, type Draft, HIGHEST_RATING, NEW } from "../state/tournamentDraft.ts";
import { navigate } from "../state/router.ts";
import { call, games } from "../state/server.ts";
import { useSignal } from "../state/signal.ts";
import { Dialog } from "./Dialog.tsx";
import { ErrorMessage } from "./ErrorMessage.tsx";
import { SegmentedControl } from "./SegmentedControl.tsx";
import { changedOptions, TermsFields } from "./TermsFields.tsx";

const OFFERED: readonly TournamentFormat[] = ["arena", "swiss", "round_robin", "knockout", "simul"];
const STARTS: { [choice: string]: string } = {
  enough: "As soon as enough players are here",
  "2": "In 2 minutes",
  "5": "In 5 minutes",
  "15": "In 15 minutes",
  "60": "In an hour",
  time: "At a time",
};

const INTERVALS: { [hours: string]: string } = {
  "0": "Never",
  "1": "Every hour",
  "24": "Every day",
  "168": "Every week",
};

export function NewTournamentDialog({ onClose }: { onClose(): void }): VNode {
  const cards = useSignal(games);
  const { game, timeControl } = useSignal(preferences);
  const card = cards.find(({ key }) => key === game) ?? cards[0];
  const [chosenName, setName] = useState<string | null>(null);
  const [options, setOptions] = useState<{ [key: string]: OptionValue }>({});
  const [chosenClock, setClock] = useState<Clock | null>(null);
  const [draft, setDraft] = useState(NEW);
  const [error, setError] = useState("");
  const change = (changed: Partial<Draft>): void => setDraft({ ...draft, ...changed });
  const clock = chosenClock ?? TIME_CONTROLS[timeControl]?.clock ?? TIME_CONTROLS["5+3"]!.clock;
  const hasClock = clock.kind !== undefined && clock.kind !== "none";
  const terms: Terms = {
    game: card?.key ?? "",
    options: changedOptions(card, options),
    clock,
    ...(draft.rated && hasClock ? { rated: true } : {}),
  };
  const name = chosenName ?? `${card?.name ?? ""} ${FORMATS[draft.format].name}`;
  const { format } = draft;
  const isArena = format === "arena";
  const isSimul = format === "simul";
  const hasRounds = !isArena && !isSimul;

  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setError("");
    try {
      const { tournament } = await call(commandOf(draft, name.trim(), terms, Date.now()));
      onClose();
      if (tournament) navigate(`/tournaments/${tournament}`);
    } catch (reason) {
      setError((reason as Error).message);
    }
  };
  const number = (
    key: "minutes" | "rounds" | "cycles" | "games" | "pause" | "min" | "max",
    label: string,
    low = 1,
  ): VNode => (
    <label class="field">
      <span>{label}</span>
      <input
        type="number"
        min={low}
        value={draft[key]}
        required
        onChange={(event) => change({ [key]: Math.round(Number(event.currentTarget.value)) })}
      />
    </label>
  );
  const rating = (key: "lowest" | "highest", label: string): VNode => (
    <label class="field">
      <span>{label}</span>
      <input
        type="number"
        min={0}
        max={HIGHEST_RATING}
        value={draft[key]}
        onInput={(event) => change({ [key]: event.currentTarget.value })}
      />
    </label>
  );
  const onOff = (key: "rated" | "berserk" | "lateEntry" | "thirdPlace", label: string): VNode => (
    <label class="switch">
      <input
        type="checkbox"
        checked={draft[key]}
        onChange={(event) => change({ [key]: event.currentTarget.checked })}
      />
      <span class="track" aria-hidden="true" />
      {label}
    </label>
  );
  return (
    <Dialog title="New tournament" onClose={onClose}>
      <form class="new-table new-tournament" onSubmit={(event) => void submit(event)}>
        <label class="field wide">
          <span>Name</span>
          <input
            type="text"
            value={name}
            required
            maxLength={60}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <SegmentedControl
          legend="Format"
          name="format"
          value={format}
          onChange={(value) => change({ format: value as TournamentFormat })}
          choices={OFFERED.map((value) => ({ value, name: FORMATS[value].name }))}
        />
        <p class="muted">{FORMATS[format].summary}</p>
        <TermsFields
          cards={cards}
          card={card}
          options={options}
          clock={clock}
          onOptions={setOptions}
          onClock={setClock}
        />
        <div class="grid">
          <label class="field">
            <span>Start</span>
            <select value={draft.start} onChange={(event) => change({ start: event.currentTarget.value })}>
              {Object.entries(STARTS).map(([value, text]) => (
                <option value={value} key={value}>
                  {text}
                </option>
              ))}
            </select>
          </label>
          {draft.start === "time" && (
            <label class="field">
              <span>Date and time</span>
              <input
                type="datetime-local"
                value={draft.startTime}
                required
                onChange={(event) => change({ startTime: event.currentTarget.value })}
              />
            </label>
          )}
          {draft.start !== "enough" && !isSimul && (
            <label class="field">
              <span>Repeat</span>
              <select value={draft.every} onChange={(event) => change({ every: event.currentTarget.value })}>
                {Object.entries(INTERVALS).map(([value, text]) => (
                  <option value={value} key={value}>
                    {text}
                  </option>
                ))}
              </select>
            </label>
          )}
          {isArena && number("minutes", "Length (minutes)")}
          {format === "swiss" && number("rounds", "Rounds (0: as needed)", 0)}
          {format === "round_robin" && number("cycles", "Games against each player")}
          {hasRounds && number("games", "Games in each match")}
          {hasRounds && number("pause", "Seconds between rounds", 0)}
          {isSimul && (
            <label class="field">
              <span>Your side</span>
              <select
                value={draft.hostSide}
                onChange={(event) => change({ hostSide: event.currentTarget.value as Draft["hostSide"] })}
              >
                {Object.entries(HOST_SIDES).map(([value, text]) => (
                  <option value={value} key={value}>
                    {text}
                  </option>
                ))}
              </select>
            </label>
          )}
          {number("min", "Fewest players", 2)}
          {number("max", "Most players", 2)}
          <label class="field">
            <span>Open to</span>
            <select
              value={draft.entrants}
              onChange={(event) => change({ entrants: event.currentTarget.value as Draft["entrants"] })}
            >
              <option value="all">People and bots</option>
              <option value="people">People only</option>
              <option value="bots">Bots only</option>
            </select>
          </label>
          {rating("lowest", "Lowest rating (optional)")}
          {rating("highest", "Highest rating (optional)")}
          <label class="field">
            <span>Code to enter (optional)</span>
            <input
              type="text"
              value={draft.code}
              maxLength={32}
              autocomplete="off"
              onInput={(event) => change({ code: event.currentTarget.value })}
            />
          </label>
          {!isSimul && (
            <label class="field">
              <span>Teams, with commas between (optional)</span>
              <input
                type="text"
                value={draft.teams}
                onInput={(event) => change({ teams: event.currentTarget.value })}
              />
            </label>
          )}
        </div>
        <div class="button-row">
          {hasClock && onOff("rated", "Rated")}
          {isArena && hasClock && onOff("berserk", "Half the time for an extra point")}
          {(isArena || format === "swiss") && onOff("lateEntry", "Entry after the start")}
          {format === "knockout" && onOff("thirdPlace", "Match for third place")}
        </div>
        {card && card.levels.length > 0 && draft.entrants !== "people" && (
          <fieldset class="level-choice">
            <legend>Bots of the server that take part</legend>
            {card.levels.map(([key, title]) => (
              <label class="switch" key={key}>
                <input
                  type="checkbox"
                  checked={draft.levels.includes(key)}
                  onChange={({ currentTarget: { checked } }) =>
                    change({
                      levels: checked ? [...draft.levels, key] : draft.levels.filter((level) => level !== key),
                    })
                  }
                />
                <span class="track" aria-hidden="true" />
                {title}
              </label>
            ))}
          </fieldset>
        )}
        <ErrorMessage text={error} />
        <div class="dialog-foot">
          <p class="muted">
            {card?.name}, {formatTerms(terms, card)}.{" "}
            {isSimul ? "You play against all who enter." : "You enter it like everyone else."}
          </p>
          <button type="submit" class="button primary big" disabled={!card}>
            Create
          </button>
        </div>
      </form>
    </Dialog>
  );
}
