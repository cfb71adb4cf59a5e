// A form to type a whole turn. A turn that is not possible stays in the field to be corrected.
import type { VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Turn } from "../../sdk/index.ts";
import type { Table, View } from "../state/table.ts";
import { completions } from "../state/typedTurn.ts";
import { Icon } from "./Icon.tsx";

const MAX_LENGTH = 128; // characters that the server accepts

interface Props {
  table: Table;
  view: View;
  turn: Turn;
  onClose(): void;
}

export function TypedTurnForm({ table, view, turn, onClose }: Props): VNode {
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [error, setError] = useState("");
  const [busy, setBusy] = useState(false);
  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    field.current?.focus();
    return () => before?.focus();
  }, []);

  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!text.trim() || busy) return;
    setBusy(true);
    try {
      await table.entry.playText(text.trim());
      onClose();
    } catch (reason) {
      setError((reason as Error).message);
      setBusy(false);
    }
  };
  return (
    <form class="typed" onSubmit={(event) => void send(event)}>
      {error ? (
        <p class="error" role="alert" title={error}>
          {error}
        </p>
      ) : (
        <p>Type your turn in the notation of the move list.</p>
      )}
      <input
        type="text"
        aria-label="Your turn"
        list="typed-turns"
        ref={field}
        value={text}
        maxLength={MAX_LENGTH}
        autoComplete="off"
        autoCapitalize="off"
        spellcheck={false}
        aria-invalid={error !== ""}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setError("");
        }}
        onKeyDown={(event) => event.key === "Escape" && onClose()}
      />
      <datalist id="typed-turns">
        {completions(turn.back(0), view.replica.room.board, text).map((each) => (
          <option value={each} key={each} />
        ))}
      </datalist>
      <button type="submit" class="button primary" disabled={busy}>
        {busy ? "Sending" : "Play"}
      </button>
      <button type="button" class="tool" aria-label="Cancel" onClick={onClose}>
        <Icon name="close" />
      </button>
    </form>
  );
}
