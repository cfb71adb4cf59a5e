"""`parlour think`: the engine of the built-in bots for programs in any language, as JSON Lines."""

from __future__ import annotations

import argparse
import os
import sys

from parlour.bots.engine import Engine, Request
from parlour.cli.commands import add_command
from parlour.cli.json_lines import serve

DESCRIPTION = """\
Choose moves: one JSON object per line on standard input, one answer per line on standard output.

  in   {"game": "replica", "position": "...", "level": 8}
  out  {"move": "g5-f5", "score": 12, "chance": 0.52, "line": ["g5-f5", ...], "nodes": 40000, "depth": 6}

`options`, `position` and `moves` (played from that position) may be omitted: they default to the standard options, the
initial position and no moves. How long to think is given by `level` (1 to 8, or a name such as "greedy"), `nodes` or
`seconds`; the first limit reached ends the search. `seed` varies the choice among equal moves: the same line with
the same number of nodes always gets the same answer. `score` is for the side to move; `chance` is its probability of
winning. The search keeps what it has learnt about a game for the next line.
An invalid line is answered with {"error": {"code": "...", "message": "..."}}.
"""

EPILOG = """example: echo '{"game": "mapello", "level": 8}' | parlour think"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = add_command(
        commands,
        "think",
        description=DESCRIPTION,
        epilog=EPILOG,
    )
    parser.add_argument(
        "--nice", type=int, default=0, metavar="N", help="lower the priority of the process, as nice(1) does"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    if arguments.nice:
        os.nice(arguments.nice)
    serve(sys.stdin.buffer, sys.stdout.buffer, Request, Engine().answer)
    return 0
