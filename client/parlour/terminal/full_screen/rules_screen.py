"""The rules of each game, with diagrams."""

from __future__ import annotations

from functools import partial

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll

from parlour.protocol.messages import Rules
from parlour.terminal.full_screen.game_page import GamePage
from parlour.terminal.full_screen.paint import Lines
from parlour.terminal.text.rules import rules_lines

MAX_WIDTH = 76


class RulesScreen(GamePage):
    """A page of text to scroll."""

    subject = "Rules"
    keys = "Up/Down PgUp/PgDn read  Left/Right game  q back"
    lesson_key = "L"
    CSS = """
    #scroll { height: 1fr; }
    #rules { margin: 0 2; }
    """

    def __init__(self, game: str = "") -> None:
        super().__init__(game)
        self._rules: Rules | None = None

    def body(self) -> ComposeResult:
        with VerticalScroll(id="scroll"):
            yield Lines(id="rules")

    def on_mount(self) -> None:
        self.query_one("#scroll").focus()

    @property
    def _has_lesson(self) -> bool:
        return any(card.key == self.game and card.lesson_minutes for card in self.client.games)

    def on_key(self, event: events.Key) -> None:
        if event.character == self.lesson_key and self._has_lesson:
            event.stop()
            self.attempt_once(partial(self.parlour_app.open_lesson, self.game), "Opening the lesson.")

    async def load(self) -> None:
        lesson = [f"{self.lesson_key} lesson"] if self._has_lesson else []
        self.show_keys(["Up/Down PgUp/PgDn read", "Left/Right game", *lesson, "q back"])
        self._rules = await self.client.rules(self.game)
        self._show()
        self.query_one("#scroll").scroll_home(animate=False)

    def on_screen_resume(self) -> None:
        self.say("")

    def on_resize(self) -> None:
        self._show()

    def _show(self) -> None:
        if self._rules is not None:
            width = min(MAX_WIDTH, self.size.width - 5)
            self.query_one("#rules", Lines).show(rules_lines(self._rules, style=self.style_, width=width))
