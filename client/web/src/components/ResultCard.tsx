// The result, over the lower part of the board. The player can close it.
import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Table, View } from "../state/table.ts";
import { Icon } from "./Icon.tsx";

interface Props {
  table: Table;
  view: View;
  title: string;
  reason: string;
  scores: string;
  onClose(): void;
}

export function ResultCard({ table, view, title, reason, scores, onClose }: Props): VNode {
  const { replica } = view;
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => card.current?.focus({ preventScroll: true }), []);
  const offered = replica.offers.has(`${replica.seat}:rematch`);
  const invited = replica.offers.has(`${1 - (replica.seat ?? 0)}:rematch`);
  return (
    <div class="result card" role="dialog" aria-label="Result" tabIndex={-1} ref={card}>
      <button type="button" class="tool close" aria-label="Close" onClick={onClose}>
        <Icon name="close" />
      </button>
      <h2>{title}</h2>
      <p class="reason">
        {reason && <span>{reason.charAt(0).toUpperCase() + reason.slice(1)}.</span>}
        {scores && <b class="num"> {scores}</b>}
      </p>
      <p class="rated" role="status">
        {view.ratings.map((rating, seat) => {
          const player = replica.players[seat]?.player;
          return (
            <span key={seat}>
              {player?.name}: {player?.rating != null && <span class="num">{player.rating} → </span>}
              <b class="num">{rating}</b>
            </span>
          );
        })}
      </p>
      <div class="button-row">
        {replica.seat !== null && (
          <button
            type="button"
            class="button primary"
            disabled={offered}
            onClick={() => (invited ? table.answerOffer("rematch", true) : table.offer("rematch"))}
          >
            {offered ? "Rematch offered" : invited ? "Accept rematch" : "Rematch"}
          </button>
        )}
        <a class="button" href="/">
          New game
        </a>
        <button type="button" class="button" onClick={onClose}>
          View the board
        </button>
      </div>
    </div>
  );
}
