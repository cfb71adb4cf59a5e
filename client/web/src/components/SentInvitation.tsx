// An invitation that this player has sent: a link for a friend, or a message to one player.
import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import { matchmaking } from "../state/matchmaking.ts";
import { withPrefix } from "../state/prefix.ts";
import { ShareButton } from "./ShareButton.tsx";

interface Props {
  /** The code of the invitation; empty once it is declined. */
  seek: string;
  /** The invited player; empty for a link. */
  to: string;
}

export function SentInvitation({ seek, to }: Props): VNode {
  return to ? <PlayerInvitation declined={!seek} to={to} /> : <LinkInvitation seek={seek} />;
}

function PlayerInvitation({ declined, to }: { declined: boolean; to: string }): VNode {
  return (
    <div class="quick-start card waiting" role="status">
      <p>{declined ? `${to} declined.` : `You have invited ${to}. The game starts when ${to} accepts.`}</p>
      <button type="button" class="button big" onClick={() => void matchmaking.cancel()}>
        {declined ? "OK" : "Cancel"}
      </button>
    </div>
  );
}

function LinkInvitation({ seek }: { seek: string }): VNode {
  const link = location.origin + withPrefix(`/join/${seek}`);
  const field = useRef<HTMLInputElement>(null);
  return (
    <div class="quick-start card invitation">
      <p role="status">Send this link to a friend. The game starts when your friend accepts.</p>
      <div class="button-row">
        <input
          type="text"
          readOnly
          aria-label="Link"
          ref={field}
          value={link}
          onFocus={(event) => event.currentTarget.select()}
        />
        <ShareButton
          url={link}
          title="Play a game with me"
          names={["Share", "Copy"]}
          onFailure={() => field.current?.select()}
          primary
        />
        <button type="button" class="button" onClick={() => void matchmaking.cancel()}>
          Cancel
        </button>
      </div>
    </div>
  );
}
