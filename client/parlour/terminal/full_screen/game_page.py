"""A screen that shows one game at a time."""

from __future__ import annotations

from textual import events

from parlour.terminal.full_screen.page import Page


class GamePage(Page):
    """Left and right switch the game. Subclasses set `subject`, and `load` the content for `game`."""

    subject = ""
    exit_keys = ("q", "escape")

    def __init__(self, game: str = "") -> None:
        super().__init__()
        self.game = game

    async def load(self) -> None:
        """Request the content and show it."""
        raise NotImplementedError

    @property
    def _games(self) -> list[str]:
        return [card.key for card in self.client.games]

    def on_mount(self) -> None:
        self._switch_to(self.game if self.game in self._games else self._games[0])

    def _switch_to(self, game: str) -> None:
        self.game = game
        card = next(card for card in self.client.games if card.key == game)
        self.title_text = f"{self.subject}: {card.name}"
        self.show_title()
        self.attempt(self.load, group="game")

    def on_key(self, event: events.Key) -> None:
        step = {"left": -1, "right": 1}.get(event.key, 0)
        if step:
            event.stop()
            self._switch_to(self._games[(self._games.index(self.game) + step) % len(self._games)])
