"""Whether a day of guests leaves anything behind in the store or in a node.

    python -m bench.guests                                100,000 operations, about 15 minutes
    python -m bench.guests --operations 1000000           about 50 minutes

Starts a real server and a real Valkey whose clock can be set forward, with libfaketime. Guests arrive, look around,
meet, play each other and the computer, chat, watch, try what they may not do, and leave, many at the same time. After
each 24th part of the operations the clock is set forward by an hour, and at the end by as long as anything of a guest
is kept. Prints what the store and the node need before and after the day, each time when all of this has passed.

Before the day, guests warm the server up with as many operations as in an hour, at least 200,000, and for at least
three minutes. There are two reasons. Isaac and Replica keep tables of what is possible in each row, column or board;
these fill up with every new position, to a limit that thousands of games come near. And Python keeps most of the memory
that it has needed once: a room takes about 36 kB and stays open for a minute after its last player has left, so what a
node needs depends on how fast games are played. Hence the fixed --rate: without one, a machine that is busy with other
work in the meantime reports growth or shrinkage. What grows after that, at the same rate, grows without end.

The exit code is 1 if the store or the node has grown by more than 5 %. Ctrl-C ends the day early, with a report about
the part until then.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from bench.guests.run import run
from parlour.server import loop

OPERATIONS = 100_000
RATE = 400


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.guests", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--operations", metavar="N", type=int, default=OPERATIONS, help="default: %(default)s")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="of the random numbers (default: %(default)s)")
    parser.add_argument(
        "--rate",
        metavar="N",
        type=int,
        default=RATE,
        help="operations a second at most; 0: as many as the machine can (default: %(default)s)",
    )
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="parlour-bench-") as folder:
        return loop.run(run(Path(folder), arguments.operations, arguments.seed, arguments.rate))


if __name__ == "__main__":
    sys.exit(main())
