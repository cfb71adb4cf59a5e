// Times in figures and in words.
import { useEffect, useReducer } from "preact/hooks";
import type { Clock, TimeLeft } from "../../sdk/index.ts";

/** `6:12`, `1:02:30`, `3 d 4 h`; with tenths under ten seconds: `9.4`. */
export function figures(ms: number): string {
  const left = Math.max(0, ms);
  if (left < 10_000) return (Math.floor(left / 100) / 10).toFixed(1);
  const seconds = Math.floor(left / 1000);
  const [days, hours, minutes] = [
    Math.floor(seconds / 86_400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  if (days > 0) return `${days} d ${hours} h`;
  const rest = String(seconds % 60).padStart(2, "0");
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

/** Minutes and seconds, without tenths: `0:48`. */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

const span = (ms: number): string => {
  if (ms % 86_400_000 === 0 && ms > 0) return ms === 86_400_000 ? "1 day" : `${ms / 86_400_000} days`;
  return ms % 60_000 === 0 ? `${ms / 60_000} min` : `${ms / 1000} s`;
};

/** A clock in a few words: `10 min + 5 s`. */
export function pace(clock: Clock | undefined): string {
  const { kind = "none", main = 0, step = 0, count = 0 } = clock ?? {};
  switch (kind) {
    case "none":
      return "no clock";
    case "move":
    case "days":
      return `${span(main)} a move`;
    case "fischer":
      return step ? `${span(main)} + ${span(step)}` : span(main);
    case "bronstein":
      return `${span(main)}, up to ${span(step)} back`;
    case "delay":
      return `${span(main)}, delay ${span(step)}`;
    case "byoyomi":
      return `${span(main)} + ${count} x ${span(step)}`;
    case "canadian":
      return `${span(main)} + ${count} moves in ${span(step)}`;
    default:
      return kind;
  }
}

/** What is left after `elapsed` of the turn, with the line to show under the clock. */
export function leftAfter([main, count]: TimeLeft, clock: Clock, elapsed: number): { left: number; line: string } {
  const { kind = "none", step = 0, count: moves = 0 } = clock;
  const waiting = kind === "delay" ? Math.max(0, step - elapsed) : 0;
  let left = main - (kind === "delay" ? Math.max(0, elapsed - step) : elapsed);
  let more = count;
  if (kind === "byoyomi") {
    for (; left <= 0 && more > 0; more--) left += step;
    return { left, line: more > 0 ? `${more} x ${span(step)}` : "last period" };
  }
  if (kind === "canadian") {
    if (left <= 0 && count === 0) [left, more] = [left + step, moves];
    return { left, line: more > 0 ? `${more} moves` : `then ${moves} in ${span(step)}` };
  }
  return { left, line: waiting > 0 ? `delay ${Math.ceil(waiting / 1000)} s` : "" };
}

/** Draw again every so often; 0: never. */
export function useTicks(every: number): void {
  const [, again] = useReducer((n: number) => n + 1, 0);
  useEffect(() => {
    if (!every) return undefined;
    const timer = setInterval(() => again(undefined as never), every);
    return () => clearInterval(timer);
  }, [every]);
}
