"""`parlour think`: the computer's opinion for programs in any language, one JSON object a line."""

from __future__ import annotations

import argparse
import os
import sys

from parlour.bots.engine import Engine, Request
from parlour.cli.lines import serve

DESCRIPTION = """\
Finds moves: one JSON object a line on standard input, one answer a line on standard output.

  in   {"game": "replica", "position": "...", "level": 8}
  out  {"move": "g5-f5", "score": 12, "chance": 0.52, "line": ["g5-f5", ...], "nodes": 40000, "depth": 6}

`options`, `position` and `moves` (made from that position) may be left out: they default to the game's own options,
its first position and none. How long to think is a `level` (1 to 8, or a name such as "greedy"), or `nodes`, or
`seconds`; together, whatever ends first. `seed` makes another choice among equals: the same line with the same number
of nodes always gives the same answer. `score` is for the side to move; `chance` is how likely it wins.
Anything wrong gives {"error": {"code": "...", "message": "..."}} for that line, and the next line is served. What was
learnt of a game is kept for the next line.
"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "think",
        help="find moves, JSON lines in and out",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--nice", type=int, default=0, metavar="N", help="leave the machine to others, as nice(1) does")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    if arguments.nice:
        os.nice(arguments.nice)
    serve(sys.stdin.buffer, sys.stdout.buffer, Request, Engine().answer)
    return 0
