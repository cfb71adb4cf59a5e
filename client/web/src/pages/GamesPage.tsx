// Finished games of everybody, and records from elsewhere, which can be pasted in.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Frame } from "../parts/Frame.tsx";
import { GameRows } from "../parts/GameRows.tsx";
import { Refused } from "../parts/Refused.tsx";
import { call, games } from "../state/parlour.ts";
import { imported } from "../state/replay.ts";
import { go } from "../state/router.ts";
import { useSignal } from "../state/signal.ts";

export function GamesPage(): VNode {
  const cards = useSignal(games);
  const [game, setGame] = useState("");
  const [text, setText] = useState("");
  const [refused, setRefused] = useState("");
  const read = async (event: Event): Promise<void> => {
    event.preventDefault();
    try {
      imported.value = await call({ t: "read_record", text });
      go("/game");
    } catch (why) {
      setRefused((why as Error).message);
    }
  };
  return (
    <Frame title="Finished games" kind="reading">
      <div class="head">
        <h1>Finished games</h1>
        <label class="field">
          <span class="unseen">Only this game</span>
          <select value={game} onChange={(event) => setGame(event.currentTarget.value)}>
            <option value="">All games</option>
            {cards.map(({ key, name }) => (
              <option value={key}>{name}</option>
            ))}
          </select>
        </label>
      </div>
      <GameRows of={game ? { game } : {}} empty="Finished games will be here." key={game} />
      <form class="card settings" onSubmit={(event) => void read(event)}>
        <h2>Open a record</h2>
        <label class="field wide">
          <span>Paste a record, as text or as JSON. It is checked and replayed.</span>
          <textarea rows={6} spellcheck={false} value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
        <Refused why={refused} />
        <button type="submit" class="button primary" disabled={!text.trim()}>
          Open
        </button>
      </form>
    </Frame>
  );
}
