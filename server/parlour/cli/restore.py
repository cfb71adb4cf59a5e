"""`parlour restore`: fill an empty deployment with a backup."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Iterator
from importlib import import_module

from parlour.cli.commands import add_command
from parlour.cli.data_files import reading
from parlour.cli.setting_options import add_setting_options, load_settings
from parlour.cli.tally import Tally
from parlour.server.configuration.settings import Settings

OPTIONS = frozenset({"redis", "key_prefix", "archive", "data"})

DESCRIPTION = """\
Restore a file that `parlour backup` has written into an empty store and an empty archive of any kind. The whole file is
checked before anything is written. If the restore is interrupted, no server can use the store until the same file is
restored again, which completes it.
"""

EPILOG = """\
examples:
  parlour restore backup.jsonl.gz --data /var/lib/parlour
  parlour restore backup.jsonl.gz --redis redis+cluster://10.0.0.5:7000 --archive postgresql://10.0.0.6/parlour
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = add_command(
        commands,
        "restore",
        usage="parlour restore FILE [options]",
        description=DESCRIPTION,
        epilog=EPILOG,
        allow_abbrev=False,
    )
    parser.add_argument("file", metavar="FILE", help="a backup; - for standard input")
    add_setting_options(parser, OPTIONS)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    settings = load_settings(arguments).settings
    # Imported late: it takes longer than all of --help.
    lines = import_module("parlour.server.backup.lines")
    checked, restored = Tally("checked"), Tally("restored")
    with reading(arguments.file) as source:
        lines.read_header(source)
        for line in lines.read_content(source):
            checked(lines.kind_of(line))
        checked.finish()
        source.seek(0)
        try:
            asyncio.run(_restore(settings, source, restored))
        except KeyboardInterrupt:
            print("parlour: Interrupted. Restore the same file again to complete it.", file=sys.stderr)
            raise
    restored.finish("Servers can use the store and the archive now.")
    return 0


async def _restore(settings: Settings, source: Iterator[bytes], tally: Tally) -> None:
    opened = import_module("parlour.server.backup.deployment").target
    restore_backup = import_module("parlour.server.backup.backup").restore_backup
    async with opened(settings) as target:
        await restore_backup(target, source, tally)
