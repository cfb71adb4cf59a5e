// Somebody invites: shown on every page, in a corner, without taking the focus.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { games, nameOf } from "../state/parlour.ts";
import { useSignal } from "../state/signal.ts";
import { decline, invitations, sitDown } from "../state/tables.ts";
import { Refused } from "./Refused.tsx";
import { termsWords } from "./terms.ts";

export function Invitations(): VNode | null {
  const asked = useSignal(invitations)[0];
  const cards = useSignal(games);
  const [refused, setRefused] = useState("");
  if (!asked) return null;
  const { player, terms, seek } = asked;
  const card = cards.find(({ key }) => key === terms.game);
  const accept = (): void => {
    setRefused("");
    sitDown(seek).catch((why: Error) => setRefused(why.message));
  };
  return (
    <div class="invited card" role="status">
      <p>
        <b>{player.name}</b> invites you to {nameOf(terms.game)}: {termsWords(terms, card)}.
      </p>
      <Refused why={refused} />
      <div class="row-of">
        <button type="button" class="button primary" onClick={accept}>
          Sit down
        </button>
        <button type="button" class="button" onClick={() => void decline(seek)}>
          Decline
        </button>
      </div>
    </div>
  );
}
