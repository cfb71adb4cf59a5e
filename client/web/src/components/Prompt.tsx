// The prompt: the last event and the next step, always in the same place under the board, with its buttons.
import type { VNode } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { cellsOf, type Offered, placeName } from "../../sdk/index.ts";
import { useTicker } from "../format/clock.ts";
import { unratedNotice } from "../format/outcome.ts";
import {
  choosesFirst,
  claimableIn,
  claimText,
  firstMoveWarning,
  lastMoveText,
  offerText,
  promptText,
} from "../format/prompt.ts";
import { announce } from "../state/announcements.ts";
import { settings } from "../state/settings.ts";
import {
  ghostOf,
  mayBerserk,
  type OfferKind,
  openPlacing,
  openTurn,
  readerOf,
  type Table,
  type View,
} from "../state/table.ts";
import { Icon } from "./Icon.tsx";
import { PickActions } from "./PickActions.tsx";
import { PlacingButtons } from "./PlacingButtons.tsx";
import { Stepper } from "./Stepper.tsx";
import { TypedTurnForm } from "./TypedTurnForm.tsx";
import { useShortcuts } from "./useShortcuts.ts";

interface Props {
  table: Table;
  view: View;
  /** The pick under the pointer or the focus. */
  hover: number | null;
}

export function Prompt({ table, view, hover }: Props): VNode {
  const { replica, sent, viewedPly, error } = view;
  const { board } = replica.room;
  const turn = openTurn(view);
  const hasTurn = turn !== null;
  const picks = useMemo(() => turn?.offered ?? [], [turn]);
  const reader = readerOf(view);
  const offer = [...replica.offers].find((each) => reader !== null && !each.startsWith(`${reader}:`));
  const hovered = picks.find((pick) => pick.place === hover);
  const placing = useMemo(() => openPlacing(view) !== null, [view]);
  const unrated = unratedNotice(replica);
  const now = Date.now();
  const warning = hasTurn ? firstMoveWarning(view, now) : "";
  const claim = claimableIn(view, now);
  useTicker((hasTurn && view.presence?.abort_in != null) || claim !== null ? 500 : 0);
  const before = viewedPly === null ? `${view.notice} ${lastMoveText(view)}`.trim() : "";
  const [typing, setTyping] = useState(false);
  const startTyping = (): void => (turn ? setTyping(true) : announce(promptText(view)));
  useShortcuts({ ":": startTyping, "/": startTyping });
  useEffect(() => setTyping(false), [hasTurn]);
  if (turn && typing)
    return (
      <section class="prompt card mine" aria-label="What to do">
        <TypedTurnForm table={table} view={view} turn={turn} onClose={() => setTyping(false)} />
      </section>
    );
  return (
    <section class={`prompt card${turn ? " mine" : ""}${sent ? " sent" : ""}`} aria-label="What to do">
      <div class="lines">
        {turn && turn.picks.length > 0 ? (
          <ol class="steps">
            {turn.picks.map((place, n) => (
              <li key={n}>
                <button type="button" class="step" title="Undo from here" onClick={() => table.entry.undoPick(n)}>
                  <Icon name="check" size={14} />
                  {placeName(board, place)}
                </button>
              </li>
            ))}
          </ol>
        ) : (
          before && <p class="said">{before}</p>
        )}
        <p class="words" role="status">
          {view.hint && viewedPly === null && <span class="hint">Hint: {view.hint.move}. </span>}
          {error && (
            <span class="error" role="alert">
              {error}{" "}
            </span>
          )}
          {view.refusedPick && <span class="error">{view.refusedPick.text} </span>}
          {unrated && <span class="warning">{unrated} </span>}
          {warning && <span class="warning">{warning} </span>}
          {offer ? offerText(view, offer) : (claimText(view, now) ?? promptText(view, hovered))}
        </p>
      </div>
      <div class="answers">
        {offer && <OfferButtons table={table} offer={offer.slice(offer.indexOf(":") + 1) as OfferKind} />}
        {viewedPly !== null && (
          <button type="button" class="button" onClick={() => table.viewPly(null)}>
            Back to the game
          </button>
        )}
        {replica.status === "choosing" && choosesFirst(view) && <FirstMoveButtons table={table} />}
        {mayBerserk(view) && (
          <button type="button" class="button" title="For an extra point if you win" onClick={() => table.berserk()}>
            <Icon name="flame" size={18} />
            Halve my clock
          </button>
        )}
        {view.premove.length > 0 && (
          <button type="button" class="button" onClick={() => table.entry.premove(null)}>
            Cancel premove
          </button>
        )}
        {turn && placing && (
          <PlacingButtons
            isHeld={view.aim.held}
            fits={Boolean(ghostOf(view)?.ends)}
            onTurn={() => table.entry.previews.turnPiece()}
            onPlace={() => table.entry.placePiece()}
          />
        )}
        {turn && <PickButtons picks={picks} view={view} table={table} />}
        {turn?.complete && settings.value.confirm && (
          <button type="button" class="button primary" onClick={() => table.entry.play()}>
            Play
          </button>
        )}
        {turn && turn.picks.length > 0 && (
          <button type="button" class="button back" onClick={() => table.entry.undoPick()}>
            <Icon name="undo" size={18} />
            <span>Undo</span>
          </button>
        )}
        {claim !== null && claim <= 0 && (
          <button type="button" class="button primary" onClick={() => table.end("claim")}>
            Claim the win
          </button>
        )}
      </div>
    </section>
  );
}

function OfferButtons({ table, offer }: { table: Table; offer: OfferKind }): VNode {
  return (
    <>
      <button type="button" class="button" onClick={() => table.answerOffer(offer, true)}>
        Accept
      </button>
      <button type="button" class="button" onClick={() => table.answerOffer(offer, false)}>
        Decline
      </button>
    </>
  );
}

function FirstMoveButtons({ table }: { table: Table }): VNode {
  return (
    <>
      <button type="button" class="button primary" onClick={() => table.chooseFirst(true)}>
        I move first
      </button>
      <button type="button" class="button" onClick={() => table.chooseFirst(false)}>
        Opponent moves first
      </button>
    </>
  );
}

/** Buttons for picks that are not made on the board: numbers, and special actions on a cell. */
function PickButtons({ picks, view, table }: { picks: readonly Offered[]; view: View; table: Table }): VNode {
  const { board } = view.replica.room;
  const numbers = useMemo(() => {
    let first = cellsOf(board);
    const places = new Set<number>();
    for (const zone of board.zones ?? []) {
      if (zone.holds_pieces === false) zone.slots.forEach((_, n) => places.add(first + n));
      first += zone.slots.length;
    }
    return picks.filter((pick) => places.has(pick.place));
  }, [picks, board]);
  return (
    <>
      <PickActions
        board={board}
        picks={picks}
        chosen={view.turn?.picks ?? []}
        onPick={(place) => table.entry.pick(place)}
      />
      {numbers.length > 0 && <Stepper board={board} picks={numbers} onPick={(place) => table.entry.pick(place)} />}
    </>
  );
}
