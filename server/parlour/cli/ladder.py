"""`parlour ladder`: rate the levels of the computer by playing them against each other."""

from __future__ import annotations

import argparse
from itertools import combinations
from pathlib import Path

import msgspec

from parlour import games
from parlour.bots import levels
from parlour.bots.elo import Tally, strengths
from parlour.cli import selfplay
from parlour.cli.commands import add_command
from parlour.cli.progress import Progress
from parlour.cli.selfplay_arguments import COUNT, add_arguments

DESCRIPTION = """\
Play every level of the computer against every other one, in each game, and print the ratings as a Markdown table.
Level 5 is rated 1500 by definition. With --reach only neighbouring levels play each other, which is much faster.
"""

EPILOG = "example: parlour ladder replica --games 10 --scale 0.25 --reach 3"

MIDDLE, MIDDLE_RATING = "5", 1500


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = add_command(
        commands,
        "ladder",
        description=DESCRIPTION,
        epilog=EPILOG,
    )
    parser.add_argument("game", metavar="GAME", nargs="*", help="games to play (default: all)")
    parser.add_argument(
        "--games",
        dest="count",
        type=COUNT,
        default=20,
        metavar="N",
        help="number of games for each pair of levels (default: 20)",
    )
    add_arguments(parser)
    parser.add_argument(
        "--reach", type=COUNT, metavar="N", help="skip levels more than N apart; styles play levels 1 to 5 only"
    )
    parser.add_argument("--write", type=Path, metavar="FILE", help="update the ratings in this JSON file")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    for key in arguments.game or games.keys():
        names = levels.names(games.find(key))
        level_pairs = pairs(names, arguments.reach)
        todo = [
            pairing
            for one, two in level_pairs
            for pairing in selfplay.pairings(
                key, games.find(key).options({}), one, two, arguments.count, arguments.seed, (arguments.scale,) * 2
            )
        ]
        results = {pair: selfplay.MatchResult() for pair in level_pairs}
        with Progress(len(todo)) as progress:
            for pairing, played in selfplay.play_all(todo, arguments.processes):
                results[pairing.one, pairing.two].add(pairing, played)
                progress.step(key)
        found = ratings(names, {pair: result.tally for pair, result in results.items()})
        for line in table(key, names, results, found):
            print(line)
        if arguments.write is not None:
            write(arguments.write, key, {name: rating for name, (rating, _) in found.items()})
    return 0


def pairs(names: tuple[str, ...], reach: int | None) -> list[tuple[str, str]]:
    """Return the pairs of levels that play each other.

    With a reach, skip levels far apart, whose results are a foregone conclusion. A style has no number: it plays the
    other styles and the levels up to the middle.
    """

    def is_pair(one: str, two: str) -> bool:
        if reach is None or one not in levels.LEVELS:
            return True
        return int(two) - int(one) <= reach if two in levels.LEVELS else int(one) <= int(MIDDLE)

    return [pair for pair in combinations(names, 2) if is_pair(*pair)]


def ratings(names: tuple[str, ...], results: dict[tuple[str, str], Tally]) -> dict[str, tuple[int, int]]:
    """Return the rating of each level and its standard error."""
    found = strengths(names, results)
    zero = MIDDLE_RATING - found[MIDDLE][0]
    return {name: (round(zero + points), round(error)) for name, (points, error) in found.items()}


def table(
    key: str,
    names: tuple[str, ...],
    results: dict[tuple[str, str], selfplay.MatchResult],
    found: dict[str, tuple[int, int]],
) -> list[str]:
    """Return a Markdown table of the levels, strongest first: rating, and score in percent against each other one."""
    game = games.find(key)
    order = sorted(names, key=lambda name: -found[name][0])
    lines = [
        f"### {game.info.name}",
        "",
        f"| level | rating | s/move | {' | '.join(order)} |",
        f"|:--|--:|--:|{'--:|' * len(order)}",
    ]
    for name in order:
        cells = [_percent(name, other, results) for other in order]
        rating, error = found[name]
        seconds = _seconds(name, results)
        lines.append(f"| {_label(key, name)} | {rating} ± {error} | {seconds:.3f} | {' | '.join(cells)} |")
    return [*lines, ""]


def _label(key: str, name: str) -> str:
    title = levels.title(games.find(key), name)
    return f"{name} ({title})" if title.lower() != name else name


def _percent(one: str, two: str, results: dict[tuple[str, str], selfplay.MatchResult]) -> str:
    if (one, two) in results:
        tally = results[one, two].tally
        return f"{100 * tally.score / max(1, tally.games):.0f}"
    if (two, one) in results:
        tally = results[two, one].tally
        return f"{100 - 100 * tally.score / max(1, tally.games):.0f}"
    return ""


def _seconds(name: str, results: dict[tuple[str, str], selfplay.MatchResult]) -> float:
    seconds, turns = 0.0, 0
    for pair, result in results.items():
        if name in pair:
            side = pair.index(name)
            seconds += result.seconds[side]
            turns += result.turns[side]
    return seconds / max(1, turns)


def write(file: Path, key: str, found: dict[str, int]) -> None:
    """Update the ratings of one game in the file that the server reads."""
    known = msgspec.json.decode(file.read_bytes(), type=dict[str, dict[str, int]]) if file.exists() else {}
    known[key] = found
    file.write_bytes(msgspec.json.format(msgspec.json.encode(dict(sorted(known.items()))), indent=2) + b"\n")
