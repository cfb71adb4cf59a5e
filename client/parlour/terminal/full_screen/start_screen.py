"""The start screen: every way to start a game, and the lobby."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ClassVar, NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from parlour.client.lobby import Lobby
from parlour.protocol.pace import format_pace
from parlour.protocol.types import Terms
from parlour.terminal.full_screen.account_screen import AccountScreen
from parlour.terminal.full_screen.choice_list import ChoiceList, choice
from parlour.terminal.full_screen.help_screen import HelpScreen
from parlour.terminal.full_screen.line_editor import LineEditor
from parlour.terminal.full_screen.page import Page
from parlour.terminal.full_screen.settings_screen import SettingsScreen
from parlour.terminal.full_screen.watch_screen import WatchScreen
from parlour.terminal.text.plural import plural
from parlour.terminal.text.terms import player_label, terms_line
from parlour.terminal.text.times import parse_pace

NARROW = 60  # below this, the lists are below the menu

OFFLINE = (
    "You are offline. To meet other players, start Parlour with the address of a server:"
    " parlour play --server HOST. To be the server for your own network: parlour serve."
    " A second terminal of yours can join you here: parlour play --profile NAME."
)


class Entry(NamedTuple):
    """A line of the menu. Without an id it is a heading."""

    title: str
    id: str = ""
    key: str = ""


LOCAL_GAMES = (Entry("Play the computer", "computer", "b"), Entry("Two players on this screen", "here", "h"))
LESSONS = Entry("Learn a game", "learn", "g")
OTHERS = (
    Entry("New table", "new", "n"),
    Entry("Invite a player by name", "invite", "v"),
    Entry("A friend, with a code", "code", "i"),
    Entry("Who is online", "players", "o"),
)
LOOK = (
    Entry("Tournaments", "tournaments", "t"),
    Entry("Watch", "watch", "w"),
    Entry("My games", "games", "m"),
    Entry("Leaderboard", "leaderboard", "l"),
    Entry("Rules", "rules", "r"),
    Entry("Settings", "settings", "s"),
    Entry("My account", "account", "a"),
    Entry("Quit", "quit", "q"),
)
DECLINE_KEY = "x"


class StartScreen(Page):
    """A menu, and beside it challenges, ongoing games and open tables."""

    keys = "Up/Down choose  Enter go  Tab other list  / filter  Ctrl+P commands  ? keys  q quit"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "app.focus_next", show=False),
        Binding("shift+tab", "app.focus_previous", show=False),
    ]
    CSS = """
    #start { height: 1fr; layout: horizontal; }
    #start.narrow { layout: vertical; }
    #menu { width: 34; height: 1fr; margin: 0 0 0 1; }
    #start.narrow #menu { width: 1fr; }
    #side { width: 1fr; height: 1fr; border-left: solid $secondary; padding: 0 0 0 1; }
    #start.narrow #side { border-left: none; border-top: solid $secondary; height: 8; }
    #online { height: auto; color: $secondary; padding: 0 1 0 0; }
    #lists { height: 1fr; }
    StartScreen > #notice { max-height: 4; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.lobby: Lobby | None = None
        self.filter = ""

    def body(self) -> ComposeResult:
        with Container(id="start"):
            yield ChoiceList(*self._menu(), id="menu")
            with Vertical(id="side"):
                yield Static("", id="online", markup=False)
                yield ChoiceList(id="lists")

    # -- the menu

    def entries(self) -> list[Entry]:
        """Return the lines of the menu. Offline, the games that need no one else come first."""
        alone = [*LOCAL_GAMES, *([LESSONS] if any(card.lesson_minutes for card in self.client.games) else [])]
        pace = format_pace(parse_pace(self.parlour_app.settings.pace))
        if self.session.is_offline:
            return [Entry("Play"), *alone, Entry("With your other terminals"), *OTHERS, Entry("Look"), *LOOK]
        quick = [Entry(card.name, f"quick:{card.key}") for card in self.client.games]
        # Without a heading for the last ones, since all have to fit on a screen of 24 lines.
        return [Entry(f"Quick match, {pace}"), *quick, Entry("Play"), *OTHERS, *alone, *LOOK]

    def _menu(self) -> list[Option]:
        return [
            choice(f"{entry.title:28}{entry.key}", entry.id) if entry.id else Option(entry.title, disabled=True)
            for entry in self.entries()
        ]

    def on_mount(self) -> None:
        self._name_title()
        menu = self.query_one("#menu", OptionList)
        menu.highlighted = 1
        menu.focus()
        self.attempt(self._follow_lobby, group="lobby")
        self._greet()
        notice = self.query_one("#notice", Static)
        notice.update(self.style_.legible(" ".join(self.session.notices)))
        notice.display = bool(self.session.notices)

    def on_screen_resume(self) -> None:
        self._name_title()
        self.parlour_app.find_turns()  # a table may have been left
        self.show_lists()
        menu = self.query_one("#menu", OptionList)
        at = menu.highlighted
        menu.clear_options()
        menu.add_options(self._menu())
        menu.highlighted = at
        self._greet()

    def on_resize(self) -> None:
        self.query_one("#start").set_class(self.size.width < NARROW, "narrow")

    def _greet(self) -> None:
        """Say what waits for the player: invitations, then turns."""
        invitations, turns = len(self.parlour_app.challenges), len(self.parlour_app.your_turns)
        if invitations:
            players = plural(invitations, "player")
            self.say(f"{players} invited you: Tab, then Enter to play, {DECLINE_KEY} to decline.")
        elif turns:
            self.say(f"It is your turn in {plural(turns, 'game')}: Tab, then Enter to play.")
        else:
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
                self.parlour_app.lobby_changed(lobby)
                self.show_lists()

    # -- the lists at the right

    def show_lists(self) -> None:
        if not self.is_open:
            return
        lists, listed = self.query_one("#lists", OptionList), self._listed()
        selected = None if lists.highlighted_option is None else lists.highlighted_option.id
        lists.clear_options()
        lists.add_options(listed)
        # The selected line stays selected, wherever it is now; otherwise it is the first one that can be chosen.
        choices = [number for number, option in enumerate(listed) if not option.disabled]
        lists.highlighted = next((each for each in choices if listed[each].id == selected), next(iter(choices), None))
        self.query_one("#online", Static).update(self.style_.legible(self._online()))
        if self.is_current:
            self._greet()

    def _online(self) -> str:
        if self.session.is_offline:
            return OFFLINE
        lobby = self.lobby
        if lobby is None:
            return ""
        games = plural(len(lobby.live), "game")
        return f"{lobby.online} online, {games}{f', only “{self.filter}”' if self.filter else ''}"

    def _listed(self) -> list[Option]:
        app, client, lobby = self.parlour_app, self.client, self.lobby
        cards = {card.key: card for card in client.games}
        options = []
        challenges = list(app.challenges.values())
        if challenges:
            options.append(Option("Invitations", disabled=True))
            for each in challenges:
                words = f"{player_label(each.player)}: {terms_line(each.terms, cards.get(each.terms.game))}"
                options.append(choice(self.style_.legible(words), f"seek:{each.seek}"))
        ongoing = list(client.ongoing_games)
        options.append(Option("Your games", disabled=True))
        if not ongoing:
            options.append(choice("None."))
        options += [choice(self._game_label(room), f"room:{room}") for room in ongoing]
        options.append(Option("Open tables", disabled=True))
        seeks = [] if lobby is None else [seek for seek in lobby.seeks.values() if seek.player.name != client.you.name]
        lines = [
            (f"{player_label(seek.player)}: {terms_line(seek.terms, cards.get(seek.terms.game))}", seek.seek)
            for seek in seeks
        ]
        lines = [(words, seek) for words, seek in lines if self.filter.lower() in words.lower()]
        if not lines:
            options.append(choice("None. Press n to open one, b for the computer."))
        options += [choice(self.style_.legible(words), f"seek:{seek}") for words, seek in lines]
        return options

    def _game_label(self, room: str) -> str:
        """Return `Mapello against Ann, your turn`."""
        live = self.lobby.live.get(room) if self.lobby is not None else None
        mine = ", your turn" if room in self.parlour_app.your_turns else ""
        if room in self.parlour_app.left:
            return self.style_.legible(self.parlour_app.left[room] + mine)
        if live is not None:
            seat = self.client.ongoing_games.get(room, 0)
            name = next((card.name for card in self.client.games if card.key == live.game), live.game)
            return self.style_.legible(f"{name} against {player_label(live.players[1 - seat])}{mine}")
        return f"Game {room}"

    # -- actions

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_id is not None:
            self.do(event.option_id)

    def do(self, what: str) -> None:
        """Do what an entry of the menu or of the lists says."""
        kind, _, name = what.partition(":")
        match kind:
            case "quick":
                self.parlour_app.save_settings(game=name)
                self.attempt_once(partial(self._quick, name), "Looking for an opponent.")
            case "seek":
                self.attempt_once(partial(self._accept, name), "Joining.")
            case "room":
                self.attempt_once(partial(self._open, name), "Opening the game.")
            case _:
                action = self._menu_actions().get(kind)
                if action is not None:
                    action()

    def _menu_actions(self) -> dict[str, Callable[[], object]]:
        """Return what the entries of the menu do, by their ids."""
        app = self.parlour_app
        return {
            "new": partial(app.show_new_table, against="open" if self.session.is_offline else ""),
            "computer": partial(app.show_new_table, against="computer"),
            "here": partial(app.show_new_table, against="here"),
            "learn": app.show_lessons,
            "invite": partial(self.ask_line, LineEditor("Invite", "the name of a player"), self._invite),
            "code": partial(
                self.ask_line, LineEditor("Code", "the code, or nothing to invite a friend"), self._use_code
            ),
            "players": app.show_players,
            "watch": lambda: app.push_screen(WatchScreen()),
            "tournaments": app.show_tournaments,
            "games": partial(app.show_games, self.client.you.name),
            "leaderboard": app.show_leaderboard,
            "rules": app.show_rules,
            "settings": lambda: app.push_screen(SettingsScreen()),
            "account": lambda: app.push_screen(AccountScreen()),
            "quit": app.ask_to_quit,
        }

    async def _quick(self, game: str) -> None:
        terms = Terms(game, clock=parse_pace(self.parlour_app.settings.pace))
        pending = await self.client.queue(terms)
        card = next(card for card in self.client.games if card.key == game)
        self.parlour_app.show_waiting(pending, f"Looking for an opponent: {terms_line(terms, card)}.", terms)

    async def _accept(self, seek: str) -> None:
        table = await self.client.accept(seek)
        self.parlour_app.challenges.pop(seek, None)
        self.parlour_app.show_table(await self.session.view(table))

    async def _decline(self, seek: str) -> None:
        await self.client.decline(seek)
        self.parlour_app.challenges.pop(seek, None)
        self.show_lists()
        self.say("You declined the invitation.")

    async def _open(self, room: str) -> None:
        self.parlour_app.show_table(await self.session.open(room))

    def _invite(self, name: str) -> None:
        if name:
            self.parlour_app.show_new_table(against="friend", invited=name)

    def _use_code(self, code: str) -> None:
        if code:
            self.attempt_once(partial(self._accept, code), "Joining.")
        else:
            self.parlour_app.show_new_table(against="friend")

    def _set_filter(self, text: str) -> None:
        self.filter = text
        self.show_lists()

    # -- keys

    def on_key(self, event: events.Key) -> None:
        # Keys are handled here and not as bindings, which the app would run only after it has passed on more keys.
        if self.handles_line(event):
            return
        entry = next((entry for entry in self.entries() if entry.key and entry.key == event.character), None)
        if entry is not None:
            event.stop()
            self.do(entry.id)
        elif event.character == "/":
            event.stop()
            self.ask_line(LineEditor("Filter", "show only tables with this text"), self._set_filter)
        elif event.character == "?":
            event.stop()
            self.app.push_screen(HelpScreen())
        elif event.character == DECLINE_KEY and (seek := self._selected_challenge()):
            event.stop()
            self.attempt_once(partial(self._decline, seek), "Declining.")

    def _selected_challenge(self) -> str:
        """The invitation that is selected, or the oldest one."""
        lists, challenges = self.query_one("#lists", OptionList), self.parlour_app.challenges
        selected = lists.highlighted_option.id if lists.highlighted_option is not None else None
        seek = (selected or "").removeprefix("seek:")
        return seek if seek in challenges else next(iter(challenges), "")
