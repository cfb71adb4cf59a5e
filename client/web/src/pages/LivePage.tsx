// What can be watched: the game most worth it, all others, and any table by its name.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Frame } from "../parts/Frame.tsx";
import { LiveCard } from "../parts/LiveCard.tsx";
import { useLobby } from "../state/lobby.ts";
import { games } from "../state/parlour.ts";
import { go } from "../state/router.ts";
import { useSignal } from "../state/signal.ts";

export function LivePage(): VNode {
  const lobby = useLobby();
  const cards = useSignal(games);
  const [only, setOnly] = useState("");
  const [room, setRoom] = useState("");
  const { live = [], featured = "" } = lobby ?? {};
  const shown = live.filter(({ game }) => !only || game === only);
  shown.sort((a, b) => Number(b.room === featured) - Number(a.room === featured));
  const open = (event: Event): void => {
    event.preventDefault();
    const name = room.trim().split("/").filter(Boolean).at(-1);
    if (name) go(`/table/${encodeURIComponent(name)}`);
  };
  return (
    <Frame title="Watch" kind="watch">
      <div class="head">
        <h1>On now</h1>
        <label class="field">
          <span class="unseen">Only this game</span>
          <select value={only} onChange={(event) => setOnly(event.currentTarget.value)}>
            <option value="">All games</option>
            {cards.map(({ key, name }) => (
              <option value={key}>{name}</option>
            ))}
          </select>
        </label>
        <a class="link" href="/games">
          Finished games
        </a>
      </div>
      {lobby && !shown.length && (
        <p class="card nothing">
          No game is on that anybody may watch.{" "}
          <a class="link" href="/">
            Begin one.
          </a>
        </p>
      )}
      <ul class="lives">
        {shown.map((game, n) => (
          <li key={game.room} class={n === 0 && !only ? "featured" : ""}>
            <LiveCard game={game} />
          </li>
        ))}
      </ul>
      <form class="row-of" onSubmit={open}>
        <label class="field wide">
          <span>Link or name of a table</span>
          <input type="text" value={room} onInput={(event) => setRoom(event.currentTarget.value)} />
        </label>
        <button type="submit" class="button at-end">
          Watch
        </button>
      </form>
    </Frame>
  );
}
