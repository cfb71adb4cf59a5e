// A rating over time, as a line chart.
import type { VNode } from "preact";

const [WIDTH, HEIGHT, EDGE] = [320, 96, 6];
const LEFT = 40; // space for the numbers
const MIN_SPAN = 100; // rating points, so that small changes look small

export function RatingChart({ history, label }: { history: readonly [number, number][]; label: string }): VNode | null {
  if (history.length < 2) return null;
  const ratings = history.map(([, rating]) => rating);
  const [low, high] = [Math.min(...ratings), Math.max(...ratings)];
  const span = Math.max(high - low, MIN_SPAN);
  const [start, end] = [history[0]![0], history[history.length - 1]![0]];
  const x = (moment: number): number => LEFT + ((moment - start) / Math.max(1, end - start)) * (WIDTH - LEFT - EDGE);
  const y = (rating: number): number =>
    HEIGHT - EDGE - ((rating - (low + high - span) / 2) / span) * (HEIGHT - 2 * EDGE);
  const line = history
    .map(([moment, rating], n) => `${n ? "L" : "M"}${x(moment).toFixed(1)} ${y(rating).toFixed(1)}`)
    .join("");
  const [lastAt, last] = history[history.length - 1]!;
  return (
    <div class="curve">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`${label}: from ${ratings[0]} to ${last}, between ${low} and ${high}`}
      >
        <path d={`${line}L${x(end).toFixed(1)} ${HEIGHT}L${LEFT} ${HEIGHT}Z`} class="under" />
        <path d={line} class="over" />
        <circle cx={x(lastAt)} cy={y(last)} r="4" />
      </svg>
      <span class="high num">{high}</span>
      <span class="low num">{low}</span>
    </div>
  );
}
