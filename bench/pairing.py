"""How fast players are paired who all queue at once, and what that asks of Redis.

Run as `python -m bench.pairing` from the root of the repository. It starts a Valkey and some nodes of its own.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import sys
import tempfile
from asyncio.subprocess import DEVNULL, PIPE
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from importlib.resources import files
from pathlib import Path
from statistics import median, quantiles

from bench.crowd import Crowd, Met
from parlour.protocol.tables import Terms
from parlour.server.store.connection import client
from parlour.server.store.embedded import EmbeddedStore
from parlour.server.store.pipe import script

PLAYERS, NODES, ROUNDS = 500, 3, 5
ADDRESS = re.compile(rb"ws://[^\s)]+")

# What nodes do all the time, whoever queues.
ALWAYS = {"TIME", "INFO", "beat", "claim", "keep", "report", "XREADGROUP", "XAUTOCLAIM"}

THE_END = "ECHO"  # which nobody else sends

LIMITS_AWAY = (
    "--max-connections-per-address", "100000", "--message-rate", "100000", "--message-burst", "100000",
    "--guest-rate", "0", "--seek-rate", "0",
)  # fmt: skip


@asynccontextmanager
async def nodes(store: str, number: int) -> AsyncIterator[list[str]]:
    """Some nodes on one store; their addresses."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PARLOUR_")}
    async with AsyncExitStack() as stack:
        urls = []
        for _ in range(number):
            command = ("-m", "parlour.cli", "serve", "--port", "0", "--redis", store, "--log-level", "warning")
            process = await asyncio.create_subprocess_exec(
                sys.executable, *command, *LIMITS_AWAY, stdin=DEVNULL, stdout=PIPE, env=environment
            )
            stack.push_async_callback(process.wait)
            stack.callback(process.kill)
            assert process.stdout is not None
            found = ADDRESS.search(await process.stdout.readline())
            if found is None:
                raise ConnectionError("A node did not start.")
            urls.append(found[0].decode())
        yield urls


@asynccontextmanager
async def counting(store: str) -> AsyncIterator[Counter[str]]:
    """Count the commands that Redis gets from its clients, scripts by their names."""
    names = {
        script(path.name).sha: path.name.removesuffix(".lua")
        for path in files("parlour.server.store").iterdir()
        if path.name.endswith(".lua")
    }
    counted: Counter[str] = Counter()
    listening = asyncio.Event()
    redis = client(store)

    async def listen() -> None:
        async with redis.monitor() as monitor:
            listening.set()
            async for seen in monitor.listen():
                words = seen["command"].split()
                if words[0] == THE_END:
                    return
                if seen["client_type"] != "lua":
                    counted[names.get(words[1].lower(), words[0]) if words[0] == "EVALSHA" else words[0].upper()] += 1

    task = asyncio.create_task(listen())
    await listening.wait()
    yield counted
    await redis.echo("This is the end.")
    await task
    await redis.aclose()


def faults(met: Sequence[Met]) -> list[str]:
    """What is wrong with how they met: everybody must be in one room with one other, in different seats."""
    rooms: dict[str, list[Met]] = {}
    for one in met:
        rooms.setdefault(one.room, []).append(one)
    return [
        f"in room {room}: {', '.join(f'{one.name} in seat {one.seat}' for one in those)}"
        for room, those in rooms.items()
        if len({one.name for one in those}) != 2 or sorted(one.seat for one in those) != [0, 1]
    ]


async def measure(players: int, number: int, rounds: int) -> int:
    terms = Terms("isaac")
    seconds: list[float] = []
    calls: Counter[str] = Counter()
    wrong: list[str] = []
    with tempfile.TemporaryDirectory(prefix="parlour-bench-") as folder:
        async with EmbeddedStore(Path(folder)) as store, nodes(store.url, number) as urls:
            for _ in range(rounds):
                async with Crowd(urls, players) as crowd, counting(store.url) as counted:
                    met = await crowd.queue(terms)
                calls += Counter({name: count for name, count in counted.items() if name not in ALWAYS})
                seconds += [one.seconds for one in met]
                wrong += faults(met)
    _print(players, number, rounds, seconds, calls)
    for fault in wrong:
        print(fault, file=sys.stderr)
    return 1 if wrong else 0


def _print(players: int, number: int, rounds: int, seconds: list[float], calls: Counter[str]) -> None:
    percent = quantiles(seconds, n=100)
    pairs = players * rounds // 2
    print(f"{players} players queue at once over {number} nodes on one Redis, {rounds} times.\n")
    print("| from queue to pair | ms |\n|:--|--:|")
    times = {"median": median(seconds), "95 %": percent[94], "99 %": percent[98], "worst": max(seconds)}
    for name, value in times.items():
        print(f"| {name} | {value * 1000:,.0f} |")
    print(f"\nRedis calls for each of the {pairs:,} pairs: {calls.total() / pairs:.1f}\n")
    print("| command or script | for each pair |\n|:--|--:|")
    for name, count in calls.most_common():
        print(f"| {name} | {count / pairs:.2f} |")
    print(f"\nAll together {pairs / sum_of_rounds(seconds, players):,.0f} pairs a second.")


def sum_of_rounds(seconds: list[float], players: int) -> float:
    """How long the rounds took, each as long as its slowest pair."""
    return sum(max(seconds[at : at + players]) for at in range(0, len(seconds), players))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.pairing", description=__doc__)
    parser.add_argument("--players", type=int, default=PLAYERS, help="how many queue at once; an even number")
    parser.add_argument("--nodes", type=int, default=NODES)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    given = parser.parse_args()
    if given.players < 2 or given.players % 2 or given.nodes < 1 or given.rounds < 1:
        parser.error("--players must be even, and all numbers at least 1")
    return asyncio.run(measure(given.players, given.nodes, given.rounds))


if __name__ == "__main__":
    sys.exit(main())
