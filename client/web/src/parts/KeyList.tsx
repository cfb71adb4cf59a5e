// Which keys there are at a table.
import type { VNode } from "preact";

const KEYS: readonly [string, string][] = [
  ["Arrows", "move on the board; beside it, look back and forward"],
  ["Tab", "the next thing that can be chosen"],
  ["Enter, Space", "choose it"],
  ["Backspace, Escape", "one step back"],
  ["e5", "go to that cell"],
  [": or /", "type a whole turn"],
  ["F", "turn the board"],
  ["N", "numbers in the cells"],
  ["M", "sounds"],
  ["L", "lamplight"],
  ["C", "chat"],
  ["D, T, R", "offer a draw, ask a turn back, ask for a rematch"],
  ["?", "this list"],
];

export function KeyList(): VNode {
  return (
    <dl class="keys">
      {KEYS.map(([key, does]) => (
        <>
          <dt>{key}</dt>
          <dd>{does}</dd>
        </>
      ))}
    </dl>
  );
}
