"""Games that can be watched, with the board of the selected one."""

from __future__ import annotations

from functools import partial

from textual.app import ComposeResult
from textual.containers import Container
from textual.widgets import OptionList

from parlour.protocol.messages import LiveGame
from parlour.terminal.drawing import draw, largest_scale
from parlour.terminal.full_screen.choice_list import ChoiceList, choice, indented
from parlour.terminal.full_screen.page import Page
from parlour.terminal.full_screen.paint import Lines
from parlour.terminal.text.terms import player_label

LIST_WIDTH = 35
LIST_HEIGHT = 5  # above the board, where it is not beside it
SIDE_BY_SIDE = 80  # columns from which the board is beside the list
FRAME = 3  # lines: title, status, keys
REFRESH_INTERVAL = 0.5  # seconds


TOP_GAME = "The game with a star is the one most worth watching."


class WatchScreen(Page):
    """Lists the live games of the lobby that the start screen follows."""

    title_text = "Watch"
    keys = "Up/Down choose  Enter watch  q back"
    exit_keys = ("q", "escape")
    CSS = """
    #watch { height: 1fr; layout: horizontal; }
    #watch.narrow { layout: vertical; }
    #live { width: 1fr; min-width: 34; height: 1fr; }
    #board { width: auto; height: 1fr; }
    #watch.narrow #board { height: auto; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._listed: dict[str, str] = {}  # the words about each game, by room

    def body(self) -> ComposeResult:
        with Container(id="watch"):
            yield ChoiceList(id="live")
            yield Lines(id="board")

    def on_mount(self) -> None:
        self.query_one("#live", OptionList).focus()
        self.set_interval(REFRESH_INTERVAL, self.refresh_live)
        self.refresh_live()

    def on_resize(self) -> None:
        if self.is_open:  # and not closed before it was mounted
            self._draw()

    @property
    def _is_narrow(self) -> bool:
        return self.size.width < SIDE_BY_SIDE

    @property
    def games(self) -> dict[str, LiveGame]:
        lobby = self.parlour_app.lobby
        if lobby is None:
            return {}
        first = {lobby.featured: lobby.live[lobby.featured]} if lobby.featured in lobby.live else {}
        return {**first, **lobby.live}

    def refresh_live(self) -> None:
        """Show the games as they are now. The selected one stays selected, wherever it moves in the list."""
        live = self.query_one("#live", OptionList)
        listed = {room: self.style_.legible(self._words(game)) for room, game in self.games.items()}
        if list(listed) != list(self._listed):
            at, selected = live.highlighted, self._selected
            live.clear_options()
            live.add_options([choice(words, room) for room, words in listed.items()])
            if listed:
                live.highlighted = (
                    live.get_option_index(selected) if selected in listed else min(at or 0, len(listed) - 1)
                )
        else:
            for room, words in listed.items():
                if words != self._listed[room]:
                    live.replace_option_prompt(room, indented(words))
        self._listed = listed
        self.say(TOP_GAME if listed else "No games are being played. New table can start one between computers.")
        self._draw()

    @property
    def _selected(self) -> str:
        """The room of the selected game."""
        option = self.query_one("#live", OptionList).highlighted_option
        return "" if option is None or option.id is None else option.id

    def _words(self, game: LiveGame) -> str:
        names = " – ".join(player_label(player) for player in game.players)
        card = next((card for card in self.client.games if card.key == game.game), None)
        featured = "* " if self.parlour_app.lobby and game.room == self.parlour_app.lobby.featured else ""
        return f"{featured}{card.name if card else game.game}, move {game.ply}: {names}"

    def _draw(self) -> None:
        self.query_one("#watch").set_class(self._is_narrow, "narrow")
        game = self.games.get(self._selected)
        board = self.query_one("#board", Lines)
        if game is not None and game.board is not None and game.scene is not None:
            beside, above = (0, LIST_HEIGHT) if self._is_narrow else (LIST_WIDTH, 0)
            scale = largest_scale(game.board, self.size.width - beside, self.size.height - FRAME - above)
            board.display = scale is not None
            board.show(draw(game.board, game.scene, style=self.style_, scale=scale or 0))
        else:
            board.show([])

    def on_option_list_option_highlighted(self) -> None:
        self._draw()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_id is not None:
            self.attempt(partial(self._open, event.option_id))

    async def _open(self, room: str) -> None:
        self.parlour_app.show_table(await self.session.open(room))
