// Pointer control of the board: a press chooses a cell, a drag moves a piece, and on cells that are too small for a
// finger a magnifier follows the touch until it is lifted.
import type { RefObject } from "preact";
import { useRef } from "preact/hooks";
import type { Offered } from "../../sdk/index.ts";
import type { PlacingControls } from "./Cells.tsx";
import type { Ghost } from "./placing.ts";
import type { Geometry, Point } from "./geometry.ts";

const TOUCH_RADIUS = 22; // px around a touch in which a single pick counts as hit
const DRAG_DISTANCE = 6; // px after which a press becomes a drag
const SMALL_CELL = 44; // px; smaller cells are hard to hit with a finger

interface Options {
  placing?: PlacingControls | null;
  ghost: Ghost | null;
  grid: RefObject<HTMLElement>;
  geometry: Geometry;
  picks: readonly Offered[];
  picksByCell: ReadonlyMap<number, Offered>;
  chosen: readonly number[];
  onChoose(cell: number): void;
  onBack(): void;
  onHoverCell(cell: number | null): void;
  onFocusCell(cell: number): void;
  onDrag(drag: (Point & { cell: number }) | null): void;
  onMagnify(at: Point | null): void;
}

interface PointerHandlers {
  onPointerDown(event: PointerEvent): void;
  onPointerMove(event: PointerEvent): void;
  onPointerUp(event: PointerEvent): void;
  onPointerCancel(): void;
  onPointerLeave(): void;
}

/** A gesture returns from each handler whether the event belongs to it. */
interface Gesture {
  down(event: PointerEvent, cell: number): boolean;
  move(event: PointerEvent, cell: number | null): boolean;
  up(event: PointerEvent, cell: number | null): boolean;
  cancel(): void;
}

export function useGridPointer(options: Options): PointerHandlers {
  const { grid, geometry, onHoverCell } = options;
  const gestures = [usePlacement(options), useMagnifiedTouch(options), usePressAndDrag(options)];
  const pressed = useRef(false);
  const cancel = (): void => {
    pressed.current = false;
    for (const gesture of gestures) gesture.cancel();
  };
  const cellUnder = (event: PointerEvent): number | null => {
    const { x, y } = positionIn(grid.current!, event);
    const [column, row] = [Math.floor(x * geometry.columns), Math.floor(y * geometry.rows)];
    const inside = column >= 0 && row >= 0 && column < geometry.columns && row < geometry.rows;
    return inside ? geometry.cellAt(column, row) : null;
  };
  return {
    onPointerDown(event) {
      const cell = event.button === 0 ? cellUnder(event) : null;
      if (cell !== null) pressed.current = gestures.some((gesture) => gesture.down(event, cell));
    },
    onPointerMove(event) {
      const cell = cellUnder(event);
      if (gestures.some((gesture) => gesture.move(event, cell))) return;
      onHoverCell(!pressed.current && event.pointerType !== "touch" ? cell : null);
    },
    onPointerUp(event) {
      const cell = cellUnder(event);
      pressed.current = false;
      gestures.some((gesture) => gesture.up(event, cell));
    },
    onPointerCancel: cancel,
    onPointerLeave() {
      if (!pressed.current) onHoverCell(null);
    },
  };
}

/**
 * The piece to be placed follows the pointer. A click places it; a finger leaves it where it is lifted, and a touch on it
 * takes it away again.
 */
function usePlacement({ placing, ghost, grid, geometry, onFocusCell, onMagnify }: Options): Gesture {
  const press = useRef<{ onGhost: boolean; moved: boolean; cell: number } | null>(null);
  const show = (event: PointerEvent, cell: number): void => {
    const touch = event.pointerType === "touch";
    placing?.onAim(cell, touch);
    if (touch && grid.current!.clientWidth / geometry.columns < SMALL_CELL) onMagnify(positionIn(grid.current!, event));
  };
  const cancel = (): void => {
    press.current = null;
    onMagnify(null);
  };
  return {
    down(event, cell) {
      if (!placing) return false;
      onFocusCell(cell);
      press.current = { onGhost: ghost?.cells.includes(cell) ?? false, moved: false, cell };
      grid.current!.setPointerCapture(event.pointerId);
      if (!press.current.onGhost) show(event, cell);
      return true;
    },
    move(event, cell) {
      if (!placing || (event.pointerType === "touch" && !press.current)) return false;
      if (press.current && cell !== press.current.cell) press.current.moved = true;
      if (cell !== null && (!press.current || press.current.moved || event.pointerType !== "touch")) show(event, cell);
      return true;
    },
    up(event, cell) {
      const start = press.current;
      cancel();
      if (!placing || (!start && event.pointerType === "touch")) return false;
      if (!start || event.pointerType !== "touch") {
        // Without a press on the board, the piece was dragged here from a tray.
        if (cell !== null) placing.onPlace();
      } else if (start.onGhost && !start.moved) placing.onAim(null, true);
      return true;
    },
    cancel,
  };
}

