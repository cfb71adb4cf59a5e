// A table: the board, the players, the prompt, and the panel with moves and chat.
import type { VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type BoardSpec, cellsOf, noteOf, type Offered, seatToMove } from "../../sdk/index.ts";
import { Geometry, isFlippedFor } from "../board/geometry.ts";
import { ActionBar } from "../components/ActionBar.tsx";
import { announce } from "../state/announcements.ts";
import { noteTurn } from "../state/badge.ts";
import { Dialog } from "../components/Dialog.tsx";
import { PageLayout } from "../components/PageLayout.tsx";
import { Dock, Header } from "../components/Header.tsx";
import { Icon } from "../components/Icon.tsx";
import { ShortcutList } from "../components/ShortcutList.tsx";
import { PlayBoard } from "../components/PlayBoard.tsx";
import { PlayerStrip } from "../components/PlayerStrip.tsx";
import { Prompt } from "../components/Prompt.tsx";
import { SidePanel, type Tab } from "../components/SidePanel.tsx";
import { ResultPrompt } from "../components/ResultPrompt.tsx";
import { Tray } from "../components/Tray.tsx";
import { useMedia, WIDE } from "../components/useMedia.ts";
import { useShortcuts } from "../components/useShortcuts.ts";
import { useCloseOnBack } from "../state/overlays.ts";
import { connectionOfSecond, rememberDeviceGame } from "../state/deviceGames.ts";
import { connection, connectionState, gameName, games } from "../state/server.ts";
import { navigate } from "../state/router.ts";
import { changeSettings, isDark, settings } from "../state/settings.ts";
import { useSignal } from "../state/signal.ts";
import { isOwnTurn, openTurn, Table, type View } from "../state/table.ts";
import { nameInSeat, nameOf } from "../state/botNames.ts";

export function TablePage({ id }: { id: string }): VNode {
  const current = useSignal(connection);
  const table = useMemo(() => new Table(id, current, connectionOfSecond(id)), [id, current]);
  useEffect(() => () => table.close(), [table]);
  const view = useSignal(table.view);
  const missing = useSignal(table.missing);
  if (!view) {
    return (
      <PageLayout title="Parlour">
        <h1>{missing ? "Table not available" : "Loading…"}</h1>
        <p role="status">{missing || "Opening the table."}</p>
        {missing && (
          <a class="button primary" href="/">
            Back to the lobby
          </a>
        )}
      </PageLayout>
    );
  }
  return <OpenTable table={table} view={view} key={id} />;
}

