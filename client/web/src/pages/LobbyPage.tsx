// The lobby: start a game, players who wait, live games, who is online, and recent results.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { BotRows } from "../components/BotRows.tsx";
import { QuickStart } from "../components/QuickStart.tsx";
import { PageLayout } from "../components/PageLayout.tsx";
import { GameList } from "../components/GameList.tsx";
import { Icon } from "../components/Icon.tsx";
import { Leaderboard } from "../components/Leaderboard.tsx";
import { LiveGameCard } from "../components/LiveGameCard.tsx";
import { OnlinePlayers } from "../components/OnlinePlayers.tsx";
import { OpenTables } from "../components/OpenTables.tsx";
import { YourGames } from "../components/YourGames.tsx";
import { useLobby } from "../state/lobby.ts";
import { games } from "../state/server.ts";
import { useSignal } from "../state/signal.ts";
import { preferences } from "../state/preferences.ts";
import { lazy } from "./lazy.tsx";

const NewTableDialog = lazy("NewTableDialog", false);

export function LobbyPage(): VNode {
  const lobby = useLobby();
  const cards = useSignal(games);
  const { game } = useSignal(preferences);
  const [creating, setCreating] = useState(false);
  const [challenged, setChallenged] = useState("");
  const { seeks = [], live = [], featured = "", online = 0 } = lobby ?? {};
  const shown = live.find(({ room }) => room === featured) ?? live[0];
  const card = cards.find(({ key }) => key === game) ?? cards[0];
  return (
    <PageLayout title="Parlour" kind="lobby">
      <div class="column">
        <h1>Choose a game</h1>
        <QuickStart live={live} onMore={() => setCreating(true)} />
        <section class="part" aria-label="Play right now">
          <div class="head">
            <h2>Play right now</h2>
            <span class="muted">{seeks.length ? `${seeks.length} waiting` : ""}</span>
            <button type="button" class="link" onClick={() => setCreating(true)}>
              <Icon name="plus" size={18} />
              New table
            </button>
          </div>
          <OpenTables seeks={seeks} />
          {card && <BotRows card={card} key={card.key} />}
        </section>
        <section class="part" aria-label="Results">
          <div class="head">
            <h2>Results</h2>
            <a class="link" href="/games">
              All
            </a>
          </div>
          <GameList limit={5} empty="No finished games yet." />
        </section>
      </div>
      <aside class="column" aria-label="Games and players">
        <YourGames live={live} />
        <section class="part" aria-label="Live games">
          <div class="head">
            <h2>Live games</h2>
            <a class="link" href="/watch">
              All {live.length || ""}
            </a>
          </div>
          {shown ? (
            <LiveGameCard game={shown} key={shown.room} />
          ) : (
            <p class="card empty-note">No live games right now. Start the first one.</p>
          )}
        </section>
        <section class="part" aria-label="Online players">
          <div class="head">
            <h2>Online</h2>
            <span class="muted">{online || ""}</span>
          </div>
          <OnlinePlayers online={online} onChallenge={setChallenged} />
        </section>
        {card && (
          <section class="part" aria-label="Top players">
            <div class="head">
              <h2>Top players</h2>
              <span class="muted">{card.name}</span>
              <a class="link" href="/players">
                All
              </a>
            </div>
            <Leaderboard game={card.key} limit={5} />
          </section>
        )}
      </aside>
      {creating && <NewTableDialog onClose={() => setCreating(false)} />}
      {challenged && <NewTableDialog to={challenged} onClose={() => setChallenged("")} />}
    </PageLayout>
  );
}
