"""`parlour backup`: write everything a deployment keeps to a file."""

from __future__ import annotations

import argparse
import asyncio
from importlib import import_module
from typing import IO

from parlour.cli.commands import add_command
from parlour.cli.data_files import STANDARD, writing
from parlour.cli.setting_options import add_setting_options, load_settings
from parlour.cli.tally import Tally
from parlour.server.configuration.settings import Settings

OPTIONS = frozenset({"redis", "key_prefix", "archive", "data"})

DESCRIPTION = """\
Write the accounts, ratings, running games and archive of a server to a file, while the server is running or not.
`parlour restore` reads it into any kind of store and archive: use both to move from the embedded store to a Redis, from
SQLite to PostgreSQL, or back. Stop the server before you move it: changes after the backup are not in it.

The file is JSON Lines, compressed if its name ends with .gz. It contains password hashes and digests of tokens: keep it
as safe as the server.
"""

EPILOG = """\
examples:
  parlour backup backup.jsonl.gz
  parlour backup backup.jsonl.gz --redis redis://10.0.0.5/0 --archive postgresql://10.0.0.6/parlour
  parlour backup - | ssh elsewhere parlour restore -
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = add_command(
        commands,
        "backup",
        usage="parlour backup FILE [options]",
        description=DESCRIPTION,
        epilog=EPILOG,
        allow_abbrev=False,
    )
    parser.add_argument("file", metavar="FILE", help="the file to write; - for standard output")
    parser.add_argument("--force", action="store_true", help="replace the file if it exists")
    add_setting_options(parser, OPTIONS)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    settings = load_settings(arguments).settings
    tally = Tally("written")
    with writing(arguments.file, force=arguments.force) as sink:
        asyncio.run(_write(settings, sink, tally))
    tally.finish("" if arguments.file == STANDARD else f"The backup is {arguments.file}.")
    return 0


async def _write(settings: Settings, sink: IO[bytes], tally: Tally) -> None:
    # Imported late: it takes longer than all of --help.
    opened = import_module("parlour.server.backup.deployment").source
    write_backup = import_module("parlour.server.backup.backup").write_backup
    async with opened(settings) as source:
        async for line in write_backup(source, tally):
            sink.write(line + b"\n")
