// The board of a table, on which the player builds a turn.
import type { VNode } from "preact";
import type { Offered } from "../../sdk/index.ts";
import { Board } from "../board/Board.tsx";
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

export function PlayBoard({ table, view, name, picks, flipped, numbers, onHover }: Props): VNode {
  const { replica, turn, sent, viewedPly } = view;
  return (
    <Board
      board={replica.room.board}
      scene={visibleScene(view)}
      flipped={flipped}
      {...(numbers === undefined ? {} : { numbers })}
      label={`${name}. ${promptText(view)}`}
      play={{
        picks,
        chosen: viewedPly === null ? ((turn ?? sent)?.picks ?? []) : [],
        onPick: (place) => table.pick(place),
        onBack: () => table.undoPick(),
        onMiss: () => announce(promptText(view)),
        onHover,
      }}
    />
  );
}
