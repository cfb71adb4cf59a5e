"""`parlour conform client`: starts a client again and again, each time against a server with another fault."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import tempfile
from collections.abc import Callable, Collection, Sequence

from msgspec import Struct

from parlour.conform.faults import FAULTS, Fault
from parlour.conform.report import Report, Verdict
from parlour.conform.rules import CLIENT_RULES
from parlour.conform.scripted_server import ScriptedServer
from parlour.conform.witness import ALWAYS, Witness

# A game that ends before its fault could strike is played again so often.
TRIES = 3


class Run(Struct, frozen=True):
    """How one start of the client went."""

    exit_code: int | None  # None: it had to be ended
    over: bool  # whether the game got to its end
    ply: int | None  # how far the game got; None: there was none
    output: str  # the last line that it printed
    limit: float

    @property
    def fine(self) -> bool:
        return self.over and self.exit_code == 0

    def __str__(self) -> str:
        when = "after the game" if self.over else "before a game" if self.ply is None else f"at ply {self.ply}"
        how = f"still running after {self.limit:g} s" if self.exit_code is None else f"exited with {self.exit_code}"
        return f"it {'was ' if self.exit_code is None else ''}{how}, {when}" + (
            f": {self.output}" if self.output else ""
        )


async def check_client(
    command: Sequence[str],
    *,
    game: str = "replica",
    only: Collection[str] = (),
    limit: float = 30.0,
    seed: object = 0,
    at_once: int = 4,
    progress: Callable[[str], None] = lambda _: None,
) -> Report:
    """Check the rules, or `only` some of them; `limit`: seconds for one start. Fails with OSError if it cannot start."""
    rules = [rule for rule in CLIENT_RULES if not only or rule.key in only]
    report = Report(" ".join(command), rules)
    free = asyncio.Semaphore(at_once)

    async def play(kind: type[Fault]) -> None:
        async with free:
            progress(kind.rule)
            await _judge(report, kind, command, game, limit, seed)

    try:
        async with asyncio.TaskGroup() as group:
            for kind in FAULTS:
                if not only or kind.rule in only or any(rule in only for rule in ALWAYS):
                    group.create_task(play(kind))
    except ExceptionGroup as several:
        raise several.exceptions[0] from None
    return report


async def _judge(
    report: Report, kind: type[Fault], command: Sequence[str], game: str, limit: float, seed: object
) -> None:
    """Play with one fault and report what it showed."""
    for attempt in range(TRIES):
        fault = kind()
        witness = Witness(fault)
        server = ScriptedServer(witness, f"{seed} {kind.__name__} {attempt}", budget=kind.budget)
        async with server:
            run = await _run(command, server, game, limit)
        if fault.struck or not run.fine:
            break
    report.add(kind.rule, *_verdict(fault, run))
    for rule in witness.seen:
        complaint = witness.complaints.get(rule)
        report.add(rule, Verdict.BROKEN if complaint else Verdict.KEPT, complaint or "")


def _verdict(fault: Fault, run: Run) -> tuple[Verdict, str]:
    if fault.complaint:
        return Verdict.BROKEN, fault.complaint
    if not fault.struck:
        return Verdict.NOT_REACHED, str(run)
    if not fault.kept:
        return Verdict.BROKEN, f"{fault.struck}: {fault.wanted}; {run}"
    if not run.fine:
        return Verdict.BROKEN, f"{fault.struck}: {run}"
    return Verdict.KEPT, ""


async def _run(command: Sequence[str], server: ScriptedServer, game: str, limit: float) -> Run:
    """Start the client, wait for its end, and leave nothing of it behind."""
    environment = {**os.environ, "PARLOUR_URL": server.url, "PARLOUR_GAME": game}
    with tempfile.TemporaryFile() as output:
        process = await asyncio.create_subprocess_exec(
            *command, stdin=asyncio.subprocess.DEVNULL, stdout=output, stderr=output, env=environment,
            start_new_session=True,
        )  # fmt: skip
        exit_code = None
        try:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(limit):
                    exit_code = await process.wait()
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
        room = next(iter(server.rooms.values()), None)
        return Run(
            exit_code=exit_code,
            over=any(room.result is not None for room in server.rooms.values()),
            ply=room.ply if room else None,
            output=_last_line(output.fileno()),
            limit=limit,
        )


def _last_line(output: int) -> str:
    size = os.fstat(output).st_size
    tail = os.pread(output, 2000, max(0, size - 2000)).decode(errors="replace")
    lines = [line.strip() for line in tail.splitlines() if line.strip()]
    return lines[-1][:200] if lines else ""
