"""Leaving a screen: whatever it still waited for, and whatever was pressed meanwhile, comes too late for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from textual import events
from textual.app import ComposeResult
from textual.widgets import Static

from parlour.client.terminal.page import Page
from parlour.client.terminal.settings_screen import SettingsScreen
from parlour.client.terminal.start_screen import StartScreen
from parlour.client.terminal.watch_screen import WatchScreen
from tests.client.terminal.screens import opened, signed_in


class Last(Static):
    """Tells when it goes away with its screen."""

    def __init__(self, tell: Callable[[], None]) -> None:
        super().__init__(id="answer")
        self.tell = tell

    def on_unmount(self) -> None:
        self.tell()


class Asking(Page):
    """Waits for an answer that comes at the worst moment, and asks again then: its widgets are gone, and itself not."""

    def __init__(self) -> None:
        super().__init__()
        self.answer = asyncio.Event()

    def body(self) -> ComposeResult:
        yield Last(self.too_late)

    def on_mount(self) -> None:
        self.attempt(self.ask)

    def too_late(self) -> None:
        self.answer.set()
        self.attempt(self.ask)

    async def ask(self) -> None:
        await self.answer.wait()
        self.query_one("#answer", Static).update("too late")


async def test_an_answer_that_comes_too_late_is_dropped(address: str, tmp_path: Path) -> None:
    """The app goes on at the screen before."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        page = Asking()
        await shown.app.push_screen(page)
        page.dismiss()
        await page.answer.wait()
        await shown.until(lambda: not page.is_attached)
        await shown.press("s")
        await shown.at(SettingsScreen)


async def test_a_screen_is_left_once(address: str, tmp_path: Path) -> None:
    """The same key twice in one breath, both on their way to the screen before it is gone: one screen back."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        await shown.press("w")
        watching = await shown.at(WatchScreen)
        for _ in range(2):
            watching.post_message(events.Key("escape", None))
        await shown.until(lambda: not watching.is_attached)
        await shown.at(StartScreen)
