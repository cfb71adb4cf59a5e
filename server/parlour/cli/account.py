"""`parlour account`: export what a server has stored about a player, or set a new password with a recovery code."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

import msgspec

from parlour.cli.account_argument import add_account_argument, credentials
from parlour.cli.commands import add_command
from parlour.cli.connector import Connector
from parlour.cli.private_file import private_file
from parlour.cli.server_argument import add_server_arguments, announce, chosen_servers
from parlour.protocol.messages import AccountData, ExportAccount, RecoverAccount, SignedIn

DESCRIPTION = """\
Sign in to your account and print everything that the server has stored about it, as JSON: name, devices, bots, ratings
with their history, operators' decisions, and all finished games. `parlour export games` of the operator, or
/api/v1/records/ROOM.txt, has the moves of a game.

With recover, set a new password with a recovery code of the account, and sign out all devices.

The password is read from the environment variable PARLOUR_PASSWORD, else from the terminal, else from the first line
of standard input; the recovery code from the terminal, else from the next line.
"""

EPILOG = """\
examples:
  parlour account export --account Ann
  parlour account export --account Ann --server https://play.example.org --output ann.json
  parlour account recover --account Ann --server https://play.example.org
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = add_command(
        commands,
        "account",
        description=DESCRIPTION,
        epilog=EPILOG,
    )
    parser.add_argument("action", metavar="export|recover", choices=["export", "recover"], help="what to do")
    add_server_arguments(parser)
    add_account_argument(parser)
    parser.add_argument("--output", metavar="FILE", type=Path, help="write to this file, which only you can read")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    url = chosen_servers(arguments.server)[0]
    recovers = arguments.action == "recover"
    name, password = credentials(arguments.account, os.environ, new=recovers)
    code = read_code() if recovers else ""
    announce(url)
    if recovers:
        asyncio.run(_recover(Connector(url, wait=arguments.wait), name, code, password))
        print(f"{name} has a new password, and all devices are signed out.")
        return 0
    data = asyncio.run(_export(Connector(url, wait=arguments.wait), name, password))
    text = json.dumps(data, ensure_ascii=False, indent=2)
    if arguments.output is None:
        print(text)
    else:
        with private_file(arguments.output) as file:
            file.write(f"{text}\n")
            file.truncate()
    return 0


def read_code() -> str:
    """Return the recovery code that the user types or pipes. The prompt goes to standard error."""
    print("Recovery code: ", end="" if sys.stdin.isatty() else "\n", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip()


async def _recover(connector: Connector, name: str, code: str, password: str) -> None:
    """Set a new password. Raise Refusal or ConnectionError."""
    async with connector.client() as guest:
        command = RecoverAccount(id=0, name=name, code=code, password=password)
        signed_in = await guest.connection.ask(command, SignedIn)
        await guest.sign_out()
    async with connector.client(signed_in.token) as client:
        await client.sign_out()


async def _export(connector: Connector, name: str, password: str) -> dict[str, Any]:
    """Return the data of the account and its finished games. Raise Refusal or ConnectionError."""
    async with connector.signed_in(name, password) as client:
        answer = await client.connection.ask(ExportAccount(id=0), AccountData)
        data: dict[str, Any] = json.loads(answer.data)
        data["finished_games"] = [msgspec.to_builtins(game) async for game in client.records.games(client.you.name)]
    return data
