"""Response times of a bystander while one address attacks a server with its default limits.

    python -m bench.attacks                               200 pings of the bystander during each attack
    python -m bench.attacks --pings 1000

A guest at another address sends pings to a real server, first undisturbed and then during each attack. The exit code
is 1 if the 99th percentile of one attack is above 50 ms, multiplied by the number of processes that wait for each
processor of this machine, or if the server's event loop was ever busy for longer than 50 ms at a stretch.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from pathlib import Path
from random import Random
from statistics import quantiles

from msgspec import Struct

from bench.guests.guest import Guest
from parlour.protocol.errors import Refusal
from parlour.protocol.messages import Command, Create, Join, Queue, ReadRecord, Refused, Say, Seek
from parlour.protocol.types import Clock, Terms
from tests.e2e.processes import ServerProcess
from tests.e2e.web import numbers
from tests.server.limits.long_record import long_record

PINGS = 200
PAUSE = 0.05  # seconds between two pings, so that the bystander stays below the message rate
ALLOWED = 0.05  # seconds
BYSTANDER = "127.0.0.2"
ISAAC = Terms("isaac")
RECORD = long_record()

Attack = Callable[["Attacker"], Awaitable[None]]


class Outcome(Struct, frozen=True):
    """The effect of an attack. Times are in seconds."""

    name: str
    p99: float  # of the bystander's pings
    refused: int  # of the attacker's commands
    accepted: int
    blocks: int  # times that the event loop was busy for longer than allowed
    allowed: float  # for p99

    @property
    def is_harmless(self) -> bool:
        return self.p99 <= self.allowed and not self.blocks


class Attacker:
    """Guests at one address, and the answers to their commands."""

    def __init__(self, url: str, address: str) -> None:
        self.accepted = self.refused = 0
        self._url = url
        self._address = address
        self._guests: list[Guest] = []

    async def guest(self) -> Guest | None:
        """Return a new guest; None if the server has refused it."""
        try:
            guest = await Guest.arrive(self._url, Random(1), self._address)
        except Refusal:
            self.refused += 1
            return None
        self.accepted += 1
        self._guests.append(guest)
        return guest

    async def burst(self, guest: Guest | None, *commands: Command) -> list[object]:
        """Send commands all at once and return the answers; the connection may be closed meanwhile."""
        if guest is None:
            return []
        found = await asyncio.gather(*(guest.ask(each) for each in commands), return_exceptions=True)
        refused = sum(isinstance(each, Refused | Exception) for each in found)
        self.refused += refused
        self.accepted += len(found) - refused
        return list(found)

    async def leave(self) -> None:
        """Disconnect all guests."""
        await asyncio.gather(*(guest.leave() for guest in self._guests), return_exceptions=True)


# -- attacks


async def no_attack(attacker: Attacker) -> None:
    """Do nothing."""


async def records(attacker: Attacker) -> None:
    """Have long records replayed."""
    text = RECORD
    for _ in range(3):
        await attacker.burst(await attacker.guest(), *(ReadRecord(id=0, text=text) for _ in range(97)))


async def computer_games(attacker: Attacker) -> None:
    """Create games between computers, and leave."""
    for _ in range(3):
        await attacker.burst(await attacker.guest(), *(Create(id=0, terms=ISAAC, levels=("1", "1")) for _ in range(60)))


async def seeks(attacker: Attacker) -> None:
    """Fill the list of seeks."""
    for _ in range(8):
        await attacker.burst(await attacker.guest(), *(Seek(id=0, terms=ISAAC) for _ in range(25)))


async def chat(attacker: Attacker) -> None:
    """Fill the chat of a game."""
    first = await attacker.guest()
    (created,) = await attacker.burst(first, Create(id=0, terms=ISAAC, levels=(None, "1"))) or [None]
    room = getattr(created, "room", None)
    if room is not None:
        for _ in range(3):
            talker = await attacker.guest()
            await attacker.burst(talker, Join(id=0, room=room))
            await attacker.burst(talker, *(Say(id=0, room=room, text="Buy!") for _ in range(90)))


async def guests(attacker: Attacker) -> None:
    """Create guests."""
    await asyncio.gather(*(attacker.guest() for _ in range(90)))


async def queues(attacker: Attacker) -> None:
    """Wait in as many queues as possible."""
    terms = [Terms("isaac", clock=Clock("move", 10_000 + number)) for number in range(60)]
    for _ in range(3):
        await attacker.burst(await attacker.guest(), *(Queue(id=0, terms=each) for each in terms))


ATTACKS: Sequence[Attack] = (records, computer_games, seeks, chat, guests, queues)


# -- measuring


async def run(folder: Path, pings: int, attacks: Sequence[Attack] = ATTACKS) -> list[Outcome]:
    """Return the outcome of each attack on a server in a folder; the first one is no attack at all."""
    server = ServerProcess(folder)
    await server.start()
    try:
        with ProcessPoolExecutor(1) as bystander:
            outcomes = [await _measure(server, bystander, pings, "none", Attacker(server.url, BYSTANDER), no_attack)]
            for number, attack in enumerate(attacks):
                attacker = Attacker(server.url, f"127.0.1.{1 + number}")
                outcomes.append(
                    await _measure(server, bystander, pings, attack.__name__.replace("_", " "), attacker, attack)
                )
                await attacker.leave()
        return outcomes
    finally:
        await server.stop()


async def _measure(
    server: ServerProcess, bystander: Executor, pings: int, name: str, attacker: Attacker, attack: Attack
) -> Outcome:
    before = blocks(await numbers(server))
    # In a process of its own, which the attacker's work does not hold up.
    times = asyncio.get_running_loop().run_in_executor(bystander, round_trips, server.url, pings)
    await attack(attacker)
    p99 = quantiles(await times, n=100)[-1]
    found = int(blocks(await numbers(server)) - before)
    return Outcome(name, p99, attacker.refused, attacker.accepted, found, ALLOWED * load())


def round_trips(url: str, pings: int) -> list[float]:
    """Return how long each ping of a guest takes."""

    async def ping() -> list[float]:
        guest = await Guest.arrive(url, Random(2), BYSTANDER)
        times = []
        for _ in range(pings):
            times.append(await guest.ping())
            await asyncio.sleep(PAUSE)
        await guest.leave()
        return times

    return asyncio.run(ping())


def blocks(samples: Mapping[str, float]) -> float:
    """Return how often the event loop was busy for longer than allowed, since the server started."""
    name = "parlour_event_loop_busy_seconds"
    return samples[f"{name}_count"] - samples[f'{name}_bucket{{le="{ALLOWED}"}}']


def load() -> float:
    """Return the number of processes per processor that want to run, at least 1."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def report(outcomes: Sequence[Outcome]) -> str:
    """Return a table."""
    lines = [f"{'attack':16} {'p99, ms':>8} {'allowed':>8} {'accepted':>9} {'refused':>8} {'blocks':>7}"]
    for each in outcomes:
        mark = "" if each.is_harmless else "  too much"
        lines.append(
            f"{each.name:16} {each.p99 * 1000:8.1f} {each.allowed * 1000:8.0f} {each.accepted:9} {each.refused:8} "
            f"{each.blocks:7}{mark}"
        )
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.attacks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--pings", metavar="N", type=int, default=PINGS, help="during each attack (default: %(default)s)"
    )
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="parlour-bench-") as folder:
        outcomes = asyncio.run(run(Path(folder), arguments.pings))
    print(report(outcomes))
    return 0 if all(each.is_harmless for each in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
