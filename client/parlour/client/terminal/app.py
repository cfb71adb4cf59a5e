"""The app: navigation between screens, and the state that they share."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec.structs import replace
from textual.app import App
from textual.screen import Screen

from parlour.client.drawing import Colours, Style
from parlour.client.lobby import Lobby
from parlour.client.pending_seek import PendingSeek
from parlour.client.terminal.games_screen import GamesScreen
from parlour.client.terminal.layout_editor_screen import LayoutEditorScreen
from parlour.client.terminal.leaderboard_screen import LeaderboardScreen
from parlour.client.terminal.new_table_screen import NewTableScreen
from parlour.client.terminal.page import Action, Page
from parlour.client.terminal.replay_screen import ReplayScreen
from parlour.client.terminal.rules_screen import RulesScreen
from parlour.client.terminal.start_screen import StartScreen
from parlour.client.terminal.table_screen import TableScreen
from parlour.client.terminal.waiting_screen import WaitingScreen
from parlour.client.text.terms import player_label
from parlour.client.ui.player_session import PlayerSession
from parlour.client.ui.replay import Replay
from parlour.client.ui.settings import Settings, SettingsFile
from parlour.client.ui.table_view import TableView
from parlour.protocol.errors import Refusal
from parlour.protocol.messages import ChallengeClosed, Challenged
from parlour.protocol.types import OptionSpec, Terms


class ParlourApp(App[None]):
    """Runs inside an entered `PlayerSession`. It starts at `view`, `replay` or `game`, if given."""

    ENABLE_COMMAND_PALETTE = False
    TITLE = "Parlour"
    CSS = """
    OptionList { border: none; background: #171513; padding: 0; scrollbar-size-vertical: 1; }
    OptionList:focus { border: none; }
    OptionList > .option-list--option-highlighted { background: #2b2621; color: #7fe3cb; text-style: bold; }
    OptionList > .option-list--option-disabled { color: #b9ae9c; }
    .ascii #sidebar, .ascii #side, .ascii #tools { border-left: ascii #5a5346; }
    VerticalScroll { scrollbar-size-vertical: 1; background: #171513; }
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
        super().__init__(ansi_color=drawing.colours is Colours.SIXTEEN)
        self.session = session
        self.terminal_style = self.drawing = drawing  # what the terminal can show, and what the user wants
        self.settings_file = settings or SettingsFile()
        self.settings: Settings = self.settings_file.read()
        self.challenges: dict[str, Challenged] = {}  # challenges to you, by seek
        self.left: dict[str, str] = {}  # games that you have left: room -> game and opponent
        self._view = view
        self._replay = replay
        self._game = game

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
                    if isinstance(self.screen, Page) and not isinstance(self.screen, TableScreen):
                        self.screen.say(f"{notification.player.name} challenges you: see the start screen.")
                elif isinstance(notification, ChallengeClosed):
                    self.challenges.pop(notification.seek, None)
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
        self.follow()
        for screen in self.screen_stack:
            if isinstance(screen, StartScreen):
                screen.restart()

    def save_settings(self, **changed: Any) -> None:
        """Change settings and save them."""
        self.settings = replace(self.settings, **changed)
        self.settings_file.write(self.settings)

    # -- navigation

    def show_table(self, view: TableView) -> None:
        """Show a table, in place of the screens that led to it."""
        self._pop_to_start()
        self.push_screen(TableScreen(view))

    def show_waiting(self, pending: PendingSeek, words: str) -> None:
        self._pop_to_start()
        self.push_screen(WaitingScreen(pending, words))

    def show_new_table(self, terms: Terms | None = None, against: str = "") -> None:
        """Show the form for a new table, filled in with `terms`, in place of a table that is over."""
        self._pop_to_start()
        self.push_screen(NewTableScreen(terms, against))

    async def leave_table(self, screen: TableScreen) -> None:
        table = screen.view.table
        if table.opponent is not None:
            self.left[table.room] = f"{table.terms.game} against {player_label(table.opponent)}"
        await screen.view.leave()
        screen.dismiss()

    def show_replay(self, room: str) -> None:
        self._attempt(partial(self._show_replay, room))

    async def _show_replay(self, room: str) -> None:
        self.push_screen(ReplayScreen(Replay(await self.session.client.records.record(room))))

    def show_rules(self, game: str = "") -> None:
        self.push_screen(RulesScreen(game or self.settings.game))

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
                self.run_worker(screen.view.leave())
            self.pop_screen()
