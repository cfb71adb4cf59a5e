// A choice between a few values, side by side.
import type { VNode } from "preact";
import { Icon, type IconName } from "./Icon.tsx";

interface Props {
  legend: string;
  name: string;
  value: string;
  choices: readonly { value: string; name: string; icon?: IconName; picture?: VNode }[];
  onChange(value: string): void;
}

export function SegmentedControl({ legend, name, value, choices, onChange }: Props): VNode {
  return (
    <fieldset>
      <legend>{legend}</legend>
      <div class="segments">
        {choices.map((choice) => (
          <label key={choice.value}>
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === value}
              onChange={() => onChange(choice.value)}
            />
            <span>
              {choice.icon && <Icon name={choice.icon} size={18} />}
              {choice.picture}
              {choice.name}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
