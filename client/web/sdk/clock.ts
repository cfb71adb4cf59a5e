// The time left on a running clock. Pure; all times are in milliseconds.
// The same as protocol/parlour/protocol/clock.py, which explains the kinds; protocol/vectors/clocks.json proves that both
// agree.
import type { Clock, TimeLeft } from "./protocol.ts";

/**
 * The time left of a clock that showed `left` when the turn began, `elapsed` later in the same turn. The first number is
 * 0 exactly when the flag has fallen.
 */
export function timeLeft(clock: Clock, left: TimeLeft, elapsed: number): TimeLeft {
  const { kind = "none", step = 0, count: periods = 0 } = clock;
  const [main, count] = left;
  const overrun = elapsed - main;
  if (kind === "none") return left;
  if (kind === "delay") return [Math.max(0, main - Math.max(0, elapsed - step)), 0];
  if (kind === "byoyomi" && overrun >= 0) {
    const begun = Math.floor(overrun / step) + 1; // the period that runs at this moment is no longer whole
    return begun > count ? [0, 0] : [step - (overrun % step), count - begun];
  }
  if (kind === "canadian" && overrun >= 0 && count === 0) return [Math.max(0, step - overrun), periods];
  return [Math.max(0, -overrun), count];
}

/** How long the turn can last before the flag falls. There is no limit without a clock. */
export function turnLimit(clock: Clock, [main, count]: TimeLeft): number {
  const { kind = "none", step = 0 } = clock;
  if (kind === "delay" || (kind === "canadian" && count === 0)) return main + step;
  return kind === "byoyomi" ? main + count * step : main;
}
