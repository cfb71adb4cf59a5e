// The line in which a chat message is written.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { ErrorMessage } from "./ErrorMessage.tsx";

const MAX_LENGTH = 280; // characters that the server accepts

interface Props {
  onSay(text: string): Promise<unknown>;
  /** Messages that one press sends. */
  presets?: readonly string[];
}

export function ChatForm({ onSay, presets = [] }: Props): VNode {
  const [line, setLine] = useState("");
  const [error, setError] = useState("");
  const say = async (text: string): Promise<void> => {
    try {
      await onSay(text);
      setError("");
    } catch (reason) {
      setError((reason as Error).message);
    }
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    if (!line.trim()) return;
    void say(line.trim());
    setLine("");
  };
  return (
    <>
      {presets.length > 0 && (
        <div class="presets">
          {presets.map((text) => (
            <button type="button" class="chip-button" key={text} onClick={() => void say(text)}>
              {text}
            </button>
          ))}
        </div>
      )}
      <form onSubmit={submit}>
        <input
          type="text"
          aria-label="Message"
          placeholder="Write a message"
          maxLength={MAX_LENGTH}
          value={line}
          onInput={(event) => setLine(event.currentTarget.value)}
        />
        <button type="submit" class="button">
          Send
        </button>
      </form>
      <ErrorMessage text={error} />
    </>
  );
}
