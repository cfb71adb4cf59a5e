"""The command `parlour`: reads its arguments and hands them to one file per subcommand."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from parlour import games
from parlour.cli import (
    bot,
    bots,
    cluster,
    conform,
    ladder,
    match,
    perft,
    play,
    rules,
    serve,
    think,
    token,
    transcript,
    verify,
)
from parlour.protocol.errors import Refusal

DESCRIPTION = """\
Parlour plays abstract board games for two: Isaac, Mitsudomoe, Mapello and Replica.
"""

EPILOG = """\
examples:
  parlour serve                     start a server, and open it in a browser
  parlour play                      play in the terminal: people, the computer, two at one screen
  parlour play replica --computer black
                                    play against the computer
  parlour perft mapello 6           count all games of six moves
  echo '{"game": "replica"}' | parlour rules
                                    ask the rules from any program: JSON in, JSON out

`parlour COMMAND --help` tells more about each command.
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and give its exit code: 0 done, 2 refused, 130 interrupted."""
    arguments = _parser().parse_args(argv)
    try:
        for folder in arguments.games:
            games.add_folder(folder)
        code: int = arguments.run(arguments)
        sys.stdout.flush()
    except Refusal as refusal:
        print(f"parlour: {refusal.sentence} [{refusal.code}]", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130
    except BrokenPipeError:
        # Whoever read our output has gone (`| head`); what Python still holds must not be written at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="parlour",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"parlour {version('parlour')}")
    parser.add_argument(
        "--games",
        metavar="DIR",
        type=Path,
        action="append",
        default=[Path(folder) for folder in os.environ.get("PARLOUR_GAMES", "").split(os.pathsep) if folder],
        help="also look for games in this folder (also PARLOUR_GAMES in the environment)",
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in (
        serve, cluster, bots, play, bot, token, rules, think, match, ladder, perft, transcript, verify, conform,
    ):  # fmt: skip
        command.add_to(commands)
    return parser
