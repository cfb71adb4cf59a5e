// A clock that runs by itself between the messages of the server, which alone decides whether time is over.
import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Clock, TimeLeft } from "../../sdk/index.ts";
import { announce } from "./announce.ts";
import { Icon } from "./Icon.tsx";
import { hear } from "./sound.ts";
import { figures, leftAfter, useTicks } from "./time.ts";

interface Props {
  time: TimeLeft;
  clock: Clock;
  /** When the present turn began; null: the clock stands. */
  since: number | null;
  /** Whose it is, in words. */
  of: string;
  own: boolean;
}

export function ClockFace({ time, clock, since, of, own }: Props): VNode {
  const runs = since !== null;
  const { left, line } = leftAfter(time, clock, runs ? Date.now() - since : 0);
  const low = runs && left < Math.min(20_000, (clock.main ?? 0) / 10 || 20_000);
  const warned = useRef(Infinity);
  useTicks(!runs ? 0 : left < 11_000 ? 100 : 500);

  useEffect(() => {
    if (!runs || !own) {
      warned.current = left;
      return;
    }
    for (const limit of [60_000, 20_000, 10_000]) {
      if (left <= limit && warned.current > limit) {
        announce(`${limit / 1000} seconds left.`);
        if (limit === 10_000) hear("tick");
      }
    }
    warned.current = left;
  });

  return (
    <div
      class={`clock num${runs ? " on" : ""}${low ? " low" : ""}`}
      role="timer"
      aria-live="off"
      aria-label={`${of}: ${figures(left)} left`}
    >
      <span class="figures">
        {low && <Icon name="hourglass" size={18} />}
        {figures(left)}
      </span>
      {line && <small>{line}</small>}
    </div>
  );
}
