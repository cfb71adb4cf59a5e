// Games of one's own that are on, those with the own turn first.
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { patch, type Record as GameRecord, type Scene } from "../../sdk/index.ts";
import { Board } from "../board/Board.tsx";
import { toneOf } from "../board/ground.tsx";
import type { Live } from "../state/lobby.ts";
import { call, nameOf } from "../state/parlour.ts";
import { useSignal } from "../state/signal.ts";
import { playing } from "../state/tables.ts";
import { Icon, SeatSign } from "./Icon.tsx";

const MOST = 6;

interface Own {
  record: GameRecord;
  seat: number;
  scene: Scene;
}

export function YourGames({ live }: { live: readonly Live[] }): VNode | null {
  const rooms = useSignal(playing);
  const [records, setRecords] = useState<readonly GameRecord[]>([]);
  useEffect(() => {
    let wanted = true;
    const asked = [...rooms.keys()].slice(-MOST).map((room) => call({ t: "ask_record", room }).catch(() => null));
    void Promise.all(asked).then((found) => wanted && setRecords(found.filter((record) => record !== null)));
    return () => {
      wanted = false;
    };
  }, [rooms]);
  const games = records.flatMap((record): Own[] => {
    const seat = rooms.get(record.room);
    if (seat === undefined || record.result) return [];
    const shown = live.find(({ room }) => room === record.room)?.scene;
    return [
      {
        record,
        seat,
        scene:
          shown ?? record.moves.reduce((scene, [, , change]) => (change ? patch(scene, change) : scene), record.first),
      },
    ];
  });
  if (!games.length) return null;
  games.sort((a, b) => Number(b.scene[2] === b.seat) - Number(a.scene[2] === a.seat));
  return (
    <section class="part" aria-label="Your games">
      <h2>Your games</h2>
      <ul class="card rows">
        {games.map(({ record, seat, scene }) => {
          const mine = scene[2] === seat;
          return (
            <li key={record.room}>
              <a class="own-game" href={`/table/${record.room}`}>
                <Board board={record.board} scene={scene} small label={`${nameOf(record.terms.game)} board`} />
                <span class="what">
                  <span>
                    <b>{nameOf(record.terms.game)}</b> with {record.players[1 - seat]?.name ?? "nobody"}
                  </span>
                  <small class={mine ? "mine" : ""}>
                    <SeatSign tone={toneOf(record.board, seat)} size={13} />
                    {mine ? "your turn" : "their turn"}
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
