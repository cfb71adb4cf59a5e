// A dialog to set up a table with all options: game, board, clock, seat, opponent.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Clock, OptionValue, Terms } from "../../sdk/index.ts";
import { BoardPicture } from "../board/BoardPicture.tsx";
import { useRequest } from "../state/request.ts";
import { games, me } from "../state/server.ts";
import { TIME_CONTROLS, matchmaking } from "../state/matchmaking.ts";
import { navigate } from "../state/router.ts";
import { useSignal } from "../state/signal.ts";
import { playHere, secondName } from "../state/deviceGames.ts";
import { openTable, playBot, watchBots } from "../state/ownTables.ts";
import { preferences } from "../state/preferences.ts";
import { Dialog } from "./Dialog.tsx";
import { LevelField, LevelList } from "./LevelField.tsx";
import { ErrorMessage } from "./ErrorMessage.tsx";
import { SegmentedControl } from "./SegmentedControl.tsx";
import { changedOptions, TermsFields } from "./TermsFields.tsx";
import { formatTerms } from "../format/terms.ts";

type Seat = "any" | "first" | "second";
type TableOpponent = "open" | "player" | "link" | "bot" | "here" | "bots";

const START: { [opponent in TableOpponent]: string } = {
  open: "Open table",
  player: "Invite",
  link: "Create link",
  bot: "Play",
  here: "Play",
  bots: "Watch",
};

interface Props {
  /** The player to invite; without one, the form offers a choice. */
  to?: string;
  /** The game, if the player has no choice. */
  game?: string;
  /** Where the game begins, in its notation. */
  position?: string;
  options?: { [key: string]: OptionValue };
  onClose(): void;
}

export function NewTableDialog({
  to,
  game: fixedGame,
  position: initialPosition = "",
  options: initialOptions = {},
  onClose,
}: Props): VNode {
  const cards = useSignal(games);
  const { game, timeControl, botTimeControl, level: preferredLevel } = useSignal(preferences);
  const card = cards.find(({ key }) => key === (fixedGame ?? game)) ?? cards[0];
  const [options, setOptions] = useState(initialOptions);
  const [chosenClock, setClock] = useState<Clock | null>(null);
  const [seat, setSeat] = useState<Seat>("any");
  const [rated, setRated] = useState(false);
  const [opponent, setOpponent] = useState<TableOpponent>(to ? "player" : initialPosition ? "bot" : "open");
  const [position, setPosition] = useState(initialPosition);
  const [level, setLevel] = useState(preferredLevel);
  const [secondLevel, setSecondLevel] = useState(preferredLevel);
  const [second, setSecond] = useState(secondName);
  const you = useSignal(me);
  const [error, setError] = useState("");
  const alone = opponent === "bot" || opponent === "bots" || opponent === "here"; // no other person waits
  const usual = alone ? botTimeControl : timeControl;
  const clock = chosenClock ?? TIME_CONTROLS[usual]?.clock ?? TIME_CONTROLS["10+5"]!.clock;
  const canBeRated = !alone && clock.kind !== undefined && clock.kind !== "none";
  const terms: Terms = {
    game: card?.key ?? "",
    options: changedOptions(card, options),
    clock,
    ...(rated && canBeRated ? { rated: true } : {}),
  };
  const isPrivate = opponent !== "open";
  const start = isPrivate && position.trim() ? { position: position.trim() } : {};
  const preview = useRequest(card ? { t: "preview", terms, ...start } : null);
  const levels = card?.levels ?? [];
  const [chosenLevel, otherLevel] = [level, secondLevel].map(
    (wanted) => levels.find(([key]) => key === wanted)?.[0] ?? levels[0]?.[0] ?? "",
  ) as [string, string];

  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    setError("");
    try {
      if (opponent === "open") await openTable(terms, seat);
      else if (opponent === "bot") {
        const first = seat === "any" ? Math.random() < 0.5 : seat === "first";
        await playBot(terms, chosenLevel, first ? 0 : 1, start);
      } else if (opponent === "bots") await watchBots(terms, [chosenLevel, otherLevel], start);
      else if (opponent === "here") await playHere(terms, second.trim(), seat, start);
      else await matchmaking.invite(terms, { seat, ...start, ...(to ? { to } : {}) });
      if (to) navigate("/");
      onClose();
    } catch (reason) {
      setError((reason as Error).message);
    }
  };

  return (
    <Dialog title={to ? `Invite ${to}` : initialPosition ? "Play from here" : "New table"} onClose={onClose}>
      <form class="new-table" onSubmit={(event) => void submit(event)}>
        <div class="columns">
          <TermsFields
            cards={fixedGame ? [] : cards}
            card={card}
            options={options}
            clock={clock}
            onOptions={setOptions}
            onClock={setClock}
          />
          <div class="picture">
            {preview.answer && (
              <BoardPicture board={preview.answer.board} scene={preview.answer.scene} label="Starting position" />
            )}
          </div>
        </div>
        {!to && (
          <SegmentedControl
            legend="Opponent"
            name="table-opponent"
            value={opponent}
            onChange={(value) => setOpponent(value as TableOpponent)}
            choices={[
              ...(initialPosition ? [] : [{ value: "open", name: "Anyone" }]),
              { value: "link", name: "A friend" },
              ...(levels.length ? [{ value: "bot", name: "A bot" }] : []),
              { value: "here", name: "On this device" },
              ...(levels.length ? [{ value: "bots", name: "Bot against bot" }] : []),
            ]}
          />
        )}
        {opponent === "here" && (
          <label class="field">
            <span>Name of the second player</span>
            <input
              type="text"
              value={second}
              maxLength={24}
              autocomplete="off"
              onInput={(event) => setSecond(event.currentTarget.value)}
            />
            <small class="muted">The first player is {you?.name}. You take turns on this device.</small>
          </label>
        )}
        {opponent !== "bots" && (
          <SegmentedControl
            legend={opponent === "here" ? `${you?.name ?? "The first player"} plays` : "You play"}
            name="seat"
            value={seat}
            onChange={(value) => setSeat(value as Seat)}
            choices={[
              { value: "any", name: "Random" },
              { value: "first", name: card?.seats[0]?.name ?? "First" },
              { value: "second", name: card?.seats[1]?.name ?? "Second" },
            ]}
          />
        )}
        {opponent === "bot" && <LevelField levels={levels} value={chosenLevel} onChange={setLevel} />}
        {opponent === "bots" && (
          <div class="two-levels">
            <LevelField
              name={`Level of ${card?.seats[0]?.name}`}
              levels={levels}
              value={chosenLevel}
              onChange={setLevel}
            />
            <LevelField
              name={`Level of ${card?.seats[1]?.name}`}
              levels={levels}
              value={otherLevel}
              onChange={setSecondLevel}
            />
          </div>
        )}
        {(opponent === "bot" || opponent === "bots") && <LevelList levels={levels} />}
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
            {START[opponent]}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
