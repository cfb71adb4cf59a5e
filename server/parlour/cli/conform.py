"""`parlour conform`: test a server or a client for conformance to the protocol."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from parlour.cli.argument_types import checked
from parlour.cli.commands import add_command
from parlour.cli.help_formatter import HelpFormatter
from parlour.cli.server_argument import WAIT_HELP, ProblemPrinter, announce
from parlour.client.address import socket_address
from parlour.conform.profiles import Profile
from parlour.conform.rules import CLIENT_RULES, SERVER_RULES, Rule, listing
from parlour.protocol.errors import Refusal
from parlour.server.configuration.setting_types import duration, whole_number

if TYPE_CHECKING:
    from parlour.client.connect_errors import ConnectError

TIMEOUT = checked(duration(0.001, 3600))

DESCRIPTION = """\
Test whether a server or a client, in any programming language, conforms to the protocol. Print each rule as kept,
broken (with the last frames as evidence), not reached or not applicable, and a certificate if all is well.

--list prints the rules, --profile tests those of one kind of client, and --rule only some. With --restart, the kit
kills a server and checks that acknowledged commands survive. The help of each KIND explains these options.

exit codes: 0 if every rule that applies is kept; 1 if a rule is broken or was not reached; 2 if there is nothing to
check, such as a server that is not there.
"""

SERVER = """\
Run scripted clients against the server at URL and report on every rule of the protocol that applies to servers.

Two of these clients queue for the same game and expect to be paired with each other; a server that pairs them with
another opponent, such as a bot, conforms too. They connect as new guests, create an account and a bot, play at some
dozens of tables, and resign at the end. Use a server of your own: on a public one they might be paired with people.

With --restart, the kit also checks that acknowledged commands survive a kill. The shell runs COMMAND. It has to kill
the server with SIGKILL, or cut its power, and restart it at the same address; it may exit before the server is ready.
Without --restart, these rules do not apply.

example: parlour conform server ws://127.0.0.1:8765/ws
         parlour conform server ws://127.0.0.1:8765/ws --restart 'kill -9 $(cat server.pid); ./start-server'
"""

CLIENT = """\
Run COMMAND repeatedly, each time against a scripted server that injects a different fault: dropped connections, lost,
repeated and wrong updates, refusals, unknown messages. Report on every rule of the protocol that applies to clients.

COMMAND is any program that works without a person. Its environment contains
  PARLOUR_URL      the address of the server: ws://127.0.0.1:PORT/ws
  PARLOUR_GAME     the game: replica
  PARLOUR_PROFILE  what to do: player, spectator, lobby or bot
  PARLOUR_ROOM     the room to watch (spectator)
  PARLOUR_TOKEN    the token to say hello with (bot)
A player says hello, queues for the game, joins the room it is paired into, and plays any legal turn whenever it is to
move. A spectator joins PARLOUR_ROOM. A client of the lobby accepts the first open seek for the game, and joins the
room. A bot accepts the first challenge, joins the room, and plays. All of them exit with 0 when they have received the
result.

The output of COMMAND is ignored, except that the last line is quoted when a rule is broken. A client that takes longer
than --timeout for one game is killed, together with the processes it has started. Faults that take long by themselves,
such as silence, add to that time.

example: parlour conform client -- python docs/clients/random_player.py
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = add_command(commands, "conform", description=DESCRIPTION)
    kinds = parser.add_subparsers(title="what to test", metavar="KIND", required=True)
    server = _kind(kinds, "server", "test the server at a URL", SERVER, SERVER_RULES, "all")
    server.add_argument(
        "url", metavar="URL", type=_address, help="address of the server: HOST:PORT or ws://HOST:PORT/ws"
    )
    server.add_argument("--restart", metavar="COMMAND", help="shell command that kills and restarts the server")
    server.add_argument("--wait", action="store_true", help=WAIT_HELP)
    server.add_argument(
        "--subprotocol",
        metavar="ENCODING",
        choices=("both", "msgpack", "json"),
        default="both",
        help="encoding of the messages: msgpack, json or both (default: both)",
    )
    server.add_argument(
        "--timeout", metavar="SECONDS", type=TIMEOUT, default=5.0, help="time to wait for each message (default: 5)"
    )
    client = _kind(kinds, "client", "test a client, given the command that runs it", CLIENT, CLIENT_RULES, "player")
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
    default: str,
) -> argparse.ArgumentParser:
    parser = kinds.add_parser(
        name,
        help=purpose,
        description=description,
        epilog="--list prints the rules of each profile.",
        formatter_class=HelpFormatter,
    )
    parser.set_defaults(run=run, kind=name)
    parser.add_argument(
        "--profile",
        metavar="PROFILE",
        choices=[profile.value for profile in Profile],
        help=f"test the rules of one kind of client: {', '.join(Profile)} (default: {default})",
    )
    parser.add_argument("--list", action=ListRules, rules=rules, help="print the rules of each profile, and exit")
    parser.add_argument("--game", metavar="GAME", default="replica", help="the game to play (default: replica)")
    parser.add_argument(
        "--rule",
        "--only",
        dest="only",
        metavar="RULE",
        action="append",
        default=[],
        choices=[rule.key for rule in rules],
        help="test only this rule, without a certificate; can be repeated",
    )
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="seed of the random moves (default: 0)")
    parser.add_argument("--json", metavar="FILE", type=Path, help="also write the report to this file as JSON")
    return parser


class ListRules(argparse.Action):
    """Prints the rules, of the profile that was named before it or of each, and exits."""

    def __init__(self, rules: Sequence[Rule], **options: Any) -> None:
        super().__init__(nargs=0, **options)
        self._rules = rules

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, *_: object) -> None:
        print(listing(self._rules, Profile.named(namespace.profile) if namespace.profile else None))
        parser.exit()


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
    from parlour.protocol.codec import CODECS  # noqa: PLC0415
    from parlour.protocol.timing import FIRST_OPEN_TIMEOUT  # noqa: PLC0415

    problems, codecs = ProblemPrinter(), list(CODECS.values())
    while True:
        try:
            async with await open_socket(url, codecs[0], FIRST_OPEN_TIMEOUT):
                return None
        except ConnectError as error:
            if error.code is ConnectCode.NOT_PARLOUR:
                return None
            if error.code is ConnectCode.VERSION_MISMATCH and len(codecs) > 1:
                codecs.pop(0)  # it may speak the other encoding
                continue
            if not (wait and error.is_temporary):
                return error
            problems.report(error.sentence)
            await asyncio.sleep(1)
