// The terms of a game: the game, its options and the clock.
import type { VNode } from "preact";
import type { Clock, GameCard, OptionValue } from "../../sdk/index.ts";
import { changePreferences } from "../state/preferences.ts";
import { ClockFields } from "./ClockFields.tsx";
import { OptionField } from "./OptionField.tsx";

type Options = { [key: string]: OptionValue };

interface Props {
  /** The games to choose from; none, if the player has no choice. */
  cards: readonly GameCard[];
  card: GameCard | undefined;
  options: Options;
  clock: Clock;
  onOptions(options: Options): void;
  onClock(clock: Clock): void;
}

export function TermsFields({ cards, card, options, clock, onOptions, onClock }: Props): VNode {
  return (
    <div class="fields">
      {cards.length > 0 && (
        <label class="field">
          <span>Game</span>
          <select
            value={card?.key}
            onChange={(event) => {
              changePreferences({ game: event.currentTarget.value });
              onOptions({});
            }}
          >
            {cards.map(({ key, name }) => (
              <option value={key} key={key}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {(card?.options ?? [])
        .filter(({ key }) => key !== "seed")
        .map((spec) => (
          <OptionField
            key={spec.key}
            game={card?.key ?? ""}
            spec={spec}
            value={options[spec.key] ?? spec.default}
            onChange={(value) => onOptions({ ...options, [spec.key]: value })}
          />
        ))}
      <ClockFields clock={clock} onChange={onClock} />
    </div>
  );
}

/** The options that differ from the default of the game. */
export function changedOptions(card: GameCard | undefined, options: Options): Options {
  const specs = card?.options ?? [];
  return Object.fromEntries(
    Object.entries(options).filter(([key, value]) => specs.some((spec) => spec.key === key && spec.default !== value)),
  );
}
