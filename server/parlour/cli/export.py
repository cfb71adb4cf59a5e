"""`parlour export`: write finished games or accounts in a form that other programs can read."""

from __future__ import annotations

import argparse
import asyncio
from datetime import UTC, datetime
from importlib import import_module
from typing import IO

from parlour.cli.commands import add_command
from parlour.cli.data_files import STANDARD, writing
from parlour.cli.setting_options import add_setting_options, load_settings
from parlour.cli.tally import Tally
from parlour.server.configuration.settings import Settings

OPTIONS = frozenset({"redis", "key_prefix", "archive", "data"})
GAMES_ONLY = ("format", "player", "game", "since", "until", "private")

DESCRIPTION = """\
Write finished games, newest first, or all accounts, while the server is running or not. `parlour import` adds them to
another server, and `parlour verify` checks a game.

Games are one JSON object per line, or text. A line also has the ids of the players and whether the game was private,
for an import; a text has only public data. Private games are left out, unless --private is given or --player
names one of their players.

Accounts and their bots are one JSON object per line, with their ratings and the hashes of their passwords: keep the
file as safe as the server. It has no tokens: players sign in again, and bots need a new token.
"""

EPILOG = """\
examples:
  parlour export games games.jsonl.gz --private
  parlour export games --player Ada --game isaac --since 2026-11-01 --format text
  parlour export accounts accounts.jsonl
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = add_command(
        commands,
        "export",
        usage="parlour export games|accounts [FILE] [options]",
        description=DESCRIPTION,
        epilog=EPILOG,
        allow_abbrev=False,
    )
    parser.add_argument("what", metavar="games|accounts", choices=["games", "accounts"], help="what to write")
    parser.add_argument(
        "file", metavar="FILE", nargs="?", default=STANDARD, help="the file to write (default: -, standard output)"
    )
    parser.add_argument("--force", action="store_true", help="replace the file if it exists")
    games = parser.add_argument_group("games")
    games.add_argument("--format", choices=["json", "text"], help="JSON Lines or text (default: json)")
    games.add_argument("--player", metavar="NAME", help="only games of this player")
    games.add_argument("--game", metavar="GAME", help="only games of this kind, such as isaac")
    games.add_argument(
        "--since", metavar="TIME", type=_moment, help="only games that ended at or after this time (UTC)"
    )
    games.add_argument("--until", metavar="TIME", type=_moment, help="only games that ended before this time (UTC)")
    games.add_argument("--private", action="store_true", default=None, help="private games, too")
    add_setting_options(parser, OPTIONS)
    parser.set_defaults(run=run, error=parser.error)


def _moment(text: str) -> int:
    """Return a date or a time in milliseconds since 1970."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a time such as 2026-11-18 or 2026-11-18T12:00") from None
    return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1000)


def run(arguments: argparse.Namespace) -> int:
    if arguments.what == "accounts":
        for name in GAMES_ONLY:
            if getattr(arguments, name) is not None:
                arguments.error(f"--{name} is for games, not for accounts")
    settings = load_settings(arguments).settings
    tally = Tally("written")
    with writing(arguments.file, force=arguments.force) as sink:
        export = _export_accounts if arguments.what == "accounts" else _export_games
        asyncio.run(export(settings, arguments, sink, tally))
    tally.finish()
    return 0


async def _export_games(settings: Settings, arguments: argparse.Namespace, sink: IO[bytes], tally: Tally) -> None:
    # Imported late: it takes longer than all of --help.
    game_export = import_module("parlour.server.backup.game_export")
    source = import_module("parlour.server.backup.deployment").source
    write_text = import_module("parlour.server.archive.text_format").write
    write_line = import_module("parlour.server.backup.game_lines").write_line
    if arguments.game is not None:
        import_module("parlour.games").find(arguments.game)
    async with source(settings) as opened:
        name = arguments.player
        wanted = import_module("parlour.server.archive.database.search").GameFilter(
            player=None if name is None else await game_export.player_named(opened.pipeline, name),
            game=arguments.game,
            since=arguments.since,
            until=None if arguments.until is None else arguments.until - 1,
            private=bool(arguments.private),
        )
        for each in game_export.export_games(opened.engine, wanted):
            if arguments.format == "text":
                sink.write(write_text(each.game.record).encode() + b"\n")
            else:
                sink.write(write_line(each.game, each.ratings) + b"\n")
            tally("games")


async def _export_accounts(settings: Settings, _: argparse.Namespace, sink: IO[bytes], tally: Tally) -> None:
    export_accounts = import_module("parlour.server.backup.account_export").export_accounts
    source = import_module("parlour.server.backup.deployment").source
    write_line = import_module("parlour.server.backup.account_lines").write_line
    async with source(settings) as opened:
        async for line in export_accounts(opened.pipeline):
            sink.write(write_line(line) + b"\n")
            tally(f"{line.kind}s")
