"""The rules of each game, with diagrams."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import VerticalScroll

from parlour.client.terminal.game_page import GamePage
from parlour.client.terminal.paint import Lines
from parlour.client.text.rules import rules_lines
from parlour.protocol.messages import Rules

MAX_WIDTH = 76


class RulesScreen(GamePage):
    """A page of text to scroll."""

    subject = "Rules"
    keys = "Up/Down PgUp/PgDn read  Left/Right game  q back"
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

    async def load(self) -> None:
        self._rules = await self.client.rules(self.game)
        self._show()
        self.query_one("#scroll").scroll_home(animate=False)

    def on_resize(self) -> None:
        self._show()

    def _show(self) -> None:
        if self._rules is not None:
            width = min(MAX_WIDTH, self.size.width - 5)
            self.query_one("#rules", Lines).show(rules_lines(self._rules, style=self.style_, width=width))
