"""The command `parlour`. Each subcommand is a module with `add_to`, which declares its arguments, and `run`."""

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
    chaos,
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
    worker,
)
from parlour.protocol.errors import Refusal
from parlour.server.settings import SettingError

DESCRIPTION = """\
Parlour plays abstract board games for two: Isaac, Mitsudomoe, Mapello and Replica.
"""

EPILOG = """\
examples:
  parlour serve                     start a server, to be opened in a browser
  parlour play                      play in the terminal, online or offline
  parlour play replica --computer black
                                    play against the computer
  parlour perft mapello 6           count all sequences of six moves
  echo '{"game": "replica"}' | parlour rules
                                    query the rules from any program: JSON in, JSON out

`parlour COMMAND --help` explains each command.
"""

COMMANDS = (
    serve, cluster, worker, play, bot, token, rules, think, match, ladder, perft, transcript, verify, conform,
    chaos,
)  # fmt: skip


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    0 for success, 1 for a failure, 2 for invalid input, 130 if interrupted, 141 if the output was closed.
    """
    arguments = _parser().parse_args(argv)
    try:
        for folder in arguments.games:
            games.add_folder(folder)
        code: int = arguments.run(arguments)
        sys.stdout.flush()
    except Refusal as refusal:
        print(f"parlour: {refusal.sentence} [{refusal.code}]", file=sys.stderr)
        return 2
    except SettingError as error:
        print(f"parlour: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader of our output has exited (`| head`); Python must not try to flush the rest at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except ConnectionError as error:
        connect_code = getattr(error, "code", "")  # of a ConnectError, which is not imported here: that takes long
        print(f"parlour: {error}{f' [{connect_code}]' if connect_code else ''}", file=sys.stderr)
        return 1
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
        help="add the games in this folder; can be repeated (PARLOUR_GAMES)",
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add_to(commands)
    return parser
