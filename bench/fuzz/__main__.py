"""Sends fuzzed messages to a server with its default limits.

    python -m bench.fuzz                                 100,000 messages
    python -m bench.fuzz --messages 1000000 --seed 1

Starts a real server and connects to it again and again from many loopback addresses, with valid messages of every type
that the protocol has, damaged ones, raw bytes, and HTTP requests. The exit code is 1 if the server has answered with
`internal`, closed a connection with 1011, left one without an answer, answered a request with 500, logged an error or a
traceback, or ended. The same seed sends the same, as far as the answers of the server are the same.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from pathlib import Path

from bench.fuzz.run import report, run

MESSAGES = 100_000


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.fuzz", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--messages", metavar="N", type=int, default=MESSAGES, help="default: %(default)s")
    parser.add_argument("--seed", metavar="N", type=int, default=1, help="of the random numbers (default: %(default)s)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="parlour-fuzz-") as folder:
        tally = asyncio.run(run(Path(folder), arguments.messages, arguments.seed))
    print(report(tally))
    return 1 if tally.violations else 0


if __name__ == "__main__":
    sys.exit(main())
