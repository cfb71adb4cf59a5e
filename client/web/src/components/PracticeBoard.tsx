// A practice game next to the rules, against the weakest bot, without a clock.
import type { VNode } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { GameCard } from "../../sdk/index.ts";
import { isFlippedFor } from "../board/geometry.ts";
import { call, connection } from "../state/server.ts";
import { useSignal } from "../state/signal.ts";
import { openTurn, Table, type View } from "../state/table.ts";
import { Icon } from "./Icon.tsx";
import { PlayBoard } from "./PlayBoard.tsx";
import { Prompt } from "./Prompt.tsx";
import { ErrorMessage } from "./ErrorMessage.tsx";
import { Tray } from "./Tray.tsx";

export function PracticeBoard({ card }: { card: GameCard }): VNode {
  const [room, setRoom] = useState("");
  const [error, setError] = useState("");
  const start = (): void => {
    call({ t: "create", terms: { game: card.key }, levels: [null, card.levels[0]![0]] }).then(
      ({ room: created }) => setRoom(created ?? ""),
      (reason: Error) => setError(reason.message),
    );
  };
  return (
    <section class="try" aria-label="Try it">
      <h2>Try it</h2>
      {room ? (
        <PracticeGame id={room} onRestart={start} key={room} />
      ) : (
        <div class="card settings">
          <p>Play against the weakest bot, without a clock. You can take back any turn.</p>
          <button type="button" class="button primary" onClick={start}>
            <Icon name="play" size={18} />
            Try {card.name}
          </button>
          {(card.lesson_minutes ?? 0) > 0 && (
            <a class="button" href={`/learn/${card.key}`}>
              <Icon name="bulb" size={18} />
              Learn {card.name} · {card.lesson_minutes} min
            </a>
          )}
          <ErrorMessage text={error} />
        </div>
      )}
    </section>
  );
}

function PracticeGame({ id, onRestart }: { id: string; onRestart(): void }): VNode | null {
  const current = useSignal(connection);
  const table = useMemo(() => new Table(id, current), [id, current]);
  useEffect(
    () => () => {
      // Leaving the page ends the practice game.
      const { replica } = table.view.value ?? {};
      if (replica && replica.status !== "over") table.end(replica.moves.length < 2 ? "abort" : "resign");
      table.close();
    },
    [table],
  );
  const view = useSignal(table.view);
  return view && <OpenGame table={table} view={view} onRestart={onRestart} />;
}

function OpenGame({ table, view, onRestart }: { table: Table; view: View; onRestart(): void }): VNode {
  const { replica } = view;
  const [hover, setHover] = useState<number | null>(null);
  const { board } = replica.room;
  const seat = replica.seat ?? 0;
  const turn = openTurn(view);
  const picks = useMemo(() => turn?.offered ?? [], [turn]);
  const requested = replica.offers.has(`${seat}:takeback`);
  return (
    <div class="practice">
      <PlayBoard
        table={table}
        view={view}
        name="Practice board"
        picks={picks}
        flipped={isFlippedFor(board, seat)}
        onHover={setHover}
      />
      <Tray table={table} view={view} seat={seat} picks={picks} />
      <Prompt table={table} view={view} hover={hover} />
      <div class="button-row">
        {replica.status !== "over" && (
          <>
            <button
              type="button"
              class="button"
              disabled={requested || replica.moves.length === 0}
              onClick={() => table.offer("takeback")}
            >
              <Icon name="undo" size={18} />
              Take back
            </button>
            <button type="button" class="button" disabled={!turn} onClick={() => void table.requestHint()}>
              <Icon name="bulb" size={18} />
              Hint
            </button>
          </>
        )}
        <button type="button" class="button" onClick={onRestart}>
          Restart
        </button>
      </div>
    </div>
  );
}
