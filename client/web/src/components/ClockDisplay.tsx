// A player's clock. It runs between messages for display only; the server decides when the time is up.
import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Clock, TimeLeft } from "../../sdk/index.ts";
import { announce } from "../state/announcements.ts";
import { Icon } from "./Icon.tsx";
import { playSound } from "../state/sound.ts";
import { clockFace, formatTimeLeft, useTicker } from "../format/clock.ts";

interface Props {
  time: TimeLeft;
  clock: Clock;
  /** When the current turn started; null while the clock is stopped. */
  since: number | null;
  /** The player's name. */
  of: string;
  own: boolean;
}

export function ClockDisplay({ time, clock, since, of, own }: Props): VNode {
  const running = since !== null;
  const { left, line } = clockFace(clock, time, running ? Date.now() - since : 0);
  const low = running && left < Math.min(20_000, (clock.main ?? 0) / 10 || 20_000);
  const warned = useRef(Infinity);
  useTicker(!running ? 0 : left < 11_000 ? 100 : 500);

  useEffect(() => {
    if (!running || !own) {
      warned.current = left;
      return;
    }
    for (const limit of [60_000, 20_000, 10_000]) {
      if (left <= limit && warned.current > limit) {
        announce(`${limit / 1000} seconds left.`);
        if (limit === 10_000) playSound("tick");
      }
    }
    warned.current = left;
  });

  return (
    <div
      class={`clock num${running ? " on" : ""}${low ? " low" : ""}`}
      role="timer"
      aria-live="off"
      aria-label={`${of}: ${formatTimeLeft(left)} left`}
    >
      <span class="figures">
        {low && <Icon name="hourglass" size={18} />}
        {formatTimeLeft(left)}
      </span>
      {line && <small>{line}</small>}
    </div>
  );
}
