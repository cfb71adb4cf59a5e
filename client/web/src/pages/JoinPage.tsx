// An invitation that was opened: one press, so that a preview of the link does not begin the game.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Dock, Header } from "../parts/Header.tsx";
import { Refused } from "../parts/Refused.tsx";
import { call, me } from "../state/parlour.ts";
import { go } from "../state/router.ts";
import { useSignal } from "../state/signal.ts";

export function JoinPage({ code }: { code: string }): VNode {
  const player = useSignal(me);
  const [refused, setRefused] = useState("");
  const accept = (): void => {
    call({ t: "accept", seek: code }).then(
      (made) => go(`/table/${made.room}`, true),
      (why: Error) => setRefused(why.message),
    );
  };
  return (
    <>
      <Header title="Invitation" />
      <main class="page narrow">
        <h1>You are invited to a game</h1>
        <p>{player ? `You play as ${player.name}.` : "One moment."}</p>
        {refused ? (
          <>
            <Refused why={refused} />
            <a class="button primary" href="/">
              To the start
            </a>
          </>
        ) : (
          <button type="button" class="button primary big" disabled={!player} onClick={accept}>
            Sit down
          </button>
        )}
      </main>
      <Dock />
    </>
  );
}
