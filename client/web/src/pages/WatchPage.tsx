// Live games to watch, with the featured one first, and a form to open any table.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { PageLayout } from "../components/PageLayout.tsx";
import { LiveGameCard } from "../components/LiveGameCard.tsx";
import { useLobby } from "../state/lobby.ts";
import { games } from "../state/server.ts";
import { navigate } from "../state/router.ts";
import { useSignal } from "../state/signal.ts";

export function WatchPage(): VNode {
  const lobby = useLobby();
  const cards = useSignal(games);
  const [filter, setFilter] = useState("");
  const [room, setRoom] = useState("");
  const { live = [], featured = "" } = lobby ?? {};
  const shown = live.filter(({ game }) => !filter || game === filter);
  shown.sort((a, b) => Number(b.room === featured) - Number(a.room === featured));
  const open = (event: Event): void => {
    event.preventDefault();
    const id = room.trim().split("/").filter(Boolean).at(-1);
    if (id) navigate(`/table/${encodeURIComponent(id)}`);
  };
  return (
    <PageLayout title="Watch" kind="watch">
      <div class="head">
        <h1>Live games</h1>
        <label class="field">
          <span class="visually-hidden">Show only</span>
          <select value={filter} onChange={(event) => setFilter(event.currentTarget.value)}>
            <option value="">All games</option>
            {cards.map(({ key, name }) => (
              <option value={key} key={key}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <a class="link" href="/games">
          Finished games
        </a>
      </div>
      {lobby && !shown.length && (
        <p class="card empty-note">
          There are no live games right now.{" "}
          <a class="link" href="/">
            Start one.
          </a>
        </p>
      )}
      <ul class="live-games">
        {shown.map((game, n) => (
          <li key={game.room} class={n === 0 && !filter ? "featured" : ""}>
            <LiveGameCard game={game} />
          </li>
        ))}
      </ul>
      {lobby && (
        <form class="button-row" onSubmit={open}>
          <label class="field wide">
            <span>Table link or ID</span>
            <input type="text" value={room} onInput={(event) => setRoom(event.currentTarget.value)} />
          </label>
          <button type="submit" class="button at-end">
            Watch
          </button>
        </form>
      )}
    </PageLayout>
  );
}
