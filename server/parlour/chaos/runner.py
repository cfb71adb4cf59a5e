"""One run: start the system, let clients play while faults happen, let the games end, and check everything."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from random import Random
from time import monotonic

from msgspec import Struct

from parlour import games
from parlour.chaos.checker import BY_CLOCK, Kind, Violation, check
from parlour.chaos.collector import collect
from parlour.chaos.crowd import Crowd
from parlour.chaos.evidence import Evidence
from parlour.chaos.faketime import find_library
from parlour.chaos.faults import NEEDS_FAKETIME
from parlour.chaos.injector import Injector
from parlour.chaos.planner import plan
from parlour.chaos.progress import Display, Status
from parlour.chaos.recorder import Recorder
from parlour.chaos.report import Report, summarize
from parlour.chaos.system import PARLOUR, System
from parlour.client import connect
from parlour.server import loop

FINISH_WITHIN = 60.0  # seconds for the games to end, and again for the spectators to see it
SETTLE_WITHIN = 20.0  # seconds for the last games to be rated
SETTLE_EVERY = 2.0  # seconds
SHOW_EVERY = 0.25  # seconds
STALL = 1.0  # seconds without running, from which on it is noted


class Options(Struct, frozen=True):
    """What to run."""

    data: Path  # an empty folder
    faults: tuple[str, ...]
    nodes: int = 3
    games: int = 200
    watchers: int = 500
    seconds: float = 300.0
    seed: int = 1
    bots: int = 1  # worker processes
    server_command: tuple[str, ...] = (*PARLOUR, "serve")
    game_folders: tuple[Path, ...] = ()


class Run:
    """A run. `stop` ends it early; what has happened until then is checked all the same."""

    def __init__(self, options: Options, display: Display) -> None:
        self._options = options
        self._display = display
        self._stop = asyncio.Event()
        self._recorder = Recorder()
        self._phase = "starting"
        self._crowd: Crowd | None = None
        self._injector: Injector | None = None

    @property
    def is_stopping(self) -> bool:
        return self._stop.is_set()

    def stop(self) -> None:
        self._stop.set()

    async def execute(self) -> Report:
        """Do everything, and return the report. Raise NotStarted or StoreUnavailable if the system cannot start."""
        shown = asyncio.create_task(self._show())
        try:
            return await self._execute()
        finally:
            shown.cancel()
            await asyncio.gather(shown, return_exceptions=True)
            self._display.clear()

    async def _execute(self) -> Report:
        options, recorder = self._options, self._recorder
        library = find_library() if NEEDS_FAKETIME in options.faults else None
        left_out = [kind for kind in options.faults if kind == NEEDS_FAKETIME and library is None]
        faults = [kind for kind in options.faults if kind not in left_out]
        system = System(
            options.data,
            nodes=options.nodes,
            workers=options.bots,
            server_command=options.server_command,
            games=options.game_folders,
            library=library,
        )
        async with system:
            self._phase = "connecting"
            async with Crowd(system.urls, recorder, Random(options.seed), games.keys()) as crowd:
                await crowd.start(options.games, options.watchers, with_computer=options.bots > 0)
                self._crowd = crowd
                loop.shorten_collections()
                await self._break(system, crowd, faults)
                self._phase = "letting the games end"
                await crowd.finish(FINISH_WITHIN)
                recorder.seen.ended = recorder.now
                self._phase = "checking"
                evidence, violations = await self._check(system, crowd.players)
                return summarize(
                    recorder.seen,
                    evidence,
                    violations,
                    seed=options.seed,
                    spectators=options.watchers,
                    reconnects=crowd.reconnects,
                    left_out=left_out,
                )

    async def _break(self, system: System, crowd: Crowd, faults: Sequence[str]) -> None:
        """Inject faults until the time is over."""
        options = self._options
        self._phase = ""
        injector = self._injector = Injector(system, self._recorder, self._stop, crowd.is_connected)
        rounds = plan(faults, options.nodes, options.seconds, options.seed)
        injecting = asyncio.create_task(injector.run(rounds))
        stopping = asyncio.create_task(self._stop.wait())
        try:
            await asyncio.wait((injecting, stopping), timeout=options.seconds, return_when=asyncio.FIRST_COMPLETED)
            self._stop.set()
            await injecting
        finally:
            for task in (injecting, stopping):
                task.cancel()
            await asyncio.gather(injecting, stopping, return_exceptions=True)

    async def _check(self, system: System, players: Sequence[str]) -> tuple[Evidence, list[Violation]]:
        """Compare everything; the ratings again and again for a while, since they follow the end of a game."""
        give_up_at = monotonic() + SETTLE_WITHIN
        async with connect(system.urls, timeout=None) as client, system.redis() as store:
            while True:
                evidence = await collect(store, client, players)
                violations = check(self._recorder.seen, evidence)
                if monotonic() > give_up_at or all(violation.kind is not Kind.RATING for violation in violations):
                    return evidence, violations
                await asyncio.sleep(SETTLE_EVERY)

    # -- while it runs

    async def _show(self) -> None:
        """Show the status, and note when this process did not run."""
        while True:
            before = monotonic()
            await asyncio.sleep(SHOW_EVERY)
            late = monotonic() - before - SHOW_EVERY
            if late > STALL:
                self._recorder.stall(late)
            self._display.show(self._status())

    def _status(self) -> Status:
        crowd, seen = self._crowd, self._recorder.seen
        current = [] if self._injector is None else self._injector.current
        return Status(
            elapsed=self._recorder.now,
            phase=self._phase or ", ".join(str(fault) for fault in current),
            running=0 if crowd is None else len(crowd.rooms()),
            finished=0 if crowd is None else crowd.finished,
            commands=sum(attempt.seq is not None for attempt in seen.attempts),
            reconnects=0 if crowd is None else crowd.reconnects,
            violations=len(seen.failures)
            + len({view.room for view in seen.views if view.result is not None and view.result.reason in BY_CLOCK}),
        )
