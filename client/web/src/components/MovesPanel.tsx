// The moves of a table, and the buttons to step through them.
import type { VNode } from "preact";
import { placeName } from "../../sdk/index.ts";
import type { Table, View } from "../state/table.ts";
import { MoveList, StepButton } from "./MoveList.tsx";

export function MovesPanel({ table, view }: { table: Table; view: View }): VNode {
  const { replica, turn, viewedPly } = view;
  const last = replica.moves.length;
  const ply = viewedPly ?? last;
  const picks = viewedPly === null ? (turn?.picks ?? []) : [];
  const unfinished = picks.map((place) => placeName(replica.room.board, place)).join(" ");
  const onKeyDown = (event: KeyboardEvent): void => {
    const target = { ArrowLeft: ply - 1, ArrowRight: ply + 1, Home: 0, End: last }[event.key];
    if (target === undefined) return;
    event.preventDefault();
    table.viewPly(target);
  };
  return (
    <div class="moves-box" onKeyDown={onKeyDown}>
      <MoveList moves={replica.moves} ply={ply} unfinished={unfinished} onSelect={(each) => table.viewPly(each)} />
      <div class="replay">
        <StepButton icon="first" label="First position" onPress={() => table.viewPly(0)} />
        <StepButton icon="prev" label="Previous move" onPress={() => table.viewPly(ply - 1)} />
        <span class="num muted">
          {ply} of {last}
        </span>
        <StepButton icon="next" label="Next move" onPress={() => table.viewPly(ply + 1)} />
        <StepButton icon="last" label="Current position" onPress={() => table.viewPly(last)} />
      </div>
    </div>
  );
}
