// A table with everything that can be chosen: options, clock, side, rated or not, for whom.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Clock, OptionValue, Terms } from "../../sdk/index.ts";
import { Board } from "../board/Board.tsx";
import { useAnswer } from "../state/answer.ts";
import { call, games } from "../state/parlour.ts";
import { PACES, quick } from "../state/quick.ts";
import { go } from "../state/router.ts";
import { useSignal } from "../state/signal.ts";
import { putUp } from "../state/tables.ts";
import { choose, wish } from "../state/wish.ts";
import { ClockForm } from "./ClockForm.tsx";
import { Dialog } from "./Dialog.tsx";
import { OptionForm } from "./OptionForm.tsx";
import { Refused } from "./Refused.tsx";
import { Segments } from "./Segments.tsx";
import { termsWords } from "./terms.ts";

type Seat = "any" | "first" | "second";

interface Props {
  /** Whom to invite; without it, the form asks. */
  to?: string;
  options?: { [key: string]: OptionValue };
  onClose(): void;
}

export function NewTable({ to, options: given = {}, onClose }: Props): VNode {
  const cards = useSignal(games);
  const { game, pace, level: liked } = useSignal(wish);
  const card = cards.find(({ key }) => key === game) ?? cards[0];
  const [options, setOptions] = useState(given);
  const [clock, setClock] = useState<Clock>(PACES[pace]?.clock ?? PACES["10+5"]!.clock);
  const [seat, setSeat] = useState<Seat>("any");
  const [rated, setRated] = useState(false);
  const [whom, setWhom] = useState(to ? "name" : "open");
  const [position, setPosition] = useState("");
  const [level, setLevel] = useState(liked);
  const [refused, setRefused] = useState("");
  const specs = card?.options ?? [];
  const differing = Object.fromEntries(
    Object.entries(options).filter(([key, value]) => specs.some((spec) => spec.key === key && spec.default !== value)),
  );
  const mayRate = whom !== "bot" && clock.kind !== undefined && clock.kind !== "none";
  const terms: Terms = {
    game: card?.key ?? "",
    options: differing,
    clock,
    ...(rated && mayRate ? { rated: true } : {}),
  };
  const private_ = whom !== "open";
  const begin = private_ && position.trim() ? { position: position.trim() } : {};
  const shown = useAnswer(card ? { t: "preview", terms, ...begin } : null);
  const chosen = card?.levels.find(([key]) => key === level)?.[0] ?? card?.levels[0]?.[0] ?? "";

  const make = async (event: Event): Promise<void> => {
    event.preventDefault();
    setRefused("");
    try {
      if (whom === "open") await putUp(terms, seat);
      else if (whom === "bot") {
        const first = seat === "any" ? Math.random() < 0.5 : seat === "first";
        const made = await call({ t: "create", terms, levels: first ? [null, chosen] : [chosen, null], ...begin });
        go(`/table/${made.room}`);
      } else await quick.invite(terms, { seat, ...begin, ...(to ? { to } : {}) });
      if (to) go("/");
      onClose();
    } catch (why) {
      setRefused((why as Error).message);
    }
  };

  return (
    <Dialog title={to ? `Invite ${to}` : "New table"} onClose={onClose}>
      <form class="new-table" onSubmit={(event) => void make(event)}>
        <div class="columns">
          <div class="fields">
            <label class="field">
              <span>Game</span>
              <select
                value={card?.key}
                onChange={(event) => {
                  choose({ game: event.currentTarget.value });
                  setOptions({});
                }}
              >
                {cards.map(({ key, name }) => (
                  <option value={key}>{name}</option>
                ))}
              </select>
            </label>
            {specs
              .filter(({ key }) => key !== "seed")
              .map((spec) => (
                <OptionForm
                  key={spec.key}
                  spec={spec}
                  value={options[spec.key] ?? spec.default}
                  onChange={(value) => setOptions({ ...options, [spec.key]: value })}
                />
              ))}
            <ClockForm clock={clock} onChange={setClock} />
          </div>
          <div class="picture">
            {shown.answer && (
              <Board board={shown.answer.board} scene={shown.answer.scene} small label="The board as it would be" />
            )}
          </div>
        </div>
        <Segments
          legend="You are"
          name="seat"
          value={seat}
          onChange={(value) => setSeat(value as Seat)}
          choices={[
            { value: "any", name: "Any side" },
            { value: "first", name: card?.seats[0]?.name ?? "First" },
            { value: "second", name: card?.seats[1]?.name ?? "Second" },
          ]}
        />
        {!to && (
          <Segments
            legend="For"
            name="whom"
            value={whom}
            onChange={setWhom}
            choices={[
              { value: "open", name: "Anyone" },
              { value: "link", name: "By link" },
              ...(card?.levels.length ? [{ value: "bot", name: "A bot" }] : []),
            ]}
          />
        )}
        {whom === "bot" && (
          <label class="field">
            <span>Level</span>
            <select value={chosen} onChange={(event) => setLevel(event.currentTarget.value)}>
              {card?.levels.map(([key, title, rating]) => (
                <option value={key}>{rating === null ? title : `${title}, about ${rating}`}</option>
              ))}
            </select>
          </label>
        )}
        {mayRate && (
          <label class="switch">
            <input type="checkbox" checked={rated} onChange={(event) => setRated(event.currentTarget.checked)} />
            <span class="track" aria-hidden="true" />
            Rated
          </label>
        )}
        {private_ && (
          <details>
            <summary>Begin from a position</summary>
            <label class="field">
              <span>As the game writes it</span>
              <input
                type="text"
                value={position}
                onChange={(event) => setPosition(event.currentTarget.value)}
                spellcheck={false}
              />
            </label>
          </details>
        )}
        <Refused why={refused || shown.refused} />
        <div class="dialog-foot">
          <p class="muted">
            {card?.name}, {termsWords(terms, card)}
          </p>
          <button type="submit" class="button primary big" disabled={!card || Boolean(shown.refused)}>
            {to ? "Invite" : whom === "open" ? "Open the table" : whom === "link" ? "Make the link" : "Play"}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
