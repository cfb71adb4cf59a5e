"""`parlour conform` after parsing its arguments: runs the check and prints the report."""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path

from parlour import games
from parlour.conform.client_check import check_client
from parlour.conform.client_process import Program
from parlour.conform.codec import JSON, MSGPACK
from parlour.conform.probe import NotReached
from parlour.conform.profiles import Profile
from parlour.conform.report import Report
from parlour.conform.server_check import check_server
from parlour.conform.testbed import Restart

ENCODINGS = {"both": (MSGPACK, JSON), "msgpack": (MSGPACK,), "json": (JSON,)}


def run(arguments: argparse.Namespace) -> int:
    """Run the check and return the exit code: 0 if every rule is kept, 1 if not, 2 if there is nothing to check."""
    return _server(arguments) if arguments.kind == "server" else _client(arguments)


def _server(arguments: argparse.Namespace) -> int:
    try:
        report = asyncio.run(
            check_server(
                arguments.url,
                profile=Profile.named(arguments.profile) if arguments.profile else None,
                game=arguments.game,
                codecs=ENCODINGS[arguments.subprotocol],
                only=arguments.only,
                timeout=arguments.timeout,
                seed=arguments.seed,
                restart=_restart(arguments.restart) if arguments.restart else None,
                progress=_progress,
            )
        )
    except RestartFailed as why:
        print(f"parlour: {why}", file=sys.stderr)
        return 2
    except NotReached as why:
        print(f"parlour: {arguments.url}: {why}", file=sys.stderr)
        return 2
    return _tell(report, arguments.json)


def _client(arguments: argparse.Namespace) -> int:
    games.find(arguments.game)
    try:
        report = asyncio.run(
            check_client(
                Program(arguments.command, arguments.timeout),
                " ".join(arguments.command),
                profile=Profile.named(arguments.profile or Profile.PLAYER),
                game=arguments.game,
                only=arguments.only,
                seed=arguments.seed,
                at_once=arguments.concurrency,
                progress=_progress,
            )
        )
    except OSError as fault:
        print(f"parlour: {arguments.command[0]} cannot be started: {fault.strerror or fault}", file=sys.stderr)
        return 2
    return _tell(report, arguments.json)


class RestartFailed(Exception):
    """The command that restarts the server has failed. The message says how."""


def _restart(command: str) -> Restart:
    """Return a function that runs a shell command, which kills the server and starts it again."""

    async def restart() -> None:
        process = await asyncio.create_subprocess_shell(command, stdin=asyncio.subprocess.DEVNULL)
        if code := await process.wait():
            raise RestartFailed(f"“{command}” exited with {code}, so the server may not have been restarted.")

    return restart


def _tell(report: Report, file: Path | None) -> int:
    _progress("")
    print(report.table())
    if file is not None:
        try:
            file.write_bytes(report.json())
        except OSError as fault:
            print(f"parlour: {file} cannot be written: {fault.strerror}", file=sys.stderr)
            return 2
    return report.exit_code


def _progress(what: str) -> None:
    """Show the rule that is being checked, if stderr is a terminal. The report overwrites it."""
    if sys.stderr.isatty():
        print(f"\r\033[K{what}", end="", file=sys.stderr, flush=True)
