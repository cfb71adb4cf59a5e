// The player in a seat: name, rating, presence, score, pieces in hand and clock.
import type { ComponentChildren, VNode } from "preact";
import { type Offered, seatToMove, talliesOf, tallyText } from "../../sdk/index.ts";
import { toneOf } from "../board/Surface.tsx";
import { readerOf, type Table, type View, visibleScene } from "../state/table.ts";
import { ClockDisplay } from "./ClockDisplay.tsx";
import { Icon, SeatIcon } from "./Icon.tsx";
import { Hand } from "./Tray.tsx";
import { useMedia, WIDE } from "./useMedia.ts";
import { nameOf } from "../state/botNames.ts";

interface Props {
  table: Table;
  view: View;
  seat: number;
  side: "opponent" | "own";
  picks: readonly Offered[];
  /** Whether the strip has to show the pieces in hand, because there is no tray. */
  hand: boolean;
  /** Before everything else, such as the way back on a phone. */
  children?: ComponentChildren;
  /** After the clock. */
  after?: ComponentChildren;
}

/** The score that a previewed turn would lead to; null if it would not change. */
function previewedScore(view: View, seat: number): number | null {
  const [now] = talliesOf(visibleScene(view))[seat] ?? [];
  const [then] = (view.preview && talliesOf(view.preview.scene)[seat]) || [];
  return then === undefined || then === now ? null : then;
}

export function PlayerStrip({ table, view, seat, side, picks, hand, children, after }: Props): VNode {
  const { replica, presence } = view;
  const { board, terms } = replica.room;
  const wide = useMedia(WIDE);
  const player = replica.players[seat]?.player;
  const online = presence?.online[seat] ?? replica.players[seat]?.online ?? false;
  const toMove = replica.status === "playing" && seatToMove(replica.scene) === seat;
  const name = nameOf(player, board.seats[seat]?.name);
  const own = readerOf(view) === seat;
  const away =
    !view.seats.includes(seat) && player !== undefined && !online && !player?.bot && replica.status !== "over";
  const time = replica.clocks[seat];
  const previewed = previewedScore(view, seat);
  const [score = "", sum] = tallyText(board, visibleScene(view), seat).split(/(?= = )/);
  return (
    <section class={`player ${side}${toMove ? " live" : ""}`} aria-label={`${board.seats[seat]?.name ?? ""}: ${name}`}>
      {children}
      <SeatIcon tone={toneOf(board, seat)} label={board.seats[seat]?.name} size={22} />
      <div class="who">
        <div class="line">
          <b title={name}>{name}</b>
          {own && <span class="tag">you</span>}
          {replica.berserk[seat] && (
            <span class="tag" title="Half the time, for an extra point">
              <Icon name="flame" size={14} />
              half time
            </span>
          )}
          {player?.bot && (
            <span class="tag">
              <Icon name="bot" size={14} />
              <span class="word">bot</span>
            </span>
          )}
          {player?.rating != null && (
            <span class="muted num">
              {player.rating}
              {player.provisional ? "?" : ""}
            </span>
          )}
        </div>
        <small>
          {!own && <i class={away ? "dot away" : "dot"} aria-hidden="true" />}
          <span class="score-line">
            {away && "away · "}
            {score}
            {sum && <span class="sum">{sum}</span>}
            {previewed !== null && <b class="would num"> → {previewed}</b>}
          </span>
          {toMove && <span class="visually-hidden">{own ? "your turn" : "to move"}</span>}
        </small>
      </div>
      {hand && !wide && <Hand table={table} view={view} seat={seat} picks={picks} />}
      {time && (
        <ClockDisplay
          time={time}
          clock={terms.clock ?? {}}
          of={name}
          own={own}
          since={replica.running === seat ? view.turnStartedAt : null}
        />
      )}
      {after}
    </section>
  );
}
