// An invitation from another player, in a corner of every page. It does not take the focus.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { gameName, games } from "../state/server.ts";
import { useSignal } from "../state/signal.ts";
import { acceptSeek, declineInvitation, invitations } from "../state/ownTables.ts";
import { ErrorMessage } from "./ErrorMessage.tsx";
import { formatTerms } from "../format/terms.ts";

export function ReceivedInvitation(): VNode | null {
  const invitation = useSignal(invitations)[0];
  const cards = useSignal(games);
  const [error, setError] = useState("");
  if (!invitation) return null;
  const { player, terms, seek } = invitation;
  const card = cards.find(({ key }) => key === terms.game);
  const accept = (): void => {
    setError("");
    acceptSeek(seek).catch((reason: Error) => setError(reason.message));
  };
  return (
    <div class="invited card" role="status">
      <p>
        <b>{player.name}</b> invites you to play {gameName(terms.game)}: {formatTerms(terms, card)}.
      </p>
      <ErrorMessage text={error} />
      <div class="button-row">
        <button type="button" class="button primary" onClick={accept}>
          Accept
        </button>
        <button type="button" class="button" onClick={() => void declineInvitation(seek)}>
          Decline
        </button>
      </div>
    </div>
  );
}
