"""Whether a day of guests leaves anything behind in the store or in a node.

    python -m bench.guests                                100,000 operations
    python -m bench.guests --operations 1000000

Starts a real server and a real Valkey whose clock can be set forward, with libfaketime. Guests arrive, look around,
meet, play each other and the computer, chat, watch and leave, many at the same time. After each 24th part of the
operations the clock is set forward by an hour, and at the end by as long as anything of a guest is kept. Prints what
the store and the node need after the first hour and after the whole day, each time when all of this has passed. The
exit code is 1 if one of them has grown by more than 5 %.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from bench.guests.run import run

OPERATIONS = 100_000


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.guests", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--operations", metavar="N", type=int, default=OPERATIONS, help="default: %(default)s")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="of the random numbers (default: %(default)s)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="parlour-bench-") as folder:
        return asyncio.run(run(Path(folder), arguments.operations, arguments.seed))


if __name__ == "__main__":
    sys.exit(main())
