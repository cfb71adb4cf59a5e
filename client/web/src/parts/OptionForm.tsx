// The options of a game as fields, whatever they are: the server says which there are.
import type { VNode } from "preact";
import type { OptionSpec, OptionValue } from "../../sdk/index.ts";
import { layouts } from "../state/layouts.ts";
import { useSignal } from "../state/signal.ts";

interface Props {
  spec: OptionSpec;
  value: OptionValue;
  onChange(value: OptionValue): void;
}

export function OptionForm({ spec, value, onChange }: Props): VNode {
  if (spec.kind === "switch") {
    return (
      <label class="switch" title={spec.help}>
        <input type="checkbox" checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
        <span class="track" aria-hidden="true" />
        {spec.title}
      </label>
    );
  }
  if (spec.kind === "number") {
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
  }
  if (spec.kind === "layout") return <Layout spec={spec} value={value} onChange={onChange} />;
  return (
    <label class="field" title={spec.help}>
      <span>{spec.title}</span>
      <select
        value={String(value)}
        onChange={({ currentTarget }) => onChange(spec.choices?.[currentTarget.selectedIndex] ?? spec.default)}
      >
        {spec.choices?.map((choice) => (
          <option value={String(choice)}>{typeof choice === "number" ? `${choice} × ${choice}` : choice}</option>
        ))}
      </select>
    </label>
  );
}

/** One of the boards that the game has, one that was drawn here, or a text. */
function Layout({ spec, value, onChange }: Props): VNode {
  const own = useSignal(layouts);
  const known = [...(spec.choices ?? []).map(String), ...own.map(({ rows }) => rows)];
  const now = String(value);
  return (
    <div class="field">
      <label class="field">
        <span>{spec.title}</span>
        <select value={now} onChange={(event) => onChange(event.currentTarget.value)}>
          {spec.choices?.map((choice) => (
            <option value={String(choice)}>{choice}</option>
          ))}
          {own.map(({ name, rows }) => (
            <option value={rows}>{name}</option>
          ))}
          {!known.includes(now) && <option value={now}>this one</option>}
        </select>
      </label>
      <a class="link" href="/editor">
        Draw a board
      </a>
    </div>
  );
}
