"""Runs a simulated day of guests, and measures what a server and its store need before and after it."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from asyncio.subprocess import Process
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from random import Random
from time import monotonic

import msgspec
from msgspec import Struct
from websockets.exceptions import WebSocketException

from bench.guests import node
from bench.guests.guest import visit
from bench.load import processes
from bench.load.systems import HIGH_LIMITS
from parlour.chaos.faketime import FakeClock, find_library
from parlour.protocol.errors import Refusal
from parlour.server.store.embedded import EmbeddedStore
from parlour.server.store.store import Store

HOURS = 24
HOUR = 3_610.0  # seconds; a clock that is set forward by more than an hour is believed
LIFETIME = 101 * 24 * 3_600.0  # seconds; longer than anything of a guest is kept
PARTIES = 20  # of three guests each, at the same time
UNATTENDED = 90.0  # seconds after which a game that its players have left is over, and its room is closed
UNCHANGED = 10.0  # seconds
# Operations at least. The tables of Isaac and Replica fill up with new positions, and have most of their size then.
WARM_UP = 200_000
WARM_UP_FOR = 2 * UNATTENDED  # seconds at least: as many rooms are open then as at any time of the day
SETTLED_WITHIN = 600.0  # seconds
# What must not outlive the guests: families of keys.
GONE = {"{}:log", "{}:archived", "{}:rated", "{}:seek", "player:{}", "name", "token", "budget"}
RETRY_AFTER = 0.5  # seconds
ALLOWED = 0.05
REPORT_EVERY = 10_000  # operations, while warming up
SETTLING = "waiting until nothing of the guests is left, which takes two or three minutes"
PAGE_SIZE = os.sysconf("SC_PAGE_SIZE")


class Usage(Struct, frozen=True):
    """The memory of a node and its store."""

    memory: int  # bytes in the store
    keys: Mapping[str, int]  # by family
    resident: int  # bytes of the node
    objects: Mapping[str, int]  # of the node, by type


class Pace:
    """Spreads operations over time. Operations for which a busy machine had no time are not made up for."""

    def __init__(self, rate: int) -> None:
        """`rate`: operations a second; 0: as many as the machine can."""
        self._rate = rate
        self._free_at = 0.0

    def wait(self, operations: int, now: float) -> float:
        """Return how many seconds to wait after this many operations, and after those that others have carried out."""
        if not self._rate:
            return 0.0
        self._free_at = max(self._free_at, now) + operations / self._rate
        return self._free_at - now


class Day:
    """A server, and a store whose clock can be set forward."""

    def __init__(self, folder: Path, port: int, process: Process, store: Store, clock: FakeClock) -> None:
        self.operations = 0
        self.cut_short = 0  # visits
        self.is_ending = False  # no more guests come
        self.pace = Pace(0)
        self._folder = folder
        self._url = f"ws://127.0.0.1:{port}/ws"
        self._node = process
        self._store = store
        self._clock = clock
        self._shifted = 0.0

    async def guests(self, operations: int, seed: str, parties: int = PARTIES) -> None:
        """Let guests come and go until they have carried out this many operations, or the day is to end."""
        end = self.operations + operations

        async def come_and_go(number: int) -> None:
            rng = Random(f"{seed} {number}")
            while self.operations < end and not self.is_ending:
                try:
                    more = await visit(self._url, rng)
                    self.operations += more  # not before it is done: other parties count meanwhile
                    await asyncio.sleep(self.pace.wait(more, monotonic()))
                except (OSError, WebSocketException, Refusal):  # the node sends players away when time has jumped
                    self.cut_short += 1
                    await asyncio.sleep(RETRY_AFTER)

        async with asyncio.TaskGroup() as group:
            for number in range(parties):
                group.create_task(come_and_go(number))

    async def pass_time(self, seconds: float) -> None:
        """Set the clock of the store forward, and let the node notice."""
        self._shifted += seconds
        self._clock.shift(self._shifted)
        # A node measures the store's time on every new connection.
        await self._store.pipeline.call(b"CLIENT", b"KILL", b"SKIPME", b"YES")

    async def settle(self) -> Usage:
        """Return what is needed once all games are over and archived, all rooms closed, and all lifetimes past."""
        await asyncio.sleep(UNATTENDED)
        await self.pass_time(2 * HOUR)
        await self._until_unchanged("{}:log")
        await self.pass_time(LIFETIME)
        async with asyncio.timeout(SETTLED_WITHIN):
            while GONE & set(await self.families()):
                await asyncio.sleep(1)
        return await self.usage()

    async def _until_unchanged(self, family: str) -> None:
        """Wait until the number of keys in a family is the same for a while."""
        count, since = -1, monotonic()
        while monotonic() - since < UNCHANGED:
            await asyncio.sleep(1)
            found = (await self.families()).get(family, 0)
            if found != count:
                count, since = found, monotonic()

    async def usage(self) -> Usage:
        """Return what is needed now."""
        info = (await self._store.pipeline.call(b"INFO", b"memory")).decode()
        memory = int(info.partition("used_memory:")[2].split()[0])
        return Usage(memory, await self.families(), self.resident(), await self._census())

    def resident(self) -> int:
        """Return the resident memory of the node in bytes."""
        return int(Path(f"/proc/{self._node.pid}/statm").read_text("ascii").split()[1]) * PAGE_SIZE

    async def families(self) -> Mapping[str, int]:
        """Return the number of keys, by family."""
        found: Counter[str] = Counter()
        async for keys in self._store.pipeline.scan("*"):
            found.update(family(key.decode()) for key in keys)
        return found

    async def _census(self) -> Mapping[str, int]:
        file = self._folder / "census"
        file.unlink(missing_ok=True)
        self._node.send_signal(signal.SIGUSR1)
        async with asyncio.timeout(60):
            while not file.exists():
                await asyncio.sleep(0.05)
        return msgspec.json.decode(file.read_bytes(), type=dict[str, int])


def family(key: str) -> str:
    """Return what all keys of a kind share: `{}:log` for those of rooms, `player:{}`, `token`."""
    parts = re.sub("{[^}]*}", "{}", key).split(":")[1:]
    return ":".join(parts[:2] if "{}" in parts else parts[:1])


@asynccontextmanager
async def opened_day(folder: Path) -> AsyncIterator[Day]:
    """Start a store with a clock of its own, and a server. Raise FileNotFoundError without libfaketime."""
    library = find_library()
    if library is None:
        raise FileNotFoundError("This needs libfaketime: install the package faketime.")
    clock = FakeClock(library, folder / "faketime")
    async with AsyncExitStack() as stack:
        with clock.preloaded():
            valkey = await stack.enter_async_context(EmbeddedStore(folder / "store"))
        store = Store(valkey.url, "bench")
        await store.pipeline.open()
        stack.push_async_callback(store.pipeline.close)
        port = processes.free_port()
        command = [
            sys.executable, str(Path(node.__file__)), str(folder / "census"), "serve", "--port", str(port),
            "--redis", valkey.url, "--data", str(folder / "data"), "--bot-pace", "0", "--log-level", "warning",
            *HIGH_LIMITS,
        ]  # fmt: skip
        process = await stack.enter_async_context(processes.listening(command, port, folder))
        yield Day(folder, port, process, store, clock)


async def run(folder: Path, operations: int, seed: int, rate: int) -> int:
    """Print what is needed before and after that many operations; return the exit code.

    After Ctrl-C, the report is about the operations until then.
    """
    processes.pin_load()
    async with opened_day(folder) as day:
        day.pace = Pace(rate)
        hour, began = operations // HOURS, monotonic()
        while day.operations < max(hour, WARM_UP) or monotonic() - began < WARM_UP_FOR:
            _say(f"warming up: {day.operations:,} operations, {_rate(day, 0, began)}")
            await day.guests(min(hour, REPORT_EVERY), f"{seed} before {day.operations}")
            await day.pass_time(HOUR)
        _say(SETTLING)
        before = await day.settle()
        began, done = monotonic(), day.operations
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGINT, _end, day)
        for number in range(HOURS):
            await day.guests(hour, f"{seed} {number}")
            if day.is_ending:
                break
            await day.pass_time(HOUR)
            seconds = monotonic() - began
            minutes = seconds / (number + 1) * (HOURS - number - 1) / 60
            _say(f"{number + 1} of {HOURS} hours, {day.operations - done:,} operations, {_rate(day, done, began)}, "
                 f"node {day.resident() // 1000:,} kB, {minutes:.0f} min left")  # fmt: skip
        done, speed = day.operations - done, _rate(day, done, began)
        peak = await day.usage()
        _say(SETTLING)
        after = await day.settle()
        print(f"{done:,} of {hour * HOURS:,} operations, {speed}; {day.cut_short} visits were cut short")
        return compare(before, peak, after)


def _rate(day: Day, done: int, began: float) -> str:
    return f"{(day.operations - done) / (monotonic() - began):.0f}/s"


def _end(day: Day) -> None:
    """Let no more guests come; the next Ctrl-C ends the program."""
    day.is_ending = True
    asyncio.get_running_loop().remove_signal_handler(signal.SIGINT)
    _say("the report follows in some minutes; press Ctrl-C again to go without it")


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def compare(before: Usage, peak: Usage, after: Usage) -> int:
    """Print three measurements; return 1 if the store or the node has grown by more than is allowed, else 0.

    The number of objects explains growth. It does not decide: a few hundred that are made once are some percent of it.
    """
    rows = {
        "store, kB": [each.memory // 1000 for each in (before, peak, after)],
        "keys": [sum(each.keys.values()) for each in (before, peak, after)],
        "node, kB": [each.resident // 1000 for each in (before, peak, after)],
        "objects": [sum(each.objects.values()) for each in (before, peak, after)],
    }
    print(f"{'':12} {'before':>10} {'busy':>10} {'after':>10} {'growth':>8}")
    grown = False
    for title, (first, busy, last) in rows.items():
        growth = last / first - 1
        grown |= growth > ALLOWED and title != "objects"
        print(f"{title:12} {first:10,} {busy:10,} {last:10,} {growth:+8.1%}")
    for title, old, new in (("keys", before.keys, after.keys), ("objects", before.objects, after.objects)):
        more = Counter(new) - Counter(old)
        print(f"more {title}: {', '.join(f'{name} +{count}' for name, count in more.most_common(8)) or 'none'}")
    return 1 if grown else 0
