"""A store that answers but takes no writes, and fail-overs that leave connections open or set the clock."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, closing
from time import monotonic
from typing import cast

import pytest
from redis.asyncio import Redis

from parlour.client.connection import Connection
from parlour.protocol.messages import Create, Join, Ok
from parlour.protocol.replica import RoomReplica
from parlour.protocol.types import Clock, Terms
from parlour.server.store.keys import Keys
from tests.e2e.conftest import MakeServer
from tests.e2e.processes import ServerProcess
from tests.e2e.tournament import MIXED, Tournament
from tests.e2e.web import numbers, when
from tests.redis_client import client
from tests.server.store.private_valkey import PrivateValkey
from tests.server.store.shifted_valkey import ShiftedValkey
from tests.server.store_proxy import store_proxy
from tests.waiting import until

keys = Keys()

GAMES = 6
TROUBLE = 6.0  # seconds
MOST_COMMANDS = 150  # per second, while the store takes no writes
COMMANDS_PER_MOVE = 30
MOST_WARNINGS = 10
BOTS = ("--bot-workers", "1", "--bot-pace-alone", "0.5")

# A game is lost if as much time is charged to a player as a clock has jumped, however slow this machine is.
JUMP = 1_200_000  # milliseconds
CLOCK = Clock("fischer", JUMP // 2, 0)

Change = Callable[[Redis], Awaitable[object]]


async def demote(operator: Redis) -> None:
    await operator.replicaof("127.0.0.1", "1")


async def promote(operator: Redis) -> None:
    await operator.replicaof("NO", "ONE")


async def fill(operator: Redis) -> None:
    await operator.config_set("maxmemory", "1mb")


async def enlarge(operator: Redis) -> None:
    await operator.config_set("maxmemory", "0")


@pytest.fixture
def valkey() -> Iterator[PrivateValkey]:
    store = PrivateValkey()
    store.start()
    yield store
    store.close()


@asynccontextmanager
async def bot_game(server: ServerProcess) -> AsyncIterator[RoomReplica]:
    """A game of two bots, as a spectator sees it."""
    async with Connection([server.url]) as spectator:
        created = await spectator.call(Create(id=0, terms=Terms("replica"), levels=("1", "1")))
        assert isinstance(created, Ok)
        assert created.room is not None
        await spectator.call(Join(id=0, room=created.room))
        yield spectator.rooms[created.room]


async def goes_on(game: RoomReplica) -> None:
    """Wait until another move was made, unless the game is over."""
    seen = len(game.moves)
    await until(lambda: len(game.moves) > seen or game.result is not None)


async def commands(operator: Redis) -> int:
    """Return how many commands the store has received, executed or not."""
    statistics = await operator.info("commandstats")
    return sum(each["calls"] + each["rejected_calls"] for each in statistics.values())


@pytest.mark.parametrize(
    ("harm", "heal", "reason"), [(demote, promote, "readonly"), (fill, enlarge, "full")], ids=["readonly", "full"]
)
async def test_a_store_that_takes_no_writes(
    make_server: MakeServer, valkey: PrivateValkey, harm: Change, heal: Change, reason: str
) -> None:
    """The node says why it is not ready, neither floods the store nor its log, and recovers without help."""
    operator = client(valkey.url)
    server = make_server("--redis", valkey.url, *BOTS)
    await server.start()
    async with bot_game(server) as game, Tournament(seed=3) as tournament:
        await tournament.begin(GAMES, lambda: Connection([server.url]))
        await tournament.play_for_a_while()
        await harm(operator)
        ready = await when(server, "/readyz", 503)
        assert ready.json["reason"] == reason
        metrics = await numbers(server)
        assert metrics["parlour_store_up"] == 0
        assert metrics[f'parlour_store_errors_total{{reason="{reason}"}}'] > 0

        before, began = await commands(operator), monotonic()
        await asyncio.sleep(TROUBLE)
        sent = await commands(operator) - before
        assert sent < MOST_COMMANDS * (monotonic() - began)
        assert len(warnings(server)) < MOST_WARNINGS

        await heal(operator)
        await when(server, "/readyz", 200)
        await goes_on(game)
        await tournament.finish()
        await tournament.check(server)
    assert server.errors == []
    await operator.aclose()


def warnings(server: ServerProcess) -> list[str]:
    """Return the warnings in a server's log."""
    return [line for line in server.log.splitlines() if json.loads(line)["level"] == "warning"]


