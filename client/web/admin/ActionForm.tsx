// The form of an action: its end and its reason. It states the effect before anything happens.
import type { TargetedSubmitEvent, VNode } from "preact";
import { useState } from "preact/hooks";
import { act, type ActionFields } from "./api.ts";

export interface Choice {
  action: string; // as in the API
  label: string;
  effect: string;
  field?: "until" | "name" | "game" | "winner" | "text";
  hurts?: boolean;
}

interface Props {
  title: string;
  path: string[]; // of the target, without the action
  choices: Choice[];
  onDone: () => void;
}

const HOUR = 3_600_000;
const PERIODS = [
  ["1 hour", HOUR],
  ["24 hours", 24 * HOUR],
  ["7 days", 7 * 24 * HOUR],
  ["30 days", 30 * 24 * HOUR],
  ["1 year", 365 * 24 * HOUR],
] as const;
const WINNERS = [
  ["The first player wins", "0"],
  ["The second player wins", "1"],
  ["Draw", ""],
] as const;
const LABELS = { until: "For", name: "New name", game: "Game", winner: "Result", text: "Text" };

export function ActionForm({ title, path, choices, onDone }: Props): VNode {
  const [action, setAction] = useState(choices[0]!.action);
  const [reason, setReason] = useState("");
  const [values, setValues] = useState<{ [field: string]: string }>({ until: String(24 * HOUR), winner: "0" });
  const [message, setMessage] = useState("");
  const [error, setError] = useState("");
  const choice = choices.find((each) => each.action === action) ?? choices[0]!;

  const submit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setMessage("");
    setError("");
    act([...path, choice.action], reason, fieldsOf(choice, values)).then(
      (answer) => {
        setReason("");
        setMessage(answer.password ? `Password for one sign-in: ${answer.password}` : "Done.");
        onDone();
      },
      (fault: Error) => setError(fault.message),
    );
  };

  const { field } = choice;
  const set = (value: string): void => field && setValues({ ...values, [field]: value });
  return (
    <form class="card" onSubmit={submit} aria-label={title}>
      <h2>{title}</h2>
      {choices.length > 1 && (
        <label class="field">
          <span>Action</span>
          <select value={action} onChange={(event) => setAction(event.currentTarget.value)}>
            {choices.map((each) => (
              <option key={each.action} value={each.action}>
                {each.label}
              </option>
            ))}
          </select>
        </label>
      )}
      {field && (
        <label class="field">
          <span>{LABELS[field]}</span>
          {field === "until" || field === "winner" ? (
            <select value={values[field]} onChange={(event) => set(event.currentTarget.value)}>
              {(field === "until" ? PERIODS : WINNERS).map(([label, value]) => (
                <option key={label} value={String(value)}>
                  {label}
                </option>
              ))}
            </select>
          ) : (
            <input
              type="text"
              required
              value={values[field] ?? ""}
              onInput={(event) => set(event.currentTarget.value)}
            />
          )}
        </label>
      )}
      <label class="field">
        <span>Reason, for the log and for the players concerned</span>
        <input
          type="text"
          required
          value={reason}
          onInput={(event) => {
            setReason(event.currentTarget.value);
            setMessage(""); // it was about the action before
          }}
        />
      </label>
      <p class="effect">{choice.effect}</p>
      <button type="submit" class={choice.hurts ? "button hurts" : "button"}>
        {choice.label}
      </button>
      {message && <p role="status">{message}</p>}
      {error && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
    </form>
  );
}

function fieldsOf({ field }: Choice, values: { [field: string]: string }): ActionFields {
  const value = field ? (values[field] ?? "") : "";
  switch (field) {
    case undefined:
      return {};
    case "until":
      return { until: Date.now() + Number(value) };
    case "winner":
      return { winner: value === "" ? null : Number(value) };
    default:
      return { [field]: value };
  }
}
