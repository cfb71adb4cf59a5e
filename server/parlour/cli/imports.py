"""`parlour import`: add games or accounts from a file to a server."""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
from importlib import import_module
from typing import IO

from parlour.cli.commands import add_command
from parlour.cli.data_files import reading
from parlour.cli.setting_options import add_setting_options, load_settings
from parlour.cli.tally import Tally
from parlour.server.configuration.settings import Settings

OUTCOMES = {"imported": "imported", "known": "already there", "refused": "refused"}
OPTIONS = frozenset({"redis", "key_prefix", "archive", "data"})

DESCRIPTION = """\
Add the games or the accounts in a file to a server, while it is running or not, or to a new one. The file is one that
`parlour export` has written; games may also be any records, as JSON Lines or text. Import accounts before games: in a
file of text, games are those of the accounts and bots with the names of the players; other players are just names.

Every game is checked by its chain and its rules. A line that cannot be imported is reported with its number, a reason
and a code, and the others are imported. Existing games and accounts are not changed, so the same file can be imported
again, also after an interruption.

The exit code is 0 if all lines were imported or existed already, and 1 if any was refused.
"""

EPILOG = """\
examples:
  parlour import accounts accounts.jsonl --data /var/lib/parlour
  parlour import games games.jsonl.gz --redis redis://10.0.0.5/0 --archive postgresql://10.0.0.6/parlour
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = add_command(
        commands,
        "import",
        usage="parlour import games|accounts FILE [options]",
        description=DESCRIPTION,
        epilog=EPILOG,
        allow_abbrev=False,
    )
    parser.add_argument("what", metavar="games|accounts", choices=["games", "accounts"], help="contents of the file")
    parser.add_argument("file", metavar="FILE", help="the file to read; - for standard input")
    add_setting_options(parser, OPTIONS)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    settings = load_settings(arguments).settings
    tally = Tally()
    with reading(arguments.file) as source:
        is_complete = asyncio.run(_import(settings, arguments.what, source, tally))
    if not is_complete:
        tally.finish("Interrupted. Import the same file again to continue.")
        return 130
    tally.finish("" if tally.counts else f"The file has no {arguments.what}.")
    return 1 if tally.counts["refused"] else 0


async def _import(settings: Settings, what: str, source: IO[bytes], tally: Tally) -> bool:
    """Import a file; return False if the user has interrupted it. A batch that was begun is completed first."""
    # Imported late: it takes longer than all of --help.
    shared_target = import_module("parlour.server.backup.deployment").shared_target
    import_games = import_module("parlour.server.backup.game_import").import_games
    import_accounts = import_module("parlour.server.backup.account_import").import_accounts
    interrupted = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, interrupted.set)
    async with shared_target(settings) as target:
        batches = import_games(target, source) if what == "games" else import_accounts(target.pipeline, source)
        async for batch in batches:
            for line in batch:
                tally(OUTCOMES[line.outcome])
                if line.code is not None:
                    print(f"parlour: Line {line.number}: {line.sentence} [{line.code}]", file=sys.stderr)
            if interrupted.is_set():
                return False
    return True