async def longest_outage(store: Redis) -> int:
    """Return the milliseconds of the longest outage. A busy machine may cause short ones."""
    entries = cast("list[bytes]", await store.zrange(keys.outages, 0, -1))
    found = [entry.decode().split("-", 2) for entry in entries]
    return max((int(until) - int(since) for since, until, _ in found), default=0)


@pytest.mark.parametrize("jump", [-JUMP, JUMP])
async def test_a_planned_fail_over(
    make_server: MakeServer, unused_tcp_port_factory: Callable[[], int], jump: int
) -> None:
    """A replica takes over behind the same address, while connections to the old master stay open.

    The node notices by itself. The clock of the replica is wrong, and no player is charged for that.
    """
    port = unused_tcp_port_factory()
    old = PrivateValkey("--port", str(port))
    new = ShiftedValkey(jump, "--port", str(unused_tcp_port_factory()), "--replicaof", f"127.0.0.1 {port}")
    with closing(old), closing(new):
        old.start()
        new.start()
        operator, successor = client(old.url), client(new.url)
        async with store_proxy(old.url) as (proxy, url):
            server = make_server("--redis", url, *BOTS)
            await server.start()
            async with bot_game(server) as game, Tournament(seed=4) as tournament:
                for number in range(2 * GAMES):
                    tournament.play(await tournament.enter(Connection([server.url]), MIXED[number // 2]), CLOCK)
                await tournament.seated()
                await tournament.play_for_a_while()
                await until(lambda: is_online(operator))
                proxy.lead_to(new.url)
                await operator.execute_command("FAILOVER")  # type: ignore[no-untyped-call]
                await tournament.finish()
                await goes_on(game)
                await tournament.check(server)
                for entrant in tournament.entrants:
                    assert entrant.replica.result is not None
                    assert entrant.replica.result.reason != "time"
            assert await longest_outage(successor) < JUMP // 2
            assert await server.stop() == 0
        assert server.errors == []
        await operator.aclose()
        await successor.aclose()


@pytest.mark.parametrize("jump", [-JUMP, JUMP])
async def test_a_clock_that_is_set_during_play(make_server: MakeServer, jump: int) -> None:
    """Games go on: no player is charged, no move waits for the time to come back, and the store is not flooded."""
    store = ShiftedValkey(0)
    with closing(store):
        store.start()
        operator = client(store.url)
        server = make_server("--redis", store.url, *BOTS)
        await server.start()
        async with bot_game(server) as game, Tournament(seed=5) as tournament:
            for number in range(2 * GAMES):
                tournament.play(await tournament.enter(Connection([server.url]), MIXED[number // 2]), CLOCK)
            await tournament.seated()
            await tournament.play_for_a_while()
            store.shift(jump)
            await until(lambda: has_correction(operator))
            before, moves, began = await commands(operator), tournament.moves, monotonic()
            await goes_on(game)
            await tournament.finish()
            sent = await commands(operator) - before
            expected = COMMANDS_PER_MOVE * (tournament.moves - moves)
            assert sent < expected + MOST_COMMANDS * (monotonic() - began)
            await tournament.check(server)
            for entrant in tournament.entrants:
                assert entrant.replica.result is not None
                assert entrant.replica.result.reason != "time"
        assert await longest_outage(operator) < JUMP // 2
        assert server.errors == []
        await operator.aclose()


async def has_correction(operator: Redis) -> bool:
    """Whether a node has noticed that the clock of the store was set."""
    return await operator.get(keys.clock_correction) is not None


async def is_online(master: Redis) -> bool:
    """Whether the replica of a master has all its data."""
    replication = await master.info("replication")
    return bool(replication["connected_slaves"] == 1 and replication["slave0"]["state"] == "online")
