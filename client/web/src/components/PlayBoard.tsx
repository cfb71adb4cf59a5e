// The board of a table, on which the player builds a turn.
import type { VNode } from "preact";
import type { Offered } from "../../sdk/index.ts";
import { Board } from "../board/Board.tsx";
import type { Pointer } from "../board/Pointers.tsx";
import { type Table, type View, visibleScene } from "../state/table.ts";
import { announce } from "../state/announcements.ts";
import { promptText } from "../format/prompt.ts";

interface Props {
  table: Table;
  view: View;
  /** The board's name, which the prompt follows in the label. */
  name: string;
  picks: readonly Offered[];
  flipped: boolean;
  numbers?: boolean;
  onHover(place: number | null): void;
}

/** The picks of a hint, numbered in their order. */
const hintPointer = (place: number, n: number): Pointer => ({ places: [place], label: String(n + 1) });

export function PlayBoard({ table, view, name, picks, flipped, numbers, onHover }: Props): VNode {
  const { replica, turn, sent, viewedPly } = view;
  return (
    <Board
      board={replica.room.board}
      scene={visibleScene(view)}
      flipped={flipped}
      {...(numbers === undefined ? {} : { numbers })}
      label={`${name}. ${promptText(view)}`}
      preview={view.preview?.scene ?? null}
      refused={view.refusedPick?.place ?? null}
      pointers={viewedPly === null ? (view.hint?.picks ?? []).map(hintPointer) : []}
      play={{
        picks,
        chosen: viewedPly === null ? ((turn ?? sent)?.picks ?? []) : [],
        onPick: (place) => table.pick(place),
        onBack: () => table.undoPick(),
        onMiss: (place) => (picks.length ? void table.pickOther(place) : announce(promptText(view))),
        onHover: (place) => {
          table.previewPick(place);
          onHover(place);
        },
      }}
    />
  );
}
