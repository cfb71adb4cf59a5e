"""`parlour play`: the client for people, as a full screen or line by line, on a server or at home."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from parlour.client.address import socket_address
from parlour.client.drawing import Colours, Style, style_for
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.tables import GameCard, Terms

if TYPE_CHECKING:
    from parlour.client.visit.settings import Settings
    from parlour.client.visit.sitting import Sitting
    from parlour.client.visit.visit import Visit

USUAL = "ws://127.0.0.1:8765/ws"
USUAL_LEVEL = "3"

DESCRIPTION = """\
Opens the parlour at this terminal: meet people, play the computer, watch, look at old games, read the rules. Without
--server it goes to the server on this machine, if one runs there, and otherwise plays at home: two people at one
screen, one against the computer, or the computer alone, with nothing else to start.

With GAME and --local two people play at once; with --computer the computer takes a side. Where there is no terminal,
or with --plain, everything goes line by line: type help there.
"""

EPILOG = """\
examples:
  parlour play                                  the menu
  parlour play replica --local                  two people at this screen
  parlour play mapello --computer white --level 5
  parlour play isaac --computer both            watch the computer play itself
  parlour play --server https://play.example.org
  parlour play --record game.txt                look at a game that was saved
  echo 'computer replica 1' | parlour play --local --plain
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "play",
        help="play at this terminal: people, the computer, or two at one screen",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("game", metavar="GAME", nargs="?", help="begin with this game")
    parser.add_argument("--server", metavar="URL", help="play on this server")
    parser.add_argument("--local", action="store_true", help="play at home, without any server")
    parser.add_argument("--plain", action="store_true", help="line by line, also at a terminal")
    parser.add_argument("--ascii", action="store_true", help="draw with ASCII characters only")
    parser.add_argument("--name", metavar="NAME", default="", help="what you would like to be called, as a new guest")
    parser.add_argument(
        "--computer", metavar="SIDE", default="", help="the side the computer plays: its name, first, second or both"
    )
    parser.add_argument("--level", metavar="LEVEL", default=USUAL_LEVEL, help="how well (default: %(default)s)")
    parser.add_argument("--options", metavar="JSON", default="{}", help="the game's options, as a JSON object")
    parser.add_argument("--position", metavar="TEXT", help="start from this position instead of the first one")
    parser.add_argument("--record", metavar="FILE", type=Path, help="look at a game that was saved")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    if arguments.server and arguments.local:
        raise Refusal(ErrorCode.OPTION_INVALID, "Give --server or --local, not both.")
    if (arguments.computer or arguments.position) and not arguments.game:
        raise Refusal(ErrorCode.OPTION_INVALID, "Say which game: parlour play GAME --computer SIDE.")
    if arguments.record and arguments.game:
        raise Refusal(ErrorCode.OPTION_INVALID, "Give a GAME to play or a --record to look at, not both.")
    _options(arguments.options)
    record = None if arguments.record is None else _record(arguments.record)
    try:
        asyncio.run(_play(arguments, record))
    except ConnectionError as fault:
        print(f"parlour: {fault}", file=sys.stderr)
        return 1
    return 0


async def _play(arguments: argparse.Namespace, record: str | None) -> None:
    # Only now, since they take longer to import than --help takes altogether.
    from parlour.client.visit.replay import Replay  # noqa: PLC0415
    from parlour.client.visit.settings import SettingsFile  # noqa: PLC0415
    from parlour.client.visit.visit import Visit  # noqa: PLC0415

    file = SettingsFile()
    settings = file.read()
    name = arguments.name or settings.name
    async with AsyncExitStack() as parts:
        if arguments.server:
            visit = Visit(socket_address(arguments.server), name=name)
        elif not arguments.local and await _answers(USUAL):
            visit = Visit(USUAL, name=name)
        else:
            from parlour.cli.local import local_server  # noqa: PLC0415

            if sys.stdout.isatty():
                print("One moment: a parlour is opened on this machine.")
            address, known_as = await parts.enter_async_context(local_server(arguments.games))
            visit = Visit(address, known_as=known_as, name=name)
        await parts.enter_async_context(visit)
        sitting = await _first_table(visit, arguments) if arguments.game else None
        replay = None if record is None else Replay(await visit.parlour.records.read(record))
        style = _style(arguments, settings)
        if arguments.plain or not (sys.stdin.isatty() and sys.stdout.isatty()):
            from parlour.client.plain.console import Console  # noqa: PLC0415
            from parlour.client.plain.line_client import LineClient  # noqa: PLC0415

            await LineClient(visit, Console(sys.stdin, sys.stdout), style=style, settings=file).run(sitting, replay)
        else:
            from parlour.client.terminal.app import ParlourApp  # noqa: PLC0415

            game = "" if sitting is not None else arguments.game or ""
            app = ParlourApp(visit, drawing=style, settings=file, sitting=sitting, replay=replay, game=game)
            await app.run_async()


async def _answers(url: str) -> bool:
    """Whether a server listens there."""
    host, _, port = url.removeprefix("ws://").partition("/")[0].partition(":")
    try:
        async with asyncio.timeout(1):
            _, writer = await asyncio.open_connection(host, int(port))
    except (OSError, TimeoutError):
        return False
    writer.close()
    return True


async def _first_table(visit: Visit, arguments: argparse.Namespace) -> Sitting | None:
    """The table that the arguments ask for; None where the menu should ask further."""
    parlour = visit.parlour
    card = next((card for card in parlour.games if card.key == arguments.game.lower()), None)
    if card is None:
        known = ", ".join(card.key for card in parlour.games)
        raise Refusal(ErrorCode.GAME_UNKNOWN, f"There is no game “{arguments.game}”; there are {known}.")
    terms = Terms(card.key, _options(arguments.options))
    computer = _computer_seats(card, arguments.computer)
    if computer == (0, 1):
        table = await parlour.watch_computers(terms, arguments.level, arguments.level, arguments.position)
    elif computer:
        table = await parlour.play_computer(terms, arguments.level, 1 - computer[0], arguments.position)
    elif arguments.server:
        return None
    else:
        return await visit.share(terms, position=arguments.position)
    return await visit.sit(table)


def _computer_seats(card: GameCard, text: str) -> tuple[int, ...]:
    names = [seat.name.lower() for seat in card.seats]
    seats = {"": (), names[0]: (0,), names[1]: (1,), "first": (0,), "second": (1,), "both": (0, 1)}
    if text.lower() not in seats:
        raise Refusal(ErrorCode.OPTION_INVALID, f"--computer must be {names[0]}, {names[1]}, first, second or both.")
    return seats[text.lower()]


def _options(text: str) -> dict[str, Any]:
    try:
        return msgspec.json.decode(text, type=dict[str, str | int | bool])
    except (msgspec.DecodeError, UnicodeError, RecursionError) as fault:
        sentence = f'--options must be a JSON object such as {{"name": "value"}}: {fault}.'
        raise Refusal(ErrorCode.REQUEST_MALFORMED, sentence) from fault


def _record(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) else "it is no text"
        raise Refusal(ErrorCode.RECORD_BROKEN, f"{file} cannot be read: {reason}.") from None


def _style(arguments: argparse.Namespace, settings: Settings) -> Style:
    found = style_for(os.environ, sys.stdout.isatty(), sys.stdout.encoding)
    unicode = {"unicode": True, "ascii": False}.get(settings.characters, found.unicode)
    return Style(unicode and not arguments.ascii, found.colours if not arguments.plain else Colours.NONE)
