"""The command `parlour`. `commands.py` lists its subcommands."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Collection, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from parlour.cli.commands import COMMANDS, overview
from parlour.cli.error_message import print_error
from parlour.cli.help_formatter import HelpFormatter
from parlour.protocol.errors import Refusal

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


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    0 for success, 1 for a failure, 2 for invalid input, 130 if interrupted, 141 if the output was closed.
    """
    argv = sys.argv[1:] if argv is None else list(argv)
    parser = _parser([name for name in argv if name in COMMANDS][:1])
    if not argv:
        parser.print_help()
        return 0
    arguments = parser.parse_args(argv)
    try:
        if arguments.games:
            games = import_module("parlour.games")
            for folder in arguments.games:
                games.add_folder(folder)
        code: int = arguments.run(arguments)
        sys.stdout.flush()
    except Refusal as refusal:
        print_error(f"{refusal.sentence} [{refusal.code}]")
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
        print_error(f"{error}{f' [{connect_code}]' if connect_code else ''}")
        return 1
    except import_module("parlour.server.configuration.setting_sources").SettingError as error:
        print_error(str(error))
        return 2
    except import_module("parlour.server.backup.errors").BackupError as error:
        print_error(f"{error} [{error.code}]")
        return 2
    except import_module("parlour.server.store.errors").StoreUnavailable as error:
        print_error(str(error))
        return 1
    return code


def full_parser() -> argparse.ArgumentParser:
    """Return the parser with the arguments of all commands."""
    return _parser(COMMANDS)


def _parser(complete: Collection[str]) -> argparse.ArgumentParser:
    """Return the parser. Only the commands in `complete` have their arguments: the others need not be imported."""
    parser = argparse.ArgumentParser(
        prog="parlour",
        usage="parlour [-h] [--version] [--games DIR] COMMAND ...",
        description=DESCRIPTION + overview(),
        epilog=EPILOG,
        formatter_class=HelpFormatter,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="show the version and exit")
    parser.add_argument(
        "--games",
        metavar="DIR",
        type=Path,
        action="append",
        default=[Path(folder) for folder in os.environ.get("PARLOUR_GAMES", "").split(os.pathsep) if folder],
        help="add the games in this folder; can be repeated (PARLOUR_GAMES)",
    )
    # The description lists the commands, by group. Completion wants to see all of them here, too.
    listing = "the command" if len(complete) == len(COMMANDS) else argparse.SUPPRESS
    subparsers = parser.add_subparsers(prog="parlour", metavar="COMMAND", required=True, help=listing)
    for command in COMMANDS.values():
        if command.name in complete:
            import_module(command.module_name).add_to(subparsers)
        else:
            subparsers.add_parser(command.name)
    return parser


class _Version(argparse.Action):
    """Prints the version. It is only looked up here, because that takes time."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        version = import_module("importlib.metadata").version("parlour")
        print(f"parlour {version}")
        parser.exit()
