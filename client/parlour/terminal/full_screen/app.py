"""The app: navigation between screens, and the state that they share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import Any, ClassVar

from msgspec.structs import replace
from textual import events
from textual.app import App, SystemCommand
from textual.binding import Binding, BindingType
from textual.filter import LineFilter
from textual.screen import Screen

from parlour.client.lobby import Lobby
from parlour.client.pending_seek import PendingSeek
from parlour.protocol.errors import Refusal
from parlour.protocol.messages import Announced, ChallengeClosed, Challenged, Paired, YourGame
from parlour.protocol.types import OptionSpec, Terms
from parlour.terminal.drawing import Colours, Style
from parlour.terminal.full_screen.ascii_filter import AsciiFilter
from parlour.terminal.full_screen.games_screen import GamesScreen
from parlour.terminal.full_screen.help_screen import HelpScreen
from parlour.terminal.full_screen.key_map import TABLE_KEYS
from parlour.terminal.full_screen.layout_editor_screen import LayoutEditorScreen
from parlour.terminal.full_screen.leaderboard_screen import LeaderboardScreen
from parlour.terminal.full_screen.lesson_screen import LessonScreen
from parlour.terminal.full_screen.lessons_screen import LessonsScreen
from parlour.terminal.full_screen.new_table_screen import NewTableScreen
from parlour.terminal.full_screen.page import Action, Page
from parlour.terminal.full_screen.palette import Palette
from parlour.terminal.full_screen.player_screen import PlayerScreen
from parlour.terminal.full_screen.players_screen import PlayersScreen
from parlour.terminal.full_screen.quit_screen import QuitScreen
from parlour.terminal.full_screen.replay_screen import ReplayScreen
from parlour.terminal.full_screen.rules_screen import RulesScreen
from parlour.terminal.full_screen.settings_screen import SettingsScreen
from parlour.terminal.full_screen.start_screen import StartScreen
from parlour.terminal.full_screen.table_screen import TableScreen
from parlour.terminal.full_screen.themes import SCREEN_THEMES, chosen_style, screen_theme
from parlour.terminal.full_screen.tournament_screen import TournamentScreen
from parlour.terminal.full_screen.tournaments_screen import TournamentsScreen
from parlour.terminal.full_screen.waiting_screen import WaitingScreen
from parlour.terminal.text.terms import player_label
from parlour.terminal.ui.lesson_view import LessonView
from parlour.terminal.ui.player_session import PlayerSession
from parlour.terminal.ui.replay import Replay
from parlour.terminal.ui.settings import Settings, SettingsFile
from parlour.terminal.ui.table_view import TableView

OPERATOR_MESSAGE_FOR = 60.0  # seconds


class ParlourApp(App[None]):
    """Runs inside an entered `PlayerSession`. It starts at `view`, `replay` or `game`, if given."""

    TITLE = "Parlour"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+z", "suspend_process", show=False, priority=True)]
    CSS = """
    OptionList { border: none; background: $background; padding: 0; scrollbar-size-vertical: 1; }
    OptionList:focus { border: none; }
    OptionList > .option-list--option-highlighted { background: $background; color: $foreground; text-style: none; }
    OptionList:focus > .option-list--option-highlighted {
        background: $accent; color: $background; text-style: bold;
    }
    OptionList:focus:ansi > .option-list--option-highlighted { text-style: bold reverse; }
    OptionList > .option-list--option-disabled { color: $secondary; }
    .ascii #sidebar, .ascii #side, .ascii #tools { border-left: ascii $secondary; }
    VerticalScroll { scrollbar-size-vertical: 1; background: $background; }
    """

    def __init__(
        self,
        session: PlayerSession,
        *,
        drawing: Style,
        settings: SettingsFile | None = None,
        view: TableView | None = None,
        replay: Replay | None = None,
        game: str = "",
    ) -> None:
        super().__init__(ansi_color=drawing.colours in (Colours.NONE, Colours.SIXTEEN))
        self.session = session
        self.settings_file = settings or SettingsFile()
        self.settings: Settings = self.settings_file.read()
        self.terminal_style = drawing  # what the terminal can show
        chosen = chosen_style(self.settings, drawing)
        self.drawing = Style(drawing.unicode, drawing.colours, chosen.theme)  # what the user wants
        self.challenges: dict[str, Challenged] = {}  # challenges to you, by seek
        self.left: dict[str, str] = {}  # games that you have left: room -> game and opponent
        self.your_turns: set[str] = set()  # rooms that are not on the screen and where it is the player's turn
        self._waiting: dict[str, YourGame] = {}  # the last news of games that are not on the screen, by room
        self._seen: dict[str, int] = {}  # room -> ply up to which the player knows its game
        self._ascii_filter = AsciiFilter()
        self._terminal_title = ""
        self._drawn: Screen[Any] | None = None  # the last screen that was drawn
        self._drawn_at = 0.0
        self._view = view
        self._replay = replay
        self._game = game
        for theme in SCREEN_THEMES:
            self.register_theme(theme)
        self.theme = screen_theme(self.drawing)

    # -- keys

    def post_display_hook(self) -> None:
        """Note when another screen is drawn for the first time. Textual calls this after everything that it draws."""
        if self._drawn is not (screen := self.screen) and screen.is_mounted:
            self._drawn, self._drawn_at = screen, monotonic()

    @property
    def is_drawn(self) -> bool:
        """Whether the user can see the screen that takes the keys."""
        return self._drawn is self.screen

    async def on_event(self, event: events.Event) -> None:
        """Drop keys that were typed before the current screen was drawn: they were meant for the one before it."""
        is_typed = isinstance(event, (events.Key, events.Paste))
        if is_typed and self.screen_stack and not (self.is_drawn and event.time >= self._drawn_at):
            return
        await super().on_event(event)

    def action_command_palette(self) -> None:
        if not isinstance(self.screen, Palette):
            self.push_screen(Palette())

    async def action_quit(self) -> None:
        self.ask_to_quit()

    def on_mount(self) -> None:
        self.follow()
        self.push_screen(StartScreen())
        if self._view is not None:
            self.push_screen(TableScreen(self._view))
        elif self._replay is not None:
            self.push_screen(ReplayScreen(self._replay))
        elif self._game:
            self.push_screen(NewTableScreen(Terms(self._game)))

    def follow(self) -> None:
        """Follow the connection and the notifications. Called again when the user signs in or out."""
        self.run_worker(self._follow_states(), group="states", exclusive=True)
        self.run_worker(self._follow_notifications(), group="notifications", exclusive=True)

    async def _follow_states(self) -> None:
        try:
            async for _ in self.session.client.states():
                self._show_state()
        except (Refusal, ConnectionError) as error:
            self._show_state()
            if isinstance(self.screen, Page):
                self.screen.refused(str(error))

    def _show_state(self) -> None:
        if isinstance(self.screen, Page):
            self.screen.show_title()

    async def _follow_notifications(self) -> None:
        try:
            async for notification in self.session.client.notifications():
                if isinstance(notification, Challenged):
                    self.challenges[notification.seek] = notification
                    self.announce(f"{notification.player.name} invites you to a game: see the start screen.")
                elif isinstance(notification, ChallengeClosed):
                    self.challenges.pop(notification.seek, None)
                elif isinstance(notification, YourGame):
                    self._game_waits(notification)
                elif isinstance(notification, Paired) and notification.tournament is not None:
                    self._game_begins(notification)
                elif isinstance(notification, Announced):
                    title = "Warning" if notification.kind == "warning" else "The operator says"
                    self.notify(notification.text, title=title, timeout=OPERATOR_MESSAGE_FOR, markup=False)
                if isinstance(self.screen, StartScreen):
                    self.screen.show_lists()
        except (Refusal, ConnectionError):
            return  # shown as the state of the connection

    @property
    def lobby(self) -> Lobby | None:
        """The lobby, which the start screen follows."""
        return next((screen.lobby for screen in self.screen_stack if isinstance(screen, StartScreen)), None)

    def identity_changed(self) -> None:
        """Follow the new connection after the user has signed in or out."""
        self.challenges.clear()
        self._waiting.clear()
        self.follow()
        for screen in self.screen_stack:
            if isinstance(screen, StartScreen):
                screen.restart()

    def save_settings(self, **changed: Any) -> None:
        """Change settings and save them."""
        self.settings = replace(self.settings, **changed)
        self.settings_file.write(self.settings)

    def apply_settings(self) -> None:
        """Draw everything according to the settings."""
        self.drawing = chosen_style(self.settings, self.terminal_style)
        self.theme = screen_theme(self.drawing)
        for screen in self.screen_stack:
            screen.set_class(not self.drawing.unicode, "ascii")
            screen.refresh(layout=True)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return the filters that every line goes through before it is written."""
        filters = super().get_line_filters()
        return filters if self.drawing.unicode else [*filters, self._ascii_filter]

    def ring(self) -> None:
        """Ring the bell, if the user wants it: something happened that the player waits for."""
        if self.settings.bell:
            self.bell()

    def announce(self, sentence: str) -> None:
        """Tell the player something that is unrelated to the current screen."""
        self.ring()
        if isinstance(self.screen, TableScreen):
            self.screen.notice(sentence)
        elif isinstance(self.screen, Page) and not isinstance(self.screen, StartScreen):  # which shows it anyway
            self.screen.say(sentence)

    def _game_begins(self, paired: Paired) -> None:
        """Open a new game of a tournament from its screen or its last table, or else tell the player about it.

        A player who is writing is not interrupted: the rest of the line would be taken for keys.
        """
        screen = self.screen
        if isinstance(screen, Page) and screen.open_line is None and waits_for(screen) == paired.tournament:
            self.ring()
            screen.attempt_once(partial(self._open_game, paired.room), "Your game begins.")
        elif paired.room not in self.session.client.tables:
            self.announce("Your game in the tournament has begun: see Your games on the start screen.")
        self.find_turns()

    async def _open_game(self, room: str) -> None:
        self.show_table(await self.session.open(room))

    def _game_waits(self, news: YourGame) -> None:
        """Tell the player about a game that is not on the screen, whether the lobby lists it or not."""
        if news.room in self.session.client.tables:
            return  # the table says the same
        opponent = player_label(news.opponent)
        if news.to_move is None:
            self._waiting.pop(news.room, None)
            self.announce(f"Your game against {opponent} is over: see My games on the start screen.")
        else:
            self._waiting[news.room] = news
            card = next((card for card in self.session.client.games if card.key == news.game), None)
            self.left[news.room] = f"{card.name if card else news.game} against {opponent}"
            self._announce_turn(news.room, news.ply, opponent)
        self.find_turns()

    def _announce_turn(self, room: str, ply: int, opponent: str) -> None:
        if ply > self._seen.get(room, -1):
            self._seen[room] = ply
            self.announce(f"It is your turn against {opponent}: see Your games on the start screen.")

    def lobby_changed(self, lobby: Lobby) -> None:
        """Tell the player when it has become their turn in a game that is not on the screen."""
        self.find_turns()
        seats = self.session.client.ongoing_games
        for room in self.your_turns & set(lobby.live):
            game = lobby.live[room]
            self._announce_turn(room, game.ply, player_label(game.players[1 - seats[room]]))

    def find_turns(self) -> None:
        """Find the games that are not on the screen and where it is the player's turn.

        The lobby knows best, but does not list private games.
        """
        here = {screen.view.table.room for screen in self.screen_stack if isinstance(screen, TableScreen)}
        seats = self.session.client.ongoing_games
        live = {} if self.lobby is None else self.lobby.live
        to_move = {room: news.to_move for room, news in self._waiting.items()}
        to_move |= {room: game.scene.to_move for room, game in live.items() if game.scene is not None}
        self.your_turns = {room for room, seat in seats.items() if room not in here and to_move.get(room) == seat}
        self.show_terminal_title()

    def show_terminal_title(self) -> None:
        """Name the window, with the number of games in which it is the player's turn."""
        table = self.screen if isinstance(self.screen, TableScreen) else None
        here = table is not None and table.view.turn is not None and not table.view.is_hotseat
        turns = len(self.your_turns) + here
        title = f"({turns}) Parlour" if turns else "Parlour"
        if title != self._terminal_title and self._driver is not None and not self.is_headless:
            self._driver.write(f"\x1b]0;{title}\x07")  # Textual has no public way to send this
        self._terminal_title = title

    def server_label(self, state: str) -> str:
        """Return where the player is connected, or the state of the connection if it is not."""
        if self.session.is_offline:
            return "offline" if state == "connected" else state
        host = self.session.addresses[0].partition("://")[2].removesuffix("/ws")
        return f"connected to {host}" if state == "connected" else state

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        """Yield the commands of the palette: what can be done on this screen, then everywhere."""
        if isinstance(screen, TableScreen):
            keys = screen.input.keys
            for action in screen.status.actions:
                title = TABLE_KEYS[action].help.partition(";")[0]
                yield SystemCommand(
                    title[0].upper() + title[1:], f"Key: {keys.shown(action)}", partial(screen.start, action)
                )
            if (opponent := screen.view.table.opponent) is not None and not opponent.bot:
                show = partial(self.show_player, opponent.name, screen.view.table.room)
                yield SystemCommand(f"Block, mute or report {opponent.name}", "Your opponent", show)
        elif isinstance(screen, StartScreen):
            for entry in screen.entries():
                if entry.id:
                    title = f"Quick match: {entry.title}" if entry.id.startswith("quick:") else entry.title
                    yield SystemCommand(title, f"Key: {entry.key}" if entry.key else "", partial(screen.do, entry.id))
        elif isinstance(screen, TournamentScreen):
            for key, _, title in (hint.partition(" ") for hint in screen.key_hints()):
                yield SystemCommand(f"{title[0].upper()}{title[1:]}", f"Key: {key}", partial(screen.do, key))
        if not isinstance(screen, TableScreen):  # which has them among its actions
            yield SystemCommand("Keys", "All keys", lambda: self.push_screen(HelpScreen()))
        yield SystemCommand("Block, mute or report a player", "Any player, by name", self.show_player)
        if isinstance(screen, StartScreen):
            return  # its menu has the rest
        yield SystemCommand("Settings", "Colours, characters, the bell", lambda: self.push_screen(SettingsScreen()))
        yield SystemCommand("Rules", "The rules of the games", self.show_rules)
        yield SystemCommand("Quit", "Leave the program", self.ask_to_quit)

    # -- navigation

    def show_table(self, view: TableView) -> None:
        """Show a table, in place of the screens that led to it."""
        self._pop_to_start()
        self.push_screen(TableScreen(view))

    def show_waiting(self, pending: PendingSeek, words: str, terms: Terms) -> None:
        self._pop_to_start()
        self.push_screen(WaitingScreen(pending, words, terms))

    def show_new_table(self, terms: Terms | None = None, against: str = "", invited: str = "") -> None:
        """Show the form for a new table, filled in with `terms`, in place of a table that is over.

        `invited`: the name of the player to invite.
        """
        self._pop_to_start()
        self.push_screen(NewTableScreen(terms, against, invited))

    def ask_to_quit(self) -> None:
        """Ask, and leave the program."""
        if not isinstance(self.screen, QuitScreen):
            self.push_screen(QuitScreen(len(self.session.client.ongoing_games), self.exit))

    def show_player(self, name: str = "", room: str | None = None) -> None:
        """Show the menu of another player; `room` is the game that a report would be about."""
        self.push_screen(PlayerScreen(name, room))

    def show_players(self) -> None:
        self.push_screen(PlayersScreen())

    async def leave_table(self, screen: TableScreen) -> None:
        table = screen.view.table
        if table.opponent is not None:
            name = screen.view.card.name if screen.view.card is not None else table.terms.game
            self.left[table.room] = f"{name} against {player_label(table.opponent)}"
        self._left_at(screen.view)
        await screen.view.leave()
        was_shown = screen.is_on_top  # and not left meanwhile for a game that has begun
        screen.dismiss()
        if was_shown and table.tournament is not None and (table.result is not None or not screen.view.is_player):
            self.show_tournament(table.tournament)

    def _left_at(self, view: TableView) -> None:
        """Remember how far the player has seen a table."""
        table = view.table
        self._seen[table.room] = table.ply
        if view.turn is not None and table.opponent is not None and not view.is_hotseat:
            self._waiting[table.room] = YourGame(
                room=table.room, game=table.terms.game, opponent=table.opponent, ply=table.ply, to_move=table.seat
            )
        else:
            self._waiting.pop(table.room, None)

    def show_replay(self, room: str) -> None:
        self._attempt(partial(self._show_replay, room))

    async def _show_replay(self, room: str) -> None:
        self.push_screen(ReplayScreen(Replay(await self.session.client.records.record(room))))

    def show_rules(self, game: str = "") -> None:
        self.push_screen(RulesScreen(game or self.settings.game))

    def show_lessons(self) -> None:
        self.push_screen(LessonsScreen())

    async def open_lesson(self, game: str) -> None:
        """Show the lesson of a game from its first step."""
        self.push_screen(LessonScreen(await LessonView.open(self.session.client, game)))

    def show_tournaments(self) -> None:
        self.push_screen(TournamentsScreen())

    def show_tournament(self, tournament: str) -> None:
        self.push_screen(TournamentScreen(tournament))

    def unfollow(self, tournament: str) -> None:
        """Stop following a tournament whose screen is closed."""
        self.run_worker(self._unfollow(tournament))

    async def _unfollow(self, tournament: str) -> None:
        with suppress(Refusal, ConnectionError):
            await self.session.client.tournaments.unfollow(tournament)

    def show_leaderboard(self) -> None:
        self.push_screen(LeaderboardScreen(self.settings.game))

    def show_games(self, player: str) -> None:
        self.push_screen(GamesScreen(player))

    def edit_layout(self, terms: Terms, option: OptionSpec, on_done: Callable[[str], None]) -> None:
        self.push_screen(LayoutEditorScreen(terms, option, on_done))

    def _attempt(self, action: Action) -> None:
        screen = self.screen
        if isinstance(screen, Page):
            screen.attempt(action)

    def _pop_to_start(self) -> None:
        """Close all screens above the start screen."""
        while len(self.screen_stack) > 2 and not isinstance(self.screen, StartScreen):
            screen: Screen[Any] = self.screen
            if isinstance(screen, TableScreen):
                self._left_at(screen.view)
                self.run_worker(screen.view.leave())
            self.pop_screen()


def waits_for(screen: Page) -> str | None:
    """Return the tournament whose next game the player waits for on this screen, if there is one."""
    if isinstance(screen, TournamentScreen):
        return screen.tournament_id
    if isinstance(screen, TableScreen) and screen.view.table.result is not None:
        return screen.view.table.tournament
    return None
