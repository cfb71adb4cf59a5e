"""The arguments of every command in which levels of the computer play each other."""

from __future__ import annotations

import argparse

from parlour.cli import selfplay
from parlour.cli.argument_types import checked
from parlour.server.configuration.setting_types import whole_number

COUNT = checked(whole_number(1, 1_000_000))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the seed, the factor for the thinking time, and the number of processes."""
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="seed of openings and choices (default: 1)")
    parser.add_argument(
        "--scale", type=scale, default=1.0, metavar="X", help="factor for the thinking time (default: 1)"
    )
    parser.add_argument(
        "--processes", type=COUNT, default=selfplay.available_processors(), metavar="N",
        help="number of processes (default: one for each processor)",
    )  # fmt: skip


def scale(text: str) -> float:
    """Parse a factor for the thinking time."""
    factor = float(text)
    if not 0 < factor <= 100:
        raise argparse.ArgumentTypeError("it must be greater than 0 and at most 100")
    return factor
