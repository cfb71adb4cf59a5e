// A choice between several numbers, the largest first: − +7 +.
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type BoardSpec, type Offered, placeName } from "../../sdk/index.ts";

interface Props {
  board: BoardSpec;
  picks: readonly Offered[];
  onPick(place: number): void;
}

export function Stepper({ board, picks, onPick }: Props): VNode {
  const last = picks.length - 1;
  const [index, setIndex] = useState(last);
  useEffect(() => setIndex(picks.length - 1), [picks]);
  const pick = picks[Math.min(index, last)]!;
  const move = (step: number): void => setIndex(Math.max(0, Math.min(last, index + step)));
  return (
    <div class="stepper" role="group" aria-label="Number">
      <button type="button" class="button" aria-label="Fewer" disabled={index === 0} onClick={() => move(-1)}>
        −
      </button>
      <button type="button" class="button primary num" data-extra={pick.place} onClick={() => onPick(pick.place)}>
        {pick.label || placeName(board, pick.place)}
      </button>
      <button type="button" class="button" aria-label="More" disabled={index >= last} onClick={() => move(1)}>
        +
      </button>
    </div>
  );
}
