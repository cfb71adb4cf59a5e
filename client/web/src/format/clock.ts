// Clocks and times as text.
import { useEffect } from "preact/hooks";
import { type Clock, type TimeLeft, timeLeft } from "../../sdk/index.ts";
import { useRerender } from "../state/signal.ts";
import { plural } from "./plural.ts";

/** `6:12`, `1:02:30`, `3 d 4 h`; with tenths under ten seconds: `9.4`. */
export function formatTimeLeft(ms: number): string {
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

/** The time that a move took: `3.2 s`, `1:05`. */
export function formatTimeSpent(ms: number): string {
  return ms < 10_000 ? `${formatTimeLeft(ms)} s` : formatTimeLeft(ms);
}

/** Minutes and seconds without tenths: `0:48`. */
export function formatCountdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

const span = (ms: number): string => {
  if (ms % 86_400_000 === 0 && ms > 0) return ms === 86_400_000 ? "1 day" : `${ms / 86_400_000} days`;
  return ms % 60_000 === 0 ? `${ms / 60_000} min` : `${ms / 1000} s`;
};

/** A clock in a few words: `10 min + 5 s`. */
export function formatClock(clock: Clock | undefined): string {
  const { kind = "none", main = 0, step = 0, count = 0 } = clock ?? {};
  switch (kind) {
    case "none":
      return "no clock";
    case "move":
    case "days":
      return `${span(main)} per move`;
    case "fischer":
      return step ? `${span(main)} + ${span(step)}` : span(main);
    case "bronstein":
      return `${span(main)}, up to ${span(step)} back`;
    case "delay":
      return `${span(main)}, delay ${span(step)}`;
    case "byoyomi":
      return `${span(main)} + ${count} x ${span(step)}`;
    case "canadian":
      return `${span(main)} + ${plural(count, "move")} in ${span(step)}`;
    default:
      return kind;
  }
}

/** What to show `elapsed` after the turn began: the time left, and the line under it. */
export function clockFace(clock: Clock, atStart: TimeLeft, elapsed: number): { left: number; line: string } {
  const { kind = "none", step = 0, count: perPeriod = 0 } = clock;
  const [left, count] = timeLeft(clock, atStart, elapsed);
  switch (kind) {
    case "byoyomi":
      return { left, line: count > 0 ? `${count} x ${span(step)}` : "last period" };
    case "canadian":
      return { left, line: count > 0 ? plural(count, "move") : `then ${perPeriod} in ${span(step)}` };
    case "delay":
      return { left, line: elapsed < step ? `delay ${Math.ceil((step - elapsed) / 1000)} s` : "" };
    default:
      return { left, line: "" };
  }
}

/** Render again at this interval in milliseconds; 0 stops. */
export function useTicker(interval: number): void {
  const rerender = useRerender();
  useEffect(() => {
    if (!interval) return undefined;
    const timer = setInterval(rerender, interval);
    return () => clearInterval(timer);
  }, [interval, rerender]);
}
