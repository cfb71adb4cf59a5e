// An invitation by link. The game starts on a button press, so that a link preview does not start it.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Dock, Header } from "../components/Header.tsx";
import { ErrorMessage } from "../components/ErrorMessage.tsx";
import { call, me } from "../state/server.ts";
import { navigate } from "../state/router.ts";
import { useSignal } from "../state/signal.ts";

export function JoinPage({ code }: { code: string }): VNode {
  const player = useSignal(me);
  const [error, setError] = useState("");
  const accept = (): void => {
    call({ t: "accept", seek: code }).then(
      ({ room }) => navigate(`/table/${room}`, true),
      (reason: Error) => setError(reason.message),
    );
  };
  return (
    <>
      <Header title="Invitation" />
      <main class="page narrow">
        <h1>You are invited to a game</h1>
        <p>{player ? `You will play as ${player.name}.` : "Loading…"}</p>
        {error ? (
          <>
            <ErrorMessage text={error} />
            <a class="button primary" href="/">
              Back to the lobby
            </a>
          </>
        ) : (
          <button type="button" class="button primary big" disabled={!player} onClick={accept}>
            Join the game
          </button>
        )}
      </main>
      <Dock />
    </>
  );
}
