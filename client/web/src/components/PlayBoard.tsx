// The board of a table, on which the player builds a turn.
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import type { Offered } from "../../sdk/index.ts";
import { Board } from "../board/Board.tsx";
import type { Pointer } from "../board/Pointers.tsx";
import { coverable, placingOf, stands } from "../board/placing.ts";
import { ghostOf, isOwnTurn, openTurn, type Table, type View, visibleScene } from "../state/table.ts";
import { useShortcuts } from "./useShortcuts.ts";
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
  const open = openTurn(view);
  const placing = useMemo(
    () => open && placingOf(replica.room.board, replica.scene, open),
    [open, replica.room.board, replica.scene],
  );
  const upright = placing !== null && stands(placing, view.aim.upright);
  const cells = useMemo(() => placing && coverable(placing, upright), [placing, upright]);
  useShortcuts({ r: () => placing && table.entry.previews.turnPiece() });
  return (
    <Board
      board={replica.room.board}
      scene={visibleScene(view)}
      flipped={flipped}
      {...(numbers === undefined ? {} : { numbers })}
      label={`${name}. ${promptText(view)}`}
      preview={placing ? null : (view.preview?.scene ?? null)}
      ghost={ghostOf(view)}
      refused={view.refusedPick?.place ?? null}
      pointers={viewedPly === null ? (view.hint?.picks ?? []).map(hintPointer) : []}
      play={{
        picks,
        placing: cells && {
          cells,
          onAim: (at, held) => table.entry.previews.aim(at, held),
          onTurn: () => table.entry.previews.turnPiece(),
          onPlace: () => table.entry.placePiece(),
        },
        chosen: viewedPly === null ? ((turn ?? sent)?.picks ?? view.premove) : [],
        onPick: (place) => table.entry.pick(place),
        onBack: () => (view.premove.length ? table.entry.premove(view.premove.at(-1)!) : table.entry.undoPick()),
        onMiss: (place) => {
          if (picks.length) void table.entry.pickOther(place);
          else if (isOwnTurn(view)) announce(promptText(view));
          else table.entry.premove(place);
        },
        onHover: (place) => {
          table.entry.previews.show(place);
          onHover(place);
        },
      }}
    />
  );
}
