// The time until a moment, counted down on this browser's clock.
import type { VNode } from "preact";
import { formatUntil } from "../format/tournament.ts";
import { useTicker } from "../format/clock.ts";

export function Countdown({ at }: { at: number }): VNode {
  useTicker(1000);
  return (
    <time class="num" role="timer" aria-live="off" dateTime={new Date(at).toISOString()}>
      {formatUntil(Math.max(0, at - Date.now()))}
    </time>
  );
}
