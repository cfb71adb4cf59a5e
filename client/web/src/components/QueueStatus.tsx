// The search for an opponent. After a while it offers players who wait for a similar game, and a bot to play meanwhile.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Terms } from "../../sdk/index.ts";
import { formatCountdown, formatClock, useTicker } from "../format/clock.ts";
import { areSimilar } from "../format/similarClocks.ts";
import { useLobby } from "../state/lobby.ts";
import { matchmaking } from "../state/matchmaking.ts";
import { acceptSeek, playBot } from "../state/ownTables.ts";
import { gameName, games, me } from "../state/server.ts";
import { useSignal } from "../state/signal.ts";
import { ErrorMessage } from "./ErrorMessage.tsx";
import { Icon } from "./Icon.tsx";

const OFFER_AFTER = 15_000; // milliseconds

export function QueueStatus({ terms, since }: { terms: Terms; since: number }): VNode {
  useTicker(1000);
  return (
    <div class="quick-start card waiting">
      <span class="spinner" aria-hidden="true" />
      <p role="status">
        Looking for an opponent: {gameName(terms.game)}, {formatClock(terms.clock)}, {terms.rated ? "rated" : "casual"}.{" "}
        <span class="num" aria-hidden="true">
          {formatCountdown(Date.now() - since)}
        </span>
      </p>
      <button type="button" class="button big" onClick={() => void matchmaking.cancel()}>
        Cancel
      </button>
      {Date.now() - since >= OFFER_AFTER && <Offers terms={terms} />}
    </div>
  );
}

function Offers({ terms }: { terms: Terms }): VNode | null {
  const seeks = useLobby()?.seeks ?? [];
  const self = useSignal(me)?.name;
  const card = useSignal(games).find(({ key }) => key === terms.game);
  const [error, setError] = useState("");
  const similar = seeks.find(
    (seek) => seek.terms.game === terms.game && seek.player.name !== self && areSimilar(seek.terms.clock, terms.clock),
  );
  const level = card?.levels[0];
  const attempt = (offer: Promise<void>): void => {
    setError("");
    offer.catch((reason: Error) => setError(reason.message));
  };
  if (!similar && !level) return null;
  return (
    <div class="offers" role="status">
      {similar && (
        <button type="button" class="button primary" onClick={() => attempt(acceptSeek(similar.seek))}>
          <Icon name="people" size={18} />
          Play {similar.player.name}, {formatClock(similar.terms.clock)}
        </button>
      )}
      {level && (
        <button
          type="button"
          class="button"
          onClick={() => attempt(playBot({ game: terms.game, clock: {} }, level[0], 0, {}))}
        >
          <Icon name="bot" size={18} />
          Play a bot meanwhile
        </button>
      )}
      <span class="muted">{level ? "You keep your place: the game opens when an opponent comes." : ""}</span>
      <ErrorMessage text={error} />
    </div>
  );
}
