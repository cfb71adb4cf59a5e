// The chat of a tournament. Names and messages are text, never markup.
import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { TournamentSaid } from "../../sdk/index.ts";
import { call, me } from "../state/server.ts";
import { useSignal } from "../state/signal.ts";
import { ChatForm } from "./ChatForm.tsx";
import { PlayerMenu } from "./PlayerMenu.tsx";

export function TournamentChat({ id, chat }: { id: string; chat: readonly TournamentSaid[] }): VNode {
  const own = useSignal(me)?.name;
  const [about, setAbout] = useState(""); // the player whose menu is open
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => list.current?.scrollTo(0, list.current.scrollHeight), [chat.length]);
  return (
    <section class="part" aria-label="Chat">
      <h2>Chat</h2>
      <div class="chat card">
        <ol ref={list} aria-label="Messages" aria-live="polite" tabIndex={0}>
          {chat.length === 0 && <li class="empty">No messages yet.</li>}
          {chat.map(({ name, text }, n) => (
            <li key={n}>
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
              <span>{text}</span>
            </li>
          ))}
        </ol>
        {about && <PlayerMenu name={about} key={about} />}
        <ChatForm onSay={(text) => call({ t: "say_tournament", tournament: id, text })} />
      </div>
    </section>
  );
}
