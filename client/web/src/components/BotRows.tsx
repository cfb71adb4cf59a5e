// Two bots that are always ready to play, below the open tables.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { GameCard } from "../../sdk/index.ts";
import { playBot } from "../state/ownTables.ts";
import { ErrorMessage } from "./ErrorMessage.tsx";
import { Icon } from "./Icon.tsx";

export function BotRows({ card }: { card: GameCard }): VNode | null {
  const [error, setError] = useState("");
  const { levels } = card;
  const offered = levels.length > 2 ? [levels[0]!, levels[Math.floor(levels.length / 2)]!] : levels;
  if (!offered.length) return null;
  const play = (level: string): void => {
    setError("");
    const seat = Math.random() < 0.5 ? 0 : 1;
    playBot({ game: card.key, clock: {} }, level, seat, {}).catch((reason: Error) => setError(reason.message));
  };
  return (
    <>
      <ul class="card rows bot-rows">
        {offered.map(([level, title, , summary]) => (
          <li key={level}>
            <Icon name="bot" />
            <span class="what">
              <b>
                {card.name}: {title}
              </b>
              <small>{summary}</small>
            </span>
            <button type="button" class="button" aria-label={`Play the bot ${title}`} onClick={() => play(level)}>
              Play
            </button>
          </li>
        ))}
      </ul>
      <ErrorMessage text={error} />
    </>
  );
}
