// Players who wait for an opponent, at an open table or in quick match.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { OpenSeek } from "../../sdk/index.ts";
import { gameName, games, me } from "../state/server.ts";
import { matchmaking } from "../state/matchmaking.ts";
import { useSignal } from "../state/signal.ts";
import { acceptSeek, cancelSeek, ownSeeks } from "../state/ownTables.ts";
import { Icon } from "./Icon.tsx";
import { formatOptions } from "../format/options.ts";
import { PlayerName } from "./PlayerName.tsx";
import { ErrorMessage } from "./ErrorMessage.tsx";
import { formatClock } from "../format/clock.ts";

export function OpenTables({ seeks }: { seeks: readonly OpenSeek[] }): VNode {
  const own = useSignal(ownSeeks);
  const cards = useSignal(games);
  const self = useSignal(me);
  const [error, setError] = useState("");
  if (!seeks.length) return <p class="card empty-note">No players are waiting. Open a table, or play a bot.</p>;
  const join = (seek: string): void => {
    setError("");
    acceptSeek(seek).catch((reason: Error) => setError(reason.message));
  };
  return (
    <>
      <ul class="card rows tables">
        {seeks.map(({ seek, player, terms, seat, ratings }) => {
          const card = cards.find(({ key }) => key === terms.game);
          const details = formatOptions(card, terms.options);
          if (seat && seat !== "any")
            details.push(`you play ${card?.seats[seat === "first" ? 1 : 0]?.name ?? "the other side"}`);
          if (ratings) details.push(`rating ${ratings[0]} to ${ratings[1]}`);
          const waits = seek.startsWith("queue:"); // in quick match
          const mine = waits ? player.name === self?.name : own.some((each) => each.seek === seek);
          return (
            <li key={seek}>
              <span class="what">
                <b>{gameName(terms.game)}</b>
                <small>{details.join(" · ")}</small>
              </span>
              <PlayerName player={player} />
              <span class="clock-name">
                <Icon name="clock" size={16} />
                {formatClock(terms.clock)}
              </span>
              <span class="muted">{terms.rated ? "rated" : "casual"}</span>
              {mine ? (
                <button
                  type="button"
                  class="button"
                  onClick={() => void (waits ? matchmaking.cancel() : cancelSeek(seek))}
                >
                  Cancel
                </button>
              ) : (
                <button type="button" class="button" aria-label={`Join ${player.name}`} onClick={() => join(seek)}>
                  Join
                </button>
              )}
            </li>
          );
        })}
      </ul>
      <ErrorMessage text={error} />
    </>
  );
}
