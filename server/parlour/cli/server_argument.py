"""The server that a command connects to: the one that the user has named, or the one on this machine."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence

from parlour.cli.error_message import print_error
from parlour.client.address import THIS_MACHINE, socket_address

SERVER = "PARLOUR_SERVER"

HELP = (
    "address of the server, such as https://play.example.org or 127.0.0.1:8765 (default: PARLOUR_SERVER, the setting"
    " “server” of `parlour play`, or the server on this machine)"
)
WAIT_HELP = "keep trying if the server cannot be reached (default: fail with the reason)"


def add_server_arguments(parser: argparse.ArgumentParser, *, several: bool = False, wait_help: str = WAIT_HELP) -> None:
    """Add --server, which can be repeated for `several` nodes, and --wait."""
    text = f"{HELP}; repeat it for several nodes" if several else HELP
    if several:
        parser.add_argument("--server", metavar="URL", action="append", help=text)
    else:
        parser.add_argument("--server", metavar="URL", help=text)
    parser.add_argument("--wait", action="store_true", help=wait_help)


def named_servers(
    given: str | Sequence[str] | None, setting: str = "", environ: Mapping[str, str] = os.environ
) -> list[str]:
    """Return the socket addresses of the server that the user has named, or nothing.

    An argument takes precedence over the environment, and the environment over the setting. Refuse text that is not an
    address.
    """
    texts = [given] if isinstance(given, str) else list(given or ())
    named = texts or environ.get(SERVER, "").split() or setting.split()
    return [socket_address(text) for text in named]


def chosen_servers(given: str | Sequence[str] | None) -> list[str]:
    """Return the socket addresses of the server that the user has named, else that of the server on this machine."""
    from parlour.terminal.ui.settings import SettingsFile  # noqa: PLC0415  # only needed by commands that connect

    return named_servers(given, SettingsFile().read().server) or [THIS_MACHINE]


def announce(address: str) -> None:
    """Say which server the command connects to, if a person is watching."""
    if sys.stderr.isatty():
        print(f"Connecting to {address} …", file=sys.stderr, flush=True)


class ProblemPrinter:
    """Prints each new problem of a connection once, for a command that waits for its server."""

    def __init__(self) -> None:
        self._printed = ""
        self._is_stopped = False

    def report(self, problem: str) -> None:
        """Print a problem; an empty text means that there is none any more."""
        if problem and problem != self._printed and not self._is_stopped:
            print_error(f"{problem} Trying again; Ctrl-C stops.")
        self._printed = problem

    def stop(self) -> None:
        """Print nothing more: the command is connected, and shows the state of the connection itself."""
        self._is_stopped = True
