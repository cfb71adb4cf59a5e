"""`parlour export`: write finished games in a form that other programs can read."""

from __future__ import annotations

import argparse
import asyncio
from datetime import UTC, datetime
from importlib import import_module
from typing import IO

from parlour.cli.data_files import STANDARD, writing
from parlour.cli.setting_options import add_setting_options, load_settings
from parlour.cli.tally import Tally
from parlour.server.settings import Settings

OPTIONS = frozenset({"redis", "key_prefix", "archive", "data"})

DESCRIPTION = """\
Write the records of finished games, newest first, while the server is running or not: one JSON object per line, or as
text. `parlour verify` checks such a record. Private games are left out, unless --player names one of their players.
"""

EPILOG = """\
examples:
  parlour export games games.jsonl.gz
  parlour export games --player Ada --game isaac --since 2026-11-01 --format text
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "export",
        help="write finished games to a file",
        usage="parlour export games [FILE] [options]",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("what", metavar="games", choices=["games"], help="what to write")
    parser.add_argument(
        "file", metavar="FILE", nargs="?", default=STANDARD, help="the file to write (default: -, standard output)"
    )
    parser.add_argument("--force", action="store_true", help="replace the file if it exists")
    parser.add_argument("--format", choices=["json", "text"], default="json", help="JSON Lines or text (default: json)")
    parser.add_argument("--player", metavar="NAME", help="only games of this player")
    parser.add_argument("--game", metavar="GAME", help="only games of this kind, such as isaac")
    parser.add_argument(
        "--since", metavar="TIME", type=_moment, help="only games that ended at or after this time (UTC)"
    )
    parser.add_argument("--until", metavar="TIME", type=_moment, help="only games that ended before this time (UTC)")
    add_setting_options(parser, OPTIONS)
    parser.set_defaults(run=run)


def _moment(text: str) -> int:
    """Return a date or a time in milliseconds since 1970."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a time such as 2026-11-18 or 2026-11-18T12:00") from None
    return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1000)


def run(arguments: argparse.Namespace) -> int:
    settings = load_settings(arguments).settings
    tally = Tally("written")
    with writing(arguments.file, force=arguments.force) as sink:
        asyncio.run(_export(settings, arguments, sink, tally))
    tally.finish()
    return 0


async def _export(settings: Settings, arguments: argparse.Namespace, sink: IO[bytes], tally: Tally) -> None:
    # Imported late: it takes longer than all of --help.
    game_export = import_module("parlour.server.backup.game_export")
    source = import_module("parlour.server.backup.deployment").source
    if arguments.game is not None:
        import_module("parlour.games").find(arguments.game)
    if arguments.format == "text":
        write = import_module("parlour.server.archive.text_format").write
    else:
        write = import_module("parlour.server.archive.verify").write_json
    async with source(settings) as opened:
        name = arguments.player
        wanted = import_module("parlour.server.archive.database.search").GameFilter(
            player=None if name is None else await game_export.player_named(opened.pipeline, name),
            game=arguments.game,
            since=arguments.since,
            until=None if arguments.until is None else arguments.until - 1,
        )
        for record in game_export.read_games(opened.engine, wanted):
            sink.write(f"{write(record)}\n".encode())
            tally("games")
