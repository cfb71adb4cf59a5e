"""The line-based client: one line, one command. It ends when there is nothing more to read."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from msgspec.structs import replace

from parlour.client.connection import State
from parlour.client.drawing import Style, draw, render, seat_lines
from parlour.client.plain.console import Console
from parlour.client.table import Event
from parlour.client.visit.replay import Replay
from parlour.client.visit.settings import Settings, SettingsFile
from parlour.client.visit.sitting import Sitting
from parlour.client.visit.visit import Visit
from parlour.client.words.table import absence_words, event_words, guidance, rating_words
from parlour.client.words.terms import player_words, terms_line
from parlour.protocol.errors import Refusal
from parlour.protocol.messages import Challenged, Happened, Moved, Presence, Rated, Said
from parlour.protocol.scene import BoardSpec, Scene
from parlour.protocol.tables import Pick

WIDTH = 76
TELL_WITHIN = 5.0  # seconds; what comes later is told later


class Command(NamedTuple):
    """Something that can be typed."""

    usage: str
    help: str
    do: Callable[[str], Awaitable[None]]

    @property
    def is_incomplete_alone(self) -> bool:
        """Whether something has to be said after its name."""
        return any(not word.startswith("[") for word in self.usage.split()[1:2])


class LineClient:
    """You, at a keyboard. What can be typed depends on where you are: in the lobby, at a table, looking back."""

    def __init__(
        self,
        visit: Visit,
        console: Console,
        *,
        style: Style,
        settings: SettingsFile | None = None,
    ) -> None:
        # Each set of commands knows this class.
        from parlour.client.plain.lobby_commands import LobbyCommands  # noqa: PLC0415
        from parlour.client.plain.replay_commands import ReplayCommands  # noqa: PLC0415
        from parlour.client.plain.table_commands import TableCommands  # noqa: PLC0415

        self.visit = visit
        self.console = console
        self.style = style
        self.settings_file = settings or SettingsFile()
        self.settings: Settings = self.settings_file.read()
        self.sitting: Sitting | None = None
        self.replay: Replay | None = None
        self.flipped = False
        self.quits = False
        self.changed = asyncio.Event()  # set after anything has happened at the table
        self._lobby = LobbyCommands(self)
        self._table = TableCommands(self)
        self._replay = ReplayCommands(self)
        self._following: asyncio.Task[None] | None = None
        self._mover: int | None = None
        self._heard_seq = 0  # up to where the table was told
        self._guided: object = None  # the beginning of the turn for which it was said what to do
        self._away = ""

    # -- the loop

    async def run(self, sitting: Sitting | None = None, replay: Replay | None = None) -> None:
        """Until somebody quits, or there is nothing more to read. Begins at a table or with an old game, if given."""
        self.console.start()
        hearing = [asyncio.create_task(self._hear_states()), asyncio.create_task(self._hear_summons())]
        try:
            you = self.visit.parlour.you
            self.say(
                f"Welcome to {self.visit.parlour.server or 'Parlour'}, {you.name}. Type help for what can be typed."
            )
            if sitting is not None:
                await self.sit_down(sitting)
            elif replay is not None:
                await self.look_back(replay)
            while not self.quits:
                line = await self._next_line()
                if line is None:
                    await self._watch_to_the_end()
                    break
                await self.do(line.strip())
            self.say("Good-bye.")
        finally:
            for task in (*hearing, self._following):
                if task is not None:
                    task.cancel()
                    with suppress(asyncio.CancelledError, Exception):
                        await task

    async def _next_line(self) -> str | None:
        """The next line, unless the connection ends for good before: then there is nothing to wait for."""
        reading = asyncio.ensure_future(self.console.read())
        ended = asyncio.ensure_future(self._ended())
        await asyncio.wait((reading, ended), return_when=asyncio.FIRST_COMPLETED)
        ended.cancel()
        if reading.done():
            return reading.result()
        reading.cancel()
        return None

    async def _ended(self) -> None:
        with suppress(Refusal, ConnectionError):
            async for state in self.visit.parlour.states():
                if state == "ended":
                    return

    async def _watch_to_the_end(self) -> None:
        """A game between computers needs nobody at the keyboard."""
        sitting = self.sitting
        if sitting is None or not all(chair.player and chair.player.bot for chair in sitting.table.chairs):
            return
        with suppress(Refusal, ConnectionError):
            await sitting.table.over()
            await self._catch_up()

    @property
    def commands(self) -> dict[str, Command]:
        """What can be typed now."""
        here = self._replay if self.replay else self._table if self.sitting else self._lobby
        return here.commands

    async def do(self, line: str) -> None:
        """Carry out one line."""
        if not line or line.startswith("#"):
            return
        name, _, rest = line.partition(" ")
        try:
            command = self.commands.get(name.lower())
            if command is not None and command.is_incomplete_alone and not rest.strip():
                self.say(f"Say it like this: {command.usage}")
            elif command is not None:
                await command.do(rest.strip())
            elif self.sitting is not None and self.replay is None:
                await self._table.move(line)
            else:
                self.say(f"There is nothing called “{name}” here. Type help for what can be typed.")
            await self._catch_up()
        except (Refusal, ConnectionError) as fault:
            self.say(str(fault))

    async def _catch_up(self) -> None:
        """Until what was done is told, and whoever is here and has the turn may move: scripts rely on it."""
        sitting = self.sitting
        if sitting is None:
            return

        def is_told() -> bool:
            if not self._is_told(sitting):
                return False
            is_on = sitting.table.status == "playing"
            is_awaited = is_on and sitting.table.scene.to_move in [seat.table.seat for seat in sitting.seats]
            return not is_awaited or sitting.turn is not None

        with suppress(TimeoutError):
            async with asyncio.timeout(TELL_WITHIN):
                while not is_told():
                    await self.changed.wait()

    def _is_told(self, sitting: Sitting) -> bool:
        """Whether all that is known here of the table was told."""
        return self._heard_seq >= max(seat.table.mirror.seq for seat in sitting.seats)

    def help(self) -> None:
        width = max(len(command.usage) for command in self.commands.values()) + 2
        self.say(*(f"  {command.usage:{width}}{command.help}" for command in self.commands.values()))

    def say(self, *lines: str) -> None:
        self.console.print(*lines)

    def keep(self, **changed: Any) -> None:
        self.settings = replace(self.settings, **changed)
        self.settings_file.write(self.settings)

    # -- what comes unasked

    async def _hear_states(self) -> None:
        known: State = "connected"
        try:
            async for state in self.visit.parlour.states():
                if state != known:
                    self.say(
                        {"connected": "Back again.", "reconnecting": "Connection lost. Trying again."}.get(state, "")
                    )
                known = state
        except (Refusal, ConnectionError) as fault:
            self.say(f"The connection has ended: {fault}")

    async def _hear_summons(self) -> None:
        with suppress(Refusal, ConnectionError):
            async for summons in self.visit.parlour.summons():
                if isinstance(summons, Challenged):
                    card = next((card for card in self.visit.parlour.games if card.key == summons.terms.game), None)
                    words = f"{player_words(summons.player)} invites you: {terms_line(summons.terms, card)}."
                    self.say(f"{words} Type join {summons.seek}, or decline {summons.seek}.")

    # -- tables

    async def look_back(self, replay: Replay) -> None:
        """Look at an old game from now on."""
        self.replay = replay
        await self.do("board")

    async def sit_down(self, sitting: Sitting) -> None:
        """Be at a table from now on."""
        self.sitting, self.replay = sitting, None
        self._mover, self._away, self._heard_seq = sitting.table.scene.to_move, "", 0
        if self._following is not None:
            self._following.cancel()
        sitting.on_change = partial(self._guide, sitting)
        self._following = asyncio.create_task(self._follow(sitting))
        await self._catch_up()
        card = sitting.card
        players = " against ".join(
            f"{player_words(chair.player)} ({seat.name})"
            for seat, chair in zip(sitting.board.seats, sitting.table.chairs, strict=True)
        )
        self.say(f"{terms_line(sitting.table.terms, card)}. {players}. Table {sitting.table.room}.")
        self.show_board()
        self.say(guidance(sitting))
        self._guided = _beginning(sitting)

    async def _follow(self, sitting: Sitting) -> None:
        try:
            await sitting.listen(lambda event: self._heard(sitting, event))
        except (Refusal, ConnectionError) as fault:
            self.say(str(fault))

    def _heard(self, sitting: Sitting, event: Event) -> None:
        mover, self._mover = self._mover, sitting.table.scene.to_move
        self._heard_seq = sitting.table.mirror.seq
        sitting.settle()
        if isinstance(event, Said):
            self.say(f"{event.name}: {event.text}")
        elif isinstance(event, Rated):
            self.say(rating_words(sitting))
        elif isinstance(event, Presence):
            self._tell_absence(sitting)
        elif isinstance(event, Moved | Happened):
            is_asked_here = isinstance(event, Happened) and event.what == "offered" and sitting.is_shared
            if not is_asked_here and (words := event_words(sitting, event, mover)):
                self.say(words)
            if isinstance(event, Moved) and self.settings.show_board:
                self.show_board()
            if isinstance(event, Happened) and event.next is not None and sitting.is_player:
                self.say("Type next to go to that table.")
        self._guide(sitting)
        self.changed.set()
        self.changed.clear()

    def _guide(self, sitting: Sitting) -> None:
        """Say once for each turn what to do, as soon as it can be done and everything before it was told."""
        beginning = _beginning(sitting)
        if beginning is None or beginning is self._guided or sitting.sending or not self._is_told(sitting):
            return
        self._guided = beginning
        if sitting.table.ply:
            self.say(guidance(sitting))

    def _tell_absence(self, sitting: Sitting) -> None:
        words = absence_words(sitting)
        if words != self._away:
            self._away = words
            if words:
                self.say(words)

    async def leave(self) -> None:
        """Get up from the table."""
        sitting, self.sitting = self.sitting, None
        if self._following is not None:
            self._following.cancel()
            self._following = None
        if sitting is not None:
            await sitting.leave()

    # -- boards

    def show_board(self) -> None:
        sitting = self.sitting
        if sitting is not None:
            self.draw(sitting.board, sitting.scene, sitting.offered)

    def draw(self, board: BoardSpec, scene: Scene, picks: Sequence[int | Pick] = ()) -> None:
        """The board, then each seat with what it has."""
        for line in draw(board, scene, style=self.style, picks=picks, flipped=self.flipped):
            self.say(render(line, self.style).rstrip())
        for seat, spec in enumerate(board.seats):
            lead = f"{'>' if scene.to_move == seat else ' '} {spec.name:6} "
            for line in seat_lines(board, scene, seat, style=self.style, picks=picks, width=WIDTH - len(lead)):
                self.say(f"{lead}{render(line, self.style)}".rstrip())
                lead = " " * len(lead)
        for line in seat_lines(board, scene, None, style=self.style, picks=picks, width=WIDTH - 2):
            self.say(f"  {render(line, self.style)}".rstrip())


def _beginning(sitting: Sitting) -> object:
    """The first choice of the present turn, by which it is known; None if it is nobody's turn here."""
    return None if sitting.turn is None else sitting.turn.stops[0].step
