// A whole turn as text, for those who would rather type. What is refused can be mended.
import type { VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Turn } from "../../sdk/index.ts";
import type { Table, View } from "../state/table.ts";
import { completions } from "../state/typed.ts";
import { Icon } from "./Icon.tsx";

const LONGEST = 128; // letters of a turn that the server takes

interface Props {
  table: Table;
  view: View;
  turn: Turn;
  onClose(): void;
}

export function TypedTurn({ table, view, turn, onClose }: Props): VNode {
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [refused, setRefused] = useState("");
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
      await table.type(text.trim());
      onClose();
    } catch (why) {
      setRefused((why as Error).message);
      setBusy(false);
    }
  };
  return (
    <form class="typed" onSubmit={(event) => void send(event)}>
      {refused ? (
        <p class="refused" role="alert" title={refused}>
          {refused}
        </p>
      ) : (
        <p>Type your turn as the moves are written.</p>
      )}
      <input
        type="text"
        aria-label="Your turn"
        list="typed-turns"
        ref={field}
        value={text}
        maxLength={LONGEST}
        autoComplete="off"
        autoCapitalize="off"
        spellcheck={false}
        aria-invalid={refused !== ""}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setRefused("");
        }}
        onKeyDown={(event) => event.key === "Escape" && onClose()}
      />
      <datalist id="typed-turns">
        {completions(turn.back(0), view.mirror.room.board, text).map((each) => (
          <option value={each} />
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
