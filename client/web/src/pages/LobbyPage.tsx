// The start: play at once, see who waits, what is on, and how others did.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Begin } from "../parts/Begin.tsx";
import { Frame } from "../parts/Frame.tsx";
import { GameRows } from "../parts/GameRows.tsx";
import { Icon } from "../parts/Icon.tsx";
import { Leaders } from "../parts/Leaders.tsx";
import { LiveCard } from "../parts/LiveCard.tsx";
import { OpenTables } from "../parts/OpenTables.tsx";
import { YourGames } from "../parts/YourGames.tsx";
import { useLobby } from "../state/lobby.ts";
import { games } from "../state/parlour.ts";
import { useSignal } from "../state/signal.ts";
import { wish } from "../state/wish.ts";
import { later } from "./later.tsx";

const NewTable = later("NewTable", false);

export function LobbyPage(): VNode {
  const lobby = useLobby();
  const cards = useSignal(games);
  const { game } = useSignal(wish);
  const [making, setMaking] = useState(false);
  const { seeks = [], live = [], featured = "", online = 0 } = lobby ?? {};
  const shown = live.find(({ room }) => room === featured) ?? live[0];
  const card = cards.find(({ key }) => key === game) ?? cards[0];
  return (
    <Frame title="Parlour" kind="lobby">
      <div class="column">
        <h1>What shall we play?</h1>
        <Begin live={live} onMore={() => setMaking(true)} />
        <section class="part" aria-label="Open tables">
          <div class="head">
            <h2>Open tables</h2>
            <span class="muted">{seeks.length ? `${seeks.length} waiting` : ""}</span>
            <button type="button" class="link" onClick={() => setMaking(true)}>
              <Icon name="plus" size={18} />
              New table
            </button>
          </div>
          <OpenTables seeks={seeks} />
        </section>
        <section class="part" aria-label="Results">
          <div class="head">
            <h2>Results</h2>
            <a class="link" href="/games">
              All
            </a>
          </div>
          <GameRows of={{}} most={5} empty="Finished games will be here." />
        </section>
      </div>
      <aside class="column" aria-label="On now">
        <YourGames live={live} />
        <section class="part" aria-label="On now">
          <div class="head">
            <h2>On now</h2>
            <span class="muted">{online ? `${online} here` : ""}</span>
            <a class="link" href="/watch">
              All {live.length || ""}
            </a>
          </div>
          {shown ? (
            <LiveCard game={shown} key={shown.room} />
          ) : (
            <p class="card nothing">No game is on. Yours can be the first.</p>
          )}
        </section>
        {card && (
          <section class="part" aria-label="Strongest players">
            <div class="head">
              <h2>Strongest</h2>
              <span class="muted">{card.name}</span>
              <a class="link" href="/players">
                All
              </a>
            </div>
            <Leaders game={card.key} most={5} />
          </section>
        )}
      </aside>
      {making && <NewTable onClose={() => setMaking(false)} />}
    </Frame>
  );
}
