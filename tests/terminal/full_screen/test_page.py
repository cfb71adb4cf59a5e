"""Leaving a screen: whatever it still waited for, and whatever was pressed meanwhile, comes too late for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from inspect import isawaitable
from pathlib import Path

from textual import events
from textual.app import ComposeResult
from textual.widgets import Static

from parlour.protocol.types import Terms
from parlour.server.archive.storage import record_of
from parlour.server.archive.wire import record_message
from parlour.terminal.full_screen.games_screen import GamesScreen
from parlour.terminal.full_screen.help_screen import HelpScreen
from parlour.terminal.full_screen.new_table_screen import NewTableScreen
from parlour.terminal.full_screen.page import Page
from parlour.terminal.full_screen.paint import Lines
from parlour.terminal.full_screen.replay_screen import ReplayScreen
from parlour.terminal.full_screen.settings_screen import SettingsScreen
from parlour.terminal.full_screen.start_screen import StartScreen
from parlour.terminal.full_screen.watch_screen import WatchScreen
from parlour.terminal.ui.replay import Replay
from tests.server.archive.sample_games import finished
from tests.terminal.full_screen.screens import Opened, opened, signed_in


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


async def test_a_screen_is_closed_before_it_is_mounted(address: str, tmp_path: Path) -> None:
    """It does nothing any more, and the app goes on."""
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        await shown.at(StartScreen)
        for screen in (NewTableScreen(), GamesScreen(session.client.you.name), WatchScreen()):
            shown.app.push_screen(screen)
            await shown.app.pop_screen()
        await shown.press("s")
        await shown.at(SettingsScreen)


SIZES = ((60, 24), (80, 24), (120, 40), (200, 60))


def is_whole(shown: Opened, columns: int) -> bool:
    """Whether no key is cut off, the last two keys are there, and all of the board is."""
    screen = shown.app.screen
    if not isinstance(screen, Page) or screen.size.width != columns:
        return False
    keys = str(screen.query_one("#keys", Static).content).split("  ")
    boards = [
        lines for lines in screen.query(Lines) if lines.id in ("board", "preview") and lines.display and lines.lines
    ]
    return (
        "  ".join(keys) == shown.text.splitlines()[-1].strip()
        and len("  ".join(keys)) <= columns - 2
        and keys[-2:] == list(screen._hints)[-2:]
        and all(board.region.right <= columns for board in boards)
        and all(board.size.width >= max(line.width for line in board.lines) for board in boards)
        and all(board.size.height >= len(board.lines) for board in boards)
    )


async def test_no_screen_is_clipped(address: str, tmp_path: Path) -> None:
    """Every screen shows whole keys and a whole board in windows of all sizes."""
    record = record_message(record_of(finished("isaac", 3, 6)), 0)
    async with signed_in(address, tmp_path) as session, opened(session, tmp_path) as shown:
        app, start = shown.app, await shown.at(StartScreen)
        layout = next(spec for card in session.client.games for spec in card.options if spec.kind == "layout")
        pending = await session.client.challenge(Terms("isaac"))
        ways: list[Callable[[], object]] = [
            lambda: start.do("new"),
            lambda: app.show_waiting(pending, "Tell your friend this code.", Terms("isaac")),
            lambda: start.do("watch"),
            lambda: app.push_screen(ReplayScreen(Replay(record))),
            lambda: start.do("learn"),
            lambda: app.open_lesson("mitsudomoe"),
            lambda: start.do("players"),
            lambda: start.do("leaderboard"),
            lambda: start.do("games"),
            lambda: start.do("settings"),
            lambda: start.do("account"),
            lambda: start.do("rules"),
            lambda: app.push_screen(HelpScreen()),
            lambda: app.edit_layout(Terms("mapello"), layout, lambda _: None),
            lambda: None,
        ]
        for number, open_screen in enumerate(ways):
            opening = open_screen()
            if isawaitable(opening):
                await opening
            await shown.until(lambda way=open_screen: (app.screen is start) == (way is ways[-1]))  # type: ignore[misc]
            for size in SIZES if number % 2 else reversed(SIZES):
                await shown.pilot.resize_terminal(*size)
                await shown.until(lambda columns=size[0]: is_whole(shown, columns))  # type: ignore[misc]
            if app.screen is not start:
                await app.pop_screen()
        await shown.pilot.resize_terminal(60, 24)
        await shown.press("ctrl+p", *"quit")
        await shown.shows("Key: q")
