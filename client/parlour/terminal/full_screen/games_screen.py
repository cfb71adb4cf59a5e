"""The finished games of a player, newest first."""

from __future__ import annotations

from time import time

from textual.app import ComposeResult
from textual.widgets import OptionList

from parlour.protocol.messages import GameSummary
from parlour.terminal.full_screen.choice_list import ChoiceList, choice
from parlour.terminal.full_screen.page import Page
from parlour.terminal.text.plural import plural
from parlour.terminal.text.result import short_result
from parlour.terminal.text.terms import player_label
from parlour.terminal.text.times import format_age


class GamesScreen(Page):
    """A list of games to replay, loaded page by page."""

    keys = "Up/Down choose  Enter replay  q back"
    exit_keys = ("q", "escape")
    CSS = "#games { height: 1fr; margin: 0 1; }"

    def __init__(self, player: str) -> None:
        super().__init__()
        self.player = player
        self.title_text = f"Games of {player}"
        self._more = ""

    def body(self) -> ComposeResult:
        yield ChoiceList(id="games")

    def on_mount(self) -> None:
        self.query_one("#games", OptionList).focus()
        self.attempt(self._load)

    async def _load(self) -> None:
        page = await self.client.records.page(player=self.player, before=self._more)
        self._more = page.more
        games = self.query_one("#games", OptionList)
        if games.option_count and games.get_option_at_index(games.option_count - 1).id == "more":
            games.remove_option("more")
        games.add_options([choice(self._words(row), row.room) for row in page.rows])
        if page.more:
            games.add_option(choice("more", "more"))
        if games.option_count:
            games.highlighted = games.highlighted or 0
            self.say("")
        else:
            self.say("No finished games yet.")

    def _words(self, row: GameSummary) -> str:
        card = next((card for card in self.client.games if card.key == row.game), None)
        name = card.name if card else row.game
        players = " – ".join(player_label(player) for player in row.players)
        result = short_result(row.result, card.seats) if card else ""
        when = format_age(int(time() * 1000) - row.ended)
        rated = ", rated" if row.rated else ""
        return f"{name}: {self.style_.legible(players)}\n{result}, {plural(row.plies, 'move')}, {when}{rated}"

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_id == "more":
            self.attempt(self._load)
        elif event.option_id is not None:
            self.parlour_app.show_replay(event.option_id)
