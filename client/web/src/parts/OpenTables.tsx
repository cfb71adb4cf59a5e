// Tables that wait for a second player, as they come and go.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { OpenSeek } from "../../sdk/index.ts";
import { games, nameOf } from "../state/parlour.ts";
import { useSignal } from "../state/signal.ts";
import { sitDown, takeDown, waiting } from "../state/tables.ts";
import { Icon } from "./Icon.tsx";
import { optionWords } from "./options.ts";
import { PlayerName } from "./PlayerName.tsx";
import { Refused } from "./Refused.tsx";
import { pace } from "./time.ts";

export function OpenTables({ seeks }: { seeks: readonly OpenSeek[] }): VNode {
  const own = useSignal(waiting);
  const cards = useSignal(games);
  const [refused, setRefused] = useState("");
  if (!seeks.length) return <p class="card nothing">No open tables. Start one, or play a bot now.</p>;
  const sit = (seek: string): void => {
    setRefused("");
    sitDown(seek).catch((why: Error) => setRefused(why.message));
  };
  return (
    <>
      <ul class="card rows tables">
        {seeks.map(({ seek, player, terms, seat, ratings }) => {
          const card = cards.find(({ key }) => key === terms.game);
          const words = optionWords(card, terms.options);
          if (seat && seat !== "any")
            words.push(`you are ${card?.seats[seat === "first" ? 1 : 0]?.name ?? "the other side"}`);
          if (ratings) words.push(`for ${ratings[0]} to ${ratings[1]}`);
          const mine = own.some((each) => each.seek === seek);
          return (
            <li key={seek}>
              <span class="what">
                <b>{nameOf(terms.game)}</b>
                <small>{words.join(" · ")}</small>
              </span>
              <PlayerName player={player} />
              <span class="pace">
                <Icon name="clock" size={16} />
                {pace(terms.clock)}
              </span>
              <span class="muted">{terms.rated ? "rated" : "casual"}</span>
              {mine ? (
                <button type="button" class="button" onClick={() => void takeDown(seek)}>
                  Withdraw
                </button>
              ) : (
                <button
                  type="button"
                  class="button"
                  aria-label={`Sit down with ${player.name}`}
                  onClick={() => sit(seek)}
                >
                  Sit down
                </button>
              )}
            </li>
          );
        })}
      </ul>
      <Refused why={refused} />
    </>
  );
}
