// Save the current layout, and load or delete saved ones.
import type { VNode } from "preact";
import { deleteLayout, layoutsFor, type SavedLayout, savedLayouts, saveLayout } from "../state/savedLayouts.ts";
import { useSignal } from "../state/signal.ts";

interface Props {
  game: string;
  option: string;
  text: string;
  /** Whether the server accepts the current layout. */
  valid: boolean;
  name: string;
  onName(name: string): void;
  onLoad(layout: SavedLayout): void;
}

export function SavedLayoutList({ game, option, text, valid, name, onName, onLoad }: Props): VNode {
  const layouts = layoutsFor(useSignal(savedLayouts), game, option);
  const save = (event: Event): void => {
    event.preventDefault();
    saveLayout({ game, option, name: name.trim() || "My board", text });
  };
  return (
    <>
      <form class="button-row" onSubmit={save}>
        <label class="field wide">
          <span>Name</span>
          <input type="text" maxLength={24} value={name} onInput={(event) => onName(event.currentTarget.value)} />
        </label>
        <button type="submit" class="button at-end" disabled={!valid}>
          Save
        </button>
      </form>
      {layouts.length > 0 && (
        <ul class="card rows">
          {layouts.map((layout) => (
            <li key={layout.name}>
              <button type="button" class="link" onClick={() => onLoad(layout)}>
                {layout.name}
              </button>
              <button
                type="button"
                class="link"
                aria-label={`Delete ${layout.name}`}
                onClick={() => deleteLayout(layout)}
              >
                Delete
              </button>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
