// A form field for one option of a game, built from the server's specification.
import type { VNode } from "preact";
import type { OptionSpec, OptionValue } from "../../sdk/index.ts";
import { layoutsFor, savedLayouts } from "../state/savedLayouts.ts";
import { useSignal } from "../state/signal.ts";

interface Props {
  game: string;
  spec: OptionSpec;
  value: OptionValue;
  onChange(value: OptionValue): void;
}

export function OptionField(props: Props): VNode {
  const { spec, value, onChange } = props;
  switch (spec.kind) {
    case "switch":
      return (
        <label class="switch" title={spec.help}>
          <input type="checkbox" checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
          <span class="track" aria-hidden="true" />
          {spec.title}
        </label>
      );
    case "number":
      return (
        <label class="field" title={spec.help}>
          <span>{spec.title}</span>
          <input
            type="number"
            min={spec.low}
            max={spec.high}
            value={Number(value)}
            onChange={(event) => onChange(Number(event.currentTarget.value))}
          />
        </label>
      );
    case "layout":
      return <LayoutField {...props} />;
    default:
      return (
        <label class="field" title={spec.help}>
          <span>{spec.title}</span>
          <select
            value={String(value)}
            onChange={({ currentTarget }) => onChange(spec.choices?.[currentTarget.selectedIndex] ?? spec.default)}
          >
            {spec.choices?.map((choice) => (
              <option value={String(choice)} key={choice}>
                {choice}
              </option>
            ))}
          </select>
        </label>
      );
  }
}

/** One of the game's own layouts, a saved one, or the one that is passed in. */
function LayoutField({ game, spec, value, onChange }: Props): VNode {
  const saved = layoutsFor(useSignal(savedLayouts), game, spec.key);
  const current = String(value);
  const listed = [...(spec.choices ?? []).map(String), ...saved.map(({ text }) => text)];
  return (
    <div class="field">
      <label class="field" title={spec.help}>
        <span>{spec.title}</span>
        <select value={current} onChange={(event) => onChange(event.currentTarget.value)}>
          {spec.choices?.map((choice) => (
            <option value={String(choice)} key={choice}>
              {choice}
            </option>
          ))}
          {saved.map(({ name, text }) => (
            <option value={text} key={name}>
              {name}
            </option>
          ))}
          {!listed.includes(current) && <option value={current}>custom</option>}
        </select>
      </label>
      {spec.layout && (
        <a class="link" href={`/editor/${game}/${spec.key}`}>
          Open the editor
        </a>
      )}
    </div>
  );
}
