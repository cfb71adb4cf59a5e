"""Sends fuzzed messages to a server process with its default limits, and looks for failures."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random
from time import monotonic

from bench.fuzz.frames import Known
from bench.fuzz.visits import Tally, Visit
from tests.e2e.processes import ServerProcess
from tests.e2e.web import numbers

CLIENTS = 40  # at the same time
CLIENTS_PER_ADDRESS = 10
FEWEST, MOST = 20, 160  # frames of one client; a connection may send 100 at once
FAILURES = ("listener_failed", "endpoint_failed")  # incidents; a timeout is answered with 503 on a busy machine


async def run(folder: Path, messages: int, seed: int, clients: int = CLIENTS) -> Tally:
    """Return what came back from a server in a folder. Ctrl-C ends it early."""
    interrupted = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, interrupted.set)
    server = ServerProcess(folder)
    tally, known, visits = Tally(), Known(), count()
    try:
        await server.start()
        async with asyncio.TaskGroup() as group:
            for _ in range(clients):
                group.create_task(_visit_again(server, messages, seed, visits, known, tally, interrupted))
        tally.violations.extend(await failures(server))
    finally:
        assert server.process is not None
        if server.process.returncode is not None:
            tally.violations.append(f"the server exited with {server.process.returncode}")
        else:
            server.process.terminate()
            if code := await server.process.wait():  # it ends by itself, however busy the machine is
                tally.violations.append(f"the server stopped with {code}")
    tally.violations.extend(problems_in_log(server.log))
    return tally


async def _visit_again(
    server: ServerProcess,
    messages: int,
    seed: int,
    visits: Iterator[int],
    known: Known,
    tally: Tally,
    interrupted: asyncio.Event,
) -> None:
    """Visit the server again and again, until all clients together have sent enough."""
    assert server.process is not None
    while tally.sent.total() < messages and server.process.returncode is None and not interrupted.is_set():
        number = next(visits)
        rng = Random(f"{seed} {number}")
        visit = Visit(server.port, address_of(number), rng, known, tally)
        await visit.run(rng.randint(FEWEST, MOST))
        progress(tally, messages)


def address_of(number: int) -> str:
    """Return the loopback address from which a client connects."""
    high, low = divmod(number // CLIENTS_PER_ADDRESS, 250 * 250)
    return f"127.{1 + high % 250}.{low // 250}.{1 + low % 250}"


async def failures(server: ServerProcess) -> Iterator[str]:
    """Return the failures that the server itself has counted."""
    samples = await numbers(server)
    names = [f'parlour_incidents_total{{kind="{kind}"}}' for kind in FAILURES]
    return (f"{name} is {samples[name]:.0f}" for name in names if samples.get(name))


def problems_in_log(log: str) -> Iterator[str]:
    """Yield the errors in a log, everything with a traceback, and what is not an entry at all."""
    for line in log.splitlines():
        entry = json.loads(line) if line.startswith("{") else {"level": "none"}
        if entry["level"] not in ("debug", "info", "warning") or "exception" in entry:
            yield line[:2000]


_began = monotonic()
_shown = [0.0]


def progress(tally: Tally, messages: int) -> None:
    """Show how far it is, every few seconds on a terminal."""
    now = monotonic()
    if now - _shown[0] > (2 if sys.stderr.isatty() else 30):
        _shown[0] = now
        sent = tally.sent.total()
        end = "\r" if sys.stderr.isatty() else "\n"
        rate = sent / (now - _began)
        print(f"{sent:,} of {messages:,} messages, {rate:,.0f} per second", end=end, file=sys.stderr, flush=True)


def report(tally: Tally) -> str:
    """Return a summary for people."""
    lines = [
        _line("sent", tally.sent),
        _line("answers", tally.answers),
        _line("refusals", tally.refusals),
        _line("close codes", tally.closes),
        _line("HTTP", tally.statuses),
        _line("operations", tally.operations),
        f"violations: {len(tally.violations)}",
        *tally.violations[:20],
    ]
    return "\n".join(lines)


def _line(title: str, counts: object) -> str:
    assert isinstance(counts, dict)
    shown = ", ".join(f"{name} {number:,}" for name, number in sorted(counts.items(), key=lambda item: -item[1]))
    return f"{title}: {sum(counts.values()):,} ({shown})"
