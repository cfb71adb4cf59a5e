"""`parlour chaos`: break a cluster on purpose while clients play on it, and check that nothing is lost."""

from __future__ import annotations

import argparse
import shlex
from importlib import import_module
from pathlib import Path

from parlour.chaos.faults import KINDS
from parlour.cli.argument_types import checked
from parlour.cli.commands import add_command
from parlour.server.configuration.setting_types import whole_number

# The store keeps the log of a game for an hour after its end, and all logs are read at the end.
MAX_MINUTES = 45.0

DESCRIPTION = """\
Start a store, several nodes and bot workers on this machine, let clients play and watch games on them, and break
things: kill and suspend processes, cut, delay and half-open connections. At the end, compare everything that the
clients were told with the logs of the games. Print what was broken and what it cost, and exit with 0 only if no
acknowledged command was lost or executed twice, every game was finished, no player lost on time because of a fault,
every client saw the same game as the log has, and every rated game was rated once.

Ctrl-C ends the run early; everything is still checked, unless it is pressed again. Nothing outside a temporary
folder is touched.
"""


def _epilog() -> str:
    listed = "\n".join(f"  {kind.name:<16}{kind.sentence}" for kind in KINDS.values())
    return f"faults:\n{listed}\n\nexample: parlour chaos --nodes 2 --games 20 --watchers 50 --minutes 1"


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = add_command(
        commands,
        "chaos",
        description=DESCRIPTION,
        epilog=_epilog(),
    )
    numbers = {
        "nodes": (whole_number(2, 16), 3, "number of nodes"),
        "watchers": (whole_number(0, 10_000), 500, "number of spectators"),
        "seed": (whole_number(0, 2**53), 1, "seed of the plan of faults and of the moves"),
        "bots": (whole_number(0, 64), 1, "bot workers; if not 0, one game in five is against the computer"),
    }
    parser.add_argument(
        "--games", metavar="N", dest="simultaneous", type=checked(whole_number(1, 2_000)), default=200,
        help="games at the same time (default: 200)",
    )  # fmt: skip
    for name, (kind, default, purpose) in numbers.items():
        parser.add_argument(
            f"--{name}", metavar="N", type=checked(kind), default=default, help=f"{purpose} (default: {default})"
        )
    parser.add_argument(
        "--minutes", metavar="N", type=_minutes, default=5.0, help="how long faults are injected (default: 5)"
    )
    parser.add_argument(
        "--faults", metavar="FAULT,...", type=_faults, default=tuple(KINDS), help="only these faults (default: all)"
    )
    parser.add_argument("--json", metavar="FILE", type=Path, help="also write the report to this file as JSON")
    parser.add_argument(
        "--data", metavar="DIR", type=Path,
        help="keep the store and the logs of all processes in this folder, which must be empty or new",
    )  # fmt: skip
    parser.add_argument(
        "--server-command", metavar="COMMAND", type=shlex.split,
        help="the command that starts a node, to test a build of your own (default: parlour serve); the options of "
        "`parlour serve` are added to it",
    )  # fmt: skip
    parser.set_defaults(run=run)


def _minutes(text: str) -> float:
    minutes = float(text)
    if not 0 < minutes <= MAX_MINUTES:
        raise argparse.ArgumentTypeError(f"it must be a number of minutes up to {MAX_MINUTES:g}")
    return minutes


def _faults(text: str) -> tuple[str, ...]:
    names = [name for name in text.replace(",", " ").split() if name]
    unknown = [name for name in names if name not in KINDS]
    if unknown or not names:
        raise argparse.ArgumentTypeError(f"each must be one of {', '.join(KINDS)}")
    return tuple(name for name in KINDS if name in names)


def run(arguments: argparse.Namespace) -> int:
    # Imported late: it takes longer than most other commands take to run.
    code: int = import_module("parlour.chaos.command").run(arguments)
    return code
