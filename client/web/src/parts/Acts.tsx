// What a player can do besides moving: offer a draw, ask a turn back, give up. What cannot be undone asks twice.
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { games } from "../state/parlour.ts";
import { useSignal } from "../state/signal.ts";
import type { Table, View } from "../state/table.ts";
import { Icon } from "./Icon.tsx";

const PATIENCE = 4000; // ms in which the second press counts

export function Acts({ table, view }: { table: Table; view: View }): VNode | null {
  const { mirror } = view;
  const card = useSignal(games).find((game) => game.key === mirror.room.terms.game);
  const [sure, setSure] = useState(false);
  useEffect(() => {
    const timer = sure ? setTimeout(() => setSure(false), PATIENCE) : undefined;
    return () => clearTimeout(timer);
  }, [sure]);
  const asked = (what: string): boolean => mirror.offers.has(`${mirror.seat}:${what}`);
  if (mirror.status === "over") {
    return (
      <div class="acts">
        {mirror.seat !== null && mirror.next === null && (
          <button
            type="button"
            class="button primary"
            aria-pressed={asked("rematch")}
            onClick={() => (asked("rematch") ? table.answer("rematch", false) : table.offer("rematch"))}
          >
            {asked("rematch") ? "Rematch offered" : "Rematch"}
          </button>
        )}
        <a class="button" href={`/game/${table.id}`}>
          Replay
        </a>
        <a class="button" href="/">
          New game
        </a>
      </div>
    );
  }
  if (mirror.seat === null || mirror.status === "waiting") return null;
  const early = mirror.moves.length < 2;
  const mine = mirror.scene[2] === mirror.seat;
  const casual = !mirror.room.terms.rated && (card?.levels.length ?? 0) > 0;
  const offer = (what: "draw" | "takeback"): void => (asked(what) ? table.answer(what, false) : table.offer(what));
  return (
    <div class="acts">
      <button type="button" class="button" aria-pressed={asked("draw")} onClick={() => offer("draw")}>
        <Icon name="hands" size={18} />
        {asked("draw") ? "Offered" : "Draw"}
      </button>
      <button type="button" class="button" aria-pressed={asked("takeback")} onClick={() => offer("takeback")}>
        <Icon name="undo" size={18} />
        {asked("takeback") ? "Asked" : "Take back"}
      </button>
      {casual && (
        <button type="button" class="button" disabled={!mine} onClick={() => void table.askHint()}>
          <Icon name="bulb" size={18} />
          Hint
        </button>
      )}
      <button
        type="button"
        class={sure ? "button danger" : "button"}
        onClick={() => (sure ? table.end(early ? "abort" : "resign") : setSure(true))}
      >
        <Icon name="flag" size={18} />
        {early ? (sure ? "Really call off" : "Call off") : sure ? "Really resign" : "Resign"}
      </button>
    </div>
  );
}
