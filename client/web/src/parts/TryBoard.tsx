// A board to try the rules on, against the weakest level of the computer: no clock, and every turn can be taken back.
import type { VNode } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { GameCard } from "../../sdk/index.ts";
import { turnedFor } from "../board/geometry.ts";
import { call, connection } from "../state/parlour.ts";
import { useSignal } from "../state/signal.ts";
import { Table, turnOf, type View } from "../state/table.ts";
import { Icon } from "./Icon.tsx";
import { PlayBoard } from "./PlayBoard.tsx";
import { Prompt } from "./Prompt.tsx";
import { Refused } from "./Refused.tsx";
import { Tray } from "./Tray.tsx";

export function TryBoard({ card }: { card: GameCard }): VNode {
  const [room, setRoom] = useState("");
  const [refused, setRefused] = useState("");
  const begin = (): void => {
    call({ t: "create", terms: { game: card.key }, levels: [null, card.levels[0]![0]] }).then(
      (made) => setRoom(made.room ?? ""),
      (why: Error) => setRefused(why.message),
    );
  };
  return (
    <section class="try" aria-label="Try it">
      <h2>Try it</h2>
      {room ? (
        <Trial id={room} onAgain={begin} key={room} />
      ) : (
        <div class="card settings">
          <p>A board against the weakest bot, without a clock. Turns can be taken back.</p>
          <button type="button" class="button primary" onClick={begin}>
            <Icon name="play" size={18} />
            Try {card.name}
          </button>
          <Refused why={refused} />
        </div>
      )}
    </section>
  );
}

function Trial({ id, onAgain }: { id: string; onAgain(): void }): VNode | null {
  const line = useSignal(connection);
  const table = useMemo(() => new Table(id, line), [id, line]);
  useEffect(
    () => () => {
      // Nobody waits here: a trial that is left is over.
      const { mirror } = table.view.value ?? {};
      if (mirror && mirror.status !== "over") table.end(mirror.moves.length < 2 ? "abort" : "resign");
      table.close();
    },
    [table],
  );
  const view = useSignal(table.view);
  return view && <Open table={table} view={view} onAgain={onAgain} />;
}

function Open({ table, view, onAgain }: { table: Table; view: View; onAgain(): void }): VNode {
  const { mirror } = view;
  const [hover, setHover] = useState<number | null>(null);
  const { board } = mirror.room;
  const seat = mirror.seat ?? 0;
  const active = turnOf(view);
  const picks = useMemo(() => active?.offered ?? [], [active]);
  const asked = mirror.offers.has(`${seat}:takeback`);
  return (
    <div class="trial">
      <PlayBoard
        table={table}
        view={view}
        name="Board to try"
        picks={picks}
        flipped={turnedFor(board, seat)}
        onHover={setHover}
      />
      <Tray table={table} view={view} seat={seat} picks={picks} />
      <Prompt table={table} view={view} hover={hover} />
      <div class="row-of">
        {mirror.status !== "over" && (
          <>
            <button
              type="button"
              class="button"
              disabled={asked || mirror.moves.length === 0}
              onClick={() => table.offer("takeback")}
            >
              <Icon name="undo" size={18} />
              Take back
            </button>
            <button type="button" class="button" disabled={!active} onClick={() => void table.askHint()}>
              <Icon name="bulb" size={18} />
              Hint
            </button>
          </>
        )}
        <button type="button" class="button" onClick={onAgain}>
          From the start
        </button>
      </div>
    </div>
  );
}
