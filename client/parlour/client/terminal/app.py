"""The app: which screen is shown, and what all screens share."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from msgspec.structs import replace
from textual.app import App
from textual.screen import Screen

from parlour.client.connection import State
from parlour.client.drawing import Colours, Style
from parlour.client.lobby import Lobby
from parlour.client.terminal.editor_screen import EditorScreen
from parlour.client.terminal.games_screen import GamesScreen
from parlour.client.terminal.leaders_screen import LeadersScreen
from parlour.client.terminal.new_table_screen import NewTableScreen
from parlour.client.terminal.page import Act, Page
from parlour.client.terminal.replay_screen import ReplayScreen
from parlour.client.terminal.rules_screen import RulesScreen
from parlour.client.terminal.start_screen import StartScreen
from parlour.client.terminal.table_screen import TableScreen
from parlour.client.terminal.waiting_screen import WaitingScreen
from parlour.client.visit.replay import Replay
from parlour.client.visit.settings import Settings, SettingsFile
from parlour.client.visit.sitting import Sitting
from parlour.client.visit.visit import Visit
from parlour.client.waiting import Waiting
from parlour.client.words.terms import player_words
from parlour.protocol.errors import Refusal
from parlour.protocol.messages import Challenged, InviteGone
from parlour.protocol.tables import Terms


class ParlourApp(App[None]):
    """Runs inside an entered `Visit`. `sitting` is a table to begin at."""

    ENABLE_COMMAND_PALETTE = False
    TITLE = "Parlour"
    CSS = """
    OptionList { border: none; background: #171513; padding: 0; scrollbar-size-vertical: 1; }
    OptionList:focus { border: none; }
    OptionList > .option-list--option-highlighted { background: #2b2621; color: #7fe3cb; text-style: bold; }
    OptionList > .option-list--option-disabled { color: #b9ae9c; }
    .ascii #pane, .ascii #side, .ascii #tools { border-left: ascii #5a5346; }
    VerticalScroll { scrollbar-size-vertical: 1; background: #171513; }
    """

    def __init__(
        self,
        visit: Visit,
        *,
        drawing: Style,
        settings: SettingsFile | None = None,
        sitting: Sitting | None = None,
        replay: Replay | None = None,
        game: str = "",
    ) -> None:
        super().__init__(ansi_color=drawing.colours is Colours.SIXTEEN)
        self.visit = visit
        self.found = self.drawing = drawing  # what the terminal can show, and what is wanted
        self.settings_file = settings or SettingsFile()
        self.settings: Settings = self.settings_file.read()
        self.invitations: dict[str, Challenged] = {}  # to you, by seek
        self.left: dict[str, str] = {}  # tables that you got up from: room -> what goes on there
        self._sitting = sitting
        self._first_replay = replay
        self._game = game

    def on_mount(self) -> None:
        self.listen()
        self.push_screen(StartScreen())
        if self._sitting is not None:
            self.push_screen(TableScreen(self._sitting))
        elif self._first_replay is not None:
            self.push_screen(ReplayScreen(self._first_replay))
        elif self._game:
            self.push_screen(NewTableScreen(Terms(self._game)))

    def listen(self) -> None:
        """Hear of the connection and of invitations; again after somebody else has signed in."""
        self.run_worker(self._hear_states(), group="states", exclusive=True)
        self.run_worker(self._hear_summons(), group="summons", exclusive=True)

    async def _hear_states(self) -> None:
        try:
            async for state in self.visit.parlour.states():
                self._connection_is(state)
        except (Refusal, ConnectionError) as fault:
            self._connection_is("ended")
            if isinstance(self.screen, Page):
                self.screen.refused(str(fault))

    def _connection_is(self, state: State) -> None:
        if isinstance(self.screen, Page):
            self.screen.show_title()

    async def _hear_summons(self) -> None:
        try:
            async for summons in self.visit.parlour.summons():
                if isinstance(summons, Challenged):
                    self.invitations[summons.seek] = summons
                    if isinstance(self.screen, Page) and not isinstance(self.screen, TableScreen):
                        self.screen.say(f"{summons.player.name} invites you: see the first screen.")
                elif isinstance(summons, InviteGone):
                    self.invitations.pop(summons.seek, None)
                if isinstance(self.screen, StartScreen):
                    self.screen.show_lists()
        except (Refusal, ConnectionError):
            return  # told by the state of the connection

    @property
    def lobby(self) -> Lobby | None:
        """What is known of the lobby."""
        return next((screen.lobby for screen in self.screen_stack if isinstance(screen, StartScreen)), None)

    def is_somebody_else(self) -> None:
        """Listen to the new connection."""
        self.invitations.clear()
        self.listen()
        for screen in self.screen_stack:
            if isinstance(screen, StartScreen):
                screen.restart()

    def keep(self, **changed: Any) -> None:
        """Change settings, and keep them."""
        self.settings = replace(self.settings, **changed)
        self.settings_file.write(self.settings)

    # -- ways between screens

    def sit_down(self, sitting: Sitting) -> None:
        """Go to a table, in place of whatever led there."""
        self._unwind()
        self.push_screen(TableScreen(sitting))

    def wait_for(self, waiting: Waiting, words: str) -> None:
        self._unwind()
        self.push_screen(WaitingScreen(waiting, words))

    def new_table(self, terms: Terms) -> None:
        """The form, with these terms in it, in place of a table that is over."""
        self._unwind()
        self.push_screen(NewTableScreen(terms))

    def push_new_table(self, against: str = "") -> None:
        self.push_screen(NewTableScreen(against=against))

    async def leave(self, screen: TableScreen) -> None:
        table = screen.sitting.table
        if table.opponent is not None:
            self.left[table.room] = f"{table.terms.game} against {player_words(table.opponent)}"
        await screen.sitting.leave()
        screen.dismiss()

    def replay(self, room: str) -> None:
        """Look at a game from its beginning."""
        self._attempt(partial(self._replay, room))

    async def _replay(self, room: str) -> None:
        self.push_screen(ReplayScreen(Replay(await self.visit.parlour.records.record(room))))

    def rules(self, game: str = "") -> None:
        self.push_screen(RulesScreen(game or self.settings.game))

    def leaders(self) -> None:
        self.push_screen(LeadersScreen(self.settings.game))

    def games(self, player: str) -> None:
        self.push_screen(GamesScreen(player))

    def draw_board(self, terms: Terms, key: str, then: Callable[[str], None]) -> None:
        """Let somebody draw the value of an option."""
        self.push_screen(EditorScreen(terms, key, then))

    def _attempt(self, act: Act) -> None:
        screen = self.screen
        if isinstance(screen, Page):
            screen.attempt(act)

    def _unwind(self) -> None:
        """Back to the first screen."""
        while len(self.screen_stack) > 2 and not isinstance(self.screen, StartScreen):
            screen: Screen[Any] = self.screen
            if isinstance(screen, TableScreen):
                self.run_worker(screen.sitting.leave())
            self.pop_screen()
