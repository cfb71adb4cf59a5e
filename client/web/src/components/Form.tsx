// A form with one button and an error message, and its fields.
import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import { ErrorMessage } from "./ErrorMessage.tsx";

export function Form({
  title,
  button,
  onSend,
  children,
}: {
  title: string;
  button: string;
  onSend(form: FormData): Promise<unknown>;
  children: ComponentChildren;
}): VNode {
  const [error, setError] = useState("");
  const [busy, setBusy] = useState(false);
  const send = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    setBusy(true);
    setError("");
    try {
      await onSend(new FormData(form));
      form.reset();
    } catch (reason) {
      setError((reason as Error).message);
    }
    setBusy(false);
  };
  return (
    <form class="card settings" onSubmit={(event) => void send(event)}>
      <h2>{title}</h2>
      {children}
      <ErrorMessage text={error} />
      <button type="submit" class="button primary" disabled={busy}>
        {button}
      </button>
    </form>
  );
}

export function Field({
  name,
  label,
  kind,
  optional,
  autoComplete,
}: {
  name: string;
  label: string;
  kind?: "email" | "password";
  optional?: boolean;
  autoComplete: string;
}): VNode {
  return (
    <label class="field wide">
      <span>{label}</span>
      <input type={kind ?? "text"} name={name} required={!optional} autoComplete={autoComplete} />
    </label>
  );
}

/** The text of a field without spaces around it. */
export const textOf = (form: FormData, name: string): string => String(form.get(name) ?? "").trim();
