"""Waiting for an opponent: in the queue, at an open table, or after a challenge."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.widgets import Static

from parlour.client.pending_seek import PendingSeek
from parlour.client.terminal.page import Page
from parlour.client.text.times import format_countdown


class WaitingScreen(Page):
    """Opens the table as soon as there is an opponent."""

    title_text = "Waiting for an opponent"
    keys = "Esc stop waiting"
    CSS = "#waiting { height: 1fr; padding: 2 4; }"

    def __init__(self, pending: PendingSeek, words: str) -> None:
        super().__init__()
        self.pending = pending
        self.words = words
        self._seconds = 0

    def body(self) -> ComposeResult:
        yield Static(self.style_.legible(self.words), id="waiting", markup=False)

    def on_mount(self) -> None:
        self.set_interval(1, self._tick)
        self.attempt(self._wait)

    def _tick(self) -> None:
        self._seconds += 1
        self.say(f"Waiting for {format_countdown(self._seconds * 1000)}. Keep waiting, or play the computer.")

    async def _wait(self) -> None:
        table = await self.pending.table()
        self.parlour_app.show_table(await self.session.view(table))
        if self.parlour_app.settings.bell:
            self.app.bell()

    def on_key(self, event: events.Key) -> None:
        if event.key in ("escape", "q"):
            event.stop()
            self.attempt(self._stop)

    async def _stop(self) -> None:
        if not self.pending.done:
            await self.pending.cancel()
        self.dismiss()
