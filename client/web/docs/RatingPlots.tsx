// Two plots of a simulated population: rating against true strength, and the error over the games played.
import type { VNode } from "preact";
import { rounded } from "../src/board/geometry.ts";
import { Frame, Plot } from "./Plot.tsx";

export interface Ratings {
  /** The true strength and the rating of each player. */
  players: readonly [number, number][];
  /** After each round, the mean error and the mean error that the deviations predict. */
  rounds: readonly [number, number][];
}

const SIZE = 300; // of each plot
const MARGIN = 56;
const GAP = 70; // between the plots
const [LOWEST, HIGHEST] = [600, 2400]; // ratings
const LARGEST_ERROR = 300; // points

export const PLOTS = { width: 2 * SIZE + GAP + 90, height: SIZE + 106 };

export function RatingPlots({ players, rounds }: Ratings): VNode {
  const rating = (points: number): number => ((points - LOWEST) / (HIGHEST - LOWEST)) * SIZE;
  const games = (played: number): number => (played / rounds.length) * SIZE;
  const error = (points: number): number => (points / LARGEST_ERROR) * SIZE;
  const ratings = { scale: rating, ticks: [800, 1200, 1600, 2000] };
  const lines = [
    { name: "predicted by the deviations", color: "var(--last)", errors: rounds.map(([, predicted]) => predicted) },
    { name: "actual", color: "var(--pick)", errors: rounds.map(([actual]) => actual) },
  ];
  return (
    <>
      <Frame {...PLOTS} />
      <Plot
        left={MARGIN}
        width={SIZE}
        height={SIZE}
        title={`After ${rounds.length} games each`}
        x={{ ...ratings, label: "true strength" }}
        y={{ ...ratings, label: "rating" }}
      >
        <path d={`M0 ${SIZE}L${SIZE} 0`} stroke="var(--star)" stroke-width="2" />
        {players.map(([strength, found]) => (
          <circle
            cx={rounded(rating(strength))}
            cy={rounded(SIZE - rating(found))}
            r="2.6"
            fill="var(--pick)"
            fill-opacity=".75"
          />
        ))}
      </Plot>
      <Plot
        left={MARGIN + SIZE + GAP}
        width={SIZE}
        height={SIZE}
        title="Mean distance from the true strength"
        x={{ scale: games, ticks: multiples(10, rounds.length), label: "games per player" }}
        y={{ scale: error, ticks: multiples(50, LARGEST_ERROR), label: "points" }}
      >
        {lines.map(({ name, color, errors }, n) => {
          const points = errors.map((each, round) => `${rounded(games(round + 1))} ${rounded(SIZE - error(each))}`);
          return (
            <>
              <path d={`M${points.join("L")}M100 ${22 + 20 * n}h22`} fill="none" stroke={color} stroke-width="2.4" />
              <text x="130" y={26 + 20 * n} font-size="12">
                {name}
              </text>
            </>
          );
        })}
      </Plot>
    </>
  );
}

function multiples(step: number, limit: number): number[] {
  return Array.from({ length: Math.floor(limit / step) + 1 }, (_, n) => n * step);
}
