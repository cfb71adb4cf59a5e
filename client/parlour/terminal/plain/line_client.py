"""The line client: one command per line, until the input ends."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Announced, Challenged, Paired, Rules, YourGame
from parlour.protocol.scene import BoardSpec, Scene
from parlour.terminal.drawing import Style, render
from parlour.terminal.plain import outputs
from parlour.terminal.plain.console import Console
from parlour.terminal.plain.outputs import Output
from parlour.terminal.plain.table_reporter import TableReporter, board_lines
from parlour.terminal.text.rules import rules_lines
from parlour.terminal.text.terms import player_label, terms_phrase
from parlour.terminal.ui.lesson_view import LessonView
from parlour.terminal.ui.player_session import PlayerSession
from parlour.terminal.ui.replay import Replay
from parlour.terminal.ui.settings import Settings, SettingsFile
from parlour.terminal.ui.table_view import TableView


class Command(NamedTuple):
    """A command that can be typed."""

    usage: str
    help: str
    run: Callable[[str], Awaitable[None]]

    @property
    def needs_argument(self) -> bool:
        """Whether its first argument is required."""
        return any(not word.startswith("[") for word in self.usage.split()[1:2])


class JsonLine(Struct):
    """A line of input as an object: the command, and any `id`, which its answer repeats."""

    command: str
    id: Any = None


class Confirmation(NamedTuple):
    """A question, and the action to take if the next line answers it with yes."""

    question: str
    run: Callable[[], Awaitable[None]]


YES, NO = ("yes", "y"), ("no", "n")


class LineClient:
    """Reads commands and reports what happens. The commands depend on the place: lobby, table, replay or lesson."""

    def __init__(
        self,
        session: PlayerSession,
        console: Console,
        *,
        style: Style,
        settings: SettingsFile | None = None,
        json: bool = False,
    ) -> None:
        """`json`: print one object per line for programs, in place of sentences and boards for people."""
        # These modules import this one.
        from parlour.terminal.plain.lesson_commands import LessonCommands  # noqa: PLC0415
        from parlour.terminal.plain.lobby_commands import LobbyCommands  # noqa: PLC0415
        from parlour.terminal.plain.replay_commands import ReplayCommands  # noqa: PLC0415
        from parlour.terminal.plain.table_commands import TableCommands  # noqa: PLC0415

        self.session = session
        self.console = console
        self.style = style
        self.settings_file = settings or SettingsFile()
        self.settings: Settings = self.settings_file.read()
        self.reporter: TableReporter | None = None  # of the table, if the player is at one
        self.replay: Replay | None = None
        self.lesson: LessonView | None = None
        self.is_quitting = False
        self._json = json
        self._asked: Confirmation | None = None
        self._lobby = LobbyCommands(self)
        self._table = TableCommands(self)
        self._replay = ReplayCommands(self)
        self._lesson = LessonCommands(self)
        self._followers: list[asyncio.Task[None]] = []

    # -- the command loop

    async def run(self, view: TableView | None = None, replay: Replay | None = None) -> None:
        """Run until the player quits or the input ends. Start at a table or with a replay, if given.

        Raise BrokenPipeError if the reader of the output has exited.
        """
        self.console.start(self.completions)
        self.follow_client()
        try:
            client = self.session.client
            self.show(
                outputs.Ready(client.server, client.you, self.session.is_offline),
                f"Welcome to {client.server or 'Parlour'}, {client.you.name}. Type help for a list of commands.",
            )
            self.say(*self.session.notices)
            if view is not None:
                await self.open_table(view)
            elif replay is not None:
                await self.open_replay(replay)
            while not self.is_quitting and not self.console.is_broken:
                line = await self._next_line()
                if line is None:
                    await self._watch_to_end()
                    break
                await self.execute(line.strip())
            if not self._json:
                self.say("Goodbye.")
        finally:
            await self.unfollow_client()
            if self.reporter is not None:
                await self.reporter.close()
            self.console.close()
        if self.console.is_broken:
            raise BrokenPipeError

    async def _next_line(self) -> str | None:
        """Return the next line, or None if the input or the connection ends first."""
        reading = asyncio.ensure_future(self.console.read())
        ended = asyncio.ensure_future(self._connection_ended())
        await asyncio.wait((reading, ended), return_when=asyncio.FIRST_COMPLETED)
        ended.cancel()
        if reading.done():
            return reading.result()
        reading.cancel()
        return None

    async def _connection_ended(self) -> None:
        with suppress(Refusal, ConnectionError):
            async for state in self.session.client.states():
                if state == "ended":
                    return

    async def _watch_to_end(self) -> None:
        """Report a game between computers to its end, since it needs no input."""
        reporter = self.reporter
        if reporter is None or not all(seated.player.bot for seated in reporter.view.table.players):
            return
        over = asyncio.ensure_future(reporter.view.table.over())
        with suppress(Refusal, ConnectionError):
            while not over.done() and not self.console.is_broken:
                await asyncio.wait((over,), timeout=1)
            await reporter.settle()
        over.cancel()

    @property
    def commands(self) -> dict[str, Command]:
        """The commands that can be typed now."""
        if self.lesson is not None:
            return self._lesson.commands
        here = self._replay if self.replay else self._table if self.reporter else self._lobby
        return here.commands

    def completions(self, text: str) -> Sequence[str]:
        """Return what the last word of a line may become: a command, a pick, or a game."""
        name, space, rest = text.partition(" ")
        command = self.commands.get(name.lower())
        known: list[str] = []
        if not space:
            known = [*self.commands, *self._pick_names()]
        elif command is not None and "GAME" in command.usage and " " not in rest:
            known = [card.key for card in self.session.client.games]
        word = text.rpartition(" ")[2].lower()
        return [each for each in known if each.lower().startswith(word)]

    def _pick_names(self) -> list[str]:
        """Return the names of the places that may be picked now."""
        if self.lesson is not None:
            board = self.lesson.state.lesson.board
            return [board.place_name(pick.place) for pick in self.lesson.state.legal_picks]
        if self.reporter is None or self.replay is not None:
            return []
        view = self.reporter.view
        return [view.board.place_name(pick.place) for pick in view.legal_picks]

    async def execute(self, line: str) -> None:
        """Execute one line. Empty lines and comments are ignored."""
        if not line or line.startswith("#"):
            return
        id = None
        try:
            if self._json and line.startswith("{"):
                request = _parse_json(line)
                id, line = request.id, request.command.strip()
            await self._run(line)
            if self.reporter is not None:
                await self.reporter.settle()
            self.show(outputs.Done(id))
        except (Refusal, ConnectionError) as error:
            code = str(getattr(error, "code", "connection_lost"))
            self.show(outputs.Refused(code=code, text=str(error), id=id), str(error))

    async def confirm(self, confirmation: Confirmation) -> None:
        """Run an action once the player has said yes.

        Any line other than yes means no, and is a command as usual. Programs are not asked: they do not mistype.
        """
        if self._json:
            await confirmation.run()
        else:
            self._asked = confirmation
            self.say(f"{confirmation.question} Type yes or no.")

    async def _run(self, line: str) -> None:
        asked, self._asked = self._asked, None
        if asked is not None and line.lower() in YES:
            await asked.run()
            return
        if asked is not None and line.lower() in NO:
            self.say("The game goes on.")
            return
        name, _, rest = line.partition(" ")
        command = self.commands.get(name.lower())
        if command is not None and command.needs_argument and not rest.strip():
            raise Refusal(ErrorCode.REQUEST_MALFORMED, f"Usage: {command.usage}")
        if command is not None:
            await command.run(rest.strip())
        elif self.lesson is not None:
            await self._lesson.move(line)
        elif self.reporter is not None and self.replay is None:
            await self._table.move(line)
        else:
            sentence = f"Unknown command “{name}”. Type help for a list of commands."
            raise Refusal(ErrorCode.OPTION_UNKNOWN, sentence)

    # -- output

    def show(self, output: Output | None, *lines: str) -> None:
        """Print an object for programs, or the lines that say the same to people."""
        if not self._json:
            self.console.print(*lines)
        elif output is not None:
            self.console.print(msgspec.json.encode(output).decode())

    def say(self, *lines: str) -> None:
        """Print sentences that have no data of their own."""
        for line in lines:
            self.show(outputs.Text(line), line)

    def draw(self, board: BoardSpec, scene: Scene) -> None:
        """Print a board, for people."""
        self.show(None, *board_lines(board, scene, self.style))

    def show_rules(self, rules: Rules) -> None:
        """Print the rules of a game, with its boards drawn for people."""
        lines = rules_lines(rules, style=self.style, width=self.console.width)
        self.show(outputs.RulesText(rules.game, rules.text), *(render(line, self.style).rstrip() for line in lines))

    def help(self) -> None:
        """List the commands. The description of a long one is below it, in the same column as the others."""
        column = self.console.width // 2
        for command in self.commands.values():
            usage = f"  {command.usage}  "
            rows = [f"{usage:{column}}{command.help}"]
            if len(usage) > column:
                rows = [usage.rstrip(), f"{'':{column}}{command.help}"]
            self.show(outputs.Text(f"{usage}{command.help}"), *rows)

    def save_settings(self, **changed: Any) -> None:
        self.settings = replace(self.settings, **changed)
        self.settings_file.write(self.settings)

    # -- notifications

    def follow_client(self) -> None:
        """Report the state of the connection and challenges. Call this again when the session has another client."""
        self._followers = [
            asyncio.create_task(self._follow_states()),
            asyncio.create_task(self._follow_notifications()),
        ]

    async def unfollow_client(self) -> None:
        """Stop reporting both."""
        for task in self._followers:
            task.cancel()
            with suppress(asyncio.CancelledError, Exception):
                await task
        self._followers = []

    async def _follow_states(self) -> None:
        client = self.session.client
        sentences = {"connected": "Connected again.", "reconnecting": "Connection lost. Reconnecting."}
        said = sentences["connected"]
        try:
            async for state in client.states():
                sentence = client.problem or sentences.get(state, "")
                if sentence != said:
                    self.show(outputs.ConnectionState(state, sentence), sentence)
                said = sentence
        except (Refusal, ConnectionError) as error:
            sentence = f"The connection has ended: {error}"
            self.show(outputs.ConnectionState("ended", sentence), sentence)

    async def _follow_notifications(self) -> None:
        with suppress(Refusal, ConnectionError):
            async for notification in self.session.client.notifications():
                if isinstance(notification, Challenged):
                    self._report_challenge(notification)
                elif isinstance(notification, YourGame) and notification.room not in self.session.client.tables:
                    self._report_game(notification)
                elif isinstance(notification, Paired) and notification.tournament is not None:
                    self._report_pairing(notification, notification.tournament)
                elif isinstance(notification, Announced):
                    said = "Warning" if notification.kind == "warning" else "The operator says"
                    self.show(
                        outputs.OperatorMessage(notification.kind, notification.text), f"{said}: {notification.text}"
                    )

    def _report_challenge(self, challenge: Challenged) -> None:
        card = next((card for card in self.session.client.games if card.key == challenge.terms.game), None)
        words = f"{player_label(challenge.player)} challenges you: {terms_phrase(challenge.terms, card)}."
        self.show(
            outputs.ChallengeReceived(challenge.seek, challenge.player, challenge.terms),
            f"{words} Type join {challenge.seek}, or decline {challenge.seek}.",
        )

    def _report_pairing(self, paired: Paired, tournament: str) -> None:
        first = "" if self.reporter is None else "leave, then "
        self.show(
            outputs.TournamentPaired(tournament, paired.room, paired.seat),
            f"Your game in the tournament {tournament} has begun. Type {first}open {paired.room}.",
        )

    def _report_game(self, news: YourGame) -> None:
        over, first = news.to_move is None, "" if self.reporter is None else "leave, then "
        if over:
            words = f"Your game against {player_label(news.opponent)} is over. Type {first}replay {news.room}."
        else:
            words = f"It is your turn against {player_label(news.opponent)}. Type {first}open {news.room}."
        self.show(outputs.GameWaits(news.room, news.game, news.opponent, news.ply, over), words)

    # -- places

    async def open_replay(self, replay: Replay) -> None:
        """Switch to a replay."""
        self.replay = replay
        await self._replay.show()

    async def open_lesson(self, lesson: LessonView) -> None:
        """Switch to a lesson."""
        self.lesson = lesson
        await self._lesson.show()

    async def open_table(self, view: TableView) -> None:
        """Switch to a table."""
        if self.reporter is not None:
            await self.reporter.close()
        self.replay = None
        self.reporter = TableReporter(view, self.show, self.style, draws_moves=lambda: self.settings.show_board)
        await self.reporter.open()

    async def leave(self) -> None:
        """Leave the table."""
        reporter, self.reporter = self.reporter, None
        if reporter is not None:
            await reporter.close()
            await reporter.view.leave()


def _parse_json(line: str) -> JsonLine:
    try:
        return msgspec.json.decode(line, type=JsonLine)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        sentence = 'Write a command as text or as an object such as {"command": "quick replica", "id": 1}.'
        raise Refusal(ErrorCode.REQUEST_MALFORMED, sentence) from None
