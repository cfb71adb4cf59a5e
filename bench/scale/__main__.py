"""`python -m bench.scale measure` measures costs; `python -m bench.scale` prints the tables of docs/scale.md."""

from __future__ import annotations

import argparse
import sys

from bench.scale import report, runs
from bench.scale.measure import measure


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.scale", description=__doc__)
    parser.add_argument("command", nargs="?", choices=("measure", "report"), default="report")
    parser.add_argument("--rounds", type=int, metavar="N", default=3, help="rounds of measurements (default: 3)")
    arguments = parser.parse_args()
    if arguments.command == "measure":
        runs.write(measure(arguments.rounds))
    print(report.report(runs.read()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
