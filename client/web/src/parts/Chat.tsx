// Talk at the table. Names and lines are text, never markup.
import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { toneOf } from "../board/ground.tsx";
import type { Table, View } from "../state/table.ts";
import { SeatSign } from "./Icon.tsx";
import { Refused } from "./Refused.tsx";

const PRESETS = ["Good luck", "Well played", "Thanks"];
const LONGEST = 280; // letters in a line that the server takes

export function Chat({ table, view }: { table: Table; view: View }): VNode {
  const { said, mirror } = view;
  const [line, setLine] = useState("");
  const [refused, setRefused] = useState("");
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    table.read();
    list.current?.scrollTo(0, list.current.scrollHeight);
  }, [said.length]);

  const say = async (text: string): Promise<void> => {
    try {
      await table.say(text);
      setRefused("");
    } catch (why) {
      setRefused((why as Error).message);
    }
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    if (!line.trim()) return;
    void say(line.trim());
    setLine("");
  };
  return (
    <div class="chat">
      <ol ref={list} aria-label="Talk" aria-live="polite">
        {said.length === 0 && <li class="empty">Nobody has said anything yet.</li>}
        {said.map(({ name, text, seat }) => (
          <li>
            {seat != null && <SeatSign tone={toneOf(mirror.room.board, seat)} size={12} />}
            <b>{name}</b> <span>{text}</span>
          </li>
        ))}
      </ol>
      <div class="presets">
        {PRESETS.map((words) => (
          <button type="button" class="chip-button" onClick={() => void say(words)}>
            {words}
          </button>
        ))}
      </div>
      <form onSubmit={submit}>
        <input
          type="text"
          aria-label="Say something"
          placeholder="Say something"
          maxLength={LONGEST}
          value={line}
          onInput={(event) => setLine(event.currentTarget.value)}
        />
        <button type="submit" class="button">
          Send
        </button>
      </form>
      <Refused why={refused} />
    </div>
  );
}
