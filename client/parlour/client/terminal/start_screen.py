"""The first screen: every way to a table, and what goes on in the parlour."""

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
from parlour.client.words.terms import player_words, terms_line
from parlour.client.words.times import pace, read_pace
from parlour.protocol.tables import Terms


class StartScreen(Page):
    """Left: what to do. Right: open tables, invitations, your games."""

    keys = "Up/Down choose  Enter go  Tab other list  / filter  ? help  q quit"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "do('new')", show=False),
        Binding("b", "do('computer')", show=False),
        Binding("i", "do('code')", show=False),
        Binding("h", "do('here')", show=False),
        Binding("w", "do('watch')", show=False),
        Binding("m", "do('games')", show=False),
        Binding("l", "do('leaders')", show=False),
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
    #line { display: none; height: 1; border: none; padding: 0 1; background: #2b2621; }
    #line.open { display: block; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.lobby: Lobby | None = None
        self.filter = ""
        self._line_is_for = ""

    def body(self) -> ComposeResult:
        with Horizontal(id="start"):
            yield OptionList(*self._menu(), id="menu")
            with Vertical(id="side"):
                yield Static("", id="online", markup=False)
                yield OptionList(id="lists")
        yield Input(id="line", compact=True)

    def _menu(self) -> list[Option]:
        settings = self.parlour_app.settings
        pace_words = pace(read_pace(settings.pace))
        options = [Option(f"Quick match, {pace_words}", id="head-quick", disabled=True)]
        options += [Option(f"  {card.name}", id=f"quick:{card.key}") for card in self.visit.parlour.games]
        return [
            *options,
            Option("Play", id="head-play", disabled=True),
            Option("  New table                     n", id="new"),
            Option("  The computer                  b", id="computer"),
            Option("  Friend, by invitation code    i", id="code"),
            Option("  Two people here               h", id="here"),
            Option("Look", id="head-look", disabled=True),
            Option("  Watch                         w", id="watch"),
            Option("  My games                      m", id="games"),
            Option("  Leaderboard                   l", id="leaders"),
            Option("  Rules                         r", id="rules"),
            Option("  Settings                      s", id="settings"),
            Option("  My name and account           a", id="account"),
            Option("  Quit                          q", id="quit"),
        ]

    def on_mount(self) -> None:
        self._name_title()
        menu = self.query_one("#menu", OptionList)
        menu.highlighted = 1
        menu.focus()
        self.attempt(self._follow_lobby, group="lobby")
        self.say("What shall we play?")

    def on_screen_resume(self) -> None:
        self._name_title()
        self.show_lists()
        menu = self.query_one("#menu", OptionList)
        at = menu.highlighted
        menu.clear_options()
        menu.add_options(self._menu())
        menu.highlighted = at
        self.say("What shall we play?")

    def _name_title(self) -> None:
        you = self.visit.parlour.you
        self.title_words = f"{player_words(you)}{' (guest)' if you.guest else ''}"
        self.show_title()

    def restart(self) -> None:
        """Somebody else is here now."""
        self.attempt(self._follow_lobby, group="lobby")
        self._name_title()

    async def _follow_lobby(self) -> None:
        async with self.visit.parlour.lobby() as lobby:
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
            words = f"{lobby.online} here, {len(lobby.live)} games on" + (
                f", only “{self.filter}”" if self.filter else ""
            )
            self.query_one("#online", Static).update(self.style_.legible(words))

    def _listed(self) -> list[Option]:
        app, parlour, lobby = self.parlour_app, self.visit.parlour, self.lobby
        cards = {card.key: card for card in parlour.games}
        options = []
        invited = list(app.invitations.values())
        if invited:
            options.append(Option("You are invited", disabled=True))
            for each in invited:
                words = f"  {player_words(each.player)}: {terms_line(each.terms, cards.get(each.terms.game))}"
                options.append(Option(self.style_.legible(words), id=f"seek:{each.seek}"))
        running = list(parlour.running)
        options.append(Option("Your games", disabled=True))
        if not running:
            options.append(Option("  None is on.", disabled=True))
        options += [Option(f"  {self._running_words(room)}", id=f"room:{room}") for room in running]
        options.append(Option("Open tables", disabled=True))
        seeks = [] if lobby is None else [seek for seek in lobby.seeks.values() if seek.player.name != parlour.you.name]
        lines = [
            (f"  {player_words(seek.player)}: {terms_line(seek.terms, cards.get(seek.terms.game))}", seek.seek)
            for seek in seeks
        ]
        lines = [(words, seek) for words, seek in lines if self.filter.lower() in words.lower()]
        if not lines:
            options.append(Option("  None. Start one with n, or play the computer with b.", disabled=True))
        options += [Option(self.style_.legible(words), id=f"seek:{seek}") for words, seek in lines]
        return options

    def _running_words(self, room: str) -> str:
        live = self.lobby.live.get(room) if self.lobby is not None else None
        if room in self.parlour_app.left:
            return self.style_.legible(self.parlour_app.left[room])
        if live is not None:
            return self.style_.legible(f"{live.game}: {' – '.join(player_words(player) for player in live.players)}")
        return f"table {room}"

    # -- what is chosen

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_id is not None:
            self.action_do(event.option_id)

    def action_do(self, what: str) -> None:
        app = self.parlour_app
        kind, _, name = what.partition(":")
        match kind:
            case "quick":
                app.keep(game=name)
                self.attempt(partial(self._quick, name))
            case "seek":
                self.attempt(partial(self._accept, name))
            case "room":
                self.attempt(partial(self._open, name))
            case "new":
                app.push_new_table()
            case "computer":
                app.push_new_table(against="computer")
            case "here":
                app.push_new_table(against="here")
            case "code":
                self._open_line("code", "The code of the invitation, or nothing to invite somebody yourself")
            case "watch":
                app.push_screen(WatchScreen())
            case "games":
                app.games(self.visit.parlour.you.name)
            case "leaders":
                app.leaders()
            case "rules":
                app.rules()
            case "settings":
                app.push_screen(SettingsScreen())
            case "account":
                app.push_screen(AccountScreen())
            case "quit":
                app.exit()
            case _:
                pass

    async def _quick(self, game: str) -> None:
        terms = Terms(game, clock=read_pace(self.parlour_app.settings.pace))
        waiting = await self.visit.parlour.queue(terms)
        card = next(card for card in self.visit.parlour.games if card.key == game)
        self.parlour_app.wait_for(waiting, f"Looking for somebody who wants the same: {terms_line(terms, card)}.")

    async def _accept(self, seek: str) -> None:
        self.parlour_app.invitations.pop(seek, None)
        self.parlour_app.sit_down(await self.visit.sit(await self.visit.parlour.accept(seek)))

    async def _open(self, room: str) -> None:
        self.parlour_app.sit_down(await self.visit.open(room))

    # -- the line below

    def action_filter(self) -> None:
        self._open_line("filter", "Show only tables with these letters")

    def action_help(self) -> None:
        self.app.push_screen(HelpScreen())

    def _open_line(self, what: str, words: str) -> None:
        self._line_is_for = what
        line = self.query_one("#line", Input)
        line.value, line.placeholder = "", words
        line.add_class("open")
        line.focus()

    def _close_line(self) -> None:
        self.query_one("#line", Input).remove_class("open")
        self.query_one("#menu", OptionList).focus()

    def on_key(self, event: events.Key) -> None:
        if event.key == "escape" and isinstance(self.focused, Input):
            event.stop()
            self._close_line()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        text = event.value.strip()
        self._close_line()
        if self._line_is_for == "filter":
            self.filter = text
            self.show_lists()
        elif text:
            self.attempt(partial(self._accept, text))
        else:
            self.parlour_app.push_new_table(against="friend")
