// How it ended, over the lower part of the board. It can be put away.
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
  const { mirror } = view;
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => card.current?.focus({ preventScroll: true }), []);
  const asked = mirror.offers.has(`${mirror.seat}:rematch`);
  const invited = mirror.offers.has(`${1 - (mirror.seat ?? 0)}:rematch`);
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
          const player = mirror.chairs[seat]?.player;
          return (
            <span>
              {player?.name}: {player?.rating != null && <span class="num">{player.rating} → </span>}
              <b class="num">{rating}</b>
            </span>
          );
        })}
      </p>
      <div class="row-of">
        {mirror.seat !== null && (
          <button
            type="button"
            class="button primary"
            disabled={asked}
            onClick={() => (invited ? table.answer("rematch", true) : table.offer("rematch"))}
          >
            {asked ? "Rematch offered" : invited ? "Accept the rematch" : "Rematch"}
          </button>
        )}
        <a class="button" href="/">
          New opponent
        </a>
        <button type="button" class="button" onClick={onClose}>
          Look at the game
        </button>
      </div>
    </div>
  );
}
