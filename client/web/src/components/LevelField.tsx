// The strength of a bot.
import type { VNode } from "preact";
import type { Level } from "../../sdk/index.ts";

interface Props {
  levels: readonly Level[];
  value: string;
  onChange(level: string): void;
}

export function LevelField({ levels, value, onChange }: Props): VNode {
  return (
    <label class="field">
      <span>Level</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {levels.map(([key, title, rating]) => (
          <option value={key} key={key}>
            {rating === null ? title : `${title}, about ${rating}`}
          </option>
        ))}
      </select>
    </label>
  );
}
