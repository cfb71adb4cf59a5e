"""`parlour bot`: any program that reads and writes lines plays on a server."""

from __future__ import annotations

import argparse
import asyncio
import logging
import os
import re
import shlex
import shutil
import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.tables import Clock

if TYPE_CHECKING:
    from parlour.client.bot import Wishes
    from parlour.client.engine_bridge import EngineBot

TOKEN = "PARLOUR_TOKEN"  # noqa: S105 - where it is, not what it is

CLOCK = re.compile(r"(\d{1,4}(?:\.\d)?)\+(\d{1,4})")

DESCRIPTION = """\
Plays on a server as a bot whose moves come from another program, the engine. The engine reads questions and writes
answers, one JSON object a line:

  in   {"game": "replica", "options": {}, "moves": ["g5-f5"], "seconds": 4.2, "seed": 7, "table": {...}}
  out  {"move": "b4-c4"}

It waits in the queues and accepts invitations until it is stopped with Ctrl-C. Games that were on go on when it is
started again, and when the connection or the engine breaks. docs/writing-a-bot.md tells all about it.

The token is that of `parlour token`. Give it in a file, or in PARLOUR_TOKEN in the environment: what stands on the
command line can be seen by everybody on the machine.
"""

EPILOG = """\
examples:
  parlour bot --engine ./my-engine --token-file robbie.token
  parlour bot --engine "python my_engine.py" --token-file robbie.token --game replica --server https://play.example.org
  parlour bot --engine "parlour think" --level 5 --token-file robbie.token
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "bot",
        help="play on a server with any program as the engine",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--engine", metavar="COMMAND", required=True, help="the program, with its arguments")
    token = parser.add_mutually_exclusive_group()
    token.add_argument("--token-file", metavar="FILE", type=Path, help="where the token of the bot is")
    token.add_argument("--token", help="the token of the bot")
    parser.add_argument(
        "--server", metavar="URL", action="append", help="the server, or several of one (default: this machine)"
    )
    parser.add_argument("--game", metavar="GAME", action="append", default=[], help="a game it plays (default: all)")
    yes_or_no = argparse.BooleanOptionalAction
    parser.add_argument("--queue", action=yes_or_no, default=True, help="wait in the queues (default: yes)")
    parser.add_argument("--challenges", action=yes_or_no, default=True, help="accept invitations (default: yes)")
    parser.add_argument("--rated", action=yes_or_no, default=True, help="in the queues for rated games (default: yes)")
    parser.add_argument(
        "--clock", default="5+3", help="in the queues: minutes for the game + seconds a move, or none (default: 5+3)"
    )
    parser.add_argument("--at-once", metavar="N", type=int, default=4, help="games at a time (default: 4)")
    parser.add_argument("--count", metavar="N", type=int, help="end after so many games (default: go on)")
    parser.add_argument("--processes", metavar="N", type=int, default=1, help="engines that run (default: 1)")
    parser.add_argument("--level", help="passed to the engine, as `parlour think` knows them")
    parser.add_argument(
        "--seconds", metavar="S", type=float, help="the most to think about a move (default: the clock)"
    )
    parser.add_argument("--legal", action="store_true", help="tell the engine which turns may be made")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S", stream=sys.stderr)
    logging.getLogger("websockets").setLevel(logging.WARNING)
    for name in ("at_once", "count", "processes", "seconds"):
        value = getattr(arguments, name)
        if value is not None and value <= 0:
            raise Refusal(ErrorCode.OPTION_INVALID, f"--{name.replace('_', '-')} must be more than 0.")
    token, command, clock = _token(arguments), engine_command(arguments.engine), read_clock(arguments.clock)
    addresses = arguments.server or ["ws://127.0.0.1:8765/ws"]
    try:
        asyncio.run(_play(arguments, addresses, token, command, clock))
    except ConnectionError as fault:
        print(f"parlour: {fault}", file=sys.stderr)
        return 1
    return 0


async def _play(
    arguments: argparse.Namespace, addresses: list[str], token: str, command: list[str], clock: Clock
) -> None:
    # Only now, since it takes longer to import than --help takes altogether.
    bridge = import_module("parlour.client.engine_bridge")
    wishes: Wishes = import_module("parlour.client.bot").Wishes(
        games=tuple(arguments.game),
        queue=arguments.queue,
        challenges=arguments.challenges,
        rated=arguments.rated,
        clock=clock,
        at_once=arguments.at_once,
        games_in_all=arguments.count,
    )
    bot: EngineBot = bridge.EngineBot(
        command,
        processes=arguments.processes,
        level=arguments.level,
        seconds=arguments.seconds,
        legal=arguments.legal,
    )
    async with bot:
        await bot.play(addresses, token, wishes)


def _token(arguments: argparse.Namespace) -> str:
    token: str = arguments.token or os.environ.get(TOKEN, "")
    if arguments.token_file is not None:
        try:
            token = arguments.token_file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as fault:
            raise Refusal(ErrorCode.OPTION_INVALID, f"--token-file cannot be read: {fault}.") from None
    if not token.strip():
        sentence = f"The bot needs its token: give --token-file, or {TOKEN} in the environment."
        raise Refusal(ErrorCode.OPTION_INVALID, sentence)
    return token.strip()


def engine_command(text: str) -> list[str]:
    """The program to start; `parlour` is this one, whether or not it can be found by its name."""
    try:
        words = shlex.split(text)
    except ValueError as fault:
        raise Refusal(ErrorCode.OPTION_INVALID, f"--engine cannot be read as a command: {fault}.") from None
    if not words or (shutil.which(words[0]) is None and words[0] != "parlour"):
        sentence = f"--engine must name a program that can be started; {words[0] if words else 'nothing'!r} cannot."
        raise Refusal(ErrorCode.OPTION_INVALID, sentence)
    return [sys.executable, "-m", "parlour.cli", *words[1:]] if words[0] == "parlour" else words


def read_clock(text: str) -> Clock:
    """A clock as people write it: `5+3` is five minutes and three seconds a move."""
    if text == "none":
        return Clock()
    found = CLOCK.fullmatch(text)
    if found is None:
        sentence = "--clock must be minutes + seconds a move, such as 5+3 or 0.5+0, or none."
        raise Refusal(ErrorCode.CLOCK_INVALID, sentence)
    return Clock("fischer", int(float(found[1]) * 60_000), int(found[2]) * 1000)
