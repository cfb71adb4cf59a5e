// The keyboard shortcuts of a table.
import { Fragment, type VNode } from "preact";

const SHORTCUTS: readonly [string, string][] = [
  ["Arrows", "move on the board; elsewhere, step through the game"],
  ["Tab", "next cell that can be chosen"],
  ["Enter, Space", "choose"],
  ["Backspace, Escape", "undo the last step"],
  ["e5", "go to a cell"],
  [": or /", "type a whole turn"],
  ["R", "turn the piece that you are placing"],
  ["F", "flip the board"],
  ["N", "numbers on score tracks"],
  ["M", "sound"],
  ["L", "dark theme"],
  ["C", "chat"],
  ["D, T, R", "offer a draw, take back; after the game, offer a rematch"],
  ["?", "this list"],
];

export function ShortcutList(): VNode {
  return (
    <dl class="keys">
      {SHORTCUTS.map(([key, action]) => (
        <Fragment key={key}>
          <dt>{key}</dt>
          <dd>{action}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
