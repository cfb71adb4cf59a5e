// Actions besides moving: offer a draw, take back, resign. Actions that cannot be undone need a second press.
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { games } from "../state/server.ts";
import { useSignal } from "../state/signal.ts";
import { isOwnTurn, type OfferKind, type Table, type View } from "../state/table.ts";
import { Icon } from "./Icon.tsx";

const CONFIRM_TIME = 4000; // ms in which the second press counts

export function ActionBar({ table, view }: { table: Table; view: View }): VNode | null {
  const { replica } = view;
  const card = useSignal(games).find((game) => game.key === replica.room.terms.game);
  const [confirming, setConfirming] = useState<"" | "draw" | "end">("");
  useEffect(() => {
    const timer = confirming ? setTimeout(() => setConfirming(""), CONFIRM_TIME) : undefined;
    return () => clearTimeout(timer);
  }, [confirming]);
  const offered = (kind: OfferKind): boolean => replica.offers.has(`${replica.seat}:${kind}`);
  const toggleOffer = (kind: OfferKind): void => (offered(kind) ? table.answerOffer(kind, false) : table.offer(kind));
  if (replica.seat === null || replica.status === "over") return null;
  // Where two players share the device, an offer is accepted at once.
  const shared = view.seats.length > 1;
  const offerDraw = (): void => {
    setConfirming(shared && confirming !== "draw" ? "draw" : "");
    if (!shared || confirming === "draw") toggleOffer("draw");
  };
  const early = replica.moves.length < 2 && !replica.room.tournament; // such a game cannot be aborted
  const ending = early ? "abort" : "resign";
  // The computer helps against a bot only: the server refuses hints between people.
  const opponent = replica.players[1 - replica.seat]?.player;
  const hints =
    !replica.room.terms.rated && !replica.room.tournament && opponent?.bot === true && (card?.levels.length ?? 0) > 0;
  return (
    <div class="action-bar">
      <button
        type="button"
        class={confirming === "draw" ? "button danger" : "button"}
        aria-pressed={shared ? undefined : offered("draw")}
        onClick={offerDraw}
      >
        <Icon name="hands" size={18} />
        {confirming === "draw" ? "Confirm draw" : offered("draw") ? "Offered" : "Draw"}
      </button>
      <button type="button" class="button" aria-pressed={offered("takeback")} onClick={() => toggleOffer("takeback")}>
        <Icon name="undo" size={18} />
        {offered("takeback") ? "Requested" : "Take back"}
      </button>
      {hints && (
        <button type="button" class="button" disabled={!isOwnTurn(view)} onClick={() => void table.requestHint()}>
          <Icon name="bulb" size={18} />
          Hint
        </button>
      )}
      <button
        type="button"
        class={confirming === "end" ? "button danger" : "button"}
        onClick={() => (confirming === "end" ? table.end(ending) : setConfirming("end"))}
      >
        <Icon name="flag" size={18} />
        {confirming === "end" ? `Confirm ${ending}` : early ? "Abort" : "Resign"}
      </button>
    </div>
  );
}
