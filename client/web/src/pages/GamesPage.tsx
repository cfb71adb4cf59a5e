// All finished games, and a form to import a record.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { PageLayout } from "../components/PageLayout.tsx";
import { GameList } from "../components/GameList.tsx";
import { ErrorMessage } from "../components/ErrorMessage.tsx";
import { call, games } from "../state/server.ts";
import { importedRecord } from "../state/analysis.ts";
import { navigate } from "../state/router.ts";
import { useSignal } from "../state/signal.ts";

export function GamesPage(): VNode {
  const cards = useSignal(games);
  const [game, setGame] = useState("");
  const [text, setText] = useState("");
  const [error, setError] = useState("");
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      importedRecord.value = await call({ t: "read_record", text });
      navigate("/game");
    } catch (reason) {
      setError((reason as Error).message);
    }
  };
  return (
    <PageLayout title="Finished games" kind="reading">
      <div class="head">
        <h1>Finished games</h1>
        <label class="field">
          <span class="visually-hidden">Show only</span>
          <select value={game} onChange={(event) => setGame(event.currentTarget.value)}>
            <option value="">All games</option>
            {cards.map(({ key, name }) => (
              <option value={key} key={key}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      <GameList game={game} empty="No finished games yet." key={game}>
        <p>
          <a class="button" href="/study">
            Study a position
          </a>
        </p>
        <form class="card settings" onSubmit={(event) => void submit(event)}>
          <h2>Import a record</h2>
          <label class="field wide">
            <span>Paste a record as text or JSON. The server checks and replays it.</span>
            <textarea
              rows={6}
              spellcheck={false}
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          </label>
          <ErrorMessage text={error} />
          <button type="submit" class="button primary" disabled={!text.trim()}>
            Import
          </button>
        </form>
      </GameList>
    </PageLayout>
  );
}
