"""`parlour conform`: test a server or a client for conformance to the protocol."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from parlour.cli.argument_types import checked
from parlour.cli.help_formatter import HelpFormatter
from parlour.cli.server_argument import WAIT_HELP, ProblemPrinter, announce
from parlour.client.address import socket_address
from parlour.conform.rules import CLIENT_RULES, SERVER_RULES, Rule
from parlour.protocol.errors import Refusal
from parlour.server.setting_types import duration, whole_number

if TYPE_CHECKING:
    from parlour.client.connect_errors import ConnectError

TIMEOUT = checked(duration(0.001, 3600))

DESCRIPTION = """\
Test whether a server or a client, in any programming language, conforms to the protocol. Print each rule as kept,
broken (with the evidence) or not reached, and exit with 0 only if all rules are kept.
"""

SERVER = """\
Run scripted clients against the server at URL and report on every rule of the protocol that applies to servers.

Two of these clients queue for the same game and expect to be paired with each other; a server that pairs them with
another opponent, such as a bot, conforms too. They connect as new guests, play at a handful of tables, and resign at
the end. Use a server of your own: on a public one they might be paired with people.

example: parlour conform server ws://127.0.0.1:8765/ws
"""

CLIENT = """\
Run COMMAND repeatedly, each time against a scripted server that injects a different fault: dropped connections, lost,
repeated and wrong updates, refusals, unknown messages. Report on every rule of the protocol that applies to clients.

COMMAND is any program that plays without a person. Its environment contains
  PARLOUR_URL    the address of the server: ws://127.0.0.1:PORT/ws
  PARLOUR_GAME   the game to play: replica
It must say hello, queue for that game, join the room it is paired into, play any legal turn whenever it is to move, and
exit with 0 when it has received the result. Its output is ignored, except that the last line is quoted when a rule is
broken. A client that takes longer than --timeout for one game is killed, together with the processes it has started.

example: parlour conform client -- python docs/clients/random_player.py
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser("conform", help="test a server or a client for conformance", description=DESCRIPTION)
    kinds = parser.add_subparsers(title="what to test", metavar="KIND", required=True)
    server = _kind(kinds, "server", "test the server at a URL", SERVER, SERVER_RULES)
    server.add_argument(
        "url", metavar="URL", type=_address, help="address of the server: HOST:PORT or ws://HOST:PORT/ws"
    )
    server.add_argument("--wait", action="store_true", help=WAIT_HELP)
    server.add_argument(
        "--subprotocol",
        choices=("both", "msgpack", "json"),
        default="both",
        help="encoding of the messages (default: both)",
    )
    server.add_argument(
        "--timeout", metavar="SECONDS", type=TIMEOUT, default=5.0, help="time to wait for each message (default: 5)"
    )
    client = _kind(kinds, "client", "test a client, given the command that runs it", CLIENT, CLIENT_RULES)
    client.usage = "parlour conform client [options] -- COMMAND ..."
    client.add_argument("command", metavar="COMMAND", nargs="+", help="the program and its arguments, after --")
    client.add_argument(
        "--timeout", metavar="SECONDS", type=TIMEOUT, default=30.0, help="time for one game (default: 30)"
    )
    client.add_argument(
        "--concurrency",
        metavar="N",
        type=checked(whole_number(1, 64)),
        default=4,
        help="number of clients to run at the same time (default: 4)",
    )


def _kind(
    kinds: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    purpose: str,
    description: str,
    rules: Sequence[Rule],
) -> argparse.ArgumentParser:
    listed = "\n".join(f"  {rule.key:<20}{rule.sentence}" for rule in rules)
    parser = kinds.add_parser(
        name,
        help=purpose,
        description=description,
        epilog=f"rules:\n{listed}",
        formatter_class=HelpFormatter,
    )
    parser.set_defaults(run=run, kind=name)
    parser.add_argument("--game", metavar="GAME", default="replica", help="the game to play (default: replica)")
    parser.add_argument(
        "--only",
        metavar="RULE",
        action="append",
        default=[],
        choices=[rule.key for rule in rules],
        help="test only this rule; can be repeated",
    )
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="seed of the random moves (default: 0)")
    parser.add_argument("--json", metavar="FILE", type=Path, help="also write the report to this file as JSON")
    return parser


def _address(text: str) -> str:
    try:
        return socket_address(text)
    except Refusal as refusal:
        raise argparse.ArgumentTypeError(refusal.sentence) from None


def run(arguments: argparse.Namespace) -> int:
    if arguments.kind == "server":
        announce(arguments.url)
        problem = asyncio.run(_reach(arguments.url, wait=arguments.wait))
        if problem is not None:
            print(f"parlour: {problem} [{problem.code}]", file=sys.stderr)
            return 2  # there is nothing to check; 1 would say that a rule is broken
    # Imported late: it takes longer than most other commands take to run.
    code: int = import_module("parlour.conform.command").run(arguments)
    return code


async def _reach(url: str, *, wait: bool) -> ConnectError | None:
    """Return why there is no server, or None if there is one; with `wait`, only if trying again cannot help.

    Only what lies below the protocol is checked here: the rest is the task of the rules.
    """
    # Imported late, like all that connects.
    from parlour.client.connect_errors import ConnectCode, ConnectError  # noqa: PLC0415
    from parlour.client.websocket import open_socket  # noqa: PLC0415
    from parlour.protocol.codec import MSGPACK  # noqa: PLC0415
    from parlour.protocol.timing import FIRST_OPEN_TIMEOUT  # noqa: PLC0415

    problems = ProblemPrinter()
    while True:
        try:
            async with await open_socket(url, MSGPACK, FIRST_OPEN_TIMEOUT):
                return None
        except ConnectError as error:
            if error.code in (ConnectCode.VERSION_MISMATCH, ConnectCode.NOT_PARLOUR):
                return None
            if not (wait and error.is_temporary):
                return error
            problems.report(error.sentence)
            await asyncio.sleep(1)
