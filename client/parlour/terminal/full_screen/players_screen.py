"""The players who are online."""

from __future__ import annotations

from functools import partial

from textual import events
from textual.app import ComposeResult
from textual.widgets import OptionList

from parlour.protocol.messages import OnlinePlayer
from parlour.terminal.full_screen.choice_list import ChoiceList, choice
from parlour.terminal.full_screen.page import Page
from parlour.terminal.text.terms import player_label

MORE = "more"


class PlayersScreen(Page):
    """A list of players to invite, loaded page by page."""

    title_text = "Who is online"
    keys = "Up/Down choose  Enter invite  g games  b block, mute, report  u update  q back"
    exit_keys = ("q", "escape")
    CSS = "#players { height: 1fr; margin: 0 1; }"

    def __init__(self) -> None:
        super().__init__()
        self._more = ""
        self.players: list[OnlinePlayer] = []

    def body(self) -> ComposeResult:
        yield ChoiceList(id="players")

    def on_mount(self) -> None:
        self.query_one("#players", OptionList).focus()
        self.attempt(self._load, group="load")

    async def _load(self, *, again: bool = False) -> None:
        """Load the next page, or the first one again. Until it is there, the list stays as it is."""
        page = await self.client.online_players("" if again else self._more)
        rows = [row for row in page.rows if row.player.name != self.client.you.name]
        self._more, self.players = page.more, rows if again else self.players + rows
        players = self.query_one("#players", OptionList)
        at = players.highlighted or 0
        players.clear_options()
        players.add_options([choice(self._words(row), str(number)) for number, row in enumerate(self.players)])
        if page.more:
            players.add_option(choice("more", MORE))
        if players.option_count:
            players.highlighted = min(at, players.option_count - 1)
            self.say("Enter invites a player to a game.")
        else:
            self.say("You are the only one online. Press q, then b to play the computer.")

    def _words(self, row: OnlinePlayer) -> str:
        return self.style_.legible(f"{player_label(row.player):30} {'playing' if row.playing else ''}".rstrip())

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_id == MORE:
            self.attempt(self._load, group="load")
        elif event.option_id is not None:
            name = self.players[int(event.option_id)].player.name
            self.parlour_app.show_new_table(against="friend", invited=name)

    def on_key(self, event: events.Key) -> None:
        if event.key == "u":
            self.attempt(partial(self._load, again=True), group="load")
        elif event.key in ("g", "b"):
            option = self.query_one("#players", OptionList).highlighted_option
            if option is not None and option.id not in (None, MORE):
                name = self.players[int(str(option.id))].player.name
                show = self.parlour_app.show_games if event.key == "g" else self.parlour_app.show_player
                show(name)
