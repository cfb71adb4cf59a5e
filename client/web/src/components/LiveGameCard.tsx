// A live game: a small board and the players. The whole card is a link to the table.
import type { VNode } from "preact";
import { seatToMove } from "../../sdk/index.ts";
import { BoardPicture } from "../board/BoardPicture.tsx";
import { toneOf } from "../board/Surface.tsx";
import { gameName } from "../state/server.ts";
import type { LiveGameView } from "../state/lobby.ts";
import { Icon, SeatIcon } from "./Icon.tsx";
import { PlayerName } from "./PlayerName.tsx";
import { formatClock } from "../format/clock.ts";
import { plural } from "../format/plural.ts";

export function LiveGameCard({ game }: { game: LiveGameView }): VNode {
  const { board, scene, players, spectators = 0 } = game;
  const title = gameName(game.game);
  return (
    <a class="live-card card" href={`/table/${game.room}`}>
      <BoardPicture board={board} scene={scene} label={`${title} board after ${plural(game.ply ?? 0, "move")}`} />
      {[...players].reverse().map((player, n) => {
        const seat = players.length - 1 - n;
        return (
          <span key={seat} class={seatToMove(scene) === seat ? "player-line to-move" : "player-line"}>
            <SeatIcon tone={toneOf(board, seat)} size={14} />
            <PlayerName player={player} plain />
          </span>
        );
      })}
      <small class="muted">
        <Icon name="eye" size={16} />
        <span>
          {spectators} watching · {title} · <span class="unbroken">{formatClock(game.clock)}</span>
        </span>
      </small>
    </a>
  );
}
