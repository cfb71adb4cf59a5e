// A table: the board, the two players, what to do now, and what was said and done.
import type { VNode } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { turnedFor } from "../board/geometry.ts";
import { Acts } from "../parts/Acts.tsx";
import { announce } from "../parts/announce.ts";
import { Dialog } from "../parts/Dialog.tsx";
import { Frame } from "../parts/Frame.tsx";
import { Dock, Header } from "../parts/Header.tsx";
import { Icon } from "../parts/Icon.tsx";
import { KeyList } from "../parts/KeyList.tsx";
import { outcome } from "../parts/outcome.ts";
import { PlayBoard } from "../parts/PlayBoard.tsx";
import { PlayerStrip } from "../parts/PlayerStrip.tsx";
import { Prompt } from "../parts/Prompt.tsx";
import { Rail, type Tab } from "../parts/Rail.tsx";
import { ResultCard } from "../parts/ResultCard.tsx";
import { Tray } from "../parts/Tray.tsx";
import { useShortcuts } from "../parts/shortcuts.ts";
import { connection, games, nameOf, state } from "../state/parlour.ts";
import { go } from "../state/router.ts";
import { change, isLamplight, settings } from "../state/settings.ts";
import { useSignal } from "../state/signal.ts";
import { Table, turnOf, type View } from "../state/table.ts";

export function TablePage({ id }: { id: string }): VNode {
  const line = useSignal(connection);
  const table = useMemo(() => new Table(id, line), [id, line]);
  useEffect(() => () => table.close(), [table]);
  const view = useSignal(table.view);
  const missing = useSignal(table.missing);
  if (!view) {
    return (
      <Frame title="Parlour">
        <h1>{missing ? "No such table" : "One moment"}</h1>
        <p role="status">{missing || "The table is on its way."}</p>
        {missing && (
          <a class="button primary" href="/">
            To the start
          </a>
        )}
      </Frame>
    );
  }
  return <Open table={table} view={view} key={id} />;
}

function Open({ table, view }: { table: Table; view: View }): VNode {
  const { mirror, back, unread } = view;
  const { board, terms } = mirror.room;
  const { numbers, sound } = useSignal(settings);
  const open = useSignal(state) === "open";
  const [turned, setTurned] = useState(false);
  const [hover, setHover] = useState<number | null>(null);
  const [tab, setTab] = useState<Tab>("moves");
  const [sheet, setSheet] = useState(false);
  const [dismissed, setDismissed] = useState(false);
  const [help, setHelp] = useState(false);
  const card = useSignal(games).find((game) => game.key === terms.game);
  const own = mirror.seat ?? (turnedFor(board, 0) ? 1 : 0);
  const flipped = turnedFor(board, mirror.seat) !== turned;
  const active = turnOf(view);
  const picks = useMemo(() => active?.offered ?? [], [active]);
  const title = nameOf(terms.game);

  useTold(view);
  useShortcuts({
    f: () => setTurned(!turned),
    n: () => change({ numbers: !numbers }),
    m: () => change({ sound: !sound }),
    l: () => change({ look: isLamplight() ? "day" : "lamp" }),
    c: () => show("chat"),
    d: () => mirror.seat !== null && mirror.status === "playing" && table.offer("draw"),
    t: () => table.offer("takeback"),
    r: () => mirror.status === "over" && table.offer("rematch"),
    "?": () => setHelp(true),
    Backspace: () => table.step(),
    Escape: () => (mirror.result && !dismissed ? setDismissed(true) : sheet ? setSheet(false) : table.step()),
    ArrowLeft: () => table.lookAt((back ?? mirror.moves.length) - 1),
    ArrowRight: () => table.lookAt((back ?? mirror.moves.length) + 1),
  });
  useEffect(() => setDismissed(false), [mirror.result === null]);
  useEffect(() => {
    if (mirror.next && mirror.seat !== null) go(`/table/${mirror.next}`);
  }, [mirror.next]);

  const show = (next: Tab): void => {
    setSheet(!(sheet && tab === next));
    setTab(next);
  };
  return (
    <>
      <Header title={title} />
      <main
        class={`table${open ? "" : " offline"}`}
        data-turn={mirror.status === "over" ? "over" : active ? "mine" : "theirs"}
        data-version={view.version}
      >
        <h1 class="unseen">
          {title}: {mirror.chairs.map((chair) => chair.player?.name ?? "nobody").join(" against ")}
        </h1>
        <p class="unseen">Press the question mark for a list of keys.</p>
        <div class="trays">
          <div class="tray-of opponent">
            <Tray table={table} view={view} seat={1 - own} picks={picks} />
          </div>
          <div class="tray-of own">
            <Tray table={table} view={view} seat={own} picks={picks} />
          </div>
        </div>
        <div class="board-box">
          <PlayBoard
            table={table}
            view={view}
            name={`${title} board`}
            picks={picks}
            flipped={flipped}
            numbers={numbers}
            onHover={setHover}
          />
          {mirror.result && !dismissed && back === null && (
            <ResultCard table={table} view={view} {...outcome(mirror, card)} onClose={() => setDismissed(true)} />
          )}
        </div>
        <PlayerStrip table={table} view={view} seat={1 - own} side="opponent" />
        <Rail
          table={table}
          view={view}
          card={card}
          tab={tab}
          sheet={sheet}
          onTab={setTab}
          onClose={() => setSheet(false)}
          onTurn={() => setTurned(!turned)}
          onKeys={() => setHelp(true)}
        />
        <div class="acts-box">
          <Acts table={table} view={view} />
        </div>
        <Prompt table={table} view={view} hover={hover} />
        <PlayerStrip table={table} view={view} seat={own} side="own" />
      </main>
      {help && (
        <Dialog title="Keys" onClose={() => setHelp(false)}>
          <KeyList />
        </Dialog>
      )}
      <Dock>
        <button type="button" aria-pressed={sheet && tab === "moves"} onClick={() => show("moves")}>
          <Icon name="list" />
          Moves
        </button>
        <button type="button" aria-pressed={sheet && tab === "chat"} onClick={() => show("chat")}>
          <Icon name="chat" />
          Chat
          {unread > 0 && <em>{unread}</em>}
        </button>
        <button type="button" onClick={() => setTurned(!turned)}>
          <Icon name="flip" />
          Turn
        </button>
        <button type="button" aria-pressed={sheet && tab === "about"} onClick={() => show("about")}>
          <Icon name="menu" />
          More
        </button>
      </Dock>
    </>
  );
}

/** Tell of each turn, to those who listen and to those who look at another tab. */
function useTold(view: View): void {
  const { mirror } = view;
  const { board } = mirror.room;
  const count = mirror.moves.length;
  const own = mirror.seat !== null && mirror.scene[2] === mirror.seat && mirror.status === "playing";
  useEffect(() => {
    const last = mirror.moves[count - 1];
    if (!last) return;
    const mover = mirror.scene[2] === null ? null : 1 - mirror.scene[2];
    announce(
      `${mover === null ? "" : `${board.seats[mover]?.name}: `}${last}. ${mirror.scene[4]} ${own ? "Your turn." : ""}`,
    );
  }, [count]);
  useEffect(() => {
    const mover = mirror.scene[2];
    const name = mover === null ? "" : (mirror.chairs[mover]?.player?.name ?? "");
    document.title =
      mirror.status === "over" ? "Game over · Parlour" : own ? "● Your turn · Parlour" : `… ${name} to move · Parlour`;
    return () => {
      document.title = "Parlour";
    };
  }, [own, count, mirror.status]);
}
