"""The line client: one command per line, until the input ends."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from msgspec.structs import replace

from parlour.client.drawing import Style, draw, render, seat_lines
from parlour.client.plain.console import Console
from parlour.client.table import Event
from parlour.client.text.table import absence_line, event_line, rating_line, status_line
from parlour.client.text.terms import player_label, terms_line
from parlour.client.turn import Turn
from parlour.client.ui.player_session import PlayerSession
from parlour.client.ui.replay import Replay
from parlour.client.ui.settings import Settings, SettingsFile
from parlour.client.ui.table_view import TableView
from parlour.protocol.errors import Refusal
from parlour.protocol.messages import Challenged, Moved, Presence, Rated, RoomEvent, Said
from parlour.protocol.scene import BoardSpec, Scene
from parlour.protocol.types import Pick

WIDTH = 76
# A script's next line waits until the last one has taken effect, however busy the machine is. This is only a safeguard.
SETTLE_TIMEOUT = 60.0  # seconds


class Command(NamedTuple):
    """A command that can be typed."""

    usage: str
    help: str
    run: Callable[[str], Awaitable[None]]

    @property
    def needs_argument(self) -> bool:
        """Whether its first argument is required."""
        return any(not word.startswith("[") for word in self.usage.split()[1:2])


class LineClient:
    """Reads commands and prints what happens. The commands depend on the place: lobby, table or replay."""

    def __init__(
        self,
        session: PlayerSession,
        console: Console,
        *,
        style: Style,
        settings: SettingsFile | None = None,
    ) -> None:
        # These modules import this one.
        from parlour.client.plain.lobby_commands import LobbyCommands  # noqa: PLC0415
        from parlour.client.plain.replay_commands import ReplayCommands  # noqa: PLC0415
        from parlour.client.plain.table_commands import TableCommands  # noqa: PLC0415

        self.session = session
        self.console = console
        self.style = style
        self.settings_file = settings or SettingsFile()
        self.settings: Settings = self.settings_file.read()
        self.view: TableView | None = None
        self.replay: Replay | None = None
        self.flipped = False
        self.quitting = False
        self.changed = asyncio.Event()  # pulsed after each event at the table
        self._lobby = LobbyCommands(self)
        self._table = TableCommands(self)
        self._replay = ReplayCommands(self)
        self._following: asyncio.Task[None] | None = None
        self._mover: int | None = None
        self._printed_seq = 0  # the last event at the table that was printed
        self._prompted: Turn | None = None  # the turn whose prompt was printed
        self._absence = ""

    # -- the command loop

    async def run(self, view: TableView | None = None, replay: Replay | None = None) -> None:
        """Run until the player quits or the input ends. Start at a table or with a replay, if given."""
        self.console.start()
        followers = [asyncio.create_task(self._follow_states()), asyncio.create_task(self._follow_notifications())]
        try:
            you = self.session.client.you
            self.say(
                f"Welcome to {self.session.client.server or 'Parlour'}, {you.name}. Type help for a list of commands."
            )
            self.say(*self.session.notices)
            if view is not None:
                await self.open_table(view)
            elif replay is not None:
                await self.open_replay(replay)
            while not self.quitting:
                line = await self._next_line()
                if line is None:
                    await self._watch_to_end()
                    break
                await self.execute(line.strip())
            self.say("Goodbye.")
        finally:
            for task in (*followers, self._following):
                if task is not None:
                    task.cancel()
                    with suppress(asyncio.CancelledError, Exception):
                        await task

    async def _next_line(self) -> str | None:
        """Return the next line, or None if the input or the connection ends first."""
        reading = asyncio.ensure_future(self.console.read())
        ended = asyncio.ensure_future(self._connection_ended())
        await asyncio.wait((reading, ended), return_when=asyncio.FIRST_COMPLETED)
        ended.cancel()
        if reading.done():
            return reading.result()
        reading.cancel()
        return None

    async def _connection_ended(self) -> None:
        with suppress(Refusal, ConnectionError):
            async for state in self.session.client.states():
                if state == "ended":
                    return

    async def _watch_to_end(self) -> None:
        """Print a game between computers to its end, since it needs no input."""
        view = self.view
        if view is None or not all(seated.player.bot for seated in view.table.players):
            return
        with suppress(Refusal, ConnectionError):
            await view.table.over()
            await self._settle()

    @property
    def commands(self) -> dict[str, Command]:
        """The commands that can be typed now."""
        here = self._replay if self.replay else self._table if self.view else self._lobby
        return here.commands

    async def execute(self, line: str) -> None:
        """Execute one line."""
        if not line or line.startswith("#"):
            return
        name, _, rest = line.partition(" ")
        try:
            command = self.commands.get(name.lower())
            if command is not None and command.needs_argument and not rest.strip():
                self.say(f"Usage: {command.usage}")
            elif command is not None:
                await command.run(rest.strip())
            elif self.view is not None and self.replay is None:
                await self._table.move(line)
            else:
                self.say(f"Unknown command “{name}”. Type help for a list of commands.")
            await self._settle()
        except (Refusal, ConnectionError) as error:
            self.say(str(error))

    async def _settle(self) -> None:
        """Wait until the effects of a command are printed and the player to move can move. Scripts rely on this."""
        view = self.view
        if view is None:
            return

        def is_settled() -> bool:
            if not self._is_printed(view):
                return False
            is_playing = view.table.status == "playing"
            is_to_move = is_playing and view.table.scene.to_move in [seat.table.seat for seat in view.seats]
            return not is_to_move or view.turn is not None

        with suppress(TimeoutError):
            async with asyncio.timeout(SETTLE_TIMEOUT):
                while not is_settled() and self._following is not None and not self._following.done():
                    await self.changed.wait()

    def _is_printed(self, view: TableView) -> bool:
        """Whether every received event of the table was printed."""
        return self._printed_seq >= max(seat.table.replica.seq for seat in view.seats)

    def help(self) -> None:
        width = max(len(command.usage) for command in self.commands.values()) + 2
        self.say(*(f"  {command.usage:{width}}{command.help}" for command in self.commands.values()))

    def say(self, *lines: str) -> None:
        self.console.print(*lines)

    def save_settings(self, **changed: Any) -> None:
        self.settings = replace(self.settings, **changed)
        self.settings_file.write(self.settings)

    # -- notifications

    async def _follow_states(self) -> None:
        client = self.session.client
        sentences = {"connected": "Connected again.", "reconnecting": "Connection lost. Reconnecting."}
        said = sentences["connected"]
        try:
            async for state in client.states():
                sentence = client.problem or sentences.get(state, "")
                if sentence != said:
                    self.say(sentence)
                said = sentence
        except (Refusal, ConnectionError) as error:
            self.say(f"The connection has ended: {error}")

    async def _follow_notifications(self) -> None:
        with suppress(Refusal, ConnectionError):
            async for notification in self.session.client.notifications():
                if isinstance(notification, Challenged):
                    card = next(
                        (card for card in self.session.client.games if card.key == notification.terms.game), None
                    )
                    words = (
                        f"{player_label(notification.player)} challenges you: {terms_line(notification.terms, card)}."
                    )
                    self.say(f"{words} Type join {notification.seek}, or decline {notification.seek}.")

    # -- tables

    async def open_replay(self, replay: Replay) -> None:
        """Switch to a replay."""
        self.replay = replay
        await self.execute("board")

    async def open_table(self, view: TableView) -> None:
        """Switch to a table."""
        self.view, self.replay = view, None
        self._mover, self._absence, self._printed_seq = view.table.scene.to_move, "", 0
        if self._following is not None:
            self._following.cancel()
        view.on_change = partial(self._prompt, view)
        self._following = asyncio.create_task(self._follow(view))
        await self._settle()
        card = view.card
        players = " against ".join(
            f"{player_label(seated.player)} ({seat.name})"
            for seat, seated in zip(view.board.seats, view.table.players, strict=True)
        )
        self.say(f"{terms_line(view.table.terms, card)}. {players}. Table {view.table.room}.")
        self.show_board()
        self.say(status_line(view))
        self._prompted = view.turn

    async def _follow(self, view: TableView) -> None:
        try:
            await view.follow(lambda event: self._print_event(view, event))
        except (Refusal, ConnectionError) as error:
            self.say(str(error))
        finally:
            asyncio.get_running_loop().call_soon(self._notify)  # once the task is done

    def _print_event(self, view: TableView, event: Event) -> None:
        mover, self._mover = self._mover, view.table.scene.to_move
        self._printed_seq = view.table.replica.seq
        view.refresh()
        if isinstance(event, Said):
            self.say(f"{event.name}: {event.text}")
        elif isinstance(event, Rated):
            self.say(rating_line(view))
        elif isinstance(event, Presence):
            self._print_absence(view)
        elif isinstance(event, Moved | RoomEvent):
            is_own_offer = isinstance(event, RoomEvent) and event.kind == "offered" and view.is_hotseat
            if not is_own_offer and (words := event_line(view, event, mover)):
                self.say(words)
            if isinstance(event, Moved) and self.settings.show_board:
                self.show_board()
            if isinstance(event, RoomEvent) and event.next is not None and view.is_player:
                self.say("Type next to go to the rematch.")
        self._prompt(view)
        self._notify()

    def _notify(self) -> None:
        self.changed.set()
        self.changed.clear()

    def _prompt(self, view: TableView) -> None:
        """Print once for each turn what to do, as soon as every event before it was printed."""
        turn = view.turn
        if turn is None or view.sending or not self._is_printed(view):
            return
        if self._prompted is not None and turn.starts_like(self._prompted):
            return
        self._prompted = turn
        if view.table.ply:
            self.say(status_line(view))

    def _print_absence(self, view: TableView) -> None:
        words = absence_line(view)
        if words != self._absence:
            self._absence = words
            if words:
                self.say(words)

    async def leave(self) -> None:
        """Leave the table."""
        view, self.view = self.view, None
        if self._following is not None:
            self._following.cancel()
            self._following = None
        if view is not None:
            await view.leave()

    # -- boards

    def show_board(self) -> None:
        view = self.view
        if view is not None:
            self.draw(view.board, view.scene, view.legal_picks)

    def draw(self, board: BoardSpec, scene: Scene, picks: Sequence[int | Pick] = ()) -> None:
        """Print the board, then each seat with its pieces and points."""
        for line in draw(board, scene, style=self.style, picks=picks, flipped=self.flipped):
            self.say(render(line, self.style).rstrip())
        for seat, spec in enumerate(board.seats):
            lead = f"{'>' if scene.to_move == seat else ' '} {spec.name:6} "
            for line in seat_lines(board, scene, seat, style=self.style, picks=picks, width=WIDTH - len(lead)):
                self.say(f"{lead}{render(line, self.style)}".rstrip())
                lead = " " * len(lead)
        for line in seat_lines(board, scene, None, style=self.style, picks=picks, width=WIDTH - 2):
            self.say(f"  {render(line, self.style)}".rstrip())
