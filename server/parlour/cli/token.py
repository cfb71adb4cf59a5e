"""`parlour token`: create a bot account and print the token with which a program connects as that bot."""

from __future__ import annotations

import argparse
import asyncio
import getpass
import os
import sys
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from parlour.client.address import socket_address
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import CreateBot, Register, SignedIn, SignIn, SignOut

if TYPE_CHECKING:
    from parlour.client.connection import Connection

TIMEOUT = 20.0  # seconds
PASSWORD = "PARLOUR_PASSWORD"  # noqa: S105 - the name of the variable

DESCRIPTION = """\
Create a bot that belongs to your account, or issue a new token for a bot you own, and print the token and nothing else.
A program that says hello with it plays as that bot, which is labelled as a bot everywhere. The previous token expires.

You need an account on the server; --register creates one. The password is read from the environment variable
PARLOUR_PASSWORD, else from the terminal, else from the first line of standard input.
"""

EPILOG = """\
examples:
  parlour token Robbie --account Ann
  parlour token Robbie --account Ann --register
  parlour token Robbie --account Ann --server https://play.example.org > robbie.token
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "token",
        help="create a bot account and print its token",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("bot", metavar="BOT", help="name of the bot")
    parser.add_argument(
        "--server", metavar="URL", default="ws://127.0.0.1:8765/ws", help="address of the server (default: %(default)s)"
    )
    parser.add_argument("--account", metavar="NAME", help="name of your account (default: ask for it)")
    parser.add_argument("--register", action="store_true", help="create the account first")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    url = socket_address(arguments.server)
    name, password = _credentials(arguments.account, os.environ, new=arguments.register)
    fetch = _register if arguments.register else _sign_in
    try:
        token = asyncio.run(fetch(url, name, password, arguments.bot))
    except TimeoutError:
        print(f"parlour: No answer from {url} within {TIMEOUT:g} seconds.", file=sys.stderr)
        return 1
    except ConnectionError as error:
        print(f"parlour: The connection to {url} has ended: {error}", file=sys.stderr)
        return 1
    print(token)
    return 0


def _credentials(name: str | None, environ: Mapping[str, str], *, new: bool) -> tuple[str, str]:
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


async def _sign_in(url: str, name: str, password: str, bot: str) -> str:
    async with asyncio.timeout(TIMEOUT):
        async with _connected(url) as guest:
            signed_in = await guest.call(SignIn(id=0, name=name, password=password))
            await guest.call(SignOut(id=0))
        assert isinstance(signed_in, SignedIn)
        async with _connected(url, signed_in.token) as owner:
            return await _create_bot(owner, bot)


async def _register(url: str, name: str, password: str, bot: str) -> str:
    async with asyncio.timeout(TIMEOUT), _connected(url) as owner:
        await owner.call(Register(id=0, name=name, password=password))
        return await _create_bot(owner, bot)


async def _create_bot(owner: Connection, bot: str) -> str:
    """Create the bot, sign its owner out again, and return the token of the bot."""
    try:
        made = await owner.call(CreateBot(id=0, name=bot))
    finally:
        await owner.call(SignOut(id=0))
    assert isinstance(made, SignedIn)
    return made.token


def _connected(url: str, token: str | None = None) -> Connection:
    # Imported late: it takes longer than all of --help.
    made: Connection = import_module("parlour.client.connection").Connection([url], client="parlour token", token=token)
    return made
