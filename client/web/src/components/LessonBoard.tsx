// The board of a lesson, with what the learner may pick and what the lesson points at.
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { cellsOf, patch } from "../../sdk/index.ts";
import { Board } from "../board/Board.tsx";
import type { Pointer } from "../board/Pointers.tsx";
import { announce } from "../state/announcements.ts";
import type { Attempt, StepAttempt } from "../state/lessons.ts";
import { PickActions } from "./PickActions.tsx";
import { PlacingButtons } from "./PlacingButtons.tsx";
import { Stepper } from "./Stepper.tsx";
import { isSlot, Zone } from "./Tray.tsx";
import { usePlacing } from "./usePlacing.ts";

/** Never flipped: “left” and “down” in a lesson are those of the rules, whichever seat the learner has. */
export function LessonBoard({ attempt, view }: { attempt: StepAttempt; view: Attempt }): VNode {
  const { lesson, step } = attempt;
  const { board } = lesson;
  const { turn, tried, scene: base } = view;
  const look = turn?.look;
  const scene = useMemo(() => (look ? patch(base, look) : base), [base, look]);
  const picks = useMemo(() => turn?.offered ?? [], [turn]);
  const extra = useMemo(
    () => picks.filter(({ place, kind }) => place >= cellsOf(board) && kind === "" && !isSlot(board, place)),
    [board, picks],
  );
  const chosen = turn?.picks ?? [];
  const hinted = attempt.nextHint;
  // While the hint shows which ends to pick, they are picked one after the other.
  const placed = usePlacing(board, base, hinted === null ? turn : null, (place) => attempt.pick(place));
  const { controls, ghost, isHeld } = placed;
  const hintedCell = picks.find(({ place }) => place === hinted)?.cell ?? hinted;
  const pointers: Pointer[] =
    hintedCell !== null
      ? [{ places: [hintedCell], label: "!" }]
      : tried || chosen.length
        ? []
        : (step.look ?? []).map(({ places }, n) => ({ places, label: String(n + 1) }));
  const prompt = turn?.prompt ?? "";
  const zone = (seat: number): VNode => (
    <Zone
      board={board}
      scene={scene}
      seat={seat}
      owner={seat === step.seat ? "Your" : `${board.seats[seat]?.name}’s`}
      chosen={chosen}
      picks={picks}
      pointed={hinted}
      onPick={(place) => attempt.pick(place)}
      onBack={(count) => attempt.back(count)}
    />
  );
  return (
    <div class="lesson-board">
      <Board
        board={board}
        scene={scene}
        label={`${lesson.title}, ${step.title}. ${prompt}`}
        pointers={pointers}
        ghost={ghost}
        play={{
          picks,
          placing: controls,
          chosen,
          onPick: (place) => attempt.pick(place),
          onBack: () => attempt.back(),
          onMiss: () => announce(prompt || step.prompt),
          onHover: () => undefined,
        }}
      />
      <div class="lesson-tray">{zone(step.seat)}</div>
      <p class="lesson-prompt" role="status">
        {tried ? "" : prompt}
      </p>
      {controls && (
        <p class="button-row">
          <PlacingButtons
            isHeld={isHeld}
            fits={Boolean(ghost?.ends)}
            onTurn={() => controls.onTurn()}
            onPlace={() => controls.onPlace()}
          />
        </p>
      )}
      <PickActions board={board} picks={picks} chosen={chosen} onPick={(place) => attempt.pick(place)} />
      {extra.length > 0 && <Stepper board={board} picks={extra} onPick={(place) => attempt.pick(place)} />}
    </div>
  );
}
