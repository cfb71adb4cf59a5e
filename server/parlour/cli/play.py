"""`parlour play`: the terminal client, full-screen or line by line, on a server or offline."""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import sys
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from parlour.cli.commands import add_command
from parlour.cli.options_argument import add_options_argument, read_options
from parlour.cli.server_argument import ProblemPrinter, add_server_arguments, announce, named_servers
from parlour.client.address import THIS_MACHINE
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.types import GameCard, Terms
from parlour.terminal.drawing import Colours, Style, style_for

if TYPE_CHECKING:
    from parlour.terminal.plain.console import Console
    from parlour.terminal.ui.player_session import PlayerSession
    from parlour.terminal.ui.settings import Settings
    from parlour.terminal.ui.table_view import TableView

DEFAULT_LEVEL = "3"
CONNECT_TIMEOUT = 20.0  # seconds
PROFILE = re.compile(r"[\w.-]{1,32}")

DESCRIPTION = """\
Play in the terminal: against people or the computer, watch games, replay old ones, read the rules. Without a server,
connect to the one on this machine if it is running, and otherwise play offline: two people at one screen, one against
the computer, or the computer against itself. Nothing else needs to be started, and all your terminals play together.

GAME with --local starts a game for two people at this screen; with --computer the computer takes a side. Without a
terminal, or with --plain, the client reads commands line by line; the command help lists them. docs/terminal.md
describes everything.
"""

