"""`parlour perft`: count move sequences of a given length, to verify the rules and measure their speed."""

from __future__ import annotations

import argparse
import sys
from time import process_time

from parlour import games
from parlour.cli.argument_types import checked
from parlour.cli.commands import add_command
from parlour.cli.position import add_arguments, start
from parlour.games.perft import perft
from parlour.server.configuration.setting_types import whole_number

DESCRIPTION = """\
Count the sequences of DEPTH moves from a position. Two correct implementations of the rules get the same number;
--divide shows the count for each first move, which helps to find the move on which two implementations differ.
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = add_command(
        commands,
        "perft",
        description=DESCRIPTION,
        epilog='example: parlour perft replica 3 --options \'{"sight": "forward"}\' --divide',
    )
    parser.add_argument("game", metavar="GAME", help=f"one of {', '.join(games.keys())}")
    parser.add_argument("depth", metavar="DEPTH", type=checked(whole_number(0, 99)), help="number of moves")
    add_arguments(parser)
    parser.add_argument("--divide", action="store_true", help="show the count for each first move")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    game, state = start(arguments)
    began = process_time()
    total = 0
    if arguments.depth == 0:
        total = 1
    else:
        moves = sorted((game.write(state, move), move) for move in game.moves(state))
        for done, (text, move) in enumerate(moves):
            found = perft(game, game.apply(state, move), arguments.depth - 1)
            total += found
            if arguments.divide:
                print(f"{text}: {found:,}")
            _progress(done + 1, len(moves), process_time() - began)
    seconds = process_time() - began
    rate = f"{total / seconds:,.0f} positions per second" if seconds > 0.001 else "too few to time"
    print(f"{total:,} after {arguments.depth} moves ({seconds:.2f} s, {rate})")
    return 0


def _progress(done: int, of: int, seconds: float) -> None:
    """Show progress on a terminal, once the count has taken a second."""
    if seconds > 1 and sys.stderr.isatty():
        print(
            f"\r{done} of {of} first moves",
            end="\r" if done < of else "\r\033[K",
            file=sys.stderr,
            flush=True,
        )
