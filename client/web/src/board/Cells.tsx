// The board as a grid of labelled cells over the drawing, for pointers, keyboards and screen readers.
import type { VNode } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { type BoardSpec, type Offered, placeName, type Scene } from "../../sdk/index.ts";
import type { Ghost } from "./placing.ts";
import { cellLabels } from "./cellLabels.ts";
import type { Geometry, Point } from "./geometry.ts";
import { useGridKeyboard } from "./gridKeyboard.ts";
import { useGridPointer } from "./gridPointer.ts";
import { cellOf } from "./Picks.tsx";
import { topOf } from "./pieces.ts";

/** How the player places a piece that covers several cells. */
export interface PlacingControls {
  /** The cells that the piece can cover. */
  cells: ReadonlySet<number>;
  /** Show the piece at a cell. `held`: it stays there without a pointer, or a held one is taken away. */
  onAim(cell: number | null, held?: boolean): void;
  onTurn(): void;
  onPlace(): void;
}

export interface CellsProps {
  board: BoardSpec;
  scene: Scene;
  geometry: Geometry;
  picks: readonly Offered[];
  placing?: PlacingControls | null;
  ghost: Ghost | null;
  /** Places picked so far. */
  chosen: readonly number[];
  label: string;
  onPick(place: number): void;
  /** Undo the last pick. */
  onBack(): void;
  onHover(place: number | null): void;
  /** A cell was chosen that is not on offer. */
  onMiss(place: number): void;
  /** A piece follows the pointer; null when it is dropped. */
  onDrag(drag: (Point & { cell: number }) | null): void;
  /** A finger is on small cells; null when it is lifted. */
  onMagnify(at: Point | null): void;
}

/** A pick that is nothing but a cell. */
const onCell = (place: number): Offered => ({ place, label: "", kind: "", cell: null, then: null, more: false });

export function Cells(props: CellsProps): VNode {
  const { board, scene, geometry, picks, placing, chosen, label, onPick, onBack, onHover, onMiss } = props;
  const grid = useRef<HTMLDivElement>(null);
  const byFinger = useRef(false); // a touch also moves the focus, to where the cell was before
  const picksByCell = useMemo(() => {
    const found = new Map<number, Offered>();
    if (placing) {
      for (const place of placing.cells) found.set(place, onCell(place));
      return found;
    }
    for (const pick of picks) {
      const cell = cellOf(pick, geometry);
      if (cell !== null) found.set(cell, pick);
    }
    return found;
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the controls are new on each render, their cells are not
  }, [picks, geometry, placing?.cells]);
  const labels = cellLabels(board, scene, geometry, picksByCell, chosen);
  /** The pick at a cell: its own, or that of the piece which covers it. */
  const pickAt = (cell: number): Offered | undefined =>
    picksByCell.get(cell) ?? picksByCell.get(topOf(board, scene, geometry, cell)?.place ?? cell);
  const hover = (cell: number | null): void => {
    if (placing) placing.onAim(cell);
    else onHover(cell === null ? null : (pickAt(cell)?.place ?? null));
  };
  const choose = (cell: number): void => {
    if (placing) {
      placing.onAim(cell);
      placing.onPlace();
      return;
    }
    const pick = pickAt(cell);
    // A second press on the chosen thing always lets go of it.
    if (chosen[chosen.length - 1] === cell || (!pick && chosen.includes(cell))) onBack();
    else if (pick) onPick(pick.place);
    else onMiss(cell);
  };

  const { focused, setFocused, onKeyDown } = useGridKeyboard({ grid, geometry, picksByCell, onChoose: choose, onBack });
  const pointerHandlers = useGridPointer({
    ...props,
    grid,
    picksByCell,
    onChoose: choose,
    onHoverCell: hover,
    onFocusCell: setFocused,
  });
  /** Wheel and right button turn the piece. */
  const turn = (event: Event): void => {
    if (!placing) return;
    event.preventDefault();
    placing.onTurn();
  };
  // eslint-disable-next-line react-hooks/exhaustive-deps -- only new picks end a hover, not a new callback
  useEffect(() => onHover(null), [picks]);

  return (
    <div
      class="cells"
      role="grid"
      aria-label={label}
      ref={grid}
      onKeyDown={(event) => {
        byFinger.current = false;
        onKeyDown(event);
      }}
      onPointerDownCapture={(event) => {
        byFinger.current = event.pointerType === "touch";
      }}
      style={{
        gridTemplateColumns: `repeat(${geometry.columns},1fr)`,
        gridTemplateRows: `repeat(${geometry.rows},1fr)`,
      }}
      {...pointerHandlers}
      onWheel={(event) => turn(event)}
      onContextMenu={(event) => turn(event)}
    >
      {Array.from({ length: geometry.rows }, (_, row) => (
        <div role="row" aria-rowindex={row + 1} class="row" key={row}>
          {Array.from({ length: geometry.columns }, (_, column) => {
            const cell = geometry.cellAt(column, row);
            return (
              <div
                key={cell}
                role="gridcell"
                aria-colindex={column + 1}
                aria-label={labels[cell]}
                tabIndex={cell === focused ? 0 : -1}
                data-place={cell}
                data-name={placeName(board, cell)}
                class={picksByCell.has(cell) ? "cell selectable" : "cell"}
                onFocus={() => byFinger.current || hover(cell)}
              />
            );
          })}
        </div>
      ))}
    </div>
  );
}