EPILOG = """\
examples:
  parlour play                                  open the menu
  parlour play replica --local                  two people at this screen
  parlour play mapello --computer white --level 5
  parlour play isaac --computer both --level 1,5
                                                watch the computer play itself
  parlour play --server https://play.example.org
  parlour play --profile bob                    play as another person
  parlour play --record game.txt                replay a saved game
  echo 'computer replica 1' | parlour play --local
  parlour play --local --json < commands.txt    for programs: docs/terminal.md
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = add_command(
        commands,
        "play",
        description=DESCRIPTION,
        epilog=EPILOG,
    )
    parser.add_argument("game", metavar="GAME", nargs="?", help="start this game")
    add_server_arguments(parser, wait_help="keep trying if the server cannot be reached, even without a terminal")
    parser.add_argument("--local", action="store_true", help="play offline")
    parser.add_argument("--plain", action="store_true", help="read commands line by line, even in a terminal")
    parser.add_argument(
        "--json", action="store_true", help="read commands line by line, and print one JSON object per line"
    )
    parser.add_argument("--ascii", action="store_true", help="draw with ASCII characters only")
    parser.add_argument(
        "--name", metavar="NAME", default="", help="play as the player of this name, who is created if necessary"
    )
    parser.add_argument(
        "--second-name", metavar="NAME", default="", help="name of the second player at this screen, likewise"
    )
    parser.add_argument(
        "--profile",
        metavar="PROFILE",
        default="",
        help="play as another person, with a token and settings of its own; any short word",
    )
    parser.add_argument(
        "--computer", metavar="SIDE", default="", help="side of the computer: its colour, first, second or both"
    )
    parser.add_argument(
        "--level",
        metavar="LEVEL",
        default=DEFAULT_LEVEL,
        help="level of the computer, or two for --computer both: 1,5 (default: %(default)s)",
    )
    add_options_argument(parser)
    parser.add_argument("--position", metavar="TEXT", help="start from this position instead of the initial one")
    parser.add_argument("--record", metavar="FILE", type=Path, help="replay a saved game")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    if arguments.server and arguments.local:
        raise Refusal(ErrorCode.OPTION_INVALID, "Give --server or --local, not both.")
    if (arguments.computer or arguments.position) and not arguments.game:
        raise Refusal(
            ErrorCode.OPTION_INVALID, "--computer and --position need a game: parlour play GAME --computer SIDE."
        )
    if arguments.record and arguments.game:
        raise Refusal(ErrorCode.OPTION_INVALID, "Give a GAME to play or a --record to replay, not both.")
    if arguments.profile and not PROFILE.fullmatch(arguments.profile):
        raise Refusal(ErrorCode.OPTION_INVALID, "--profile must be a word of letters, digits, dots and dashes.")
    read_options(arguments.options)
    record = None if arguments.record is None else _record(arguments.record)
    asyncio.run(_play(arguments, record))
    return 0


async def _play(arguments: argparse.Namespace, record: str | None) -> None:
    # Imported late: they take longer than all of --help.
    from parlour.client.local_engine import LocalEngine  # noqa: PLC0415
    from parlour.client.tokens import TokenFile, profile_dir  # noqa: PLC0415
    from parlour.terminal.ui.player_session import PlayerSession  # noqa: PLC0415
    from parlour.terminal.ui.replay import Replay  # noqa: PLC0415
    from parlour.terminal.ui.settings import SettingsFile  # noqa: PLC0415

    folder = profile_dir(arguments.profile)
    file = SettingsFile(folder / "terminal.json")
    settings = file.read()
    at_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    wait, problems = arguments.wait or at_terminal, ProblemPrinter()
    async with AsyncExitStack() as parts:
        addresses, token_key = await _server(arguments, settings, parts)
        session = PlayerSession(
            addresses,
            token_key=token_key,
            name=arguments.name,
            preferred_name=settings.name or arguments.profile,
            second_name=arguments.second_name,
            tokens=TokenFile(folder / "tokens.json"),
            wait=wait,
            timeout=None if wait else CONNECT_TIMEOUT,
            on_problem=problems.report if wait else _ignore,
        )
        await parts.enter_async_context(session)
        problems.stop()
        has_named_server = not arguments.local and bool(named_servers(arguments.server, settings.server))
        view = await _first_table(session, arguments, hotseat=not has_named_server) if arguments.game else None
        replay = None
        if record is not None:
            engine = await parts.enter_async_context(LocalEngine(_think_command(arguments)))
            replay = Replay(await session.client.records.read(record), engine)
        style = _style(arguments, settings)
        if arguments.plain or arguments.json or not at_terminal:
            from parlour.terminal.plain.line_client import LineClient  # noqa: PLC0415

            console = _console(folder / "history", at_terminal=at_terminal and not arguments.json)
            client = LineClient(session, console, style=style, settings=file, json=arguments.json)
            await client.run(view, replay)
        else:
            from parlour.terminal.full_screen.app import ParlourApp  # noqa: PLC0415

            game = "" if view is not None else arguments.game or ""
            app = ParlourApp(session, drawing=style, settings=file, view=view, replay=replay, game=game)
            await app.run_async()


async def _server(arguments: argparse.Namespace, settings: Settings, parts: AsyncExitStack) -> tuple[list[str], str]:
    """Return the addresses of the server, and the key under which its tokens are stored, if that is not an address."""
    named = [] if arguments.local else named_servers(arguments.server, settings.server)
    if not named and not arguments.local and await _is_running(THIS_MACHINE):
        named = [THIS_MACHINE]
    if named:
        announce(named[0])
        return named, ""
    from parlour.cli.local_server import local_server  # noqa: PLC0415

    if sys.stdout.isatty():
        print("Starting a local server …")
    address, token_key = await parts.enter_async_context(local_server(arguments.games))
    return [address], token_key


def _think_command(arguments: argparse.Namespace) -> list[str]:
    """Return the command that assesses saved games."""
    games = [argument for folder in arguments.games for argument in ("--games", folder)]
    return [sys.executable, "-m", "parlour.cli", *games, "think", "--nice", "5"]


def _console(history: Path, *, at_terminal: bool) -> Console:
    if at_terminal:
        from parlour.terminal.plain.prompt_console import PromptConsole  # noqa: PLC0415

        return PromptConsole(history)
    from parlour.terminal.plain.console import PipeConsole  # noqa: PLC0415

    return PipeConsole(sys.stdin, sys.stdout)


def _ignore(problem: str) -> None:
    """Say nothing: the problem ends the command and is printed then."""


async def _is_running(url: str) -> bool:
    """Return whether a server listens at the address."""
    host, _, port = url.removeprefix("ws://").partition("/")[0].partition(":")
    try:
        async with asyncio.timeout(1):
            _, writer = await asyncio.open_connection(host, int(port))
    except (OSError, TimeoutError):
        return False
    writer.close()
    return True


async def _first_table(session: PlayerSession, arguments: argparse.Namespace, *, hotseat: bool) -> TableView | None:
    """Open the table that the arguments describe; return None if the menu must ask for more."""
    client = session.client
    card = next((card for card in client.games if card.key == arguments.game.lower()), None)
    if card is None:
        known = ", ".join(card.key for card in client.games)
        raise Refusal(ErrorCode.GAME_UNKNOWN, f"There is no game “{arguments.game}”; there are {known}.")
    terms = Terms(card.key, read_options(arguments.options))
    computer = _computer_seats(card, arguments.computer)
    levels = [level.strip() for level in arguments.level.split(",")]
    if len(levels) > 2 or (len(levels) == 2 and computer != (0, 1)):
        raise Refusal(ErrorCode.OPTION_INVALID, "Give one --level, or two with --computer both: --level 1,5.")
    if computer == (0, 1):
        table = await client.watch_computers(terms, levels[0], levels[-1], arguments.position)
    elif computer:
        table = await client.play_computer(terms, levels[0], 1 - computer[0], arguments.position)
    elif hotseat:
        return await session.hotseat(terms, position=arguments.position)
    else:
        return None
    return await session.view(table)


def _computer_seats(card: GameCard, text: str) -> tuple[int, ...]:
    names = [seat.name.lower() for seat in card.seats]
    seats = {"": (), names[0]: (0,), names[1]: (1,), "first": (0,), "second": (1,), "both": (0, 1)}
    if text.lower() not in seats:
        raise Refusal(ErrorCode.OPTION_INVALID, f"--computer must be {names[0]}, {names[1]}, first, second or both.")
    return seats[text.lower()]


def _record(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise Refusal(ErrorCode.RECORD_BROKEN, f"{file} cannot be read: {reason}.") from None


def _style(arguments: argparse.Namespace, settings: Settings) -> Style:
    found = style_for(os.environ, sys.stdout.isatty(), sys.stdout.encoding)
    unicode = {"unicode": True, "ascii": False}.get(settings.characters, found.unicode)
    colours = Colours.NONE if arguments.plain else found.colours
    return Style(unicode and not arguments.ascii, colours, found.theme)
