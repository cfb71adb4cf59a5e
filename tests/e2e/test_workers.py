"""Several workers on one port are one server: they share the store and the metrics, and any of them may die."""

from __future__ import annotations

import os
import signal
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from functools import partial
from pathlib import Path
from time import monotonic

import pytest

from parlour.client.connection import Connection
from parlour.protocol.errors import CloseCode
from parlour.protocol.messages import Welcome
from parlour.server.configuration.settings import Settings
from parlour.server.store.embedded import EmbeddedStore
from tests.e2e.conftest import MakeServer
from tests.e2e.people import Person
from tests.e2e.processes import ServerProcess, is_running
from tests.e2e.test_stop import Witness, is_free, refusal
from tests.e2e.tournament import Tournament
from tests.e2e.web import ask, numbers, when
from tests.server.store_proxy import store_proxy
from tests.waiting import until

GAMES = 12
STOP_WITHIN = Settings().stop_grace + 3.0  # seconds; the machine may be busy
MOVES = "parlour_moves_total"

Way = Callable[[ServerProcess], Awaitable[int]]


@pytest.fixture
async def server(make_server: MakeServer) -> ServerProcess:
    """A running server with two workers."""
    one = make_server("--workers", "2", "--bot-workers", "0")
    await one.start()
    return one


async def moves(server: ServerProcess) -> float:
    return sum(value for name, value in (await numbers(server)).items() if name.startswith(MOVES))


async def connections(server: ServerProcess) -> list[float]:
    """Return the number of connections of each worker that runs."""
    found = await numbers(server)
    return [value for name, value in sorted(found.items()) if name.startswith("parlour_connections{")]


async def serves(server: ServerProcess, count: int) -> bool:
    """Return whether this many workers can serve."""
    try:
        return (await numbers(server))["parlour_workers"] == count
    except ConnectionResetError:  # by a worker that was killed just now
        return False


async def test_a_killed_worker_is_replaced(server: ServerProcess) -> None:
    """Its players go on with the other one, at the same address. Nothing is lost or doubled, and counters go on."""
    async with Tournament(seed=11) as tournament:
        await tournament.begin(GAMES, lambda: Connection([server.url]))
        before = server.workers
        for number in (1, 2):
            await tournament.play_for_a_while()
            counted = await moves(server)
            assert counted > 0
            os.kill(before[number], signal.SIGKILL)
            await until(partial(serves, server, 2))
            assert await moves(server) >= counted
        await tournament.finish()
        await tournament.check(server)

        assert all(entrant.connection.connects > 1 for entrant in tournament.entrants)
    assert before.keys() == server.workers.keys() == {1, 2}
    assert not set(before.values()) & set(server.workers.values())
    assert (await numbers(server))["parlour_worker_restarts_total"] == 2
    assert len(server.errors) == 2
    for number in (1, 2):
        assert f"worker {number} was killed by SIGKILL; restarting it" in server.log
    assert await server.stop() == 0
    assert server.process is not None
    assert server.process.stdout is not None
    assert await server.process.stdout.read() == b""  # the address was printed once


@pytest.mark.parametrize("way", [ServerProcess.stop, ServerProcess.interrupt])
async def test_workers_stop_together(server: ServerProcess, way: Way) -> None:
    """All clients are told, and nothing is left but the games, which go on when the server is started again."""
    witnesses: list[Witness] = []

    def connect() -> Witness:
        witnesses.append(Witness(server.url))
        return witnesses[-1]

    async with Tournament(seed=12) as tournament:
        await tournament.begin(GAMES, connect)
        workers, store = server.workers, server.store
        await tournament.play_for_a_while()
        began = monotonic()
        assert await way(server) == 0
        assert monotonic() - began < STOP_WITHIN

        for witness in witnesses:
            assert await witness.code == CloseCode.RESTART
            assert len(witness.farewells) == 1
        assert not any(map(is_running, (*workers.values(), store)))
        assert is_free(server.port)
        await server.start()
        await tournament.finish()
        await tournament.check(server)
    assert server.errors == []


async def test_workers_end_with_their_supervisor(server: ServerProcess) -> None:
    """If it is killed, the workers and the store end too, and the server can be started again."""
    async with Tournament(seed=13) as tournament:
        await tournament.begin(GAMES, lambda: Connection([server.url]))
        workers, store = server.workers, server.store
        await tournament.play_for_a_while()
        await server.kill()
        await until(lambda: not any(map(is_running, (*workers.values(), store))))
        assert is_free(server.port)
        await server.start()
        await tournament.finish()
        await tournament.check(server)


