"""The lobby across processes: what one node shows of what happens on another, and when that one dies."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from parlour.client.connection import Connection
from parlour.protocol.messages import (
    Accept,
    Join,
    LiveGame,
    Lobby,
    LobbyChanged,
    Paired,
    Queue,
    Resign,
    Seek,
    WatchLobby,
    Welcome,
)
from parlour.protocol.types import Terms
from parlour.server.store.embedded import EmbeddedStore
from tests.e2e.conftest import MakeServer
from tests.e2e.people import Person
from tests.e2e.processes import ServerProcess

Nodes = tuple[ServerProcess, ServerProcess]

GONE_WITHIN = 10.0  # seconds in which the seeks of a node that was killed are gone


@pytest.fixture
async def nodes(make_server: MakeServer, tmp_path: Path) -> AsyncIterator[Nodes]:
    """Two nodes on one store that outlives them."""
    async with EmbeddedStore(tmp_path / "store") as store:
        one, two = (make_server("--redis", store.url, data=name) for name in ("one", "two"))
        await asyncio.gather(one.start(), two.start())
        yield one, two
        for node in (one, two):
            if node.process is not None and node.process.returncode is None:
                await node.stop()


class Onlooker(Person):
    """Watches the lobby, and knows what a client would show."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self.n = -1
        self.seeks: set[str] = set()
        self.live: dict[str, LiveGame] = {}
        self.featured = ""
        self.online = 0

    async def watches(self) -> None:
        await self.does(WatchLobby(id=0))
        lobby = await self.hears(Lobby)
        self.n, self.featured, self.online = lobby.n, lobby.featured, lobby.online
        self.seeks = {seek.seek for seek in lobby.seeks}
        self.live = {game.room: game for game in lobby.live}

    async def looks(self) -> None:
        """Take in the next change."""
        changed = await self.hears(LobbyChanged)
        assert changed.n == self.n + 1
        self.n = changed.n
        self.seeks = (self.seeks | {seek.seek for seek in changed.seeks}) - set(changed.seeks_removed)
        self.live |= {game.room: game for game in changed.live}
        for room in changed.live_removed:
            del self.live[room]
        self.featured = self.featured if changed.featured is None else changed.featured
        self.online = self.online if changed.online is None else changed.online


@pytest.fixture
async def people(nodes: Nodes) -> AsyncIterator[tuple[Onlooker, Person, Person]]:
    """An onlooker and a player on the first node, and a player on the second."""
    one, two = nodes
    async with AsyncExitStack() as stack:
        addresses = ([one.url], [one.url], [two.url, one.url])
        eve, ada, ben = [await stack.enter_async_context(Connection(urls)) for urls in addresses]
        found = Onlooker(eve), Person(ada), Person(ben)
        for person in found:
            await person.hears(Welcome)
        yield found


async def test_the_seeks_of_a_killed_node_disappear(nodes: Nodes, people: tuple[Onlooker, Person, Person]) -> None:
    """Onlookers on other nodes see them disappear and they cannot be accepted; others stay."""
    eve, ada, _ = people
    async with Connection([nodes[1].url]) as doomed:
        seek = str((await Person(doomed).does(Seek(id=0, terms=Terms("isaac")))).seek)
        kept = str((await ada.does(Seek(id=0, terms=Terms("replica")))).seek)
        await eve.watches()
        while eve.seeks != {seek, kept}:
            await eve.looks()
        await nodes[1].kill()
        async with asyncio.timeout(GONE_WITHIN):
            while eve.seeks != {kept}:
                await eve.looks()
        assert await eve.cannot(Accept(id=0, seek=seek)) in ("seek_gone", "invite_unknown")
    assert nodes[0].errors == []


async def test_a_seek_crosses_nodes(nodes: Nodes, people: tuple[Onlooker, Person, Person]) -> None:
    """It is shown and accepted on the other node, and both players learn of the room."""
    eve, ada, ben = people
    await eve.watches()
    seek = str((await ben.does(Seek(id=0, terms=Terms("isaac"), seat="first"))).seek)
    while seek not in eve.seeks:
        await eve.looks()
    room = (await ada.does(Accept(id=0, seek=seek))).room
    assert [(told.room, told.seat) for told in (await ada.hears(Paired), await ben.hears(Paired))] == [
        (room, 1), (room, 0),
    ]  # fmt: skip
    while seek in eve.seeks:
        await eve.looks()
    assert [node.errors for node in nodes] == [[], []]


async def test_a_game_stays_listed_when_its_node_dies(nodes: Nodes, people: tuple[Onlooker, Person, Person]) -> None:
    """Its players continue on another node; it stays featured until it is over."""
    eve, ada, ben = people
    await eve.watches()
    for person in (ada, ben):
        await person.does(Queue(id=0, terms=Terms("isaac")))
    paired = await ada.hears(Paired)
    room = paired.room
    for person in (ada, ben):
        await person.joins(room)
    while room not in eve.live or eve.featured != room:
        await eve.looks()
    await eve.asks(Join(id=0, room=room))
    while eve.live[room].spectators != 1:
        await eve.looks()

    await nodes[1].kill()
    await (ada if paired.seat == 0 else ben).plays()
    while eve.live[room].ply != 1:
        await eve.looks()
    while eve.online != 3:
        await eve.looks()
    await ben.does(Resign(id=0, room=room))
    while room in eve.live:
        await eve.looks()
    assert eve.featured == ""
    assert nodes[0].errors == []
