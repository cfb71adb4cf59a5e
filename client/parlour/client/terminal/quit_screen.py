"""Leaving the program."""

from __future__ import annotations

from time import monotonic

from textual import events
from textual.app import ComposeResult
from textual.widgets import Static

from parlour.client.terminal.page import Page
from parlour.client.terminal.question import PAUSE, Question


class QuitScreen(Page):
    """Asks first, over whatever is shown, so that no key that was meant for something else ends the program."""

    title_text = "Leave Parlour"
    CSS = "#unfinished { height: 1fr; padding: 2 4; }"

    def body(self) -> ComposeResult:
        yield Static(self.style_.legible(unfinished(len(self.client.ongoing_games))), id="unfinished", markup=False)

    def on_mount(self) -> None:
        self.question = Question("Leave Parlour?", monotonic())
        self.say(self.question.text)
        self._show_hints()
        self.set_timer(PAUSE, self._show_hints)

    def _show_hints(self) -> None:
        self.show_keys(self.question.hints(monotonic()))

    def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        answer = self.question.answer(event.key, event.character, event.time)
        if answer:
            self.app.exit()
        elif answer is not None:
            self.dismiss()


def unfinished(games: int) -> str:
    """Return what becomes of the player's games."""
    if not games:
        return ""
    if games == 1:
        return "One of your games is not over. You keep your seat; if the game has a clock, it runs on."
    return f"{games} of your games are not over. You keep your seats; clocks run on."
