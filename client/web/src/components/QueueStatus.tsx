// The search for an opponent.
import type { VNode } from "preact";
import type { Terms } from "../../sdk/index.ts";
import { gameName } from "../state/server.ts";
import { matchmaking } from "../state/matchmaking.ts";
import { formatCountdown, formatClock, useTicker } from "../format/clock.ts";

export function QueueStatus({ terms, since }: { terms: Terms; since: number }): VNode {
  useTicker(1000);
  return (
    <div class="quick-start card waiting" role="status">
      <span class="spinner" aria-hidden="true" />
      <p>
        Looking for an opponent: {gameName(terms.game)}, {formatClock(terms.clock)}, {terms.rated ? "rated" : "casual"}.{" "}
        <span class="num" aria-hidden="true">
          {formatCountdown(Date.now() - since)}
        </span>
      </p>
      <button type="button" class="button big" onClick={() => void matchmaking.cancel()}>
        Cancel
      </button>
    </div>
  );
}
