"""A question that covers the whole screen."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

from textual import events
from textual.app import ComposeResult
from textual.widgets import Static

from parlour.terminal.full_screen.page import Page
from parlour.terminal.full_screen.question import PAUSE, Question


class QuestionScreen(Page):
    """Asks over whatever is shown, so that no key that was meant for something else is an answer."""

    CSS = "#consequences { height: 1fr; padding: 2 4; }"

    def __init__(self, title: str, question: str, consequences: str, on_yes: Callable[[], None]) -> None:
        """`consequences`: what yes would lead to. `on_yes` is called after this screen has been closed."""
        super().__init__()
        self.title_text = title
        self.question = Question(question, monotonic())
        self._consequences = consequences
        self._on_yes = on_yes

    def body(self) -> ComposeResult:
        yield Static(self.style_.legible(self._consequences), id="consequences", markup=False)

    def on_mount(self) -> None:
        self.question = Question(self.question.text, monotonic())
        self.say(self.question.text)
        self._show_hints()
        self.set_timer(PAUSE, self._show_hints)

    def _show_hints(self) -> None:
        self.show_keys(self.question.hints(monotonic()))

    def on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        answer = self.question.answer(event.key, event.character, event.time)
        if answer is None:
            return
        self.dismiss()
        if answer:
            self._on_yes()
