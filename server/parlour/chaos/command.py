"""`parlour chaos` after parsing its arguments: runs it and prints the report."""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from parlour.chaos.processes import NotStarted
from parlour.chaos.progress import Display
from parlour.chaos.report import Report
from parlour.chaos.runner import Options, Run
from parlour.chaos.system import PARLOUR
from parlour.server import loop
from parlour.server.store.errors import StoreUnavailable


def run(arguments: argparse.Namespace) -> int:
    """Run, and return the exit code: 0 if every guarantee was kept, 1 if not, 2 if the arguments cannot be used."""
    data: Path | None = arguments.data
    if data is not None and data.exists() and (not data.is_dir() or any(data.iterdir())):
        print(f"parlour: {data} is not an empty folder.", file=sys.stderr)
        return 2
    with TemporaryDirectory(prefix="parlour-chaos-") as temporary:
        folder = Path(temporary) if data is None else data
        folder.mkdir(parents=True, exist_ok=True)
        try:
            report = loop.run(_execute(_options(arguments, folder)))
        except (NotStarted, StoreUnavailable) as error:
            print(f"parlour: {error}", file=sys.stderr)
            return 1
    return _tell(report, arguments.json)


def _options(arguments: argparse.Namespace, folder: Path) -> Options:
    return Options(
        data=folder,
        faults=arguments.faults,
        nodes=arguments.nodes,
        games=arguments.simultaneous,
        watchers=arguments.watchers,
        seconds=60 * arguments.minutes,
        seed=arguments.seed,
        bots=arguments.bots,
        server_command=tuple(arguments.server_command or (*PARLOUR, "serve")),
        game_folders=tuple(arguments.games),
    )


async def _execute(options: Options) -> Report:
    run = Run(options, Display())
    executing = asyncio.create_task(run.execute())

    def interrupt() -> None:
        """End the run early; the second time, without checking it."""
        if run.is_stopping:
            executing.cancel()
        run.stop()

    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, interrupt)
    try:
        return await executing
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


def _tell(report: Report, file: Path | None) -> int:
    print(report.table())
    if file is not None:
        try:
            file.write_bytes(report.json())
        except OSError as fault:
            print(f"parlour: {file} cannot be written: {fault.strerror}", file=sys.stderr)
            return 2
    return report.exit_code