/** A press chooses a cell at once; a chosen piece can be dragged to another cell, or pressed again to undo it. */
function usePressAndDrag(options: Options): Gesture {
  const { grid, chosen, picksByCell, onChoose, onBack, onHoverCell, onFocusCell, onDrag } = options;
  const press = useRef<{ cell: number; x: number; y: number; again: boolean; dragging: boolean } | null>(null);
  return {
    down(event, hit) {
      const cell = intendedCell(event, hit, options);
      onFocusCell(cell);
      const again = chosen[chosen.length - 1] === cell || (!picksByCell.has(cell) && chosen.includes(cell));
      press.current = { cell, x: event.clientX, y: event.clientY, again, dragging: false };
      if (!again) onChoose(cell);
      return true;
    },
    move(event, cell) {
      const start = press.current;
      if (!start) return false;
      const distance = Math.hypot(event.clientX - start.x, event.clientY - start.y);
      if (!start.dragging && distance > DRAG_DISTANCE && chosen.includes(start.cell)) {
        start.dragging = true;
        grid.current!.setPointerCapture(event.pointerId);
      }
      if (!start.dragging) return false;
      onHoverCell(cell);
      onDrag({ cell: start.cell, ...positionIn(grid.current!, event) });
      return true;
    },
    up(_, cell) {
      const start = press.current;
      press.current = null;
      if (!start) return false;
      if (start.dragging) {
        onDrag(null);
        if (cell !== null && cell !== start.cell && picksByCell.has(cell)) onChoose(cell);
      } else if (start.again && cell === start.cell) onBack();
      return true;
    },
    cancel() {
      press.current = null;
      onDrag(null);
    },
  };
}

/** On small cells, a finger slides under a magnifier until it is over the right cell; lifting it chooses. */
function useMagnifiedTouch(options: Options): Gesture {
  const { grid, geometry, picks, onChoose, onHoverCell, onMagnify } = options;
  const active = useRef(false);
  const show = (event: PointerEvent, cell: number | null): void => {
    onMagnify(cell === null ? null : positionIn(grid.current!, event));
    onHoverCell(cell === null ? null : intendedCell(event, cell, options));
  };
  const cancel = (): void => {
    active.current = false;
    onMagnify(null);
  };
  return {
    down(event, cell) {
      const small = grid.current!.clientWidth / geometry.columns < SMALL_CELL;
      if (event.pointerType !== "touch" || picks.length === 0 || !small) return false;
      active.current = true;
      grid.current!.setPointerCapture(event.pointerId);
      show(event, cell);
      return true;
    },
    move(event, cell) {
      if (active.current) show(event, cell);
      return active.current;
    },
    up(event, cell) {
      if (!active.current) return false;
      cancel();
      if (cell !== null) onChoose(intendedCell(event, cell, options));
      return true;
    },
    cancel,
  };
}

/** The cell that the player means: for a touch that misses every pick, the only pick nearby. */
function intendedCell(event: PointerEvent, hit: number, { grid, geometry, picksByCell, chosen }: Options): number {
  if (event.pointerType !== "touch" || picksByCell.has(hit) || chosen.includes(hit)) return hit;
  const box = grid.current!.getBoundingClientRect();
  const size = box.width / geometry.columns;
  const near = [...picksByCell.keys()].filter((cell) => {
    const [column, row] = geometry.screenPosition(cell);
    const dx = Math.max(0, Math.abs(event.clientX - box.left - (column + 0.5) * size) - size / 2);
    const dy = Math.max(0, Math.abs(event.clientY - box.top - (row + 0.5) * size) - size / 2);
    return Math.hypot(dx, dy) <= TOUCH_RADIUS;
  });
  return near.length === 1 ? near[0]! : hit;
}

/** The pointer's position as a fraction of the grid's width and height. */
function positionIn(grid: HTMLElement, event: PointerEvent): Point {
  const box = grid.getBoundingClientRect();
  return { x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height };
}
