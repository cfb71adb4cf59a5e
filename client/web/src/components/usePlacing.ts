// Placing a piece that covers several cells on a board without a table: in a study and in a lesson.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { BoardSpec, Scene, Turn } from "../../sdk/index.ts";
import type { PlacingControls } from "../board/Cells.tsx";
import { coverable, type Ghost, ghostAt, placingOf, stands } from "../board/placing.ts";
import { useShortcuts } from "./useShortcuts.ts";

interface Placed {
  /** For the board; null while no such piece is to be placed. */
  controls: PlacingControls | null;
  ghost: Ghost | null;
  /** Whether a finger has left the piece on the board, where it waits to be placed. */
  isHeld: boolean;
}

const NOWHERE = { at: null as number | null, held: false };

/** `scene` is the position before the turn. */
export function usePlacing(board: BoardSpec, scene: Scene, turn: Turn | null, onPick: (place: number) => void): Placed {
  const [wanted, setUpright] = useState(false);
  const [aim, setAim] = useState(NOWHERE);
  const newest = useRef(aim); // a key aims and places at once
  const placing = useMemo(() => turn && placingOf(board, scene, turn), [board, scene, turn]);
  const aimAt = (at: number | null, held: boolean): void => setAim((newest.current = { at, held }));
  useEffect(() => aimAt(null, false), [placing]);
  const upright = placing !== null && stands(placing, wanted);
  const cells = useMemo(() => placing && coverable(placing, upright), [placing, upright]);
  const ghostOf = (at: number | null): Ghost | null => (placing && at !== null ? ghostAt(placing, upright, at) : null);
  const ghost = ghostOf(aim.at);
  const onTurn = (): void => setUpright(!upright);
  useShortcuts({ r: () => placing && onTurn() });
  const controls = cells && {
    cells,
    onAim: (at: number | null, held = false) => {
      if (!newest.current.held || held) aimAt(at, held && at !== null);
    },
    onTurn,
    onPlace: () => ghostOf(newest.current.at)?.ends?.forEach(onPick),
  };
  return { controls, ghost, isHeld: aim.held && ghost !== null };
}
