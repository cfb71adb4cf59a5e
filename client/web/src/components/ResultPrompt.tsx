// The result of the game and the next steps. It replaces the prompt, so that the final position stays visible.
import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { outcome } from "../format/outcome.ts";
import { games } from "../state/server.ts";
import { useSignal } from "../state/signal.ts";
import { readerOf, type Table, type View } from "../state/table.ts";
import { nameOf } from "../state/botNames.ts";

export function ResultPrompt({ table, view }: { table: Table; view: View }): VNode {
  const { replica } = view;
  const { tournament } = replica.room;
  const card = useSignal(games).find((game) => game.key === replica.room.terms.game);
  const { title, reason } = outcome(replica, card, readerOf(view));
  const box = useRef<HTMLElement>(null);
  useEffect(() => box.current?.focus({ preventScroll: true }), []);
  const offered = replica.offers.has(`${replica.seat}:rematch`);
  const invited = replica.offers.has(`${1 - (replica.seat ?? 0)}:rematch`);
  return (
    <section class="prompt result card" aria-label="Result" tabIndex={-1} ref={box}>
      <div class="lines" role="status">
        <h2>{title}</h2>
        <p class="reason">{reason}</p>
        <p class="rated">
          {view.ratings.map((rating, seat) => {
            const player = replica.players[seat]?.player;
            return (
              <span key={seat}>
                {nameOf(player)}: {player?.rating != null && <span class="num">{player.rating} → </span>}
                <b class="num">{rating}</b>
              </span>
            );
          })}
        </p>
        {view.notice && <p>{view.notice}</p>}
        {view.error && (
          <p class="error" role="alert">
            {view.error}
          </p>
        )}
      </div>
      <div class="answers">
        {tournament ? (
          <a class="button primary" href={`/tournaments/${tournament}`}>
            Back to the tournament
          </a>
        ) : replica.next ? (
          <a class="button primary" href={`/table/${replica.next}`}>
            {replica.seat === null ? "Follow the rematch" : "Go to the rematch"}
          </a>
        ) : (
          replica.seat !== null && (
            <button
              type="button"
              class="button primary"
              aria-pressed={offered}
              onClick={() =>
                offered
                  ? table.answerOffer("rematch", false)
                  : invited
                    ? table.answerOffer("rematch", true)
                    : table.offer("rematch")
              }
            >
              {offered ? "Rematch offered" : invited ? "Accept rematch" : "Rematch"}
            </button>
          )
        )}
        {invited && replica.seat !== null && !replica.next && (
          <button type="button" class="button" onClick={() => table.answerOffer("rematch", false)}>
            Decline
          </button>
        )}
        {!tournament && (
          <a class="button" href={replica.seat === null ? "/watch" : "/"}>
            {replica.seat === null ? "Watch another game" : "New game"}
          </a>
        )}
        <a class="button" href={`/study/game/${table.id}`}>
          Study
        </a>
        <a class="button" href={`/game/${table.id}`}>
          Replay
        </a>
      </div>
    </section>
  );
}
