"""`parlour tournament`: tournaments on a server and of the computer's levels, and the logs of tournaments."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from time import time

from parlour import games
from parlour.bots import ladder, levels
from parlour.bots.elo import Tally, strengths
from parlour.cli import position, tournament_server
from parlour.cli.commands import add_command
from parlour.cli.computer_cup import ComputerCup
from parlour.cli.help_formatter import HelpFormatter
from parlour.cli.options_argument import add_options_argument
from parlour.cli.selfplay_arguments import add_arguments
from parlour.cli.server_argument import add_server_arguments
from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.types import Terms
from parlour.server.tournaments import game_records
from parlour.server.tournaments.game_records import played_games
from parlour.tournaments import json_export, log_file, trf
from parlour.tournaments.cross_table import arena_cross_table, cross_table, points
from parlour.tournaments.events import Event
from parlour.tournaments.settings import ComputerPlay, Settings
from parlour.tournaments.state import Match, TournamentState, fold

CUP_FORMATS = ("round_robin", "swiss", "knockout")  # an arena depends on how long games take

CROSS_TABLE = 40  # players of an arena, at most, for a table with a column for each of them

DESCRIPTION = """\
Create a tournament on a server, let the levels of the computer play one here, and look at the log of one.
`parlour verify` checks a log.
"""

RUN = """\
Play a tournament between levels of the computer: each against each other one (round_robin), a Swiss tournament, or a
knockout. The same seed gives the same games.

With --log, every event is written to a file as it happens. If that file exists, the tournament in it is continued, so
that nothing is lost on Ctrl-C.
"""

EPILOG = """\
examples:
  parlour tournament run mapello
        every level against every other one
  parlour tournament run replica 4 5 6 7 8 minimax --format swiss --games 2 --log cup.jsonl
  parlour tournament show cup.jsonl
  parlour tournament export cup.jsonl --as trf > cup.trf
  parlour tournament create mapello --account Ann --name "Lunch arena" --in 10 --duration 45
  parlour tournament show Kp3v9XqT --server https://play.example.org
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = add_command(
        commands,
        "tournament",
        description=DESCRIPTION,
        epilog=EPILOG,
    )
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    _add_run(actions)
    tournament_server.add_create(actions)
    tournament_server.add_list(actions)
    show = actions.add_parser("show", help="print the standings and the results", description="Print a tournament.")
    _add_source(show)
    show.set_defaults(run=run_show)
    export = actions.add_parser(
        "export", help="write a tournament in another format", description="Export a tournament."
    )
    _add_source(export)
    export.add_argument(
        "--as", dest="kind", choices=("json", "text", "trf", "log", "records"), default="json",
        help="json, a text with the cross table, trf, the report file of FIDE, the log, or with --server also the "
        "records of all games (default: json)",
    )  # fmt: skip
    export.set_defaults(run=run_export)


def _add_source(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "source", metavar="FILE", help="the log of a tournament; - for standard input; with --server, its id there"
    )
    add_server_arguments(parser)


