// The strength of a bot, weakest first, with a description of each level.
import type { VNode } from "preact";
import { useId } from "preact/hooks";
import type { Level } from "../../sdk/index.ts";

interface Props {
  /** The label of the field. */
  name?: string;
  levels: readonly Level[];
  value: string;
  onChange(level: string): void;
}

export function LevelField({ name = "Level", levels, value, onChange }: Props): VNode {
  const id = useId();
  const chosen = levels.find(([key]) => key === value);
  return (
    <label class="field">
      <span>{name}</span>
      <select value={value} aria-describedby={id} onChange={(event) => onChange(event.currentTarget.value)}>
        {levels.map((level) => (
          <option value={level[0]} key={level[0]}>
            {levelName(level)}
          </option>
        ))}
      </select>
      <small class="muted" id={id}>
        {chosen?.[3]}
      </small>
    </label>
  );
}

/** All levels with their descriptions, weakest first. */
export function LevelList({ levels }: { levels: readonly Level[] }): VNode {
  return (
    <details>
      <summary>What the levels do</summary>
      <dl class="level-list">
        {levels.map((level) => (
          <div key={level[0]}>
            <dt>{levelName(level)}</dt>
            <dd>{level[3]}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** “Greedy (hard), about 617”, with the other name and the measured strength if there are any. */
function levelName([, title, rating, , alias]: Level): string {
  return `${title}${alias ? ` (${alias})` : ""}${rating == null ? "" : `, about ${rating}`}`;
}
