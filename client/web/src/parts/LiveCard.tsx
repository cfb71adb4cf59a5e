// A game that is on: a small board that moves, and who plays. The whole card leads to the table.
import type { VNode } from "preact";
import { Board } from "../board/Board.tsx";
import { toneOf } from "../board/ground.tsx";
import { nameOf } from "../state/parlour.ts";
import type { Live } from "../state/lobby.ts";
import { Icon, SeatSign } from "./Icon.tsx";
import { PlayerName } from "./PlayerName.tsx";
import { pace } from "./time.ts";

export function LiveCard({ game }: { game: Live }): VNode {
  const { board, scene, players, watchers = 0 } = game;
  const title = nameOf(game.game);
  return (
    <a class="live-card card" href={`/table/${game.room}`}>
      <Board board={board} scene={scene} small label={`${title} board after ${game.ply ?? 0} moves`} />
      {[...players].reverse().map((player, n) => {
        const seat = players.length - 1 - n;
        return (
          <span class={scene[2] === seat ? "line-of to-move" : "line-of"}>
            <SeatSign tone={toneOf(board, seat)} size={14} />
            <PlayerName player={player} plain />
          </span>
        );
      })}
      <small class="muted">
        <Icon name="eye" size={16} />
        {watchers} watching · {title} · {pace(game.clock)}
      </small>
    </a>
  );
}
