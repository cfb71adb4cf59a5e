"""The app without a terminal: start it, press keys, and wait for what it shows."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

from textual import events
from textual.keys import _character_to_key
from textual.pilot import Pilot

from parlour.client.tokens import TokenFile
from parlour.terminal.drawing import Style
from parlour.terminal.full_screen.app import ParlourApp
from parlour.terminal.full_screen.page import Page
from parlour.terminal.full_screen.table_screen import TableScreen
from parlour.terminal.ui.player_session import PlayerSession
from parlour.terminal.ui.settings import Settings, SettingsFile
from parlour.terminal.ui.table_view import TableView
from tests.waiting import WITHIN

P = TypeVar("P", bound=Page)

CHARACTERS = {"space": " ", "colon": ":", "slash": "/", "question_mark": "?", "enter": "\r", "tab": "\t"}
HANDED_ON = 4  # times: from the app to the screen, to the widget, back to the screen, and to what it calls later


class Opened:
    """The app while it runs."""

    def __init__(self, app: ParlourApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def text(self) -> str:
        """The text on the screen, without colours."""
        strips = self.app.screen._compositor.render_strips(self.app.size)
        return "\n".join(strip.text.rstrip() for strip in strips)

    async def until(self, fits: Callable[[], bool]) -> None:
        """Wait for a condition. The failure shows the screen."""
        try:
            async with asyncio.timeout(WITHIN):
                while not fits():
                    await self.pilot.pause(0.02)
        except TimeoutError:
            raise AssertionError(f"this is still on the screen:\n{self.text}") from None

    async def shows(self, *words: str) -> str:
        """Wait until all of these words are on the screen, and return its text."""
        await self.until(lambda: all(word in self.text for word in words))
        return self.text

    async def at(self, kind: type[P]) -> P:
        """Wait for a screen of that kind."""
        await self.until(lambda: isinstance(self.app.screen, kind) and self.app.is_drawn)
        screen = self.app.screen
        assert isinstance(screen, kind)
        return screen

    async def press(self, *keys: str) -> None:
        """Press keys, each one after the previous one was handled.

        `Pilot.press` would wait until the process is idle, which takes long on a busy machine.
        """
        for key in keys:
            await self.until(lambda: self.app.is_drawn)
            await self.type_ahead(key)

    async def type_ahead(self, *keys: str) -> None:
        """Send keys all at once, as a slow connection does, and wait until they were handled."""
        assert self.app._driver is not None
        for key in keys:
            named = _character_to_key(key) if len(key) == 1 else key
            self.app._driver.send_message(events.Key(named, key if len(key) == 1 else CHARACTERS.get(key)))
        for _ in range(HANDED_ON * len(keys)):
            await self.pilot.pause(0)

    @property
    def table(self) -> TableScreen:
        assert isinstance(self.app.screen, TableScreen)
        return self.app.screen

    async def my_turn(self) -> None:
        """Wait until there are legal picks, or the game is over."""
        await self.until(lambda: bool(self.table.view.legal_picks) or self.table.view.table.result is not None)

    async def click(self, place: int) -> None:
        """Press a cell of the board with the mouse."""
        board = self.table.query_one("#board")
        lines = self.table.query_one("#board").lines  # type: ignore[attr-defined]
        for y, line in enumerate(lines):
            if columns := line.columns_of(place):
                await self.pilot.click(board, offset=(columns[len(columns) // 2], y))
                return
        raise AssertionError(f"place {place} is not on the board")


@asynccontextmanager
async def signed_in(address: str, folder: Path, name: str = "") -> AsyncIterator[PlayerSession]:
    """A session whose token is stored in that folder."""
    async with PlayerSession(address, tokens=TokenFile(folder / "tokens.json"), name=name) as session:
        yield session


@asynccontextmanager
async def opened(
    session: PlayerSession,
    folder: Path,
    *,
    view: TableView | None = None,
    size: tuple[int, int] = (80, 24),
    unicode: bool = True,
    settings: Settings | None = None,
) -> AsyncIterator[Opened]:
    """Run the app, at its start screen or at a table."""
    file = SettingsFile(folder / "terminal.json")
    if settings is not None:
        file.write(settings)
    app = ParlourApp(session, drawing=Style(unicode=unicode), settings=file, view=view)
    async with app.run_test(size=size) as pilot:
        shown = Opened(app, pilot)
        await shown.until(lambda: isinstance(app.screen, TableScreen) == (view is not None))
        yield shown
