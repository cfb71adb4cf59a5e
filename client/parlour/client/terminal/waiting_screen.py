"""Waiting for an opponent: in the queue, at an open table, or with an invitation."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.widgets import Static

from parlour.client.terminal.page import Page
from parlour.client.waiting import Waiting
from parlour.client.words.times import countdown


class WaitingScreen(Page):
    """Goes to the table by itself, once there is one."""

    title_words = "Waiting for an opponent"
    keys = "Esc stop waiting"
    CSS = "#waiting { height: 1fr; padding: 2 4; }"

    def __init__(self, waiting: Waiting, words: str) -> None:
        super().__init__()
        self.waiting = waiting
        self.words = words
        self._seconds = 0

    def body(self) -> ComposeResult:
        yield Static(self.style_.legible(self.words), id="waiting", markup=False)

    def on_mount(self) -> None:
        self.set_interval(1, self._tick)
        self.attempt(self._wait)

    def _tick(self) -> None:
        self._seconds += 1
        self.say(f"You have waited for {countdown(self._seconds * 1000)}. You may go on waiting, or play the computer.")

    async def _wait(self) -> None:
        table = await self.waiting.table()
        self.parlour_app.sit_down(await self.visit.sit(table))
        if self.parlour_app.settings.bell:
            self.app.bell()

    def on_key(self, event: events.Key) -> None:
        if event.key in ("escape", "q"):
            event.stop()
            self.attempt(self._stop)

    async def _stop(self) -> None:
        if not self.waiting.over:
            await self.waiting.cancel()
        self.dismiss()
