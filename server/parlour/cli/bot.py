"""`parlour bot`: play on a server with any program that speaks JSON Lines as the engine."""

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

from parlour.cli.argument_types import checked
from parlour.cli.commands import add_command
from parlour.cli.server_argument import add_server_arguments, chosen_servers
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.types import Clock
from parlour.server.configuration.setting_types import duration, whole_number

if TYPE_CHECKING:
    from parlour.client.bot import BotConfig
    from parlour.client.engine_bot import EngineBot

TOKEN = "PARLOUR_TOKEN"  # noqa: S105 - the name of the variable

COUNT = checked(whole_number(1, 1_000_000))
CLOCK = re.compile(r"(\d{1,4}(?:\.\d)?)\+(\d{1,4})")

DESCRIPTION = """\
Play on a server as a bot whose moves come from another program, the engine. The engine reads requests and writes
answers, one JSON object per line:

  in   {"game": "replica", "options": {}, "moves": ["g5-f5"], "seconds": 4.2, "seed": 7, "table": {...}}
  out  {"move": "b4-c4"}

The bot queues for games and accepts challenges until it is stopped with Ctrl-C. Games in progress continue when it is
restarted, and after a failure of the connection or the engine. See docs/writing-a-bot.md for details.

`parlour token` prints the token. Pass it in a file, or in the environment variable PARLOUR_TOKEN: other users of the
machine can see the command line.
"""

EPILOG = """\
examples:
  parlour bot --engine ./my-engine --token-file robbie.token
  parlour bot --engine "python my_engine.py" --token-file robbie.token --game replica --server https://play.example.org
  parlour bot --engine "parlour think" --level 5 --token-file robbie.token
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = add_command(
        commands,
        "bot",
        description=DESCRIPTION,
        epilog=EPILOG,
    )
    parser.add_argument("--engine", metavar="COMMAND", required=True, help="the program and its arguments")
    token = parser.add_mutually_exclusive_group()
    token.add_argument("--token-file", metavar="FILE", type=Path, help="file that contains the token of the bot")
    token.add_argument("--token", help="the token of the bot")
    add_server_arguments(parser, several=True)
    parser.add_argument(
        "--game", metavar="GAME", action="append", default=[], help="a game to play; can be repeated (default: all)"
    )
    yes_or_no = argparse.BooleanOptionalAction
    parser.add_argument("--queue", action=yes_or_no, default=True, help="queue for games (default: yes)")
    parser.add_argument("--challenges", action=yes_or_no, default=True, help="accept challenges (default: yes)")
    parser.add_argument("--rated", action=yes_or_no, default=True, help="queue for rated games (default: yes)")
    parser.add_argument(
        "--clock", default="5+3", help="clock to queue for: minutes per game + seconds per move, or none (default: 5+3)"
    )
    parser.add_argument(
        "--concurrency", metavar="N", type=COUNT, default=4, help="games to play at the same time (default: 4)"
    )
    parser.add_argument("--tournament", metavar="ID", default="", help="enter this tournament, and exit after its end")
    parser.add_argument("--code", default="", help="the code to enter that tournament")
    parser.add_argument("--team", help="the team to enter for, in a tournament of teams")
    parser.add_argument("--count", metavar="N", type=COUNT, help="exit after N games (default: never)")
    parser.add_argument("--processes", metavar="N", type=COUNT, default=1, help="engine processes (default: 1)")
    parser.add_argument("--level", help="strength to ask of the engine, as `parlour think` defines it")
    parser.add_argument(
        "--seconds",
        metavar="SECONDS",
        type=checked(duration(0.001, 86_400)),
        help="maximum time for a move (default: limited by the clock only)",
    )
    parser.add_argument("--legal", action="store_true", help="pass the legal turns to the engine")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", datefmt="%H:%M:%S", stream=sys.stderr)
    logging.getLogger("websockets").setLevel(logging.WARNING)
    token, command, clock = _token(arguments), engine_command(arguments.engine), read_clock(arguments.clock)
    addresses = chosen_servers(arguments.server)
    asyncio.run(_play(arguments, addresses, token, command, clock))
    return 0


async def _play(
    arguments: argparse.Namespace, addresses: list[str], token: str, command: list[str], clock: Clock
) -> None:
    # Imported late: it takes longer than all of --help.
    engine_bot = import_module("parlour.client.engine_bot")
    config: BotConfig = import_module("parlour.client.bot").BotConfig(
        games=tuple(arguments.game),
        queue=arguments.queue,
        challenges=arguments.challenges,
        rated=arguments.rated,
        clock=clock,
        concurrency=arguments.concurrency,
        tournament=arguments.tournament,
        code=arguments.code,
        team=arguments.team,
        max_games=arguments.count,
    )
    bot: EngineBot = engine_bot.EngineBot(
        command,
        processes=arguments.processes,
        level=arguments.level,
        seconds=arguments.seconds,
        legal=arguments.legal,
    )
    async with bot:
        await bot.play(addresses, token, config, wait=arguments.wait)


def _token(arguments: argparse.Namespace) -> str:
    token: str = arguments.token or os.environ.get(TOKEN, "")
    if arguments.token_file is not None:
        try:
            token = arguments.token_file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise Refusal(ErrorCode.OPTION_INVALID, f"--token-file cannot be read: {error}.") from None
    if not token.strip():
        sentence = (
            f"The bot needs a token: give --token-file, or set {TOKEN} in the environment."
            " `parlour token BOT --output FILE` creates one."
        )
        raise Refusal(ErrorCode.OPTION_INVALID, sentence)
    return token.strip()


def engine_command(text: str) -> list[str]:
    """Return the command to run; `parlour` is this program, even if it is not on the PATH."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise Refusal(ErrorCode.OPTION_INVALID, f"--engine is not a valid command: {error}.") from None
    if not words or (shutil.which(words[0]) is None and words[0] != "parlour"):
        sentence = f"--engine must name a program on this machine; {words[0] if words else ''!r} is not one."
        raise Refusal(ErrorCode.OPTION_INVALID, sentence)
    return [sys.executable, "-m", "parlour.cli", *words[1:]] if words[0] == "parlour" else words


def read_clock(text: str) -> Clock:
    """Parse a clock in the usual notation: `5+3` is five minutes plus three seconds per move."""
    if text == "none":
        return Clock()
    match = CLOCK.fullmatch(text)
    if match is None:
        sentence = "--clock must be minutes + seconds per move, such as 5+3 or 0.5+0, or none."
        raise Refusal(ErrorCode.CLOCK_INVALID, sentence)
    return Clock("fischer", int(float(match[1]) * 60_000), int(match[2]) * 1000)
