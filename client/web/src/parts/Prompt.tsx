// The one line that tells what to do now, always at the same place: under the board.
import type { VNode } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { cellsOf, type Offered, placeName } from "../../sdk/index.ts";
import { go } from "../state/router.ts";
import { settings } from "../state/settings.ts";
import { type Table, turnOf, type View } from "../state/table.ts";
import { announce } from "./announce.ts";
import { Icon } from "./Icon.tsx";
import { useShortcuts } from "./shortcuts.ts";
import { TypedTurn } from "./TypedTurn.tsx";

interface Props {
  table: Table;
  view: View;
  /** The pick under the pointer or the focus. */
  hover: number | null;
}

export function Prompt({ table, view, hover }: Props): VNode {
  const { mirror, sent, back, refused } = view;
  const { board } = mirror.room;
  const picked = turnOf(view);
  const picks = useMemo(() => picked?.offered ?? [], [picked]);
  const offers = [...mirror.offers].filter((offer) => mirror.seat !== null && !offer.startsWith(`${mirror.seat}:`));
  const over = picks.find((pick) => pick.place === hover);
  const [typing, setTyping] = useState(false);
  const type = (): void => (picked ? setTyping(true) : announce(words(view)));
  useShortcuts({ ":": type, "/": type });
  useEffect(() => setTyping(false), [picked === null]);
  if (picked && typing)
    return (
      <section class="prompt card mine" aria-label="What to do">
        <TypedTurn table={table} view={view} turn={picked} onClose={() => setTyping(false)} />
      </section>
    );
  return (
    <section class={`prompt card${picked ? " mine" : ""}${sent ? " sent" : ""}`} aria-label="What to do">
      {picked && picked.picks.length > 0 && (
        <ol class="steps">
          {picked.picks.map((place, n) => (
            <li>
              <button type="button" class="step" title="Back to here" onClick={() => table.step(n)}>
                <Icon name="check" size={14} />
                {placeName(board, place)}
              </button>
            </li>
          ))}
        </ol>
      )}
      <p class="words" role="status">
        {view.hint && back === null && <span class="hint">Hint: {view.hint.move}. </span>}
        {refused && (
          <span class="refused" role="alert">
            {refused}{" "}
          </span>
        )}
        {offers.length ? offered(view, offers[0]!) : words(view, over)}
      </p>
      <div class="answers">
        {offers.length > 0 && <Offer table={table} offer={offers[0]!} />}
        {back !== null && (
          <button type="button" class="button" onClick={() => table.lookAt(null)}>
            Follow live
          </button>
        )}
        {mirror.status === "choosing" && mayChoose(view) && <Choosing table={table} />}
        {picked && <Extra picks={picks} view={view} table={table} />}
        {picked?.complete && settings.value.confirm && (
          <button type="button" class="button primary" onClick={() => table.play()}>
            Play
          </button>
        )}
        {picked && picked.picks.length > 0 && (
          <button type="button" class="button back" onClick={() => table.step()}>
            <Icon name="back" size={18} />
            Step back
          </button>
        )}
        {mirror.next && mirror.seat !== null && (
          <button type="button" class="button primary" onClick={() => go(`/table/${mirror.next}`)}>
            To the next game
          </button>
        )}
      </div>
    </section>
  );
}

/** Who moves first is chosen by the one who did not choose the board; the server knows who that is. */
function mayChoose({ mirror }: View): boolean {
  return mirror.seat !== null && mirror.chooser === mirror.seat;
}

function Choosing({ table }: { table: Table }): VNode {
  return (
    <>
      <button type="button" class="button primary" onClick={() => table.chooseFirst(true)}>
        I move first
      </button>
      <button type="button" class="button" onClick={() => table.chooseFirst(false)}>
        They move first
      </button>
    </>
  );
}

