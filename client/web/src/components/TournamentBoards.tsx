// The boards of the best games that are being played: the top table, and a few more beside it.
import type { VNode } from "preact";
import type { Tournament } from "../../sdk/index.ts";
import { useLiveRoom } from "../state/liveRoom.ts";
import { Icon } from "./Icon.tsx";
import { LiveGameCard } from "./LiveGameCard.tsx";

const SHOWN = 3; // boards, the top table included

/** `except` is the player's own game, which has a table of its own. */
export function TournamentBoards({ tournament, except }: { tournament: Tournament; except: string }): VNode | null {
  const { summary, featured, games = [] } = tournament;
  const running = games.flatMap(({ room, over }) => (room && !over && room !== except ? [room] : []));
  const top = featured && featured !== except ? featured : running[0];
  if (!top) return null;
  const others = running.filter((room) => room !== top).slice(0, SHOWN - 1);
  return (
    <section class="part top-table" aria-label="Top table">
      <div class="head">
        <h2>Top table</h2>
        {featured && (
          <a class="link" href={`/tournaments/${summary.tournament}/top`}>
            <Icon name="eye" size={18} />
            Follow
          </a>
        )}
      </div>
      <LiveRoom room={top} key={top} />
      {others.length > 0 && (
        <ul class="other-tables">
          {others.map((room) => (
            <li key={room}>
              <LiveRoom room={room} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function LiveRoom({ room }: { room: string }): VNode {
  const game = useLiveRoom(room);
  return game ? <LiveGameCard game={game} /> : <div class="card live-card empty" aria-hidden="true" />;
}
