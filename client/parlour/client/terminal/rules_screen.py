"""The rules of each game, with their boards drawn where the pictures are."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll

from parlour.client.terminal.page import Page
from parlour.client.terminal.paint import Lines
from parlour.client.words.rulebook import rulebook_lines
from parlour.protocol.messages import Rules

WIDEST = 76


class RulesScreen(Page):
    """One game at a time; left and right change it."""

    keys = "Up/Down PgUp/PgDn read  Left/Right game  q back"
    CSS = """
    #scroll { height: 1fr; }
    #rules { margin: 0 2; }
    """

    def __init__(self, game: str = "") -> None:
        super().__init__()
        self.game = game
        self._rules: Rules | None = None

    def body(self) -> ComposeResult:
        with VerticalScroll(id="scroll"):
            yield Lines(id="rules")

    def on_mount(self) -> None:
        keys = [card.key for card in self.visit.parlour.games]
        self.game = self.game if self.game in keys else keys[0]
        self.query_one("#scroll").focus()
        self._load()

    def _load(self) -> None:
        card = next(card for card in self.visit.parlour.games if card.key == self.game)
        self.title_words = f"Rules: {card.name}"
        self.show_title()
        self.attempt(self._ask, group="rules")

    async def _ask(self) -> None:
        self._rules = await self.visit.parlour.rules(self.game)
        self._show()
        self.query_one("#scroll").scroll_home(animate=False)

    def on_resize(self) -> None:
        self._show()

    def _show(self) -> None:
        if self._rules is not None:
            width = min(WIDEST, self.size.width - 5)
            self.query_one("#rules", Lines).show(rulebook_lines(self._rules, style=self.style_, width=width))

    def on_key(self, event: events.Key) -> None:
        keys = [card.key for card in self.visit.parlour.games]
        step = {"left": -1, "right": 1}.get(event.key, 0)
        if step:
            event.stop()
            self.game = keys[(keys.index(self.game) + step) % len(keys)]
            self._load()
        elif event.key in ("q", "escape"):
            event.stop()
            self.dismiss()
