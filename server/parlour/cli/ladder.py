"""`parlour ladder`: plays all levels of the computer against each other and writes how strong each of them is."""

from __future__ import annotations

import argparse
from itertools import combinations
from pathlib import Path

import msgspec

from parlour import games
from parlour.bots import levels
from parlour.bots.elo import Tally, strengths
from parlour.cli import contests
from parlour.cli.match import share, whole
from parlour.cli.progress import Progress

DESCRIPTION = """\
Plays every level of the computer against every other one, in each game, and prints a table for docs/bots.md. Ratings
are set so that level 5 has 1500 points. With --reach only levels that are near each other meet, which is much faster.
"""

MIDDLE, MIDDLE_RATING = "5", 1500


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "ladder",
        help="measure the strength of every level",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("game", nargs="*", help="games to measure (default: all)")
    parser.add_argument(
        "--games", dest="count", type=whole, default=20, metavar="N", help="for each pair (default: 20)"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="for other games (default: 1)")
    parser.add_argument("--scale", type=share, default=1.0, metavar="X", help="times the thinking time (default: 1)")
    parser.add_argument(
        "--reach", type=whole, metavar="N", help="levels further apart do not meet; styles meet levels 1 to 5"
    )
    parser.add_argument("--workers", type=whole, default=contests.processors(), metavar="N", help="processes to use")
    parser.add_argument("--write", type=Path, metavar="FILE", help="add the ratings to this JSON file")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    for key in arguments.game or games.keys():
        names = levels.names(games.find(key))
        meeting_pairs = pairs(names, arguments.reach)
        todo = [
            meeting
            for one, two in meeting_pairs
            for meeting in contests.meetings(
                key, games.find(key).options({}), one, two, arguments.count, arguments.seed, (arguments.scale,) * 2
            )
        ]
        standings = {pair: contests.Standing() for pair in meeting_pairs}
        with Progress(len(todo)) as progress:
            for meeting, played in contests.played(todo, arguments.workers):
                standings[meeting.one, meeting.two].add(meeting, played)
                progress.step(key)
        found = ratings(names, {pair: standing.tally for pair, standing in standings.items()})
        for line in table(key, names, standings, found):
            print(line)
        if arguments.write is not None:
            write(arguments.write, key, {name: rating for name, (rating, _) in found.items()})
    return 0


def pairs(names: tuple[str, ...], reach: int | None) -> list[tuple[str, str]]:
    """Who meets whom; with a reach, nobody whose games would tell little, or take longest.

    The games of levels that are far apart are known beforehand. A style has no number to go by: it meets other styles,
    and levels up to the middle.
    """

    def meet(one: str, two: str) -> bool:
        if reach is None or one not in levels.LEVELS:
            return True
        return int(two) - int(one) <= reach if two in levels.LEVELS else int(one) <= int(MIDDLE)

    return [pair for pair in combinations(names, 2) if meet(*pair)]


def ratings(names: tuple[str, ...], results: dict[tuple[str, str], Tally]) -> dict[str, tuple[int, int]]:
    """The rating of each level, with its error."""
    found = strengths(names, results)
    zero = MIDDLE_RATING - found[MIDDLE][0]
    return {name: (round(zero + points), round(error)) for name, (points, error) in found.items()}


def table(
    key: str,
    names: tuple[str, ...],
    standings: dict[tuple[str, str], contests.Standing],
    found: dict[str, tuple[int, int]],
) -> list[str]:
    """The ladder of a game in Markdown, strongest first: rating, and the score against each other level in percent."""
    game = games.find(key)
    order = sorted(names, key=lambda name: -found[name][0])
    lines = [
        f"### {game.info.name}",
        "",
        f"| level | rating | s/move | {' | '.join(order)} |",
        f"|:--|--:|--:|{'--:|' * len(order)}",
    ]
    for name in order:
        cells = [_percent(name, other, standings) for other in order]
        rating, error = found[name]
        seconds = _seconds(name, standings)
        lines.append(f"| {_label(key, name)} | {rating} ± {error} | {seconds:.3f} | {' | '.join(cells)} |")
    return [*lines, ""]


def _label(key: str, name: str) -> str:
    title = levels.title(games.find(key), name)
    return f"{name} ({title})" if title.lower() != name else name


def _percent(one: str, two: str, standings: dict[tuple[str, str], contests.Standing]) -> str:
    if (one, two) in standings:
        tally = standings[one, two].tally
        return f"{100 * tally.score / max(1, tally.games):.0f}"
    if (two, one) in standings:
        tally = standings[two, one].tally
        return f"{100 - 100 * tally.score / max(1, tally.games):.0f}"
    return ""


def _seconds(name: str, standings: dict[tuple[str, str], contests.Standing]) -> float:
    seconds, turns = 0.0, 0
    for pair, standing in standings.items():
        if name in pair:
            side = pair.index(name)
            seconds += standing.seconds[side]
            turns += standing.turns[side]
    return seconds / max(1, turns)


def write(file: Path, key: str, found: dict[str, int]) -> None:
    """Put the ratings of a game into the file that the server reads, beside those of the others."""
    known = msgspec.json.decode(file.read_bytes(), type=dict[str, dict[str, int]]) if file.exists() else {}
    known[key] = found
    file.write_bytes(msgspec.json.format(msgspec.json.encode(dict(sorted(known.items()))), indent=2) + b"\n")
