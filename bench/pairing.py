"""How fast quick match pairs players who all queue at once, and which Redis commands that takes.

Run as `python -m bench.pairing` from the root of the repository. It starts its own Valkey and nodes.
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
from hashlib import sha1
from importlib.resources import files
from pathlib import Path
from statistics import median, quantiles

from redis.asyncio import Redis

from bench.crowd import Crowd, Pairing
from parlour.protocol.types import Terms
from parlour.server.store.embedded import EmbeddedStore

PLAYERS, NODES, ROUNDS = 500, 3, 5
ADDRESS = re.compile(rb"ws://[^\s)]+")

# Commands that nodes also send when no player is queueing.
BACKGROUND = {"TIME", "INFO", "beat", "claim", "keep", "report", "XREADGROUP", "XAUTOCLAIM"}

END_MARKER = "ECHO"  # a command that the nodes never send

HIGH_LIMITS = (
    "--max-connections-per-address", "100000", "--message-rate", "100000", "--message-burst", "100000",
    "--unlimited-networks", "127.0.0.0/8",
)  # fmt: skip


@asynccontextmanager
async def nodes(store: str, number: int) -> AsyncIterator[list[str]]:
    """Start nodes on one store, and yield their addresses."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PARLOUR_")}
    async with AsyncExitStack() as stack:
        data = stack.enter_context(tempfile.TemporaryDirectory(prefix="parlour-bench-"))
        urls = []
        for _ in range(number):
            options = ("--port", "0", "--redis", store, "--data", data, "--log-level", "warning")
            command = ("-m", "parlour.cli", "serve", *options)
            process = await asyncio.create_subprocess_exec(
                sys.executable, *command, *HIGH_LIMITS, stdin=DEVNULL, stdout=PIPE, env=environment
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
    """Count the commands that Redis receives from its clients, with scripts by their names."""
    scripts = files("parlour.server.store").joinpath("scripts")
    names = {sha1(path.read_bytes()).hexdigest(): path.name.removesuffix(".lua") for path in scripts.iterdir()}
    counts: Counter[str] = Counter()
    listening = asyncio.Event()
    redis = Redis.from_url(store)

    async def listen() -> None:
        async with redis.monitor() as monitor:
            listening.set()
            async for command in monitor.listen():
                words = command["command"].split()
                if words[0] == END_MARKER:
                    return
                if command["client_type"] != "lua":
                    counts[names.get(words[1].lower(), words[0]) if words[0] == "EVALSHA" else words[0].upper()] += 1

    task = asyncio.create_task(listen())
    await listening.wait()
    yield counts
    await redis.echo("end")
    await task
    await redis.aclose()


def faults(pairings: Sequence[Pairing]) -> list[str]:
    """Describe each room that does not have exactly two different players in different seats."""
    rooms: dict[str, list[Pairing]] = {}
    for pairing in pairings:
        rooms.setdefault(pairing.room, []).append(pairing)
    return [
        f"in room {room}: {', '.join(f'{each.name} in seat {each.seat}' for each in players)}"
        for room, players in rooms.items()
        if len({each.name for each in players}) != 2 or sorted(each.seat for each in players) != [0, 1]
    ]


async def measure(players: int, number: int, rounds: int) -> int:
    terms = Terms("isaac")
    seconds: list[float] = []
    commands: Counter[str] = Counter()
    wrong: list[str] = []
    with tempfile.TemporaryDirectory(prefix="parlour-bench-") as folder:
        async with EmbeddedStore(Path(folder)) as store, nodes(store.url, number) as urls:
            for _ in range(rounds):
                async with Crowd(urls, players) as crowd, counting(store.url) as counts:
                    pairings = await crowd.queue(terms)
                commands += Counter({name: count for name, count in counts.items() if name not in BACKGROUND})
                seconds += [pairing.seconds for pairing in pairings]
                wrong += faults(pairings)
    _print(players, number, rounds, seconds, commands)
    for fault in wrong:
        print(fault, file=sys.stderr)
    return 1 if wrong else 0


def _print(players: int, number: int, rounds: int, seconds: list[float], commands: Counter[str]) -> None:
    percent = quantiles(seconds, n=100)
    pairs = players * rounds // 2
    print(f"{players} players queue at once on {number} nodes with one Redis, {rounds} times.\n")
    print("| from queue to paired | ms |\n|:--|--:|")
    times = {"p50": median(seconds), "p95": percent[94], "p99": percent[98], "max": max(seconds)}
    for name, value in times.items():
        print(f"| {name} | {value * 1000:,.0f} |")
    print(f"\nRedis commands per pair, over {pairs:,} pairs: {commands.total() / pairs:.1f}\n")
    print("| command or script | per pair |\n|:--|--:|")
    for name, count in commands.most_common():
        print(f"| {name} | {count / pairs:.2f} |")
    print(f"\nThroughput: {pairs / total_seconds(seconds, players):,.0f} pairs per second.")


def total_seconds(seconds: list[float], players: int) -> float:
    """Return the duration of all rounds, each of which takes as long as its slowest pair."""
    return sum(max(seconds[start : start + players]) for start in range(0, len(seconds), players))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.pairing", description=__doc__)
    parser.add_argument("--players", type=int, default=PLAYERS, help="players who queue at once; an even number")
    parser.add_argument("--nodes", type=int, default=NODES)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    arguments = parser.parse_args()
    if arguments.players < 2 or arguments.players % 2 or arguments.nodes < 1 or arguments.rounds < 1:
        parser.error("--players must be even, and all numbers must be at least 1")
    return asyncio.run(measure(arguments.players, arguments.nodes, arguments.rounds))


if __name__ == "__main__":
    sys.exit(main())
