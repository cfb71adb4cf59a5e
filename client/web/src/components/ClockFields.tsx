// The time control: a few common ones, or any kind of clock with its own times and a sentence that explains it.
import type { VNode } from "preact";
import type { Clock } from "../../sdk/index.ts";
import { TIME_CONTROLS } from "../state/matchmaking.ts";

const [SECOND, MINUTE, DAY] = [1000, 60_000, 86_400_000];

type Field = [label: string, unit: number];

interface Kind {
  kind: string;
  name: string;
  explanation: string;
  main?: Field;
  step?: Field;
  count?: string;
  defaults: Clock;
}

/** Fields for a main time in minutes and a step in seconds, with default values. */
const mainAndStep = (
  step: string,
  minutes: number,
  seconds: number,
): { main: Field; step: Field; defaults: Clock } => ({
  main: ["Minutes", MINUTE],
  step: [step, SECOND],
  defaults: { main: minutes * MINUTE, step: seconds * SECOND },
});

/** Fields for a main time followed by periods, with the number of periods, or of moves in each. */
const periods = (count: string, seconds: number, defaultCount: number): Omit<Kind, "kind" | "name" | "explanation"> => {
  const { defaults, ...fields } = mainAndStep("Period (seconds)", 10, seconds);
  return { ...fields, count, defaults: { ...defaults, count: defaultCount } };
};

const KINDS: readonly Kind[] = [
  {
    kind: "fischer",
    name: "Time and bonus",
    explanation: "A main time, and a bonus after each move.",
    ...mainAndStep("Bonus (seconds)", 10, 5),
  },
  {
    kind: "move",
    name: "Time per move",
    explanation: "A fixed time for every move.",
    main: ["Seconds", SECOND],
    defaults: { main: 30 * SECOND },
  },
  {
    kind: "delay",
    name: "Delay",
    explanation: "On each turn, your clock starts only after a pause.",
    ...mainAndStep("Pause (seconds)", 5, 3),
  },
  {
    kind: "bronstein",
    name: "Bronstein",
    explanation: "After each move you get back the time you used, up to a limit.",
    ...mainAndStep("Limit (seconds)", 5, 3),
  },
  {
    kind: "byoyomi",
    name: "Byoyomi",
    explanation: "After the main time come periods. A period that you do not use up is kept.",
    ...periods("Periods", 30, 3),
  },
  {
    kind: "canadian",
    name: "Canadian",
    explanation: "After the main time, a number of moves must be made in each period.",
    ...periods("Moves", 180, 10),
  },
  {
    kind: "days",
    name: "Days per move",
    explanation: "Correspondence: come back once in a while to move.",
    main: ["Days", DAY],
    defaults: { main: 3 * DAY },
  },
  { kind: "none", name: "No clock", explanation: "Take all the time you want.", defaults: {} },
];

/** The clocks that the list offers by name. */
const COMMON: readonly { name: string; clock: Clock }[] = [
  ...Object.values(TIME_CONTROLS),
  { name: "3 days per move", clock: { kind: "days", main: 3 * DAY } },
];

const isSame = (one: Clock, other: Clock): boolean =>
  (["kind", "main", "step", "count"] as const).every((key) => (one[key] || 0) === (other[key] || 0));

export function ClockFields({ clock, onChange }: { clock: Clock; onChange(clock: Clock): void }): VNode {
  const common = COMMON.findIndex((each) => isSame(each.clock, clock));
  const kind = KINDS.find((each) => each.kind === (clock.kind ?? "none")) ?? KINDS[0]!;
  const choose = (value: string): void =>
    onChange(COMMON[Number(value)]?.clock ?? { kind: "fischer", main: 3 * MINUTE, step: 2 * SECOND });
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
        <span>Time control</span>
        <select value={String(common)} onChange={(event) => choose(event.currentTarget.value)}>
          {COMMON.map(({ name }, n) => (
            <option value={String(n)} key={name}>
              {name}
            </option>
          ))}
          <option value="-1">Other</option>
        </select>
      </label>
      {common < 0 && (
        <div class="clock-form">
          <label class="field">
            <span>Clock</span>
            <select
              value={kind.kind}
              onChange={({ currentTarget: { value } }) =>
                onChange({ kind: value, ...KINDS.find((each) => each.kind === value)?.defaults })
              }
            >
              {KINDS.map(({ kind, name }) => (
                <option value={kind} key={kind}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          {kind.main && number("main", ...kind.main)}
          {kind.step && number("step", ...kind.step)}
          {kind.count && number("count", kind.count, 1)}
          <p class="muted">{kind.explanation}</p>
        </div>
      )}
    </>
  );
}
