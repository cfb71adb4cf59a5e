// Who sits in a seat: name, rating, whether they are here, what they have, and their clock.
import type { VNode } from "preact";
import { tallyOf } from "../../sdk/index.ts";
import { toneOf } from "../board/ground.tsx";
import { sceneOf, type Table, type View } from "../state/table.ts";
import { ClockFace } from "./ClockFace.tsx";
import { Icon, SeatSign } from "./Icon.tsx";
import { countdown, useTicks } from "./time.ts";
import { ZonePieces } from "./Tray.tsx";

interface Props {
  table: Table;
  view: View;
  seat: number;
  side: "opponent" | "own";
}

export function PlayerStrip({ table, view, seat, side }: Props): VNode {
  const { mirror, presence, presenceAt } = view;
  const { board, terms } = mirror.room;
  const scene = sceneOf(view);
  const player = mirror.chairs[seat]?.player;
  const here = presence?.online[seat] ?? mirror.chairs[seat]?.online ?? false;
  const live = mirror.status === "playing" && mirror.scene[2] === seat;
  const name = player?.name ?? "nobody yet";
  const claim =
    !here && presence?.claim_in != null && mirror.seat !== null && mirror.seat !== seat
      ? presence.claim_in - (Date.now() - presenceAt)
      : null;
  useTicks(claim !== null && claim > 0 ? 500 : 0);

  const note = (): VNode | string => {
    if (mirror.status === "over") return tallyOf(board, scene, seat);
    if (claim !== null) {
      return claim > 0 ? (
        `has lost contact · you can claim the win in ${countdown(claim)}`
      ) : (
        <button class="claim" type="button" onClick={() => table.end("claim")}>
          Claim the win
        </button>
      );
    }
    if (player && !here && !player.bot) return "has lost contact";
    const whose = mirror.seat === seat ? "you · " : "";
    return live
      ? `${whose}${mirror.seat === seat ? "your turn" : "to move"}`
      : `${whose}${tallyOf(board, scene, seat)}`;
  };

  const time = mirror.clocks[seat];
  return (
    <section class={`player ${side}${live ? " live" : ""}`} aria-label={`${board.seats[seat]?.name ?? ""}: ${name}`}>
      <SeatSign tone={toneOf(board, seat)} label={board.seats[seat]?.name} size={22} />
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
              {player.sure === false ? "?" : ""}
            </span>
          )}
        </div>
        <small>
          {mirror.seat !== seat && <i class={here || player?.bot ? "dot" : "dot away"} aria-hidden="true" />}
          <span>{note()}</span>
        </small>
      </div>
      <ZonePieces view={view} seat={seat} />
      {time && (
        <ClockFace
          time={time}
          clock={terms.clock ?? {}}
          of={name}
          own={mirror.seat === seat}
          since={mirror.running === seat ? view.turnAt : null}
        />
      )}
    </section>
  );
}
