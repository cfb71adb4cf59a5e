"""Waiting for an opponent: in the queue, at an open table, or after an invitation."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.widgets import Static

from parlour.client.pending_seek import PendingSeek
from parlour.protocol.errors import Refusal
from parlour.protocol.types import Terms
from parlour.terminal.full_screen.page import Page
from parlour.terminal.text.times import format_countdown


class WaitingScreen(Page):
    """Opens the table as soon as there is an opponent. Meanwhile the player may start a game with the computer."""

    title_text = "Waiting for an opponent"
    keys = "c play the computer instead  Esc stop waiting"
    CSS = "#waiting { height: 1fr; padding: 2 4; }"

    def __init__(self, pending: PendingSeek, words: str, terms: Terms) -> None:
        super().__init__()
        self.pending = pending
        self.words = words
        self.terms = terms
        self._seconds = 0

    def body(self) -> ComposeResult:
        yield Static(self.style_.legible(self.words), id="waiting", markup=False)

    def on_mount(self) -> None:
        self.set_interval(1, self._tick)
        self.attempt(self._wait)
        self.say("Waiting. Press c to play the computer instead.")

    def _tick(self) -> None:
        if self.pending.done:
            return  # the sentence says why
        self._seconds += 1
        self.say(f"Waiting for {format_countdown(self._seconds * 1000)}. Press c to play the computer instead.")

    async def _wait(self) -> None:
        try:
            table = await self.pending.table()
        except Refusal as refused:
            if not self._busy:  # with stopping
                self.parlour_app.ring()
            self.say(f"{refused} Press c to play the computer, or Esc to go back.")
            return
        self.parlour_app.show_table(await self.session.view(table))
        self.parlour_app.ring()

    def on_key(self, event: events.Key) -> None:
        if event.key in ("escape", "q"):
            event.stop()
            self.attempt_once(self._stop, "Stopping.")
        elif event.key == "c":
            event.stop()
            self.attempt_once(self._play_computer, "Starting a game with the computer.")

    async def _stop(self) -> None:
        if not self.pending.done:
            await self.pending.cancel()
        self.dismiss()

    async def _play_computer(self) -> None:
        """Leave the queue first: otherwise an opponent could be found who would then play alone."""
        if not self.pending.done:
            await self.pending.cancel()
        terms = Terms(self.terms.game, self.terms.options)
        card = next(card for card in self.client.games if card.key == terms.game)
        known = [level.key for level in card.levels]
        level = self.parlour_app.settings.level
        table = await self.client.play_computer(terms, level if level in known else known[0])
        self.parlour_app.show_table(await self.session.view(table))