/** Picks that are no cells, and those that do something else than going there. */
function Extra({ picks, view, table }: { picks: readonly Offered[]; view: View; table: Table }): VNode | null {
  const { board } = view.mirror.room;
  let first = cellsOf(board);
  const choices = new Set<number>();
  for (const zone of board.zones ?? []) {
    if (zone.holds_pieces === false) zone.slots.forEach((_, n) => choices.add(first + n));
    first += zone.slots.length;
  }
  const numbers = useMemo(() => picks.filter((pick) => choices.has(pick.place)), [picks]);
  const others = picks.filter((pick) => pick.kind === "crown");
  return (
    <>
      {others.map((pick) => (
        <button type="button" class="button extra" data-extra={pick.place} onClick={() => table.pick(pick.place)}>
          {capital(pick.label)}
        </button>
      ))}
      {numbers.length > 0 && (
        <Stepper
          picks={numbers}
          names={numbers.map((pick) => pick.label || placeName(board, pick.place))}
          onPick={(place) => table.pick(place)}
        />
      )}
    </>
  );
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** One of several numbers, the largest at first: − +7 +. Enter takes it. */
function Stepper({
  picks,
  names,
  onPick,
}: {
  picks: readonly Offered[];
  names: readonly string[];
  onPick(place: number): void;
}): VNode {
  const [at, setAt] = useState(picks.length - 1);
  useEffect(() => setAt(picks.length - 1), [picks]);
  const now = picks[Math.min(at, picks.length - 1)]!;
  const go = (step: number): void => setAt(Math.max(0, Math.min(picks.length - 1, at + step)));
  return (
    <div class="stepper" role="group" aria-label="How many">
      <button type="button" class="button" aria-label="Fewer" disabled={at === 0} onClick={() => go(-1)}>
        −
      </button>
      <button type="button" class="button primary num" data-extra={now.place} onClick={() => onPick(now.place)}>
        {names[Math.min(at, picks.length - 1)]}
      </button>
      <button type="button" class="button" aria-label="More" disabled={at >= picks.length - 1} onClick={() => go(1)}>
        +
      </button>
    </div>
  );
}

function Offer({ table, offer }: { table: Table; offer: string }): VNode {
  const what = offer.slice(offer.indexOf(":") + 1) as "draw" | "takeback" | "rematch";
  return (
    <>
      <button type="button" class="button" onClick={() => table.answer(what, true)}>
        Accept
      </button>
      <button type="button" class="button" onClick={() => table.answer(what, false)}>
        Decline
      </button>
    </>
  );
}

function offered({ mirror }: View, offer: string): string {
  const name = mirror.chairs[Number(offer.charAt(0))]?.player?.name ?? "Your opponent";
  return offer.endsWith(":draw")
    ? `${name} offers a draw.`
    : offer.endsWith(":takeback")
      ? `${name} asks to take back the last turn.`
      : `${name} would like another game.`;
}

/** The sentence for the state that the table is in. */
export function words(view: View, over?: Offered): string {
  const { mirror, turn, sent, back } = view;
  const { board } = mirror.room;
  const mover = mirror.scene[2];
  const name = (seat: number | null): string =>
    seat === null ? "" : (mirror.chairs[seat]?.player?.name ?? board.seats[seat]?.name ?? "");
  if (back !== null) return `Looking back at move ${back} of ${mirror.moves.length}.`;
  if (!mirror.true) return "Catching up.";
  if (mirror.status === "waiting") return "Waiting for the second player.";
  if (mirror.status === "choosing")
    return mayChoose(view)
      ? "Look at the board: who shall move first?"
      : `${name(mirror.chooser)} looks at the board and says who moves first.`;
  if (mirror.status === "over" || mover === null) return mirror.scene[4] || "The game is over.";
  const note = mirror.scene[4] ? `${mirror.scene[4]} ` : "";
  if (sent) return "Sending your turn.";
  if (mirror.seat === null) return `${note}${board.seats[mover]?.name}: ${name(mover)} to move.`;
  if (mover !== mirror.seat) return `${note}${name(mover)} is thinking.`;
  if (!turn) return `${note}Your turn.`;
  if (turn.complete) return "Your turn is complete. Play it?";
  if (turn.unexplored) return "One moment.";
  return over?.label && over.label.length > 3
    ? `${placeName(board, over.place)} ${over.label}.`
    : `${note}${turn.prompt}`;
}
