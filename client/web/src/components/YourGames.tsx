// The player's games in progress, with those where it is the player's turn first.
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type Record as GameRecord, type Scene, seatToMove } from "../../sdk/index.ts";
import { BoardPicture } from "../board/BoardPicture.tsx";
import { toneOf } from "../board/Surface.tsx";
import { isReplayable, type ReplayableRecord, scenesOf } from "../state/analysis.ts";
import type { LiveGameView } from "../state/lobby.ts";
import { call, gameName, me } from "../state/server.ts";
import { useSignal } from "../state/signal.ts";
import { GAME_COUNT, ownGames } from "../state/ownTables.ts";
import { loadStored, saveStored } from "../state/storage.ts";
import { Icon, SeatIcon } from "./Icon.tsx";
import { nameOf } from "../state/botNames.ts";

const LIMIT = 6;
const KNOWN_AFTER = 1000; // ms after the welcome, by which the server has named all games

interface OwnGame {
  record: ReplayableRecord;
  seat: number;
  scene: Scene;
}

export function YourGames({ live }: { live: readonly LiveGameView[] }): VNode | null {
  const rooms = useSignal(ownGames);
  const self = useSignal(me);
  const [records, setRecords] = useState<readonly GameRecord[] | null>(null);
  useEffect(() => {
    if (!rooms.size) {
      const timer = self ? setTimeout(() => setRecords([]), KNOWN_AFTER) : undefined;
      return () => clearTimeout(timer);
    }
    let active = true;
    const requests = [...rooms.keys()].slice(-LIMIT).map((room) => call({ t: "get_record", room }).catch(() => null));
    void Promise.all(requests).then((found) => active && setRecords(found.filter((record) => record !== null)));
    return () => {
      active = false;
    };
  }, [rooms, self]);
  const games = (records ?? []).flatMap((record): OwnGame[] => {
    const seat = rooms.get(record.room);
    if (seat === undefined || record.result || !isReplayable(record)) return [];
    const shown = live.find(({ room }) => room === record.room)?.scene;
    return [
      {
        record,
        seat,
        scene: shown ?? scenesOf(record).at(-1)!,
      },
    ];
  });
  const isKnown = records !== null;
  useEffect(() => {
    if (isKnown) saveStored(GAME_COUNT, games.length || null);
  }, [isKnown, games.length]);
  const expected = isKnown ? 0 : Math.min(Number(loadStored(GAME_COUNT)), LIMIT);
  if (!games.length && !expected) return null;
  games.sort((a, b) => Number(seatToMove(b.scene) === b.seat) - Number(seatToMove(a.scene) === a.seat));
  return (
    <section class="part" aria-label="Your games">
      <div class="head">
        <h2>Your games</h2>
      </div>
      <ul class="card rows">
        {Array.from({ length: expected }, (_, n) => (
          <li class="own-game unknown" key={n} />
        ))}
        {games.map(({ record, seat, scene }) => {
          const mine = seatToMove(scene) === seat;
          return (
            <li key={record.room}>
              <a class="own-game" href={`/table/${record.room}`}>
                <BoardPicture board={record.board} scene={scene} label={`${gameName(record.terms.game)} board`} />
                <span class="what">
                  <span>
                    <b>{gameName(record.terms.game)}</b> against {nameOf(record.players[1 - seat])}
                  </span>
                  <small class={mine ? "mine" : ""}>
                    <SeatIcon tone={toneOf(record.board, seat)} size={13} />
                    {mine ? "your turn" : "opponent’s turn"}
                  </small>
                </span>
                <Icon name="next" />
              </a>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