function OpenTable({ table, view }: { table: Table; view: View }): VNode {
  const { replica, viewedPly, unread } = view;
  const { board, terms, tournament } = replica.room;
  const { numbers, sound } = useSignal(settings);
  const online = useSignal(connectionState) === "open";
  const [rotated, setRotated] = useState(false);
  const [hover, setHover] = useState<number | null>(null);
  const [tab, setTab] = useState<Tab>("moves");
  const [sheet, setSheet] = useState(false);
  const [shortcutsOpen, setShortcutsOpen] = useState(false);
  const card = useSignal(games).find((game) => game.key === terms.game);
  const own = replica.seat ?? (isFlippedFor(board, 0) ? 1 : 0);
  const flipped = isFlippedFor(board, replica.seat) !== rotated;
  const turn = openTurn(view);
  const picks = useMemo(() => turn?.offered ?? [], [turn]);
  const title = gameName(terms.game);
  const wide = useMedia(WIDE);
  const shared = view.seats.length > 1;
  // There is room for one hand on a phone: where two players share it, that of the player to move.
  const handSeat = shared && !wide ? (seatToMove(replica.scene) ?? own) : own;
  const handInRow = useHandInRow(view, handSeat);

  useTurnNotices(view);
  useShortcuts({
    f: () => setRotated(!rotated),
    n: () => changeSettings({ numbers: !numbers }),
    m: () => changeSettings({ sound: !sound }),
    l: () => changeSettings({ theme: isDark() ? "light" : "dark" }),
    c: () => show("chat"),
    d: () => replica.seat !== null && replica.status === "playing" && !shared && table.offer("draw"),
    t: () => table.offer("takeback"),
    r: () => replica.status === "over" && table.offer("rematch"),
    "?": () => setShortcutsOpen(true),
    Backspace: () => table.entry.undoPick(),
    Escape: () => (sheet ? setSheet(false) : table.entry.undoPick()),
    ArrowLeft: () => table.viewPly((viewedPly ?? replica.moves.length) - 1),
    ArrowRight: () => table.viewPly((viewedPly ?? replica.moves.length) + 1),
  });
  useCloseOnBack(sheet, () => setSheet(false));
  // A player who resigns from the sheet sees the result; a message that is being written stays.
  useEffect(() => {
    if (replica.status === "over") setSheet((open) => open && tab === "chat");
    // eslint-disable-next-line react-hooks/exhaustive-deps -- only when the game ends
  }, [replica.status]);
  useEffect(() => {
    if (!replica.next || replica.seat === null) return;
    if (shared) rememberDeviceGame(replica.next);
    navigate(`/table/${replica.next}`);
  }, [replica.next, replica.seat, shared]);

  const show = (next: Tab): void => {
    setSheet(!(sheet && tab === next));
    setTab(next);
  };
  return (
    <>
      <Header title={title} />
      <main
        id="content"
        tabIndex={-1}
        class={`table${online ? "" : " offline"}`}
        data-turn={replica.status === "over" ? "over" : turn ? "mine" : "theirs"}
        data-version={view.version}
      >
        <h1 class="visually-hidden">
          {title}: {replica.players.map(({ player }) => nameOf(player)).join(" against ")}
        </h1>
        <p class="visually-hidden">Press the question mark for a list of shortcuts.</p>
        {(wide || handInRow) && (
          <div class="trays">
            {wide && (
              <div class="tray-box opponent">
                <Tray table={table} view={view} seat={1 - own} picks={picks} />
              </div>
            )}
            <div class="tray-box own">
              <Tray table={table} view={view} seat={handSeat} picks={picks} />
            </div>
          </div>
        )}
        <div class="board-box" style={{ "--aspect": new Geometry(board, false).aspect }}>
          <PlayBoard
            table={table}
            view={view}
            name={`${title} board`}
            picks={picks}
            flipped={flipped}
            numbers={numbers}
            onHover={setHover}
          />
        </div>
        <PlayerStrip
          table={table}
          view={view}
          seat={1 - own}
          side="opponent"
          picks={picks}
          hand
          after={
            <button type="button" class="more" aria-label="Moves, chat and more" onClick={() => show("moves")}>
              <Icon name="more" />
              {unread > 0 && <em />}
            </button>
          }
        >
          <a
            class="leave"
            href={tournament ? `/tournaments/${tournament}` : replica.seat === null ? "/watch" : "/"}
            aria-label="Leave the table"
          >
            <Icon name="back" />
          </a>
        </PlayerStrip>
        <SidePanel
          table={table}
          view={view}
          card={card}
          tab={tab}
          sheet={sheet}
          onTab={setTab}
          onClose={() => setSheet(false)}
          onFlip={() => setRotated(!rotated)}
          onShortcuts={() => setShortcutsOpen(true)}
        />
        <div class="action-bar-box">
          <ActionBar table={table} view={view} />
        </div>
        {replica.result && viewedPly === null ? (
          <ResultPrompt table={table} view={view} />
        ) : (
          <Prompt table={table} view={view} hover={hover} />
        )}
        <PlayerStrip table={table} view={view} seat={own} side="own" picks={picks} hand={!handInRow} />
      </main>
      {shortcutsOpen && (
        <Dialog title="Keyboard shortcuts" onClose={() => setShortcutsOpen(false)}>
          <ShortcutList />
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
        <button type="button" onClick={() => setRotated(!rotated)}>
          <Icon name="flip" />
          Flip
        </button>
        <button type="button" aria-pressed={sheet && tab === "about"} onClick={() => show("about")}>
          <Icon name="more" />
          More
        </button>
      </Dock>
    </>
  );
}

/** Whether the player picks from several slots of a hand in this phase of the game, which then has a row on a phone. */
function useHandInRow(view: View, seat: number): boolean {
  const { replica, turn } = view;
  const { board } = replica.room;
  const slots = useMemo(() => handOf(board, seat), [board, seat]);
  const picked = useRef(true); // until the first turn tells
  const atStart = turn?.picks.length === 0 ? turn.offered : null;
  if (atStart) picked.current = atStart.some((pick: Offered) => slots.has(pick.place));
  return view.seats.includes(seat) && slots.size > 1 && picked.current && replica.status !== "over";
}

/** The places of a seat's slots that hold pieces. */
function handOf(board: BoardSpec, seat: number): Set<number> {
  const found = new Set<number>();
  let place = cellsOf(board);
  for (const zone of board.zones ?? []) {
    for (let n = 0; n < zone.slots.length; n++, place++)
      if (zone.seat === seat && zone.holds_pieces !== false) found.add(place);
  }
  return found;
}

/** Announce each turn to screen readers and in the title of the tab. */
function useTurnNotices(view: View): void {
  const { replica } = view;
  const { moves, scene, status, room } = replica;
  const mover = seatToMove(scene);
  const own = isOwnTurn(view);
  const lastMove = moves[moves.length - 1];
  const lastMover = mover === null ? "" : `${room.board.seats[1 - mover]?.name}: `;
  const notice = lastMove && `${lastMover}${lastMove}. ${noteOf(scene)} ${own ? "Your turn." : ""}`;
  useEffect(() => {
    if (notice) announce(notice);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once per move, not when only the status changes
  }, [moves.length]);

  const counts = own && view.seats.length === 1; // not where two players share a device
  useEffect(() => noteTurn(room.room, counts), [room.room, counts]);

  const name = mover === null ? "" : nameInSeat(replica, mover);
  const title = status === "over" ? "Game over" : own ? "● Your turn" : `… ${name} to move`;
  useEffect(() => {
    document.title = `${title} · Parlour`;
    return () => {
      document.title = "Parlour";
    };
  }, [title]);
}
