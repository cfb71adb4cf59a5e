// The moves at a table, and the buttons to look back.
import type { VNode } from "preact";
import { placeName } from "../../sdk/index.ts";
import type { Table, View } from "../state/table.ts";
import { MoveList, Step } from "./MoveList.tsx";

export function Moves({ table, view }: { table: Table; view: View }): VNode {
  const { mirror, turn, back } = view;
  const { moves } = mirror;
  const at = back ?? moves.length;
  const half = back === null ? (turn?.picks ?? []).map((place) => placeName(mirror.room.board, place)).join(" ") : "";
  const key = (event: KeyboardEvent): void => {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: moves.length }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    table.lookAt(to);
  };
  return (
    <div class="moves-box" onKeyDown={key}>
      <MoveList moves={moves} at={at} half={half} onGo={(ply) => table.lookAt(ply)} />
      <div class="replay">
        <Step icon="first" label="To the start" onPress={() => table.lookAt(0)} />
        <Step icon="prev" label="Back one" onPress={() => table.lookAt(at - 1)} />
        <span class="num muted">
          {at} of {moves.length}
        </span>
        <Step icon="next" label="Forward one" onPress={() => table.lookAt(at + 1)} />
        <Step icon="last" label="To the present" onPress={() => table.lookAt(moves.length)} />
      </div>
    </div>
  );
}
