// The board of a study, on which both sides move.
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { cellsOf, patch, seatToMove, type Studied } from "../../sdk/index.ts";
import { Board } from "../board/Board.tsx";
import { announce } from "../state/announcements.ts";
import type { Study, StudyView } from "../state/study.ts";
import { PickActions } from "./PickActions.tsx";
import { PlacingButtons } from "./PlacingButtons.tsx";
import { Stepper } from "./Stepper.tsx";
import { isSlot, Zone } from "./Tray.tsx";
import { usePlacing } from "./usePlacing.ts";

interface Props {
  study: Study;
  view: StudyView;
  position: Studied;
  flipped: boolean;
  /** Whether the best move is drawn. */
  isPointing: boolean;
}

export function StudyBoard({ study, view, position, flipped, isPointing }: Props): VNode {
  const { board } = position;
  const { turn, assessment } = view;
  const look = turn?.look;
  const scene = useMemo(() => (look ? patch(position.scene, look) : position.scene), [position, look]);
  const picks = useMemo(() => turn?.offered ?? [], [turn]);
  const { controls, ghost, isHeld } = usePlacing(board, position.scene, turn, (place) => study.pick(place));
  const extra = picks.filter(({ place, kind }) => place >= cellsOf(board) && kind === "" && !isSlot(board, place));
  const chosen = turn?.picks ?? [];
  const best = isPointing && assessment && !chosen.length ? assessment.picks : [];
  const { arrows, cells } = drawnMove(best, cellsOf(board));
  const mover = seatToMove(position.scene);
  const prompt = turn?.prompt ?? "";
  return (
    <>
      <Board
        board={board}
        scene={scene}
        flipped={flipped}
        label={`Analysis board after ${position.moves.length} moves. ${prompt}`}
        arrows={arrows}
        pointers={cells.map((cell, n) => ({ places: [cell], label: cells.length > 1 ? String(n + 1) : "★" }))}
        ghost={ghost}
        play={{
          picks,
          placing: controls,
          chosen,
          onPick: (place) => study.pick(place),
          onBack: () => study.undoPick(),
          onMiss: () => announce(prompt),
          onHover: () => undefined,
        }}
      />
      {mover !== null && (
        <Zone
          board={board}
          scene={scene}
          seat={mover}
          owner={`${board.seats[mover]?.name}’s`}
          chosen={chosen}
          picks={picks}
          onPick={(place) => study.pick(place)}
          onBack={(count) => study.undoPick(count)}
        />
      )}
      <div class="prompt card">
        <div class="lines">
          {position.text && <p class="said">{position.text}</p>}
          <p class="words" role="status">
            {mover === null ? "The game is over here." : `${board.seats[mover]?.name}: ${prompt}`}
          </p>
        </div>
        <div class="answers">
          {controls && (
            <PlacingButtons
              isHeld={isHeld}
              fits={Boolean(ghost?.ends)}
              onTurn={() => controls.onTurn()}
              onPlace={() => controls.onPlace()}
            />
          )}
          <PickActions board={board} picks={picks} chosen={chosen} onPick={(place) => study.pick(place)} />
          {extra.length > 0 && <Stepper board={board} picks={extra} onPick={(place) => study.pick(place)} />}
        </div>
      </div>
    </>
  );
}

/** A move as arrows, where two picks after each other are cells, and single cells for the rest. */
function drawnMove(picks: readonly number[], count: number): { arrows: [number, number][]; cells: number[] } {
  const arrows: [number, number][] = [];
  const cells: number[] = [];
  for (let n = 0; n < picks.length; n += 2) {
    const [from, to] = [picks[n]!, picks[n + 1]];
    if (to !== undefined && from !== to && from < count && to < count) arrows.push([from, to]);
    else cells.push(...[from, to].filter((place): place is number => place !== undefined && place < count));
  }
  return { arrows, cells };
}
