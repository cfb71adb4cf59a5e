// The strength of a bot, weakest first, and what the chosen one does.
import type { VNode } from "preact";
import { useId } from "preact/hooks";
import type { Level } from "../../sdk/index.ts";

interface Props {
  levels: readonly Level[];
  value: string;
  onChange(level: string): void;
}

export function LevelField({ levels, value, onChange }: Props): VNode {
  const id = useId();
  const chosen = levels.find(([key]) => key === value);
  return (
    <label class="field">
      <span>Level</span>
      <select value={value} aria-describedby={id} onChange={(event) => onChange(event.currentTarget.value)}>
        {levels.map(([key, title, rating]) => (
          <option value={key} key={key}>
            {rating === null ? title : `${title}, about ${rating}`}
          </option>
        ))}
      </select>
      <small class="muted" id={id}>
        {chosen?.[3]}
      </small>
    </label>
  );
}
