"""`parlour token`: an account for a program, and the token with which it connects."""

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
from parlour.protocol.messages import MakeBot, Register, SignedIn, SignIn, SignOut

if TYPE_CHECKING:
    from parlour.client.connection import Connection

ANSWER_WITHIN = 20.0  # seconds
PASSWORD = "PARLOUR_PASSWORD"  # noqa: S105 - where it is, not what it is

DESCRIPTION = """\
Makes a bot of yours on a server, or gives a new token to one that you have, and prints the token, nothing else. A
program that says hello with it plays as that bot, which is labelled as one everywhere. The token it had before ends.

You need an account there; --register makes one. The password is asked for, or taken from PARLOUR_PASSWORD in the
environment, or read from the first line of the standard input if that is no terminal.
"""

EPILOG = """\
examples:
  parlour token Robbie --name Ann
  parlour token Robbie --name Ann --register
  parlour token Robbie --name Ann --server https://play.example.org > robbie.token
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "token",
        help="make a bot account and print its token",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("bot", metavar="BOTNAME", help="what the bot is called, or will be")
    parser.add_argument(
        "--server", metavar="URL", default="ws://127.0.0.1:8765/ws", help="the server (default: %(default)s)"
    )
    parser.add_argument("--name", metavar="ACCOUNT", help="the name of your account (default: ask for it)")
    parser.add_argument("--register", action="store_true", help="make the account first")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    url = socket_address(arguments.server)
    name, password = _credentials(arguments.name, os.environ, new=arguments.register)
    find = _token_of_new if arguments.register else _token
    try:
        token = asyncio.run(find(url, name, password, arguments.bot))
    except TimeoutError:
        print(f"parlour: no answer from {url} within {ANSWER_WITHIN:g} seconds.", file=sys.stderr)
        return 1
    except ConnectionError as fault:
        print(f"parlour: {url} has ended the connection: {fault}", file=sys.stderr)
        return 1
    print(token)
    return 0


def _credentials(name: str | None, environ: Mapping[str, str], *, new: bool) -> tuple[str, str]:
    """Name and password, a new one twice. What is asked goes to the terminal, since the output is for the token."""
    at_terminal = sys.stdin.isatty()
    if name is None and not at_terminal:
        raise Refusal(ErrorCode.OPTION_INVALID, "--name must say which account is yours.")
    if name is None:
        print("Name of your account: ", end="", file=sys.stderr, flush=True)
        name = sys.stdin.readline().strip()
    if PASSWORD in environ:
        return name, environ[PASSWORD]
    if at_terminal:
        password = getpass.getpass(f"Password of {name}: ", sys.stderr)
        if new and getpass.getpass("Once more: ", sys.stderr) != password:
            raise Refusal(ErrorCode.OPTION_INVALID, "These were two passwords: type the same one twice.")
        return name, password
    return name, sys.stdin.readline().rstrip("\r\n")


async def _token(url: str, name: str, password: str, bot: str) -> str:
    async with asyncio.timeout(ANSWER_WITHIN):
        async with _connected(url) as guest:
            signed_in = await guest.call(SignIn(id=0, name=name, password=password))
            await guest.call(SignOut(id=0))
        assert isinstance(signed_in, SignedIn)
        async with _connected(url, signed_in.token) as owner:
            return await _made(owner, bot)


async def _token_of_new(url: str, name: str, password: str, bot: str) -> str:
    async with asyncio.timeout(ANSWER_WITHIN), _connected(url) as owner:
        await owner.call(Register(id=0, name=name, password=password))
        return await _made(owner, bot)


async def _made(owner: Connection, bot: str) -> str:
    """The token of the bot; that of its owner, who was here for this alone, ends."""
    try:
        made = await owner.call(MakeBot(id=0, name=bot))
    finally:
        await owner.call(SignOut(id=0))
    assert isinstance(made, SignedIn)
    return made.token


def _connected(url: str, token: str | None = None) -> Connection:
    # Only now, since it takes longer to import than --help takes altogether.
    made: Connection = import_module("parlour.client.connection").Connection([url], client="parlour token", token=token)
    return made
