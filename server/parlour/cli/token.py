"""`parlour token`: create a bot account and print the token with which a program connects as that bot."""

from __future__ import annotations

import argparse
import asyncio
import os
import stat
import sys
from pathlib import Path
from typing import get_args

from parlour.cli.account_argument import add_account_argument, credentials
from parlour.cli.commands import add_command
from parlour.cli.connector import Connector
from parlour.cli.private_file import private_file
from parlour.cli.server_argument import add_server_arguments, announce, chosen_servers
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import CreateToken, Scope, SignedIn

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
    add_account_argument(parser)
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


async def _token(url: str, name: str, password: str, arguments: argparse.Namespace) -> str:
    """Return the token of the bot. Raise Refusal or ConnectionError."""
    connector = Connector(url, wait=arguments.wait)
    if arguments.register:
        token = await _register(connector, name, password, arguments.bot)
    else:
        async with connector.signed_in(name, password) as owner:
            token = (await owner.create_bot(arguments.bot)).token
    return await _limited(connector, token, arguments.scopes) if arguments.scopes else token


async def _register(connector: Connector, name: str, password: str, bot: str) -> str:
    """Create the account and the bot, and return the token of the bot."""
    async with connector.client() as owner:
        await owner.register(name, password)
        try:
            return (await owner.create_bot(bot)).token
        finally:
            await owner.sign_out()


async def _limited(connector: Connector, token: str, scopes: list[Scope]) -> str:
    """Return a token that is limited to some scopes, and revoke the unlimited one."""
    async with connector.client(token) as bot:
        created = await bot.connection.ask(CreateToken(id=0, scopes=tuple(scopes)), SignedIn)
        await bot.sign_out()
    return created.token