def _add_run(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = actions.add_parser(
        "run",
        help="play a tournament between levels of the computer",
        description=RUN,
        formatter_class=HelpFormatter,
    )
    parser.add_argument("game", metavar="GAME", help="the game to play")
    parser.add_argument("levels", metavar="LEVEL", nargs="*", help="levels that take part (default: all)")
    parser.add_argument("--format", choices=CUP_FORMATS, default="round_robin", help="default: round_robin")
    parser.add_argument("--name", default="Computer cup", help="name of the tournament (default: Computer cup)")
    parser.add_argument(
        "--games", dest="count", type=int, default=2, metavar="N",
        help="games of each match; two share an opening, with sides swapped (default: 2)",
    )  # fmt: skip
    parser.add_argument("--rounds", type=int, default=0, metavar="N", help="rounds of a Swiss tournament")
    parser.add_argument(
        "--cycles", type=int, default=1, metavar="N", help="1 or 2 meetings of each pair in a round robin"
    )
    parser.add_argument("--third-place", action="store_true", help="play for the third place of a knockout")
    add_options_argument(parser)
    add_arguments(parser)
    parser.add_argument(
        "--log", type=Path, metavar="FILE", help="write the log to this file, or continue the one in it"
    )
    parser.set_defaults(run=run_cup)


def run_cup(arguments: argparse.Namespace) -> int:
    game = games.find(arguments.game)
    settings = Settings(
        name=arguments.name,
        terms=Terms(arguments.game, dict(position.parse_options(game, arguments.options))),
        format=arguments.format,
        games=arguments.count,
        rounds=arguments.rounds,
        cycles=arguments.cycles,
        third_place=arguments.third_place,
        computer=ComputerPlay(arguments.seed, arguments.scale),
    )
    known = _known(arguments.log)
    with (arguments.log or Path(os.devnull)).open("a", encoding="utf-8") as sink:

        def record(event: Event) -> None:
            sink.write(log_file.write(event))
            sink.flush()

        cup = ComputerCup(settings, known, record, lambda: int(time() * 1000), arguments.processes)
        for name in dict.fromkeys(levels.resolve(game, name) for name in arguments.levels or levels.names(game)):
            cup.enter(name, levels.title(game, name), ladder.rating(arguments.game, name) or 0)
        for number in cup.play():
            for line in _round_lines(cup.state, number):
                print(line)
    for line in _final_lines(cup.state):
        print(line)
    return 0


def run_show(arguments: argparse.Namespace) -> int:
    state = fold(log_file.read(_source(arguments)))
    for line in _summary(state):
        print(line)
    for number in range(1, len(state.rounds) + 1):
        for line in _round_lines(state, number):
            print(line)
    for line in _final_lines(state):
        print(line)
    return 0


def run_export(arguments: argparse.Namespace) -> int:
    events = log_file.read(_source(arguments))
    state = fold(events)
    match arguments.kind:
        case "json":
            print(json_export.document(state))
        case "log":
            sys.stdout.writelines(map(log_file.write, events))
        case "records":
            sys.stdout.writelines(map(log_file.write, events))
            sys.stdout.writelines(_record_lines(arguments, state))
        case "trf":
            sys.stdout.write(trf.report(state, events[0].at, events[-1].at))
        case _:
            for line in (*_summary(state), *_final_lines(state)):
                print(line)
    return 0


def _record_lines(arguments: argparse.Namespace, state: TournamentState) -> Iterator[str]:
    """Yield the lines of all games that were played, which only a server has."""
    if arguments.server is None:
        raise Refusal(ErrorCode.RECORD_UNKNOWN, "The records are on the server: name it with --server.")
    places = list(played_games(state))
    for game in tournament_server.games_of(arguments.source, places, arguments.server, wait=arguments.wait):
        yield game_records.write(game)


def _known(file: Path | None) -> list[Event]:
    """Return the events of a log to continue."""
    if file is None or not file.exists() or not file.stat().st_size:
        return []
    return log_file.read(_text(str(file)))


def _source(arguments: argparse.Namespace) -> str:
    """Return the log that a command is about, from a file or from a server."""
    if arguments.server is None:
        return _text(arguments.source)
    return tournament_server.log_of(arguments.source, arguments.server, wait=arguments.wait)


def _text(file: str) -> str:
    try:
        return sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    except OSError as error:
        hint = "For a tournament of a server, add --server URL."
        raise Refusal(ErrorCode.RECORD_UNKNOWN, f"The file cannot be read: {error.strerror or error}. {hint}") from None
    except UnicodeError:
        raise Refusal(ErrorCode.RECORD_BROKEN, "The file is not UTF-8 text.") from None


def _summary(state: TournamentState) -> list[str]:
    settings = state.settings
    kind = settings.format.replace("_", " ")
    return [f"{settings.name}: {settings.game}, {kind}, {len(state.entries)} players, {state.status}", ""]


def _round_lines(state: TournamentState, number: int) -> list[str]:
    name = {entry.player: entry.name for entry in state.entries}
    played = state.rounds[number - 1]
    width = max((len(name[match.first]) for match in played.matches), default=0)
    lines = [f"Round {number}"]
    lines += [f"  {name[match.first]:>{width}} {_score(match)} {name[match.second]}" for match in played.matches]
    return [*lines, *(f"  {name[player]:>{width}} has a bye" for player in played.byes), ""]


def _score(match: Match) -> str:
    return f"{points(match.points(match.first)):>3} : {points(match.points(match.second)):<3}"


def _final_lines(state: TournamentState) -> list[str]:
    """Return the cross table, and the strength of the players according to the games."""
    lines = [*cross_table(state), ""]
    if state.settings.format == "arena" and len(state.entries) <= CROSS_TABLE:
        lines += ["Points and games against each player", *arena_cross_table(state), ""]
    tallies = _tallies(state)
    if not tallies:
        return lines
    rated = strengths([entry.player for entry in state.entries], tallies)
    name = {entry.player: entry.name for entry in state.entries}
    width = max(map(len, name.values()))
    lines.append("Strength in rating points around the average, with the limits of 95 % confidence")
    for player, (strength, error) in sorted(rated.items(), key=lambda item: -item[1][0]):
        lines.append(f"  {name[player]:{width}} {strength:+6.0f} ± {error:.0f}")
    return lines


def _tallies(state: TournamentState) -> dict[tuple[str, str], Tally]:
    """Return the results of all games that were played, by pair of players."""
    found: dict[tuple[str, str], Tally] = {}
    for one, two in combinations([entry.player for entry in state.entries], 2):
        winners = [
            winner
            for played in state.rounds
            for match in played.matches
            if {match.first, match.second} == {one, two}
            for game, winner in enumerate(match.winners)
            if game not in match.forfeits
        ]
        if winners:
            found[one, two] = Tally(winners.count(one), winners.count(two), winners.count(None))
    return found