async def test_every_worker_reports_the_metrics_of_all(server: ServerProcess) -> None:
    """Connections are spread over the workers, and it does not matter which of them is asked."""
    async with AsyncExitStack() as stack:
        for _ in range(40):
            person = Person(await stack.enter_async_context(Connection([server.url])))
            await person.hears(Welcome)
        for _ in range(6):
            found = await numbers(server)
            assert found['parlour_messages_received_total{type="hello"}'] == 40
            per_worker = await connections(server)
            assert len(per_worker) == 2
            assert sum(per_worker) == 40
            assert min(per_worker) > 0
            assert found["parlour_workers"] == 2
            assert found["parlour_worker_restarts_total"] == 0


async def test_a_worker_that_is_cut_off_gets_no_new_players(make_server: MakeServer, tmp_path: Path) -> None:
    """It sends its players to its sibling and closes its port until it can write again.

    If no worker can write, all of them answer, and say why.
    """
    async with (
        EmbeddedStore(tmp_path / "store") as store,
        store_proxy(store.url) as (path, url),
        AsyncExitStack() as stack,
    ):
        server = make_server("--workers", "2", "--bot-workers", "0", "--redis", url)
        await server.start()
        people = [Person(await stack.enter_async_context(Connection([server.url]))) for _ in range(20)]
        for person in people:
            await person.hears(Welcome)
        ours, others = await connections(server)
        assert min(ours, others) > 0

        path.freeze(server.workers[1])
        await until(partial(serves, server, 1))
        await until(lambda: sum(person.connection.connects > 1 for person in people) == ours)
        for _ in range(10):
            assert (await ask(server, "/readyz")).status == 200
            visitor = Person(await stack.enter_async_context(Connection([server.url])))
            await visitor.hears(Welcome)
            assert visitor.connection.connects == 1

        await path.thaw()
        await until(partial(serves, server, 2))
        path.freeze()
        assert (await when(server, "/readyz", 503)).json["reason"] == "unreachable"
        await until(partial(answers, server, 503))
        assert (await ask(server, "/healthz")).status == 200
        await path.thaw()
        await until(partial(answers, server, 200))
        assert await server.stop() == 0


async def answers(server: ServerProcess, status: int) -> bool:
    """Return whether all workers answer a readiness probe with this status, as far as 8 requests can tell."""
    try:
        return all([(await ask(server, "/readyz")).status == status for _ in range(8)])
    except ConnectionError:  # a worker that closes its port resets the connections that it has not accepted yet
        return False


async def test_workers_share_the_embedded_store(server: ServerProcess) -> None:
    """If it is killed, the supervisor starts it again and clients stay; meanwhile the reason is known."""
    async with Tournament(seed=14) as tournament:
        await tournament.begin(GAMES, lambda: Connection([server.url]))
        await tournament.play_for_a_while()
        os.kill(server.store, signal.SIGKILL)
        await tournament.finish()
        await tournament.check(server)
        assert all(entrant.connection.connects == 1 for entrant in tournament.entrants)

    with server.without_store():
        assert (await when(server, "/readyz", 503)).json["reason"] == "embedded_store"
    await when(server, "/readyz", 200)


async def test_load_balancers_learn_of_a_stop_first(make_server: MakeServer) -> None:
    """During the drain delay all workers serve and none is ready; a second signal ends it."""
    server = make_server("--workers", "2", "--bot-workers", "0", "--drain-delay", "5m")
    await server.start()
    assert server.process is not None
    server.process.terminate()
    await until(partial(answers, server, 503))
    async with Connection([server.url]) as connection:
        await Person(connection).hears(Welcome)
        assert await server.stop() == 0
    assert server.errors == []


async def test_a_port_in_use_is_one_sentence(server: ServerProcess, tmp_path: Path) -> None:
    """A second server with workers does not join the first one, although both share their port with others."""
    sentence = await refusal("--workers", "2", "--port", str(server.port), "--data", str(tmp_path / "other"))

    assert f"127.0.0.1:{server.port}" in sentence
    assert not (tmp_path / "other" / "valkey.json").exists()


async def test_workers_that_cannot_start_print_one_sentence(tmp_path: Path) -> None:
    """The first one says why, and no other is started."""
    sentence = await refusal("--workers", "4", "--port", "0", "--redis", f"unix://{tmp_path}/none")

    assert f"unix://{tmp_path}/none" in sentence
