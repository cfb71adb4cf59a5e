"""`parlour conform`: holds a server, or a client, against the rules of the protocol."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from parlour.conform.rules import CLIENT_RULES, SERVER_RULES, Rule

DESCRIPTION = """\
Holds a server or a client, in whatever language it is written, against the rules of the protocol. Prints each rule as
kept, broken (with what was seen) or not reached, and exits with 0 only if all are kept.
"""

SERVER = """\
Plays scripted clients against the server at URL and reports every rule of the protocol that a server has to keep.

Two of these clients queue for the same game and expect to be paired with each other; a server that pairs them with
somebody else, a computer for instance, is fine too. They come as new guests, sit down at a handful of tables, and
resign at the end. Use a server of your own: on a busy one they may meet a person.

example: parlour conform server ws://127.0.0.1:8765/ws
"""

CLIENT = """\
Starts COMMAND again and again, each time against a scripted server that makes another thing go wrong: cut connections,
lost, repeated and wrong updates, refusals, messages that nobody knows. Reports every rule that a client has to keep.

COMMAND is any program that plays without a person. When it is started, it finds in its environment
  PARLOUR_URL    the address of the server: ws://127.0.0.1:PORT/ws
  PARLOUR_GAME   the game to play: replica
and must say hello, queue for that game, join the room it is paired into, play any legal turn whenever it has the move,
and exit with 0 when the game is over, that is when the result has come. What it prints is not looked at, but the last
line is quoted when something is broken. A client that takes longer than --timeout for one game is killed, with all
processes that it has started.

example: parlour conform client -- python docs/clients/random_player.py
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "conform", help="check a server or a client against the protocol", description=DESCRIPTION
    )
    kinds = parser.add_subparsers(title="what to check", metavar="KIND", required=True)
    server = _kind(kinds, "server", "check the server at a URL", SERVER, SERVER_RULES)
    server.add_argument("url", metavar="URL", help="where it listens: ws://HOST:PORT/ws")
    server.add_argument(
        "--subprotocol",
        choices=("both", "msgpack", "json"),
        default="both",
        help="the form of messages (default: both)",
    )
    server.add_argument(
        "--timeout", metavar="SECONDS", type=_seconds, default=5.0, help="wait so long for each message (default: 5)"
    )
    client = _kind(kinds, "client", "check the client that a command starts", CLIENT, CLIENT_RULES)
    client.usage = "parlour conform client [options] -- COMMAND [ARGUMENT ...]"
    client.add_argument("command", metavar="COMMAND", nargs="+", help="the program and its arguments, after --")
    client.add_argument("--timeout", metavar="SECONDS", type=_seconds, default=30.0, help="for one game (default: 30)")
    client.add_argument(
        "--at-once", metavar="N", type=_count, default=4, help="how many are started at the same time (default: 4)"
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
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run, kind=name)
    parser.add_argument("--game", metavar="GAME", default="replica", help="the game to play (default: replica)")
    parser.add_argument(
        "--only",
        metavar="RULE",
        action="append",
        default=[],
        choices=[rule.key for rule in rules],
        help="check only this rule; may be given several times",
    )
    parser.add_argument(
        "--seed", metavar="N", type=int, default=0, help="another number gives other games (default: 0)"
    )
    parser.add_argument("--json", metavar="FILE", type=Path, help="also write the report to this file, for programs")
    return parser


def run(arguments: argparse.Namespace) -> int:
    # Only now, since it takes longer to import than most other commands take altogether.
    code: int = import_module("parlour.conform.command").run(arguments)
    return code


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0
    if not 0 < seconds <= 3600:
        raise argparse.ArgumentTypeError("SECONDS is a number above 0, up to 3600")
    return seconds


def _count(text: str) -> int:
    count = int(text) if text.isascii() and text.isdigit() else 0
    if not 1 <= count <= 64:
        raise argparse.ArgumentTypeError("N is a whole number from 1 to 64")
    return count
