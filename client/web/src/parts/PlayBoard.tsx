// The board of a table as one sees it who may play there: the picks, the half-made turn, and what was picked of it.
import type { VNode } from "preact";
import type { Offered } from "../../sdk/index.ts";
import { Board } from "../board/Board.tsx";
import { sceneOf, type Table, type View } from "../state/table.ts";
import { announce } from "./announce.ts";
import { words } from "./Prompt.tsx";

interface Props {
  table: Table;
  view: View;
  /** What the board is called; what to do now is said after it. */
  name: string;
  picks: readonly Offered[];
  flipped: boolean;
  numbers?: boolean;
  onHover(place: number | null): void;
}

export function PlayBoard({ table, view, name, picks, flipped, numbers, onHover }: Props): VNode {
  const { mirror, turn, sent, back } = view;
  return (
    <Board
      board={mirror.room.board}
      scene={sceneOf(view)}
      flipped={flipped}
      {...(numbers === undefined ? {} : { numbers })}
      label={`${name}. ${words(view)}`}
      play={{
        picks,
        chosen: back === null ? ((turn ?? sent)?.picks ?? []) : [],
        onPick: (place) => table.pick(place),
        onBack: () => table.step(),
        onMiss: () => announce(words(view)),
        onHover,
      }}
    />
  );
}
