// Keyboard control of the board: arrow keys, Tab from pick to pick, and typed cell names such as e5.
import type { RefObject } from "preact";
import { useRef, useState } from "preact/hooks";
import type { Offered } from "../../sdk/index.ts";
import type { Geometry } from "./geometry.ts";

interface Options {
  grid: RefObject<HTMLElement>;
  geometry: Geometry;
  picksByCell: ReadonlyMap<number, Offered>;
  onChoose(cell: number): void;
  onBack(): void;
}

interface GridKeyboard {
  /** The only cell in the page's tab order. */
  focused: number;
  setFocused(cell: number): void;
  onKeyDown(event: KeyboardEvent): void;
}

export function useGridKeyboard({ grid, geometry, picksByCell, onChoose, onBack }: Options): GridKeyboard {
  const [focused, setFocused] = useState(() => geometry.cellAt(0, geometry.rows - 1));
  const typed = useRef("");

  const focus = (cell: number): void => {
    setFocused(cell);
    grid.current?.querySelector<HTMLElement>(`[data-place="${cell}"]`)?.focus();
  };

  /** Handle one character of a cell name. Returns whether the key was used. */
  const type = (character: string): boolean => {
    const name = /[0-9]/.test(character) ? typed.current + character : character;
    const column = name.charCodeAt(0) - 97;
    if (column < 0 || column >= geometry.columns) return false;
    typed.current = name;
    const row = Number(name.slice(1));
    if (row >= 1 && row <= geometry.rows) focus((row - 1) * geometry.columns + column);
    return name.length > 1 || grid.current?.contains(document.activeElement) === true;
  };

  /** Returns whether the key was used. */
  const handle = ({ key, shiftKey }: KeyboardEvent): boolean => {
    const target = key === "Tab" ? nextPick(geometry, picksByCell, focused, shiftKey) : cellFor(key, focused, geometry);
    if (target !== null) focus(target);
    else if (key === "Enter" || key === " ") onChoose(focused);
    else if (key === "Backspace" || key === "Escape") onBack();
    else return /^[a-z0-9]$/.test(key) && type(key);
    return true;
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey || !handle(event)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return { focused, setFocused, onKeyDown };
}

/** The cell that a navigation key leads to, or null for any other key. */
function cellFor(key: string, from: number, geometry: Geometry): number | null {
  const [column, row] = geometry.screenPosition(from);
  const [lastColumn, lastRow] = [geometry.columns - 1, geometry.rows - 1];
  switch (key) {
    case "ArrowLeft":
      return geometry.cellAt(Math.max(0, column - 1), row);
    case "ArrowRight":
      return geometry.cellAt(Math.min(lastColumn, column + 1), row);
    case "ArrowUp":
      return geometry.cellAt(column, Math.max(0, row - 1));
    case "ArrowDown":
      return geometry.cellAt(column, Math.min(lastRow, row + 1));
    case "Home":
      return geometry.cellAt(0, row);
    case "End":
      return geometry.cellAt(lastColumn, row);
    case "PageUp":
      return geometry.cellAt(column, 0);
    case "PageDown":
      return geometry.cellAt(column, lastRow);
    default:
      return null;
  }
}

/** The next pick in reading order, or null after the last one: then Tab leaves the board. */
function nextPick(
  geometry: Geometry,
  picksByCell: ReadonlyMap<number, Offered>,
  from: number,
  backward: boolean,
): number | null {
  const order = (cell: number): number => {
    const [column, row] = geometry.screenPosition(cell);
    return row * geometry.columns + column;
  };
  const cells = [...picksByCell.keys()].sort((a, b) => order(a) - order(b));
  const next = backward
    ? cells.findLast((cell) => order(cell) < order(from))
    : cells.find((cell) => order(cell) > order(from));
  return next ?? null;
}
