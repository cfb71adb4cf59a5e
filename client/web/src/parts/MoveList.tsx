// Moves two to a line, the present one in view.
import type { VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon, type IconName } from "./Icon.tsx";

interface Props {
  moves: readonly string[];
  /** After how many moves the position is that is looked at. */
  at: number;
  /** The move that is being made. */
  half?: string;
  /** A sign behind a move, by its number, and what it means. */
  notes?: ReadonlyMap<number, { sign: string; means: string }>;
  onGo(ply: number): void;
}

export function MoveList({ moves, at, half = "", notes, onGo }: Props): VNode {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const current = list.current?.querySelector("[aria-current], .now");
    if (!list.current || !current) return;
    const [box, inside] = [list.current.getBoundingClientRect(), current.getBoundingClientRect()];
    list.current.scrollTop += beyond(box.top, box.bottom, inside.top, inside.bottom);
    list.current.scrollLeft += beyond(box.left, box.right, inside.left, inside.right);
  }, [at, moves.length, half]);
  const cell = (n: number): VNode => {
    if (n === moves.length && half)
      return (
        <span class="now">
          {half} <u>?</u>
        </span>
      );
    const note = notes?.get(n + 1);
    return moves[n] === undefined ? (
      <span />
    ) : (
      <button
        type="button"
        aria-current={at === n + 1 ? "true" : undefined}
        title={note?.means}
        onClick={() => onGo(n + 1)}
      >
        {moves[n]}
        {note && (
          <em>
            {note.sign}
            <span class="unseen">, {note.means}</span>
          </em>
        )}
      </button>
    );
  };
  return (
    <ol class="moves" ref={list} aria-label="Moves" tabIndex={0}>
      {moves.length === 0 && !half && <li class="empty">No moves yet.</li>}
      {Array.from({ length: Math.ceil((moves.length + (half ? 1 : 0)) / 2) }, (_, row) => (
        <li key={row}>
          <i>{row + 1}</i>
          {cell(2 * row)}
          {cell(2 * row + 1)}
        </li>
      ))}
    </ol>
  );
}

const SPACE = 8; // px that stay free at the edge

/** How far something reaches out of its box, on either side. */
function beyond(from: number, to: number, first: number, last: number): number {
  return last > to ? last - to + SPACE : first < from ? first - from - SPACE : 0;
}

/** One of the buttons to go through a game. */
export function Step({ icon, label, onPress }: { icon: IconName; label: string; onPress(): void }): VNode {
  return (
    <button type="button" class="tool" aria-label={label} onClick={onPress}>
      <Icon name={icon} />
    </button>
  );
}
