// How time is kept: a few usual clocks, or any kind with its times and a sentence that says what it means.
import type { VNode } from "preact";
import type { Clock } from "../../sdk/index.ts";
import { PACES } from "../state/quick.ts";

const [SECOND, MINUTE, DAY] = [1000, 60_000, 86_400_000];

type Field = [label: string, unit: number];

interface Kind {
  kind: string;
  name: string;
  means: string;
  main?: Field;
  step?: Field;
  count?: string;
  usual: Clock;
}

/** A stock of minutes, and something of seconds; usually so many of each. */
const stock = (step: string, minutes: number, seconds: number): { main: Field; step: Field; usual: Clock } => ({
  main: ["Minutes", MINUTE],
  step: [step, SECOND],
  usual: { main: minutes * MINUTE, step: seconds * SECOND },
});

/** The same with periods after the stock, of which, or in which, something is counted. */
const periods = (count: string, seconds: number, usually: number): Omit<Kind, "kind" | "name" | "means"> => {
  const { usual, ...fields } = stock("Period, seconds", 10, seconds);
  return { ...fields, count, usual: { ...usual, count: usually } };
};

const KINDS: readonly Kind[] = [
  {
    kind: "fischer",
    name: "Time and bonus",
    means: "A stock of time, and more of it after each move.",
    ...stock("Bonus, seconds", 10, 5),
  },
  {
    kind: "move",
    name: "Time for each move",
    means: "The same time for every move.",
    main: ["Seconds", SECOND],
    usual: { main: 30 * SECOND },
  },
  {
    kind: "delay",
    name: "Delay",
    means: "Each turn the stock begins to run only after a pause.",
    ...stock("Pause, seconds", 5, 3),
  },
  {
    kind: "bronstein",
    name: "Time back",
    means: "After each move the time used comes back, up to a limit.",
    ...stock("At most, seconds", 5, 3),
  },
  {
    kind: "byoyomi",
    name: "Byoyomi",
    means: "After the stock come periods; one that is not used up is kept.",
    ...periods("Periods", 30, 3),
  },
  {
    kind: "canadian",
    name: "Canadian",
    means: "After the stock, so many moves in each period.",
    ...periods("Moves", 180, 10),
  },
  {
    kind: "days",
    name: "Days for each move",
    means: "Correspondence: come back whenever you like.",
    main: ["Days", DAY],
    usual: { main: 3 * DAY },
  },
  { kind: "none", name: "No clock", means: "Take all the time you want.", usual: {} },
];

/** What the list offers first: the usual clocks. */
export const USUAL: readonly { name: string; clock: Clock }[] = [
  ...Object.values(PACES),
  { name: "3 days a move", clock: { kind: "days", main: 3 * DAY } },
];

const same = (one: Clock, other: Clock): boolean =>
  (["kind", "main", "step", "count"] as const).every((key) => (one[key] || 0) === (other[key] || 0));

export function ClockForm({ clock, onChange }: { clock: Clock; onChange(clock: Clock): void }): VNode {
  const usual = USUAL.findIndex((each) => same(each.clock, clock));
  const kind = KINDS.find((each) => each.kind === (clock.kind ?? "none")) ?? KINDS[0]!;
  const pick = (value: string): void =>
    onChange(USUAL[Number(value)]?.clock ?? { kind: "fischer", main: 3 * MINUTE, step: 2 * SECOND });
  const number = (key: "main" | "step" | "count", label: string, unit: number): VNode => (
    <label class="field">
      <span>{label}</span>
      <input
        type="number"
        min={key === "step" ? 0 : 1}
        value={(clock[key] ?? 0) / unit}
        onChange={(event) => onChange({ ...clock, [key]: Math.round(Number(event.currentTarget.value) * unit) })}
      />
    </label>
  );
  return (
    <>
      <label class="field">
        <span>Pace</span>
        <select value={String(usual)} onChange={(event) => pick(event.currentTarget.value)}>
          {USUAL.map(({ name }, n) => (
            <option value={String(n)}>{name}</option>
          ))}
          <option value="-1">Other</option>
        </select>
      </label>
      {usual < 0 && (
        <div class="clock-form">
          <label class="field">
            <span>Kind of clock</span>
            <select
              value={kind.kind}
              onChange={({ currentTarget: { value } }) =>
                onChange({ kind: value, ...KINDS.find((each) => each.kind === value)?.usual })
              }
            >
              {KINDS.map(({ kind, name }) => (
                <option value={kind}>{name}</option>
              ))}
            </select>
          </label>
          {kind.main && number("main", ...kind.main)}
          {kind.step && number("step", ...kind.step)}
          {kind.count && number("count", kind.count, 1)}
          <p class="muted">{kind.means}</p>
        </div>
      )}
    </>
  );
}
