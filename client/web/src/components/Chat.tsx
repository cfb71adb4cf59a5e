// The chat of a table. Names and messages are text, never markup.
import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { toneOf } from "../board/Surface.tsx";
import type { Table, View } from "../state/table.ts";
import { SeatIcon } from "./Icon.tsx";
import { ChatForm } from "./ChatForm.tsx";
import { PlayerMenu } from "./PlayerMenu.tsx";
import { me } from "../state/server.ts";
import { useSignal } from "../state/signal.ts";

const PRESETS = ["Good luck", "Well played", "Thanks"];

export function Chat({ table, view }: { table: Table; view: View }): VNode {
  const { chat, replica } = view;
  const [about, setAbout] = useState(""); // the player whose menu is open
  const own = useSignal(me)?.name;
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    table.markChatRead();
    list.current?.scrollTo(0, list.current.scrollHeight);
  }, [table, chat.length]);

  return (
    <div class="chat">
      <ol ref={list} aria-label="Messages" aria-live="polite">
        {chat.length === 0 && <li class="empty">No messages yet.</li>}
        {chat.map(({ name, text, seat }, n) => (
          <li key={n}>
            {seat != null && <SeatIcon tone={toneOf(replica.room.board, seat)} size={12} />}
            {name === own ? (
              <b>{name}</b>
            ) : (
              <button
                type="button"
                class="name"
                title={`Mute, block or report ${name}`}
                aria-expanded={about === name}
                onClick={() => setAbout(about === name ? "" : name)}
              >
                {name}
              </button>
            )}{" "}
            {seat == null && <span class="muted">spectator </span>}
            <span>{text}</span>
          </li>
        ))}
      </ol>
      {about && <PlayerMenu name={about} room={replica.room.room} key={about} />}
      {replica.seat === null && replica.status !== "over" && (
        <p class="muted">The players see what spectators say when the game is over.</p>
      )}
      <ChatForm onSay={(text) => table.say(text)} presets={PRESETS} />
    </div>
  );
}
