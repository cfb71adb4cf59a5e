// The winning chances move by move; the first seat's share grows from below. A press shows that move.
import type { VNode } from "preact";
import type { PositionAssessment, Result } from "../../sdk/index.ts";
import { firstSeatChance } from "../state/analysis.ts";
import { SeatIcon } from "./Icon.tsx";
import type { Tone } from "../board/symbols.tsx";

interface Props {
  assessments: ReadonlyMap<number, PositionAssessment>;
  result: Result | null | undefined;
  plies: number;
  ply: number;
  /** The tones of the first and the second seat. */
  tones: readonly [Tone, Tone];
  onSelect(ply: number): void;
}

export function WinChanceGraph({ assessments, result, plies, ply: shownPly, tones, onSelect }: Props): VNode {
  const points = [...assessments].map(([ply, assessment]): [number, number] => [
    ply,
    1000 - firstSeatChance(assessment),
  ]);
  if (result && assessments.has(plies - 1))
    points.push([plies, result.winner === null ? 500 : result.winner === 0 ? 0 : 1000]);
  points.sort((a, b) => a[0] - b[0]);
  const line = points.map(([ply, height], n) => `${n ? "L" : "M"}${ply} ${height}`).join("");
  const [first, last] = [points[0]?.[0] ?? 0, points[points.length - 1]?.[0] ?? 0];
  const press = (event: MouseEvent): void => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    onSelect(Math.round(((event.clientX - box.left) / box.width) * plies));
  };
  return (
    <div class={`chances ${tones[0]}`}>
      <svg
        viewBox={`0 0 ${Math.max(1, plies)} 1000`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Winning chances in ${points.length} of ${plies + 1} positions`}
        onClick={press}
      >
        <path d={`M${first} 0H${last}V1000H${first}Z`} class="other-share" />
        <path d={line && `${line}L${last} 1000L${first} 1000Z`} class="share" />
        <path d={`M0 500H${plies}`} class="half" />
        <path d={line} class="edge" />
        <path d={`M${shownPly} 0V1000`} class="here" />
      </svg>
      <SeatIcon tone={tones[1]} size={14} />
      <SeatIcon tone={tones[0]} size={14} />
    </div>
  );
}
