"""Reports what happens at one table, in order, and says when a player at this terminal is to move."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from parlour.client.table import Event
from parlour.client.turn import Turn
from parlour.protocol.errors import Refusal
from parlour.protocol.messages import Moved, Presence, Rated, RoomEvent, Said
from parlour.protocol.scene import BoardSpec, Scene
from parlour.protocol.types import Pick, TimeLeft
from parlour.terminal.drawing import Style, draw, render, seat_lines
from parlour.terminal.plain import outputs
from parlour.terminal.plain.console import WIDTH
from parlour.terminal.plain.outputs import Output
from parlour.terminal.text.result import unrated_line
from parlour.terminal.text.table import absence_line, deadline_line, event_line, rating_line
from parlour.terminal.text.table_status import table_status
from parlour.terminal.text.terms import player_label, terms_phrase
from parlour.terminal.ui.table_view import TableView

# A script's next line waits until the last one has taken effect, however busy the machine is. This is only a safeguard.
SETTLE_TIMEOUT = 60.0  # seconds

Show = Callable[..., None]  # an object for programs, and the lines for people that take its place


class TableReporter:
    """Follows a table until it is closed."""

    def __init__(self, view: TableView, show: Show, style: Style, *, draws_moves: Callable[[], bool]) -> None:
        """`show` shows an object, or lines in its place; `draws_moves` says whether to draw the board after a move."""
        self.view = view
        self.is_flipped = False
        self.changed = asyncio.Event()  # pulsed after each event
        self._show = show
        self._style = style
        self._draws_moves = draws_moves
        self._following: asyncio.Task[None] | None = None
        self._mover = view.table.scene.to_move
        self._printed_seq = 0  # the last event that was reported
        self._is_open = False  # whether the table itself was reported
        self._prompted: Turn | None = None  # the turn that was announced
        self._absence = ""
        self._hurried: int | None = None  # the ply of the first move that was asked for
        self._describing: asyncio.Task[None] | None = None  # the last move is being put into words
        self._held: list[tuple[Output, tuple[str, ...]]] = []  # what happened meanwhile

    async def open(self) -> None:
        """Report the whole table, and from now on its events."""
        view = self.view
        view.on_change = self._prompt
        self._following = asyncio.create_task(self._follow())
        await self.settle()
        self._is_open, self._prompted = True, view.turn
        players = " against ".join(
            f"{player_label(seated.player)} ({seat.name})"
            for seat, seated in zip(view.board.seats, view.table.players, strict=True)
        )
        unrated = [unrated_line(view.table.unrated)] if view.table.unrated and view.table.result is None else []
        self._show(
            _opened(view), f"{terms_phrase(view.table.terms, view.card)}. {players}. Table {view.table.room}.",
            *unrated, *self.board_lines(),
        )  # fmt: skip
        self.show_status()

    async def close(self) -> None:
        """Stop reporting."""
        for task in (self._following, self._describing):
            if task is not None:
                task.cancel()
                with suppress(asyncio.CancelledError, Exception):
                    await task
        self._following = self._describing = None

    async def settle(self) -> None:
        """Wait until the effects of a command are reported and the player to move can move. Scripts rely on this."""
        with suppress(TimeoutError):
            async with asyncio.timeout(SETTLE_TIMEOUT):
                while not self._is_settled() and self._following is not None and not self._following.done():
                    await self.changed.wait()

    def _is_settled(self) -> bool:
        view = self.view
        if not self._is_printed():
            return False
        is_playing = view.table.status == "playing"
        is_to_move = is_playing and view.table.scene.to_move in [seat.table.seat for seat in view.seats]
        return not is_to_move or view.turn is not None

    def _is_printed(self) -> bool:
        """Whether every received event of the table was reported, and the last move told in words."""
        return self._describing is None and self._printed_seq >= max(seat.table.replica.seq for seat in self.view.seats)

    # -- events

    async def _follow(self) -> None:
        try:
            await self.view.follow(self._report)
        except (Refusal, ConnectionError) as error:
            self._show(outputs.Text(str(error)), str(error))
        finally:
            asyncio.get_running_loop().call_soon(self._notify)  # once the task is done

    def _report(self, event: Event) -> None:
        view, room = self.view, self.view.table.room
        mover, self._mover = self._mover, view.table.scene.to_move
        self._printed_seq = view.table.replica.seq
        view.refresh()
        match event:
            case Said():
                self._show_next(outputs.ChatLine(room, event.name, event.text), f"{event.name}: {event.text}")
            case Rated():
                self._show_next(outputs.NewRatings(room, event.ratings), rating_line(view))
            case Presence():
                self._report_presence(event)
            case Moved():
                self._stop_describing()
                moved = outputs.TableMoved(
                    room=room, move=event.move, ply=view.table.ply, scene=view.table.scene, seat=mover,
                    clocks=_clocks(view),
                )  # fmt: skip
                board = self.board_lines() if self._draws_moves() else ()
                self._show(moved, event_line(view, event, mover), *board)
                self._describing = asyncio.create_task(self._describe())
            case RoomEvent():
                self._report_room_event(event, event_line(view, event, mover))
            case _:
                pass
        self._prompt()
        self._notify()

    async def _describe(self) -> None:
        """Tell the move in the game's own words, before anything that happened since."""
        table, ply = self.view.table, self.view.table.ply
        with suppress(Refusal, ConnectionError):  # the move in notation has been told
            words = await table.describe()
            self._show(outputs.MoveDescribed(room=table.room, ply=ply, text=words), words)
        self._stop_describing()
        self._prompt()
        self._notify()

    def _stop_describing(self) -> None:
        """Leave out the words if they have not come, since the next move is already there; report what was held."""
        task, self._describing = self._describing, None
        if task is not None and task is not asyncio.current_task():
            task.cancel()
        held, self._held = self._held, []
        for output, lines in held:
            self._show(output, *lines)

    def _show_next(self, output: Output, *lines: str) -> None:
        if self._describing is None:
            self._show(output, *lines)
        else:
            self._held.append((output, lines))

    def _report_room_event(self, event: RoomEvent, words: str) -> None:
        view = self.view
        is_own_offer = event.kind == "offered" and view.is_hotseat
        lines = [] if is_own_offer or not words else [words]
        if event.next is not None and view.is_player:
            lines.append("Type next to go to the rematch.")
        happened = outputs.TableEvent(
            room=view.table.room, kind=event.kind, text=" ".join(lines), seat=event.seat, offer=event.offer,
            result=event.result, next=event.next, scene=None if event.change is None else view.table.scene,
        )  # fmt: skip
        self._show_next(happened, *lines)

    def _report_presence(self, presence: Presence) -> None:
        words = absence_line(self.view)
        lines = [words] if words and words != self._absence else []
        self._absence = words
        if self._hurried != (ply := self.view.table.ply) and (words := deadline_line(self.view, soon=sys.maxsize)):
            self._hurried = ply
            lines.append(words)
        shown = outputs.PlayersOnline(
            room=self.view.table.room, online=presence.online, claim_in=presence.claim_in, abort_in=presence.abort_in
        )
        self._show_next(shown, *lines)

    def _notify(self) -> None:
        self.changed.set()
        self.changed.clear()

    def _prompt(self) -> None:
        """Say once for each turn what to do, as soon as every event before it was reported."""
        turn = self.view.turn
        if turn is None or self.view.sending or not self._is_open or not self._is_printed():
            return
        if self._prompted is not None and turn.starts_like(self._prompted):
            return
        self._prompted = turn
        if self.view.table.ply:
            self.show_status()

    # -- showing the table

    def show_status(self) -> None:
        """Print the status of the table, and what may be picked."""
        self._show(_turn(self.view), self.status)

    @property
    def status(self) -> str:
        """The status of the table, in sentences."""
        return " ".join(table_status(self.view).lines)

    def show_board(self) -> None:
        """Draw the board with the picks so far."""
        for line in self.board_lines():
            self._show(None, line)

    def board_lines(self) -> list[str]:
        view = self.view
        return list(board_lines(view.board, view.scene, self._style, view.legal_picks, flipped=self.is_flipped))


