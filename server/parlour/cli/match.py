"""`parlour match`: plays two levels of the computer against each other and says which is stronger, and by how much."""

from __future__ import annotations

import argparse
import json
import sys

from parlour.bots.elo import difference
from parlour.cli import contests, position
from parlour.cli.progress import Progress
from parlour.games import find

DESCRIPTION = """\
Plays two levels of the computer against each other. Every opening is random but even, and is played twice, with the
sides changed. The same seed gives the same games.
"""

EPILOG = """\
examples:
  parlour match replica 8 minimax --games 100
  parlour match mapello 8 6 --games 60 --scale 0.25 --json
        the expert and level 6, each with a quarter of its thinking time
  parlour match mapello 8 6 --games 60 --scale 0.25 --scale-b 1
        the expert with a quarter of its thinking time, level 6 with all of its own
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "match",
        help="play levels of the computer against each other",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("game", help="the game")
    parser.add_argument("a", metavar="A", help="a level: 1 to 8, or a name such as greedy")
    parser.add_argument("b", metavar="B", help="the other level")
    parser.add_argument("--games", dest="count", type=whole, default=20, metavar="N", help="how many (default: 20)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="for other games (default: 1)")
    parser.add_argument("--options", metavar="JSON", default="{}", help="the game's options, as a JSON object")
    parser.add_argument("--scale", type=share, default=1.0, metavar="X", help="times the thinking time (default: 1)")
    parser.add_argument("--scale-b", type=share, metavar="Y", help="the same for B alone (default: as --scale)")
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    parser.add_argument("--workers", type=whole, default=contests.processors(), metavar="N", help="processes to use")
    parser.set_defaults(run=run)


def whole(text: str) -> int:
    number = int(text)
    if not 1 <= number <= 1_000_000:
        raise argparse.ArgumentTypeError("it must be a whole number from 1 up")
    return number


def share(text: str) -> float:
    number = float(text)
    if not 0 < number <= 100:
        raise argparse.ArgumentTypeError("it must be above 0, and 100 at most")
    return number


def run(arguments: argparse.Namespace) -> int:
    game = find(arguments.game)
    options = position.settled(game, arguments.options)
    a, b = arguments.a, arguments.b
    scales = arguments.scale, arguments.scale if arguments.scale_b is None else arguments.scale_b
    todo = contests.meetings(arguments.game, options, a, b, arguments.count, arguments.seed, scales)
    standing = contests.Standing()
    with Progress(len(todo)) as progress:
        for meeting, played in contests.played(todo, arguments.workers):
            standing.add(meeting, played)
            progress.step(f"{standing.tally.score:g} : {standing.tally.games - standing.tally.score:g}")
    tally = standing.tally
    elo, error = difference(tally)
    seconds = standing.seconds_per_move
    if arguments.json:
        answer = {
            "game": arguments.game, "a": a, "b": b,
            "games": tally.games, "wins_a": tally.wins, "wins_b": tally.losses, "draws": tally.draws,
            "score_a": tally.score, "elo": round(elo, 1), "elo_error": round(error, 1),
            "seconds_per_move_a": round(seconds[0], 4), "seconds_per_move_b": round(seconds[1], 4),
            "seed": arguments.seed, "scale_a": scales[0], "scale_b": scales[1],
        }  # fmt: skip
        json.dump(answer, sys.stdout)
        print()
        return 0
    print(f"{game.info.name}: level {a} against level {b}, {tally.games} games")
    print(f"  {tally.wins} won, {tally.losses} lost, {tally.draws} drawn: {tally.score / tally.games:.1%}")
    print(f"  {elo:+.0f} points of rating, give or take {error:.0f}")
    print(f"  seconds of a processor per move: {seconds[0]:.3f} and {seconds[1]:.3f}")
    return 0
