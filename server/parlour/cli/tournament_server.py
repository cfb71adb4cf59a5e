"""`parlour tournament create` and `list`, and the log of a tournament on a server."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
from collections.abc import Sequence
from datetime import UTC, datetime
from time import time

import msgspec

from parlour import games
from parlour.cli import position
from parlour.cli.account_argument import add_account_argument, credentials
from parlour.cli.bot import read_clock
from parlour.cli.connector import Connector
from parlour.cli.help_formatter import HelpFormatter
from parlour.cli.options_argument import add_options_argument
from parlour.cli.server_argument import add_server_arguments, announce, chosen_servers
from parlour.client.client import Client
from parlour.client.connection import RefusedError
from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import Record, TournamentSummary
from parlour.protocol.types import Terms, TournamentSettings
from parlour.server.archive.verify import read
from parlour.server.tournaments.game_records import Place, RecordedGame
from parlour.server.tournaments.games import game_room

CREATE = """\
Create a tournament on a server and print its id. Players enter it with a client, bots with `parlour bot --tournament`.
It begins --in some minutes, or as soon as there are enough players.

You need an account, which becomes the organiser. The password is read from the environment variable PARLOUR_PASSWORD,
else from the terminal, else from the first line of standard input.
"""

FORMATS = ("arena", "swiss", "round_robin", "knockout", "simul")
SIDES = ("first", "second", "alternating", "random")
MINUTE = 60_000  # milliseconds
HOUR = 60 * MINUTE


def add_create(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = actions.add_parser(
        "create",
        help="create a tournament on a server",
        description=CREATE,
        formatter_class=HelpFormatter,
    )
    parser.add_argument("game", metavar="GAME", help="the game to play")
    add_server_arguments(parser)
    add_account_argument(parser)
    parser.add_argument("--name", default="Tournament", help="name of the tournament (default: Tournament)")
    parser.add_argument(
        "--format", metavar="FORMAT", choices=FORMATS, default="arena", help=f"{', '.join(FORMATS)} (default: arena)"
    )
    parser.add_argument("--clock", default="5+3", help="minutes per game + seconds per move (default: 5+3)")
    add_options_argument(parser)
    parser.add_argument("--casual", action="store_true", help="do not rate the games")
    parser.add_argument("--in", dest="begin", type=float, metavar="MINUTES", help="when it begins")
    parser.add_argument("--every", type=float, default=0.0, metavar="HOURS", help="repeat it: hours between two starts")
    parser.add_argument("--duration", type=float, default=60.0, metavar="MINUTES", help="of an arena (default: 60)")
    parser.add_argument("--rounds", type=int, default=0, metavar="N", help="rounds of a Swiss tournament")
    parser.add_argument("--cycles", type=int, default=1, metavar="N", help="meetings of each pair in a round robin")
    parser.add_argument("--games", dest="count", type=int, default=1, metavar="N", help="games of each match")
    parser.add_argument("--pause", type=float, default=1.0, metavar="MINUTES", help="between rounds (default: 1)")
    parser.add_argument("--third-place", action="store_true", help="play for the third place of a knockout")
    parser.add_argument("--berserk", action="store_true", help="let players of an arena halve their clocks")
    parser.add_argument("--host-side", choices=SIDES, default="first", help="your side in a simul (default: first)")
    parser.add_argument("--players", type=int, nargs=2, default=(2, 64), metavar=("MIN", "MAX"), help="default: 2 64")
    parser.add_argument("--no-late-entry", action="store_true", help="let no players enter after the start")
    parser.add_argument("--entrants", choices=("all", "people", "bots"), default="all", help="default: all")
    parser.add_argument("--ratings", type=int, nargs=2, metavar=("LOW", "HIGH"), help="of the players who may enter")
    parser.add_argument("--code", default="", help="a code that players need to enter")
    parser.add_argument(
        "--level", metavar="LEVEL", dest="levels", action="append", default=[],
        help="a level of the computer enters; can be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--team", metavar="TEAM", dest="teams", action="append", default=[],
        help="a team that players enter for; can be repeated",
    )  # fmt: skip
    parser.set_defaults(run=run_create)


def add_list(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = actions.add_parser("list", help="list the tournaments of a server", description="List tournaments.")
    parser.add_argument("status", nargs="?", choices=("open", "running", "finished"), default="open")
    add_server_arguments(parser)
    parser.set_defaults(run=run_list)


def run_create(arguments: argparse.Namespace) -> int:
    url = chosen_servers(arguments.server)[0]
    settings = settings_of(arguments, int(time() * 1000))
    name, password = credentials(arguments.account, os.environ, new=False)
    announce(url)
    print(asyncio.run(_create(Connector(url, wait=arguments.wait), name, password, settings, arguments)))
    return 0


def run_list(arguments: argparse.Namespace) -> int:
    url = chosen_servers(arguments.server)[0]
    announce(url)
    for row in asyncio.run(_list(Connector(url, wait=arguments.wait), arguments.status)):
        print(line_of(row))
    return 0


def settings_of(arguments: argparse.Namespace, now: int) -> TournamentSettings:
    """Return the settings that the arguments describe.

    Raise Refusal for a game, options or a clock that do not exist.
    """
    # Checked here, but only those that are given are sent: a rated game must not name a seed.
    complete = position.parse_options(games.find(arguments.game), arguments.options)
    options = {key: complete[key] for key in json.loads(arguments.options)}
    is_arena = arguments.format == "arena"
    has_rounds = arguments.format not in ("arena", "simul")
    return TournamentSettings(
        name=arguments.name,
        format=arguments.format,
        terms=Terms(arguments.game, options, read_clock(arguments.clock), not arguments.casual),
        start=0 if arguments.begin is None else now + int(arguments.begin * MINUTE),
        every=int(arguments.every * HOUR),
        duration=int(arguments.duration * MINUTE) if is_arena else 0,
        rounds=arguments.rounds,
        cycles=arguments.cycles,
        games=arguments.count,
        third_place=arguments.third_place,
        pause=int(arguments.pause * MINUTE) if has_rounds else 0,
        min_players=arguments.players[0],
        max_players=arguments.players[1],
        late_entry=not arguments.no_late_entry,
        berserk=arguments.berserk,
        host_side=arguments.host_side,
        entrants=arguments.entrants,
        ratings=None if arguments.ratings is None else tuple(arguments.ratings),
        teams=tuple(arguments.teams),
    )


def line_of(row: TournamentSummary) -> str:
    """Return `Kp3v9XqT  Lunch arena: mapello, arena, 22 players, begins 2025-10-09 12:00 UTC`."""
    begin = datetime.fromtimestamp(row.start / 1000, UTC).strftime("%Y-%m-%d %H:%M UTC") if row.start else ""
    times = {"open": f"begins {begin}" if begin else "begins with enough players", "running": f"since {begin}"}
    winner = f"won by {row.winner.name}" if row.winner is not None else row.status
    kind = row.settings.format.replace("_", " ")
    players = f"{row.players} player{'' if row.players == 1 else 's'}"
    game = row.settings.terms.game
    return f"{row.tournament}  {row.settings.name}: {game}, {kind}, {players}, {times.get(row.status, winner)}"


def log_of(tournament: str, server: str, *, wait: bool) -> str:
    """Return the log of a tournament on a server, as it would be in a file."""
    return asyncio.run(_log(Connector(chosen_servers(server)[0], wait=wait), tournament))


def games_of(tournament: str, places: Sequence[Place], server: str, *, wait: bool) -> list[RecordedGame]:
    """Return games of a tournament on a server with their records."""
    return asyncio.run(_games(Connector(chosen_servers(server)[0], wait=wait), tournament, places))


async def _create(
    connector: Connector, name: str, password: str, settings: TournamentSettings, arguments: argparse.Namespace
) -> str:
    async with connector.signed_in(name, password) as organiser:
        return await organiser.tournaments.create(settings, code=arguments.code, levels=arguments.levels)


async def _list(connector: Connector, status: str) -> list[TournamentSummary]:
    found: list[TournamentSummary] = []
    async with connector.client() as guest:
        before = ""
        while True:
            page = await guest.tournaments.page(status, before)  # type: ignore[arg-type]
            found += page.rows
            if not page.more:
                return found
            before = page.more


async def _log(connector: Connector, tournament: str) -> str:
    async with connector.client() as guest:
        return "".join([f"{event}\n" async for event in guest.tournaments.log(tournament)])


async def _games(connector: Connector, tournament: str, places: Sequence[Place]) -> list[RecordedGame]:
    async with connector.client() as guest:
        found = []
        for place in places:
            record = await _record(guest, game_room(tournament, *place))
            # A record is part of the message.
            found.append(RecordedGame(tournament, *place, read(msgspec.json.encode(record).decode())))
        return found


async def _record(guest: Client, room: str) -> Record:
    """Return a record, as fast as the server allows it."""
    while True:
        try:
            return await guest.records.record(room)
        except RefusedError as refused:
            if refused.code != ErrorCode.TOO_FAST:
                raise
            await asyncio.sleep((refused.retry_after or 1_000) / 1_000)
