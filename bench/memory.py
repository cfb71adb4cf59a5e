"""Whether finished games leave anything in Redis.

    python -m bench.memory                    100,000 games
    python -m bench.memory --games 10000

Writes the logs of games between a thousand players that are over, and whose rooms are closed, into a real Valkey; lets
a node archive them in a SQLite file exactly as it archives any game; waits until what it leaves behind has expired; and
prints the memory and the number of keys before and after. The exit code is 1 if the memory has grown by more than 5 %.
All players have ratings before the first measurement: those belong to the players, not to the games.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from time import monotonic

from msgspec import Struct
from msgspec.structs import replace

from parlour.games.perft import random_move
from parlour.protocol.types import Clock, Player, Result, Terms
from parlour.server.archive.archive import ARCHIVE_AFTER
from parlour.server.archive.database.database import Database
from parlour.server.archive.database.engine import FILE, sqlite_url
from parlour.server.configuration.settings import Settings
from parlour.server.metrics import Metrics
from parlour.server.node import Node
from parlour.server.rooms.commands import RESIGNED
from parlour.server.rooms.events import AnyEvent, Created, Ended, Participant, Played, encode
from parlour.server.rooms.setup import complete_options, create
from parlour.server.rooms.state import evolve, initial_state
from parlour.server.store.embedded import EmbeddedStore
from parlour.server.store.room_log import ARCHIVED_TTL, Appended
from parlour.server.store.store import Store

GAMES = 100_000
PLAYERS = 1_000
KINDS = ("isaac", "mapello", "mitsudomoe", "replica")
SEEDS = 5  # different games of each kind
MOVES = 8
RATED = 4  # every fourth pair plays rated games
AT_ONCE = 250  # games that are over at the same time
ALLOWED = 0.05
SETTLED = 10.0  # seconds without a key that expires; Valkey deletes them little by little


class Usage(Struct, frozen=True):
    """What a Valkey needs."""

    memory: int  # bytes
    keys: int


class Template(Struct, frozen=True):
    """The events of a game, in which the players are filled in."""

    created: Created
    rest: list[bytes]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", metavar="N", type=int, default=GAMES, help=f"number of games (default: {GAMES})")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="parlour-bench-", dir=Path.cwd()) as folder:
        return asyncio.run(run(Path(folder), arguments.games))


async def run(folder: Path, number: int) -> int:
    """Print what Valkey needs before and after that many games; return the exit code."""
    async with opened_node(folder) as (node, store, _):
        return await _compare(node, store, number)


@asynccontextmanager
async def opened_node(folder: Path) -> AsyncIterator[tuple[Node, Store, Database]]:
    """A node with an embedded store and a SQLite archive in a folder."""
    async with EmbeddedStore(folder) as valkey:
        store, database = Store(valkey.url, "bench"), Database(sqlite_url(folder / FILE))
        await store.open()
        await database.open()
        try:
            yield Node(Settings(data=folder), store, database, Metrics(), "bench"), store, database
        finally:
            await database.close()
            await store.close()


async def _compare(node: Node, store: Store, number: int) -> int:
    await finish(node, store, "before", PLAYERS * len(KINDS) // 2, rated=1)
    before = await expired(store)
    began = monotonic()
    await finish(node, store, "after", number)
    seconds = monotonic() - began
    peak = await usage(store)
    after = await expired(store)
    print(f"{number} games archived in {seconds:.0f} s, {number / seconds:.0f} per second")
    print(f"{'':24} {'memory, kB':>12} {'keys':>8}")
    for title, found in (("before", before), ("after the last game", peak), ("when all has expired", after)):
        print(f"{title:24} {found.memory / 1000:12,.0f} {found.keys:8}")
    growth = after.memory / before.memory - 1
    print(f"growth: {growth:+.1%}, allowed: {ALLOWED:.0%}")
    return 0 if growth <= ALLOWED else 1


async def finish(node: Node, store: Store, name: str, number: int, rated: int = RATED) -> None:
    """Let a node archive some games, whose rooms have this name and a number. Every `rated`-th pair is rated."""
    ended = node.now() - ARCHIVE_AFTER - 1_000
    templates = [template(kind, seed, ended) for kind in KINDS for seed in range(SEEDS)]
    for first in range(0, number, AT_ONCE):
        numbers = range(first, min(first + AT_ONCE, number))
        await asyncio.gather(*(_write(store, f"{name}{at}", templates, at, rated, node.now()) for at in numbers))
        waiting = [f"{name}{at}" for at in numbers]
        while waiting:
            await node.sweep()
            is_there = await store.pipeline.call_all(*((b"EXISTS", store.keys.log(room)) for room in waiting))
            waiting = [room for room, found in zip(waiting, is_there, strict=True) if found]
            for room in waiting:  # a game that the database did not take in time would wait for minutes
                store.deadlines.set(room, node.now())
        if sys.stderr.isatty():
            print(f"\r{numbers.stop} of {number} games", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print(file=sys.stderr)


async def expired(store: Store) -> Usage:
    """Return what a Valkey needs once everything that expires soon has been deleted."""
    await asyncio.sleep(ARCHIVED_TTL / 1000)
    found = await usage(store)
    while True:
        await asyncio.sleep(SETTLED)
        earlier, found = found, await usage(store)
        if found.keys >= earlier.keys:
            return found


async def usage(store: Store) -> Usage:
    """Return what a Valkey needs now."""
    memory = (await store.pipeline.call(b"INFO", b"memory")).decode()
    return Usage(int(memory.partition("used_memory:")[2].split()[0]), await store.pipeline.call(b"DBSIZE"))


def template(kind: str, seed: int, ended: int) -> Template:
    """Return a rated game of a few moves, which one player has resigned if it was not over."""
    rng = Random(seed)
    terms = Terms(kind, {}, Clock("fischer", 300_000, 3_000), rated=True)
    players = (Participant("first", Player("First")), Participant("second", Player("Second")))
    created = create(terms, complete_options(terms, None, rng), None, players, ended - 60_000)
    room, events = initial_state("template", created), list[AnyEvent]()
    while room.ply < MOVES and room.rules.outcome(room.state) is None:
        mover = room.players[room.to_move or 0].id
        played = Played(ended - 30_000, random_move(room.rules, room.state, rng), 0, mover, room.ply)
        room = evolve(room, played)
        events.append(played)
    outcome = room.rules.outcome(room.state)
    result = (
        Result(seed % 2, RESIGNED, room.rules.scores(room.state))
        if outcome is None
        else Result(outcome.winner, outcome.reason, outcome.scores)
    )
    events.append(Ended(ended, result))
    return Template(created, [encode(event) for event in events])


async def _write(store: Store, room: str, templates: Sequence[Template], number: int, rated: int, now: int) -> None:
    """Write the log of a game. Each pair of players plays each kind of game in turn."""
    pair, kind = divmod(number, len(KINDS))
    chosen = templates[kind * SEEDS + pair % SEEDS]
    first, second = (Participant(f"player{(pair * 2 + seat) % PLAYERS}", Player(f"Player {seat}")) for seat in (0, 1))
    created = replace(chosen.created, players=(first, second), rated=pair % rated == 0)
    entries = [encode(created), *chosen.rest]
    done: asyncio.Future[Appended] = asyncio.get_running_loop().create_future()
    store.room_log.append(room, 1, entries, done.set_result, deadline=now)
    if await done is not Appended.OK:
        raise RuntimeError(f"the log of {room} was not written")


if __name__ == "__main__":
    sys.exit(main())
