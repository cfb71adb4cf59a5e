// A dialog to set up a table with all options: game, board, clock, seat, opponent.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Clock, OptionValue, Terms } from "../../sdk/index.ts";
import { Board } from "../board/Board.tsx";
import { useRequest } from "../state/request.ts";
import { games } from "../state/server.ts";
import { TIME_CONTROLS, matchmaking } from "../state/matchmaking.ts";
import { navigate } from "../state/router.ts";
import { useSignal } from "../state/signal.ts";
import { openTable, playBot } from "../state/ownTables.ts";
import { changePreferences, preferences } from "../state/preferences.ts";
import { ClockFields } from "./ClockFields.tsx";
import { Dialog } from "./Dialog.tsx";
import { LevelField } from "./LevelField.tsx";
import { OptionField } from "./OptionField.tsx";
import { ErrorMessage } from "./ErrorMessage.tsx";
import { SegmentedControl } from "./SegmentedControl.tsx";
import { formatTerms } from "../format/terms.ts";

type Seat = "any" | "first" | "second";

interface Props {
  /** The player to invite; without one, the form offers a choice. */
  to?: string;
  options?: { [key: string]: OptionValue };
  onClose(): void;
}

export function NewTableDialog({ to, options: initialOptions = {}, onClose }: Props): VNode {
  const cards = useSignal(games);
  const { game, timeControl, botTimeControl, level: preferredLevel } = useSignal(preferences);
  const card = cards.find(({ key }) => key === game) ?? cards[0];
  const [options, setOptions] = useState(initialOptions);
  const [chosenClock, setClock] = useState<Clock | null>(null);
  const [seat, setSeat] = useState<Seat>("any");
  const [rated, setRated] = useState(false);
  const [opponent, setOpponent] = useState(to ? "player" : "open");
  const [position, setPosition] = useState("");
  const [level, setLevel] = useState(preferredLevel);
  const [error, setError] = useState("");
  const usual = opponent === "bot" ? botTimeControl : timeControl;
  const clock = chosenClock ?? TIME_CONTROLS[usual]?.clock ?? TIME_CONTROLS["10+5"]!.clock;
  const specs = card?.options ?? [];
  const changedOptions = Object.fromEntries(
    Object.entries(options).filter(([key, value]) => specs.some((spec) => spec.key === key && spec.default !== value)),
  );
  const canBeRated = opponent !== "bot" && clock.kind !== undefined && clock.kind !== "none";
  const terms: Terms = {
    game: card?.key ?? "",
    options: changedOptions,
    clock,
    ...(rated && canBeRated ? { rated: true } : {}),
  };
  const isPrivate = opponent !== "open";
  const start = isPrivate && position.trim() ? { position: position.trim() } : {};
  const preview = useRequest(card ? { t: "preview", terms, ...start } : null);
  const chosenLevel = card?.levels.find(([key]) => key === level)?.[0] ?? card?.levels[0]?.[0] ?? "";

  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setError("");
    try {
      if (opponent === "open") await openTable(terms, seat);
      else if (opponent === "bot") {
        const first = seat === "any" ? Math.random() < 0.5 : seat === "first";
        await playBot(terms, chosenLevel, first ? 0 : 1, start);
      } else await matchmaking.invite(terms, { seat, ...start, ...(to ? { to } : {}) });
      if (to) navigate("/");
      onClose();
    } catch (reason) {
      setError((reason as Error).message);
    }
  };

  return (
    <Dialog title={to ? `Invite ${to}` : "New table"} onClose={onClose}>
      <form class="new-table" onSubmit={(event) => void submit(event)}>
        <div class="columns">
          <div class="fields">
            <label class="field">
              <span>Game</span>
              <select
                value={card?.key}
                onChange={(event) => {
                  changePreferences({ game: event.currentTarget.value });
                  setOptions({});
                }}
              >
                {cards.map(({ key, name }) => (
                  <option value={key} key={key}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
            {specs
              .filter(({ key }) => key !== "seed")
              .map((spec) => (
                <OptionField
                  key={spec.key}
                  game={card?.key ?? ""}
                  spec={spec}
                  value={options[spec.key] ?? spec.default}
                  onChange={(value) => setOptions({ ...options, [spec.key]: value })}
                />
              ))}
            <ClockFields clock={clock} onChange={setClock} />
          </div>
          <div class="picture">
            {preview.answer && (
              <Board board={preview.answer.board} scene={preview.answer.scene} small label="Starting position" />
            )}
          </div>
        </div>
        <SegmentedControl
          legend="You play"
          name="seat"
          value={seat}
          onChange={(value) => setSeat(value as Seat)}
          choices={[
            { value: "any", name: "Random" },
            { value: "first", name: card?.seats[0]?.name ?? "First" },
            { value: "second", name: card?.seats[1]?.name ?? "Second" },
          ]}
        />
        {!to && (
          <SegmentedControl
            legend="Opponent"
            name="table-opponent"
            value={opponent}
            onChange={setOpponent}
            choices={[
              { value: "open", name: "Anyone" },
              { value: "link", name: "By link" },
              ...(card?.levels.length ? [{ value: "bot", name: "A bot" }] : []),
            ]}
          />
        )}
        {opponent === "bot" && <LevelField levels={card?.levels ?? []} value={chosenLevel} onChange={setLevel} />}
        {canBeRated && (
          <label class="switch">
            <input type="checkbox" checked={rated} onChange={(event) => setRated(event.currentTarget.checked)} />
            <span class="track" aria-hidden="true" />
            Rated
          </label>
        )}
        {isPrivate && (
          <details>
            <summary>Start from a position</summary>
            <label class="field">
              <span>In the game’s notation</span>
              <input
                type="text"
                value={position}
                onChange={(event) => setPosition(event.currentTarget.value)}
                spellcheck={false}
              />
            </label>
          </details>
        )}
        <ErrorMessage text={error || preview.error} />
        <div class="dialog-foot">
          <p class="muted">
            {card?.name}, {formatTerms(terms, card)}
          </p>
          <button type="submit" class="button primary big" disabled={!card || Boolean(preview.error)}>
            {to ? "Invite" : opponent === "open" ? "Open table" : opponent === "link" ? "Create link" : "Play"}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
