// The player in a seat: name, rating, presence, pieces in hand and clock.
import type { VNode } from "preact";
import { seatToMove, tallyText } from "../../sdk/index.ts";
import { toneOf } from "../board/Surface.tsx";
import { type Table, type View, visibleScene } from "../state/table.ts";
import { ClockDisplay } from "./ClockDisplay.tsx";
import { Icon, SeatIcon } from "./Icon.tsx";
import { formatCountdown, useTicker } from "../format/clock.ts";
import { ZonePieces } from "./Tray.tsx";

interface Props {
  table: Table;
  view: View;
  seat: number;
  side: "opponent" | "own";
}

export function PlayerStrip({ table, view, seat, side }: Props): VNode {
  const { replica, presence, presenceReceivedAt } = view;
  const { board, terms } = replica.room;
  const scene = visibleScene(view);
  const player = replica.players[seat]?.player;
  const online = presence?.online[seat] ?? replica.players[seat]?.online ?? false;
  const toMove = replica.status === "playing" && seatToMove(replica.scene) === seat;
  const name = player?.name ?? board.seats[seat]?.name ?? "";
  const claim =
    !online && presence?.claim_in != null && replica.seat !== null && replica.seat !== seat
      ? presence.claim_in - (Date.now() - presenceReceivedAt)
      : null;
  useTicker(claim !== null && claim > 0 ? 500 : 0);

  const status = (): VNode | string => {
    if (replica.status === "over") return tallyText(board, scene, seat);
    if (claim !== null) {
      return claim > 0 ? (
        `disconnected · you can claim the win in ${formatCountdown(claim)}`
      ) : (
        <button class="claim" type="button" onClick={() => table.end("claim")}>
          Claim the win
        </button>
      );
    }
    if (player && !online && !player.bot) return "disconnected";
    const turn = replica.seat === seat ? "your turn" : "to move";
    const parts = [replica.seat === seat && !toMove ? "you" : "", toMove ? turn : "", tallyText(board, scene, seat)];
    return parts.filter(Boolean).join(" · ");
  };

  const time = replica.clocks[seat];
  return (
    <section class={`player ${side}${toMove ? " live" : ""}`} aria-label={`${board.seats[seat]?.name ?? ""}: ${name}`}>
      <SeatIcon tone={toneOf(board, seat)} label={board.seats[seat]?.name} size={22} />
      <div class="who">
        <div class="line">
          <b title={name}>{name}</b>
          {player?.bot && (
            <span class="bot">
              <Icon name="bot" size={14} />
              bot
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
          {replica.seat !== seat && <i class={online || player?.bot ? "dot" : "dot away"} aria-hidden="true" />}
          <span>{status()}</span>
        </small>
      </div>
      <ZonePieces view={view} seat={seat} />
      {time && (
        <ClockDisplay
          time={time}
          clock={terms.clock ?? {}}
          of={name}
          own={replica.seat === seat}
          since={replica.running === seat ? view.turnStartedAt : null}
        />
      )}
    </section>
  );
}
