"""`parlour token`: create a bot account and print the token with which a program connects as that bot."""

from __future__ import annotations

import argparse
import asyncio
import getpass
import os
import stat
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO, get_args

from parlour.cli.commands import add_command
from parlour.cli.server_argument import ProblemPrinter, add_server_arguments, announce, chosen_servers
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import CreateToken, Scope, SignedIn

if TYPE_CHECKING:
    from parlour.client.client import Client

TIMEOUT = 20.0  # seconds for the answers of the server
PASSWORD = "PARLOUR_PASSWORD"  # noqa: S105 - the name of the variable

DESCRIPTION = """\
Create a bot that belongs to your account, or issue a new token for a bot you own, and print the token and nothing else.
A program that says hello with it plays as that bot, which is labelled as a bot everywhere. The previous token expires.

With --scope the token allows only a part of that: `read` to read what only the bot may see, `challenge` to find and
create games, `play` to play them. Repeat the option for several scopes.

Anyone who has the token can play as the bot. A file to which it is written, with --output or by the shell, can then be
read only by you.

You need an account on the server; --register creates one. The password is read from the environment variable
PARLOUR_PASSWORD, else from the terminal, else from the first line of standard input.
"""

EPILOG = """\
examples:
  parlour token Robbie --account Ann
  parlour token Robbie --account Ann --register
  parlour token Robbie --account Ann --scope challenge --scope play
  parlour token Robbie --account Ann --server https://play.example.org --output robbie.token
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = add_command(
        commands,
        "token",
        description=DESCRIPTION,
        epilog=EPILOG,
    )
    parser.add_argument("bot", metavar="BOT", help="name of the bot")
    add_server_arguments(parser)
    parser.add_argument("--account", metavar="NAME", help="name of your account (default: ask for it)")
    parser.add_argument("--register", action="store_true", help="create the account first")
    parser.add_argument(
        "--scope",
        dest="scopes",
        action="append",
        choices=get_args(Scope),
        metavar="SCOPE",
        help=f"limit the token to a scope: {', '.join(get_args(Scope))} (default: no limit)",
    )
    parser.add_argument(
        "--output", metavar="FILE", type=Path, help="write the token to this file, which only you can read"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    url = chosen_servers(arguments.server)[0]
    name, password = credentials(arguments.account, os.environ, new=arguments.register)
    announce(url)
    if arguments.output is None:
        _protect_output()
        print(asyncio.run(_token(url, name, password, arguments)))
    else:
        with private_file(arguments.output) as file:  # opened first: a token that cannot be stored is lost
            file.write(f"{asyncio.run(_token(url, name, password, arguments))}\n")
            file.truncate()
    return 0


def _protect_output() -> None:
    """Let only its owner read standard output, if that is a file."""
    handle = sys.stdout.fileno()
    try:
        if stat.S_ISREG(os.fstat(handle).st_mode):
            os.fchmod(handle, 0o600)
    except OSError as error:
        sentence = f"Others could read the token in this file: {error.strerror}. Write it to another one."
        raise Refusal(ErrorCode.OPTION_INVALID, sentence) from None


@contextmanager
def private_file(path: Path) -> Iterator[TextIO]:
    """Open a file for writing that only its owner can read. If the caller fails, its content stays as it was."""
    existed = path.exists()
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600)
        os.fchmod(handle, 0o600)
    except OSError as error:
        raise Refusal(ErrorCode.OPTION_INVALID, f"{path} cannot be written: {error.strerror}.") from None
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        try:
            yield file
        except BaseException:
            if not existed:
                path.unlink(missing_ok=True)
            raise


async def _token(url: str, name: str, password: str, arguments: argparse.Namespace) -> str:
    """Return the token of the bot. Raise Refusal or ConnectionError."""
    connector = Connector(url, wait=arguments.wait)
    sign_in = _register if arguments.register else _sign_in
    token = await sign_in(connector, name, password, arguments.bot)
    return await _limited(connector, token, arguments.scopes) if arguments.scopes else token


async def _limited(connector: Connector, token: str, scopes: list[Scope]) -> str:
    """Return a token that is limited to some scopes, and revoke the unlimited one."""
    async with connector.client(token) as bot:
        created = await bot.connection.ask(CreateToken(id=0, scopes=tuple(scopes)), SignedIn)
        await bot.sign_out()
    return created.token


def credentials(name: str | None, environ: Mapping[str, str], *, new: bool) -> tuple[str, str]:
    """Return name and password. Prompts go to standard error, since standard output is for the token."""
    at_terminal = sys.stdin.isatty()
    if name is None and not at_terminal:
        raise Refusal(ErrorCode.OPTION_INVALID, "--account is required if standard input is not a terminal.")
    if name is None:
        print("Name of your account: ", end="", file=sys.stderr, flush=True)
        name = sys.stdin.readline().strip()
    if PASSWORD in environ:
        return name, environ[PASSWORD]
    if at_terminal:
        password = getpass.getpass(f"Password of {name}: ", sys.stderr)
        if new and getpass.getpass("Repeat the password: ", sys.stderr) != password:
            raise Refusal(ErrorCode.OPTION_INVALID, "The passwords do not match.")
        return name, password
    return name, sys.stdin.readline().rstrip("\r\n")


async def _sign_in(connector: Connector, name: str, password: str, bot: str) -> str:
    async with connector.client() as guest:
        signed_in = await guest.sign_in(name, password)
        await guest.sign_out()
    async with connector.client(signed_in.token) as owner:
        return await _create_bot(owner, bot)


async def _register(connector: Connector, name: str, password: str, bot: str) -> str:
    async with connector.client() as owner:
        await owner.register(name, password)
        return await _create_bot(owner, bot)


async def _create_bot(owner: Client, bot: str) -> str:
    """Create the bot, sign its owner out again, and return the token of the bot."""
    try:
        made = await owner.create_bot(bot)
    finally:
        await owner.sign_out()
    return made.token


class Connector:
    """Connects to one server."""

    def __init__(self, url: str, *, wait: bool) -> None:
        self._url = url
        self._wait = wait
        self._problems = ProblemPrinter()

    @asynccontextmanager
    async def client(self, token: str | None = None) -> AsyncIterator[Client]:
        """Return a client whose requests are answered within a time limit. Raise ConnectionError."""
        from parlour.client.client import connect  # noqa: PLC0415  # takes longer than all of --help

        connecting = connect(
            self._url,
            token=token,
            program="parlour",
            wait=self._wait,
            timeout=None if self._wait else TIMEOUT,
            on_problem=self._problems.report if self._wait else _ignore,
        )
        async with connecting as client:
            try:
                async with asyncio.timeout(TIMEOUT):
                    yield client
            except TimeoutError:
                raise ConnectionError(f"{self._url} did not answer within {TIMEOUT:g} seconds.") from None


def _ignore(problem: str) -> None:
    """Say nothing: the problem ends the command and is printed then."""
