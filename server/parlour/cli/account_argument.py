"""The account that a command signs in to: its name, which is an argument, and its password, which must not be one."""

from __future__ import annotations

import argparse
import getpass
import sys
from collections.abc import Mapping

from parlour.protocol.errors import ErrorCode, Refusal

PASSWORD = "PARLOUR_PASSWORD"  # noqa: S105 - the name of the variable


def add_account_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--account", metavar="NAME", help="name of your account (default: ask for it)")


def credentials(name: str | None, environ: Mapping[str, str], *, new: bool) -> tuple[str, str]:
    """Return name and password. Prompts go to standard error: standard output is for the result."""
    at_terminal = sys.stdin.isatty()
    if name is None and not at_terminal:
        raise Refusal(ErrorCode.OPTION_INVALID, "--account is required if standard input is not a terminal.")
    if name is None:
        print("Name of your account: ", end="", file=sys.stderr, flush=True)
        name = sys.stdin.readline().strip()
    if PASSWORD in environ:
        return name, environ[PASSWORD]
    if at_terminal:
        password = getpass.getpass(f"Password of {name}: ", sys.stderr)
        if new and getpass.getpass("Repeat the password: ", sys.stderr) != password:
            raise Refusal(ErrorCode.OPTION_INVALID, "The passwords do not match.")
        return name, password
    return name, sys.stdin.readline().rstrip("\r\n")
