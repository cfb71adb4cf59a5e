// Who was winning, move by move: the share of the first seat grows from below. A press leads to that move.
import type { VNode } from "preact";
import type { Assessment, Result } from "../../sdk/index.ts";
import { chanceOfFirst } from "../state/replay.ts";
import { SeatSign } from "./Icon.tsx";
import type { Tone } from "../board/signs.tsx";

interface Props {
  opinions: ReadonlyMap<number, Assessment>;
  result: Result | null | undefined;
  plies: number;
  at: number;
  /** Of the first and the second seat. */
  tones: readonly [Tone, Tone];
  onGo(ply: number): void;
}

export function ChanceGraph({ opinions, result, plies, at, tones, onGo }: Props): VNode {
  const points = [...opinions].map(([ply, opinion]): [number, number] => [ply, 1000 - chanceOfFirst(opinion)]);
  if (result && opinions.has(plies - 1))
    points.push([plies, result.winner === null ? 500 : result.winner === 0 ? 0 : 1000]);
  points.sort((a, b) => a[0] - b[0]);
  const line = points.map(([ply, height], n) => `${n ? "L" : "M"}${ply} ${height}`).join("");
  const [first, last] = [points[0]?.[0] ?? 0, points[points.length - 1]?.[0] ?? 0];
  const press = (event: MouseEvent): void => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    onGo(Math.round(((event.clientX - box.left) / box.width) * plies));
  };
  return (
    <div class={`chances ${tones[0]}`}>
      <svg
        viewBox={`0 0 ${Math.max(1, plies)} 1000`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Chances to win, for ${points.length} of ${plies} moves`}
        onClick={press}
      >
        <path d={line && `${line}L${last} 1000L${first} 1000Z`} class="share" />
        <path d={`M0 500H${plies}`} class="half" />
        <path d={line} class="edge" />
        <path d={`M${at} 0V1000`} class="here" />
      </svg>
      <SeatSign tone={tones[1]} size={14} />
      <SeatSign tone={tones[0]} size={14} />
    </div>
  );
}
