// The board as a grid of named cells over the drawing: what keyboards move on, screen readers read and pointers press.
import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type BoardSpec, type Offered, placeName, type Scene } from "../../sdk/index.ts";
import type { Geometry } from "./geometry.ts";
import { cellOf } from "./picks.tsx";
import { cellNames } from "./words.ts";

const NEAR = 22; // px around a touch in which exactly one pick is meant
const DRAGGED = 6; // px after which a press is a drag
const SMALL = 44; // px; a cell below is too small for a finger

export interface CellsProps {
  board: BoardSpec;
  scene: Scene;
  geometry: Geometry;
  picks: readonly Offered[];
  chosen: readonly number[];
  label: string;
  onPick(place: number): void;
  onBack(): void;
  onHover(place: number | null): void;
  onMiss(): void;
  /** A piece follows the pointer; null: not any more. */
  onDrag(drag: { cell: number; x: number; y: number } | null): void;
  /** A finger is on small cells: show what is under it; null: not any more. */
  onLens(at: { x: number; y: number } | null): void;
}

export function Cells(props: CellsProps): VNode {
  const { board, scene, geometry, picks, chosen, label, onPick, onBack, onHover, onMiss, onDrag, onLens } = props;
  const [focus, setFocus] = useState(() => geometry.at(0, geometry.rows - 1));
  const typed = useRef("");
  const lens = useRef<{ cell: number } | null>(null);
  const press = useRef<{ cell: number; x: number; y: number; again: boolean; dragging: boolean } | null>(null);
  const grid = useRef<HTMLDivElement>(null);
  const byCell = new Map<number, Offered>();
  for (const pick of picks) {
    const cell = cellOf(pick, geometry);
    if (cell !== null) byCell.set(cell, pick);
  }
  const names = cellNames(board, scene, geometry, byCell, chosen);

  useEffect(() => onHover(null), [picks]);

  const go = (cell: number): void => {
    setFocus(cell);
    grid.current?.querySelector<HTMLElement>(`[data-place="${cell}"]`)?.focus();
  };

  const choose = (cell: number): void => {
    const pick = byCell.get(cell);
    if (pick) onPick(pick.place);
    else if (chosen.includes(cell)) onBack();
    else onMiss();
  };

  const key = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const [column, row] = geometry.seen(focus);
    const last = [geometry.columns - 1, geometry.rows - 1] as const;
    const to: { [key: string]: [number, number] } = {
      ArrowLeft: [Math.max(0, column - 1), row],
      ArrowRight: [Math.min(last[0], column + 1), row],
      ArrowUp: [column, Math.max(0, row - 1)],
      ArrowDown: [column, Math.min(last[1], row + 1)],
      Home: [0, row],
      End: [last[0], row],
      PageUp: [column, 0],
      PageDown: [column, last[1]],
    };
    const target = to[event.key];
    if (target) go(geometry.at(...target));
    else if (event.key === "Enter" || event.key === " ") choose(focus);
    else if (event.key === "Backspace" || event.key === "Escape") onBack();
    else if (event.key === "Tab") {
      // From pick to pick, and out after the last one.
      const cells = [...byCell.keys()].sort((a, b) => order(geometry, a) - order(geometry, b));
      const here = order(geometry, focus);
      const next = event.shiftKey
        ? cells.findLast((cell) => order(geometry, cell) < here)
        : cells.find((cell) => order(geometry, cell) > here);
      if (next === undefined) return;
      go(next);
    } else if (/^[a-z0-9]$/.test(event.key) && spells(event.key)) {
      // A name like e5, letter by letter.
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const spells = (letter: string): boolean => {
    const text = /[0-9]/.test(letter) ? typed.current + letter : letter;
    const column = text.charCodeAt(0) - 97;
    if (column < 0 || column >= geometry.columns) return false;
    typed.current = text;
    const row = Number(text.slice(1));
    if (row >= 1 && row <= geometry.rows) go((row - 1) * geometry.columns + column);
    return text.length > 1 || grid.current?.contains(document.activeElement) === true;
  };

  const cellAt = (event: PointerEvent): number | null => {
    const box = grid.current!.getBoundingClientRect();
    const column = Math.floor(((event.clientX - box.left) / box.width) * geometry.columns);
    const row = Math.floor(((event.clientY - box.top) / box.height) * geometry.rows);
    const inside = column >= 0 && row >= 0 && column < geometry.columns && row < geometry.rows;
    return inside ? geometry.at(column, row) : null;
  };

  /** The cell that is meant: with a finger, a pick beside the one that was hit, if there is just one. */
  const meant = (event: PointerEvent, hit: number): number => {
    if (event.pointerType !== "touch" || byCell.has(hit) || chosen.includes(hit)) return hit;
    const box = grid.current!.getBoundingClientRect();
    const size = box.width / geometry.columns;
    const near = [...byCell.keys()].filter((cell) => {
      const [column, row] = geometry.seen(cell);
      const dx = Math.max(0, Math.abs(event.clientX - box.left - (column + 0.5) * size) - size / 2);
      const dy = Math.max(0, Math.abs(event.clientY - box.top - (row + 0.5) * size) - size / 2);
      return Math.hypot(dx, dy) <= NEAR;
    });
    return near.length === 1 ? near[0]! : hit;
  };

  const fraction = (event: PointerEvent): { x: number; y: number } => {
    const box = grid.current!.getBoundingClientRect();
    return { x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height };
  };

  /** Under a lens the finger slides until it is over the right pick, and lifting it chooses. */
  const slide = (event: PointerEvent, hit: number | null): void => {
    onLens(hit === null ? null : fraction(event));
    onHover(hit === null ? null : (byCell.get(meant(event, hit))?.place ?? null));
  };

  const down = (event: PointerEvent): void => {
    const hit = event.button === 0 ? cellAt(event) : null;
    if (hit === null) return;
    if (event.pointerType === "touch" && picks.length > 0 && grid.current!.clientWidth / geometry.columns < SMALL) {
      lens.current = { cell: hit };
      grid.current!.setPointerCapture(event.pointerId);
      slide(event, hit);
      return;
    }
    const cell = meant(event, hit);
    setFocus(cell);
    const again = !byCell.has(cell) && chosen.includes(cell);
    press.current = { cell, x: event.clientX, y: event.clientY, again, dragging: false };
    if (!again) choose(cell); // what is chosen already may be dragged; it is let go when the pointer is
  };

  const move = (event: PointerEvent): void => {
    const begun = press.current;
    const cell = cellAt(event);
    if (lens.current) {
      slide(event, cell);
      return;
    }
    const over =
      begun === null && event.pointerType !== "touch" && cell !== null ? (byCell.get(cell)?.place ?? null) : null;
    onHover(begun?.dragging && cell !== null ? (byCell.get(cell)?.place ?? null) : over);
    if (!begun) return;
    if (
      !begun.dragging &&
      Math.hypot(event.clientX - begun.x, event.clientY - begun.y) > DRAGGED &&
      chosen.includes(begun.cell)
    ) {
      begun.dragging = true;
      grid.current!.setPointerCapture(event.pointerId);
    }
    if (begun.dragging) onDrag({ cell: begun.cell, ...fraction(event) });
  };

  const up = (event: PointerEvent): void => {
    const begun = press.current;
    const cell = cellAt(event);
    if (lens.current) {
      cancel();
      if (cell !== null) choose(meant(event, cell)); // off the board: nothing was meant
      return;
    }
    press.current = null;
    if (!begun) return;
    if (begun.dragging) {
      onDrag(null);
      if (cell !== null && cell !== begun.cell && byCell.has(cell)) choose(cell);
    } else if (begun.again && cell === begun.cell) onBack();
  };

  const cancel = (): void => {
    press.current = lens.current = null;
    onLens(null);
    onDrag(null);
  };

  return (
    <div
      class="cells"
      role="grid"
      aria-label={label}
      ref={grid}
      onKeyDown={key}
      style={{
        gridTemplateColumns: `repeat(${geometry.columns},1fr)`,
        gridTemplateRows: `repeat(${geometry.rows},1fr)`,
      }}
      onPointerDown={down}
      onPointerMove={move}
      onPointerUp={up}
      onPointerCancel={cancel}
      onPointerLeave={() => press.current ?? onHover(null)}
    >
      {Array.from({ length: geometry.rows }, (_, row) => (
        <div role="row" aria-rowindex={row + 1} class="row" key={row}>
          {Array.from({ length: geometry.columns }, (_, column) => {
            const cell = geometry.at(column, row);
            return (
              <div
                key={cell}
                role="gridcell"
                aria-colindex={column + 1}
                aria-label={names[cell]}
                tabIndex={cell === focus ? 0 : -1}
                data-place={cell}
                data-name={placeName(board, cell)}
                class={byCell.has(cell) ? "cell may" : "cell"}
                onFocus={() => onHover(byCell.get(cell)?.place ?? null)}
              />
            );
          })}
        </div>
      ))}
    </div>
  );
}

function order(geometry: Geometry, cell: number): number {
  const [column, row] = geometry.seen(cell);
  return row * geometry.columns + column;
}
