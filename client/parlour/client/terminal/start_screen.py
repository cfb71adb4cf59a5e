"""The start screen: every way to start a game, and the lobby."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from parlour.client.lobby import Lobby
from parlour.client.terminal.account_screen import AccountScreen
from parlour.client.terminal.help_screen import HelpScreen
from parlour.client.terminal.page import Page
from parlour.client.terminal.settings_screen import SettingsScreen
from parlour.client.terminal.watch_screen import WatchScreen
from parlour.client.text.terms import player_label, terms_line
from parlour.client.text.times import format_pace, parse_pace
from parlour.protocol.types import Terms


class StartScreen(Page):
    """A menu, and beside it challenges, ongoing games and open tables."""

    keys = "Up/Down choose  Enter go  Tab other list  / filter  ? help  q quit"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "do('new')", show=False),
        Binding("b", "do('computer')", show=False),
        Binding("i", "do('code')", show=False),
        Binding("h", "do('here')", show=False),
        Binding("w", "do('watch')", show=False),
        Binding("m", "do('games')", show=False),
        Binding("l", "do('leaderboard')", show=False),
        Binding("r", "do('rules')", show=False),
        Binding("s", "do('settings')", show=False),
        Binding("a", "do('account')", show=False),
        Binding("q", "do('quit')", show=False),
        Binding("slash", "filter", show=False),
        Binding("question_mark", "help", show=False),
    ]
    CSS = """
    #start { height: 1fr; }
    #menu { width: 37; height: 1fr; margin: 0 0 0 1; }
    #side { width: 1fr; height: 1fr; border-left: solid #5a5346; padding: 0 0 0 1; }
    #lists { height: 1fr; }
    #input { display: none; height: 1; border: none; padding: 0 1; background: #2b2621; }
    #input.open { display: block; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.lobby: Lobby | None = None
        self.filter = ""
        self._input_purpose = ""

    def body(self) -> ComposeResult:
        with Horizontal(id="start"):
            yield OptionList(*self._menu(), id="menu")
            with Vertical(id="side"):
                yield Static("", id="online", markup=False)
                yield OptionList(id="lists")
        yield Input(id="input", compact=True)

    def _menu(self) -> list[Option]:
        settings = self.parlour_app.settings
        pace_words = format_pace(parse_pace(settings.pace))
        options = [Option(f"Quick match, {pace_words}", id="head-quick", disabled=True)]
        options += [Option(f"  {card.name}", id=f"quick:{card.key}") for card in self.client.games]
        return [
            *options,
            Option("Play", id="head-play", disabled=True),
            Option("  New table                     n", id="new"),
            Option("  The computer                  b", id="computer"),
            Option("  A friend, with a code         i", id="code"),
            Option("  Two players at this screen    h", id="here"),
            Option("Look", id="head-look", disabled=True),
            Option("  Watch                         w", id="watch"),
            Option("  My games                      m", id="games"),
            Option("  Leaderboard                   l", id="leaderboard"),
            Option("  Rules                         r", id="rules"),
            Option("  Settings                      s", id="settings"),
            Option("  My account                    a", id="account"),
            Option("  Quit                          q", id="quit"),
        ]

    def on_mount(self) -> None:
        self._name_title()
        menu = self.query_one("#menu", OptionList)
        menu.highlighted = 1
        menu.focus()
        self.attempt(self._follow_lobby, group="lobby")
        self.say("What would you like to play?")

    def on_screen_resume(self) -> None:
        self._name_title()
        self.show_lists()
        menu = self.query_one("#menu", OptionList)
        at = menu.highlighted
        menu.clear_options()
        menu.add_options(self._menu())
        menu.highlighted = at
        self.say("What would you like to play?")

    def _name_title(self) -> None:
        you = self.client.you
        self.title_text = f"{player_label(you)}{' (guest)' if you.guest else ''}"
        self.show_title()

    def restart(self) -> None:
        """Show the new user after signing in or out."""
        self.attempt(self._follow_lobby, group="lobby")
        self._name_title()

    async def _follow_lobby(self) -> None:
        async with self.client.lobby() as lobby:
            self.lobby = lobby
            async for _ in lobby:
                self.show_lists()

    # -- the lists at the right

    def show_lists(self) -> None:
        if not self.is_open:
            return
        lists = self.query_one("#lists", OptionList)
        at = lists.highlighted
        lists.clear_options()
        lists.add_options(self._listed())
        if lists.option_count:
            lists.highlighted = min(at if at is not None else 1, lists.option_count - 1)
        lobby = self.lobby
        if lobby is not None:
            words = f"{lobby.online} online, {len(lobby.live)} games" + (
                f", only “{self.filter}”" if self.filter else ""
            )
            self.query_one("#online", Static).update(self.style_.legible(words))

    def _listed(self) -> list[Option]:
        app, client, lobby = self.parlour_app, self.client, self.lobby
        cards = {card.key: card for card in client.games}
        options = []
        challenges = list(app.challenges.values())
        if challenges:
            options.append(Option("Challenges to you", disabled=True))
            for each in challenges:
                words = f"  {player_label(each.player)}: {terms_line(each.terms, cards.get(each.terms.game))}"
                options.append(Option(self.style_.legible(words), id=f"seek:{each.seek}"))
        ongoing = list(client.ongoing_games)
        options.append(Option("Your games", disabled=True))
        if not ongoing:
            options.append(Option("  None.", disabled=True))
        options += [Option(f"  {self._game_label(room)}", id=f"room:{room}") for room in ongoing]
        options.append(Option("Open tables", disabled=True))
        seeks = [] if lobby is None else [seek for seek in lobby.seeks.values() if seek.player.name != client.you.name]
        lines = [
            (f"  {player_label(seek.player)}: {terms_line(seek.terms, cards.get(seek.terms.game))}", seek.seek)
            for seek in seeks
        ]
        lines = [(words, seek) for words, seek in lines if self.filter.lower() in words.lower()]
        if not lines:
            options.append(Option("  None. Press n to open one, or b to play the computer.", disabled=True))
        options += [Option(self.style_.legible(words), id=f"seek:{seek}") for words, seek in lines]
        return options

    def _game_label(self, room: str) -> str:
        live = self.lobby.live.get(room) if self.lobby is not None else None
        if room in self.parlour_app.left:
            return self.style_.legible(self.parlour_app.left[room])
        if live is not None:
            return self.style_.legible(f"{live.game}: {' – '.join(player_label(player) for player in live.players)}")
        return f"table {room}"

    # -- actions

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_id is not None:
            self.action_do(event.option_id)

    def action_do(self, what: str) -> None:
        app = self.parlour_app
        kind, _, name = what.partition(":")
        match kind:
            case "quick":
                app.save_settings(game=name)
                self.attempt(partial(self._quick, name))
            case "seek":
                self.attempt(partial(self._accept, name))
            case "room":
                self.attempt(partial(self._open, name))
            case "new":
                app.show_new_table()
            case "computer":
                app.show_new_table(against="computer")
            case "here":
                app.show_new_table(against="here")
            case "code":
                self._open_input("code", "The code of the challenge, or nothing to challenge a friend yourself")
            case "watch":
                app.push_screen(WatchScreen())
            case "games":
                app.show_games(self.client.you.name)
            case "leaderboard":
                app.show_leaderboard()
            case "rules":
                app.show_rules()
            case "settings":
                app.push_screen(SettingsScreen())
            case "account":
                app.push_screen(AccountScreen())
            case "quit":
                app.exit()
            case _:
                pass

    async def _quick(self, game: str) -> None:
        terms = Terms(game, clock=parse_pace(self.parlour_app.settings.pace))
        pending = await self.client.queue(terms)
        card = next(card for card in self.client.games if card.key == game)
        self.parlour_app.show_waiting(pending, f"Looking for an opponent: {terms_line(terms, card)}.")

    async def _accept(self, seek: str) -> None:
        self.parlour_app.challenges.pop(seek, None)
        self.parlour_app.show_table(await self.session.view(await self.client.accept(seek)))

    async def _open(self, room: str) -> None:
        self.parlour_app.show_table(await self.session.open(room))

    # -- the input line

    def action_filter(self) -> None:
        self._open_input("filter", "Show only tables with this text")

    def action_help(self) -> None:
        self.app.push_screen(HelpScreen())

    def _open_input(self, what: str, words: str) -> None:
        self._input_purpose = what
        field = self.query_one("#input", Input)
        field.value, field.placeholder = "", words
        field.add_class("open")
        field.focus()

    def _close_input(self) -> None:
        self.query_one("#input", Input).remove_class("open")
        self.query_one("#menu", OptionList).focus()

    def on_key(self, event: events.Key) -> None:
        if event.key == "escape" and isinstance(self.focused, Input):
            event.stop()
            self._close_input()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        text = event.value.strip()
        self._close_input()
        if self._input_purpose == "filter":
            self.filter = text
            self.show_lists()
        elif text:
            self.attempt(partial(self._accept, text))
        else:
            self.parlour_app.show_new_table(against="friend")
