// The moves of a game, two per line, scrolled to the current one.
import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Annotation } from "../state/analysis.ts";
import { Icon, type IconName } from "./Icon.tsx";

interface Props {
  moves: readonly string[];
  /** The ply that is shown. */
  ply: number;
  /** The unfinished move. */
  unfinished?: string;
  /** Symbols after moves, by move number. */
  annotations?: ReadonlyMap<number, Annotation>;
  onSelect(ply: number): void;
}

export function MoveList({ moves, ply, unfinished = "", annotations, onSelect }: Props): VNode {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const current = list.current?.querySelector("[aria-current], .now");
    if (!list.current || !current) return;
    const [box, inside] = [list.current.getBoundingClientRect(), current.getBoundingClientRect()];
    list.current.scrollTop += overflow(box.top, box.bottom, inside.top, inside.bottom);
    list.current.scrollLeft += overflow(box.left, box.right, inside.left, inside.right);
  }, [ply, moves.length, unfinished]);
  const cell = (n: number): VNode => {
    if (n === moves.length && unfinished)
      return (
        <span class="now">
          {unfinished} <u>?</u>
        </span>
      );
    const annotation = annotations?.get(n + 1);
    return moves[n] === undefined ? (
      <span />
    ) : (
      <button
        type="button"
        aria-current={ply === n + 1 ? "true" : undefined}
        title={annotation?.meaning}
        onClick={() => onSelect(n + 1)}
      >
        {moves[n]}
        {annotation && (
          <em>
            {annotation.symbol}
            <span class="visually-hidden">, {annotation.meaning}</span>
          </em>
        )}
      </button>
    );
  };
  return (
    <ol class="moves" ref={list} aria-label="Moves" tabIndex={0}>
      {moves.length === 0 && !unfinished && <li class="empty">No moves yet.</li>}
      {Array.from({ length: Math.ceil((moves.length + (unfinished ? 1 : 0)) / 2) }, (_, row) => (
        <li key={row}>
          <i>{row + 1}</i>
          {cell(2 * row)}
          {cell(2 * row + 1)}
        </li>
      ))}
    </ol>
  );
}

const MARGIN = 8; // px that stay free at the edge

/** How far to scroll so that a child is inside its box. */
function overflow(from: number, to: number, first: number, last: number): number {
  return last > to ? last - to + MARGIN : first < from ? first - from - MARGIN : 0;
}

/** A button to step through a game. */
export function StepButton({ icon, label, onPress }: { icon: IconName; label: string; onPress(): void }): VNode {
  return (
    <button type="button" class="tool" aria-label={label} onClick={onPress}>
      <Icon name={icon} />
    </button>
  );
}
