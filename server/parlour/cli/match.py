"""`parlour match`: play two levels of the computer against each other, and estimate the difference in rating."""

from __future__ import annotations

import argparse
import json
import sys

from parlour.bots.elo import difference
from parlour.cli import position, selfplay
from parlour.cli.commands import add_command
from parlour.cli.options_argument import add_options_argument
from parlour.cli.progress import Progress
from parlour.cli.selfplay_arguments import COUNT, add_arguments, scale
from parlour.games import find

DESCRIPTION = """\
Play two levels of the computer against each other, and estimate the difference in rating. Every opening is random but
balanced, and is played twice with sides swapped. The same seed gives the same games.
"""

EPILOG = """\
examples:
  parlour match replica 8 minimax --games 100
  parlour match mapello 8 6 --games 60 --scale 0.25 --json
        level 8 and level 6, each with a quarter of its thinking time
  parlour match mapello 8 6 --games 60 --scale 0.25 --scale-b 1
        level 8 with a quarter of its thinking time, level 6 with all of it
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = add_command(
        commands,
        "match",
        description=DESCRIPTION,
        epilog=EPILOG,
    )
    parser.add_argument("game", metavar="GAME", help="the game to play")
    parser.add_argument("a", metavar="A", help="a level: 1 to 8, or a name such as greedy")
    parser.add_argument("b", metavar="B", help="the other level")
    parser.add_argument(
        "--games", dest="count", type=COUNT, default=20, metavar="N", help="number of games (default: 20)"
    )
    add_arguments(parser)
    add_options_argument(parser)
    parser.add_argument(
        "--scale-b", type=scale, metavar="X", help="factor for the thinking time of B (default: as --scale)"
    )
    parser.add_argument("--json", action="store_true", help="print the result as a JSON object")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    game = find(arguments.game)
    options = position.parse_options(game, arguments.options)
    a, b = arguments.a, arguments.b
    scales = arguments.scale, arguments.scale if arguments.scale_b is None else arguments.scale_b
    todo = selfplay.pairings(arguments.game, options, a, b, arguments.count, arguments.seed, scales)
    result = selfplay.MatchResult()
    with Progress(len(todo)) as progress:
        for pairing, played in selfplay.play_all(todo, arguments.processes):
            result.add(pairing, played)
            progress.step(f"{result.tally.score:g} : {result.tally.games - result.tally.score:g}")
    tally = result.tally
    elo, error = difference(tally)
    seconds = result.seconds_per_move
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
    print(f"  {elo:+.0f} rating points, plus or minus {error:.0f}")
    print(f"  CPU seconds per move: {seconds[0]:.3f} and {seconds[1]:.3f}")
    return 0
