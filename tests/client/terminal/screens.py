"""The app in a terminal that is not there: entered, looked at, and waited for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeVar

from textual.pilot import Pilot

from parlour.client.drawing import Style
from parlour.client.identity import Identities
from parlour.client.terminal.app import ParlourApp
from parlour.client.terminal.page import Page
from parlour.client.terminal.table_screen import TableScreen
from parlour.client.visit.settings import Settings, SettingsFile
from parlour.client.visit.sitting import Sitting
from parlour.client.visit.visit import Visit
from tests.waiting import WITHIN

P = TypeVar("P", bound=Page)


class Opened:
    """The app while it runs."""

    def __init__(self, app: ParlourApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def text(self) -> str:
        """What the screen shows, without colours."""
        strips = self.app.screen._compositor.render_strips(self.app.size)
        return "\n".join(strip.text.rstrip() for strip in strips)

    async def until(self, fits: Callable[[], bool]) -> None:
        """Wait until it is so; the screen is shown if it never is."""
        try:
            async with asyncio.timeout(WITHIN):
                while not fits():
                    await self.pilot.pause(0.02)
        except TimeoutError:
            raise AssertionError(f"this is still on the screen:\n{self.text}") from None

    async def shows(self, *words: str) -> str:
        """Wait until all of that is on the screen, and give the screen."""
        await self.until(lambda: all(word in self.text for word in words))
        return self.text

    async def at(self, kind: type[P]) -> P:
        """Wait for a screen of that kind."""
        await self.until(lambda: isinstance(self.app.screen, kind) and self.app.screen.is_mounted)
        screen = self.app.screen
        assert isinstance(screen, kind)
        return screen

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.pilot.press(key)

    @property
    def table(self) -> TableScreen:
        assert isinstance(self.app.screen, TableScreen)
        return self.app.screen

    async def my_turn(self) -> None:
        """Wait until something can be picked."""
        await self.until(lambda: bool(self.table.sitting.offered) or self.table.sitting.table.result is not None)

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
async def visiting(address: str, folder: Path, name: str = "") -> AsyncIterator[Visit]:
    """Somebody who is remembered in that folder."""
    async with Visit(address, identities=Identities(folder / "tokens.json"), name=name) as visit:
        yield visit


@asynccontextmanager
async def opened(
    visit: Visit,
    folder: Path,
    *,
    sitting: Sitting | None = None,
    size: tuple[int, int] = (80, 24),
    unicode: bool = True,
    settings: Settings | None = None,
) -> AsyncIterator[Opened]:
    """The app, at its first screen or at a table."""
    file = SettingsFile(folder / "terminal.json")
    if settings is not None:
        file.write(settings)
    app = ParlourApp(visit, drawing=Style(unicode=unicode), settings=file, sitting=sitting)
    async with app.run_test(size=size) as pilot:
        shown = Opened(app, pilot)
        await shown.until(lambda: isinstance(app.screen, TableScreen) == (sitting is not None))
        yield shown
