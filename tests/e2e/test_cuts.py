"""Connections that are cut, stalled and lost at any byte: nothing is lost, and nothing happens twice."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, STDOUT
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random

import msgspec
import pytest
import pytest_asyncio

from parlour import games
from parlour.client import connection as client
from parlour.client.connection import Connection
from parlour.protocol import timing
from parlour.protocol.messages import Accept, Challenge, GetRecord, Join, Moved, Ok, Record, Room, RoomEvent
from parlour.protocol.replica import RoomReplica
from parlour.protocol.types import Player, SeatedPlayer, Terms
from tests.e2e.conftest import GENEROUS, MakeServer
from tests.e2e.people import Person, people, sit_down
from tests.e2e.players import RandomPlayer
from tests.e2e.processes import ServerProcess
from tests.e2e.proxy import Cut, Proxy
from tests.waiting import WITHIN

MOST_CUTS = 60  # for each player in one game
LEAST_CUTS = 15  # for both together; the game may be over before there are more
UP_TO_HELLO, UP_TO_WELCOME = 400, 7_000  # bytes that every connection begins with, about
RANDOM_PLAYER = Path(__file__).parents[2] / "docs" / "clients" / "random_player.py"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ServerProcess]:
    """One server for all tests of this file that need no other."""
    server = ServerProcess(tmp_path_factory.mktemp("server"), *GENEROUS)
    await server.start()
    yield server
    assert await server.stop() == 0


@pytest.fixture
def in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let clients reconnect at once, as often as necessary."""
    monkeypatch.setattr(timing, "FIRST_COMMAND_DELAY", 0.001)
    monkeypatch.setattr(timing, "FIRST_PLAYER_DELAY", 0.001)
    monkeypatch.setattr(timing, "MAX_RECONNECT_DELAY", 0.02)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let clients give up on a silent server after a second and a half."""
    monkeypatch.setattr(timing, "PING_INTERVAL", 0.3)
    monkeypatch.setattr(timing, "SILENCE_LIMIT", 1.5)
    monkeypatch.setattr(timing, "FIRST_PLAYER_DELAY", 0.1)
    monkeypatch.setattr(client, "TICK", 0.1)


# -- cut


def bad_luck(rng: Random, size: int, sent: float) -> Iterator[Cut]:
    """Return cuts before, in and soon after welcome. `size`: bytes after it; `sent`: the share of cuts upstream."""
    for _ in range(MOST_CUTS):
        to_server = rng.random() < sent
        begin, more = (UP_TO_HELLO, 150) if to_server else (UP_TO_WELCOME, size)
        after = rng.randrange(begin) if rng.random() < 0.2 else begin + rng.randrange(more)
        yield Cut(after, to_server, reset=rng.random() < 0.5)


async def agree(host: Connection, guest: Connection, game: str) -> str:
    """Let two connections agree on a game, however often they are cut; return the room."""
    answer = await host.call(Challenge(id=0, terms=Terms(game), seat="first"))
    assert isinstance(answer, Ok)
    assert answer.seek is not None
    answer = await guest.call(Accept(id=0, seek=answer.seek))
    assert isinstance(answer, Ok)
    assert answer.room is not None
    return answer.room


async def watch(spectator: Connection, room: str) -> RoomReplica:
    """Watch a game to its end."""
    answer = await spectator.call(Join(id=0, room=room))
    assert isinstance(answer, Room)
    while spectator.rooms[room].result is None:
        await spectator.news.get()
    return spectator.rooms[room]


def expect_sound(key: str, table: RoomReplica, players: list[RandomPlayer]) -> None:
    """Check that every move was acknowledged once, to its player, and leads to the same result."""
    game = games.find(key)
    state = game.initial(game.options(table.room.terms.options))
    for ply, text in enumerate(table.moves):
        (mover,) = [player for player in players if ply in player.acknowledged]
        assert mover.replica.seat == game.to_move(state)
        move = game.read(state, text)
        assert game.check(state, mover.acknowledged[ply]) == move
        state = game.apply(state, move)
    outcome = game.outcome(state)
    assert outcome is not None
    assert table.result is not None
    assert (table.result.winner, table.result.reason) == (outcome.winner, outcome.reason)
    assert table.scene.pieces == game.scene(state).pieces


@pytest.mark.usefixtures("in_a_hurry")
@pytest.mark.parametrize(
    ("key", "size", "seed"),
    [("isaac", 7_000, 1), ("mapello", 500, 2), ("mitsudomoe", 6_000, 11), ("replica", 1_000, 4)],
)
async def test_a_client_that_is_cut_repeatedly_plays_on(server: ServerProcess, key: str, size: int, seed: int) -> None:
    """A game is played to its end, and two spectators, one of them cut too, see what the players see."""
    rng = Random(seed)
    async with asyncio.timeout(2 * WITHIN), AsyncExitStack() as stack:
        fates = [bad_luck(rng, size, 0.4), bad_luck(rng, size, 0.4), bad_luck(rng, 1_500, 0.0)]
        proxies = [await stack.enter_async_context(Proxy(server.port, fate)) for fate in fates]
        urls = [*(proxy.url for proxy in proxies), server.url]
        one, two, *spectators = [await stack.enter_async_context(Connection([url])) for url in urls]
        room = await agree(one, two, key)
        players = [RandomPlayer(connection, Random(seed)) for connection in (one, two)]
        tables = await asyncio.gather(
            *(player.play_on() for player in players), *(watch(spectator, room) for spectator in spectators)
        )
        assert proxies[0].cuts + proxies[1].cuts >= LEAST_CUTS
        assert proxies[2].cuts > 0
        expect_sound(key, tables[0], players)
        for table in tables[1:]:
            assert (table.moves, table.scene, table.result) == (tables[0].moves, tables[0].scene, tables[0].result)
        record = await spectators[1].call(GetRecord(id=0, room=room))
        assert isinstance(record, Record)
        assert [move.move for move in record.moves] == tables[0].moves
    assert server.errors == []


def is_turn_or_over(table: RoomReplica) -> bool:
    return table.scene.to_move in (table.seat, None)


@pytest.mark.usefixtures("in_a_hurry")
async def test_a_cut_in_the_middle_of_a_frame(server: ServerProcess) -> None:
    """At whatever byte of a turn or of its answer the connection breaks, the turn is made once."""
    async with people(server.url, "Ada") as (ada,), Proxy(server.port) as proxy, Connection([proxy.url]) as connection:
        ben = Person(connection)
        for to_server in (True, False):
            for after in range(0, 45 if to_server else 70, 3):
                if not ben.room or (await ben.sees(is_turn_or_over)).scene.to_move is None:
                    await sit_down(ben, ada, "mapello")
                before, cuts = list(ben.table.moves), proxy.cuts
                assert proxy.newest is not None
                proxy.newest.cut_after(Cut(after, to_server))
                text = await ben.plays()
                while len(ada.table.moves) <= len(before):
                    await ada.hears(Moved)
                assert ada.table.moves == ben.table.moves == [*before, text]
                assert proxy.cuts > cuts
                while ada.table.scene.to_move == ada.table.seat:  # more than once if the other one cannot move
                    await ada.plays()
    assert server.errors == []


# -- stalled and lost


@pytest.mark.usefixtures("impatient")
async def test_a_client_gives_up_a_connection_that_has_gone_silent(make_server: MakeServer) -> None:
    """It reconnects in time and plays on; the server gives up the old connection too, and no player is offline."""
    server = make_server("--ping-interval", "1")
    await server.start()
    async with people(server.url, "Ada") as (ada,), Proxy(server.port) as proxy, Connection([proxy.url]) as connection:
        ben = Person(connection)
        await sit_down(ada, ben)
        stalled = proxy.newest
        assert stalled is not None
        stalled.stall()
        began = asyncio.get_running_loop().time()
        await ada.plays()
        await ben.plays()
        assert connection.connects == 2
        assert asyncio.get_running_loop().time() - began >= timing.SILENCE_LIMIT - timing.PING_INTERVAL
        async with asyncio.timeout(WITHIN):
            await stalled.given_up.wait()
        await ada.plays()
        await ben.plays()
        assert not [told for told in ada.has_heard(RoomEvent) if told.kind in ("disconnected", "reconnected")]
    assert server.errors == []


@pytest.mark.usefixtures("in_a_hurry")
async def test_a_server_gives_up_a_client_that_has_gone_silent(make_server: MakeServer) -> None:
    """The opponent learns that a player is offline though the connection was never closed, and when it is back."""
    server = make_server("--ping-interval", "1")
    await server.start()
    async with people(server.url, "Ada") as (ada,), Proxy(server.port) as proxy, Connection([proxy.url]) as connection:
        ben = Person(connection)
        await sit_down(ada, ben)
        await ada.plays()
        lost = proxy.newest
        assert lost is not None
        proxy.closed = True
        lost.lose()
        assert (await ada.hears(RoomEvent, lambda told: told.kind == "disconnected")).seat == 1
        assert lost.given_up.is_set()
        assert not ada.table.players[1].online
        proxy.closed = False
        assert (await ada.hears(RoomEvent, lambda told: told.kind == "reconnected")).seat == 1
        assert ada.table.players[1] == SeatedPlayer(Player(ben.name, guest=True), online=True)
        await ben.plays()
        await ada.plays()
    assert server.errors == []


# -- the example of the documentation


async def test_the_documented_client_survives_a_cut(server: ServerProcess) -> None:
    """Two of them queue, play to the end and exit with 0, though both are cut in mid-game."""
    before = len(server.log)
    async with Proxy(server.port, [Cut(6_000), Cut(7_000, reset=False)]) as proxy:
        environment = {**os.environ, "PARLOUR_URL": proxy.url, "PARLOUR_GAME": "replica"}
        programs = [
            await asyncio.create_subprocess_exec(
                sys.executable, str(RANDOM_PLAYER), env=environment, stdout=PIPE, stderr=STDOUT
            )
            for _ in range(2)
        ]
        try:
            async with asyncio.timeout(WITHIN):
                told = await asyncio.gather(*(program.communicate() for program in programs))
        finally:
            for program in programs:
                if program.returncode is None:
                    program.kill()
        assert [program.returncode for program in programs] == [0, 0], told
        assert proxy.cuts == 2
    lines = [msgspec.json.decode(line) for line in server.log[before:].splitlines()]
    (room,) = {line["room"] for line in lines if line["message"] == "paired"}
    async with people(server.url, "Ada") as (ada,):
        record = await ada.asks(GetRecord(id=0, room=room))
        assert isinstance(record, Record)
        assert record.result is not None
        assert record.result.reason in games.find("replica").info.reasons
    assert server.errors == []
