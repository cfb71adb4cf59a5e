// The buttons for a piece that is about to be placed: turn it, and, where a finger has left it, place it.
import type { VNode } from "preact";
import { Icon } from "./Icon.tsx";

interface Props {
  /** Whether the piece waits where a finger has left it. */
  isHeld: boolean;
  fits: boolean;
  onTurn(): void;
  onPlace(): void;
}

export function PlacingButtons({ isHeld, fits, onTurn, onPlace }: Props): VNode {
  return (
    <>
      <button type="button" class="button turn" title="Turn it (R)" onClick={onTurn}>
        <Icon name="rotate" size={18} />
        <span>Turn</span>
      </button>
      {isHeld && (
        <button type="button" class="button primary" disabled={!fits} onClick={onPlace}>
          Place
        </button>
      )}
    </>
  );
}
