// Buttons for picks on a cell that a press on the board would not make: crowning, and choosing the same cell again.
import type { VNode } from "preact";
import { type BoardSpec, type Offered, placeName } from "../../sdk/index.ts";

/** Whether a pick is made with a button: a second press on the chosen cell undoes the choice. */
export function isAction({ kind, place }: Offered, chosen: readonly number[]): boolean {
  return kind === "crown" || place === chosen.at(-1);
}

/** The text of such a button. */
export function actionName(board: BoardSpec, { label, place }: Offered): string {
  return (label || placeName(board, place)).replace(/^./, (first) => first.toUpperCase());
}

interface Props {
  board: BoardSpec;
  picks: readonly Offered[];
  chosen: readonly number[];
  onPick: (place: number) => void;
}

export function PickActions({ board, picks, chosen, onPick }: Props): VNode {
  return (
    <>
      {picks
        .filter((pick) => isAction(pick, chosen))
        .map((pick) => (
          <button
            type="button"
            class="button extra"
            key={pick.place}
            data-extra={pick.place}
            onClick={() => onPick(pick.place)}
          >
            {actionName(board, pick)}
          </button>
        ))}
    </>
  );
}