def board_lines(
    board: BoardSpec, scene: Scene, style: Style, picks: Sequence[int | Pick] = (),
    *, flipped: bool = False, pointers: Mapping[int, str] = {},
) -> list[str]:  # fmt: skip
    """Return the board as lines, then each seat with its pieces and points."""
    drawn = draw(board, scene, style=style, picks=picks, flipped=flipped, pointers=pointers)
    lines = [render(line, style).rstrip() for line in drawn]
    for seat, spec in enumerate(board.seats):
        lead = f"{'>' if scene.to_move == seat else ' '} {spec.name:6} "
        beside = seat_lines(board, scene, seat, style=style, picks=picks, width=WIDTH - len(lead), pointers=pointers)
        for line in beside:
            lines.append(f"{lead}{render(line, style)}".rstrip())
            lead = " " * len(lead)
    shared = seat_lines(board, scene, None, style=style, picks=picks, width=WIDTH - 2, pointers=pointers)
    return [*lines, *(f"  {render(line, style)}".rstrip() for line in shared)]


def _clocks(view: TableView) -> tuple[TimeLeft, ...]:
    table = view.table
    return tuple(left for seat in range(len(table.players)) if (left := table.time_left(seat)) is not None)


def _opened(view: TableView) -> Output:
    table = view.table
    return outputs.TableOpened(
        room=table.room, seat=view.seat, terms=table.terms, players=tuple(table.players), status=table.status,
        moves=tuple(table.moves), board=table.board, scene=table.scene, clocks=_clocks(view), result=table.result,
    )  # fmt: skip


def _turn(view: TableView) -> Output | None:
    """Return the turn of a player at this terminal; None if it is the turn of another player, or the game is over."""
    turn, mover = view.turn, view.table.scene.to_move
    if turn is None or mover is None:
        return None
    prompt = table_status(view).prompt
    choices = tuple(outputs.Choice(view.board.place_name(p.place), p.place, p.label) for p in view.legal_picks)
    return outputs.Turn(
        room=view.table.room, seat=mover, ply=view.table.ply, prompt=prompt, choices=choices, picks=turn.picks
    )
