"""Sessions that watch the lobby: what they receive, and when."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator

import pytest
from msgspec.structs import replace
from redis.asyncio import Redis

from parlour.protocol.messages import (
    Accept,
    Cancel,
    Join,
    Lobby,
    LobbyChanged,
    Ok,
    OpenSeek,
    Paired,
    Queue,
    Refused,
    Resign,
    Seek,
    WatchLobby,
)
from parlour.protocol.types import Clock, Player, Terms
from parlour.server.store.keys import Keys
from parlour.server.store.seeks import Owner
from tests.server.matchmaking.pairing_checks import ISAAC
from tests.server.running_node import LIMITS, Caller, RunningNode, running_node
from tests.server.store_proxy import store_proxy

keys = Keys()

SEEK = Seek(id=0, terms=ISAAC)
OWN_BOARD = "/".join(["#" * 10, *["#........#"] * 3, "#...XO...#", "#...OX...#", *["#........#"] * 3, "#" * 10])
LARGE = Seek(id=0, terms=Terms("mapello", {"board": OWN_BOARD}))
WATCH, STOP = WatchLobby(id=0), WatchLobby(id=0, on=False)


@pytest.fixture
async def node(valkey: str, redis: Redis) -> AsyncIterator[RunningNode]:
    async with running_node(valkey) as running:
        yield running


async def watch(caller: Caller) -> Lobby:
    """Start watching and return the snapshot."""
    assert isinstance(await caller.ask(WATCH), Ok)
    return await caller.hears(Lobby)


class View:
    """The lobby as a watching client knows it."""

    def __init__(self, caller: Caller, snapshot: Lobby) -> None:
        self._caller = caller
        self.n = snapshot.n
        self.seeks = {seek.seek for seek in snapshot.seeks}
        self.live = {game.room: game for game in snapshot.live}
        self.featured, self.online = snapshot.featured, snapshot.online

    async def next(self) -> LobbyChanged:
        """Return the next change, which must be consecutive."""
        changed = await self._caller.hears(LobbyChanged)
        assert changed.n == self.n + 1
        self.n = changed.n
        self.seeks = (self.seeks | {seek.seek for seek in changed.seeks}) - set(changed.seeks_removed)
        for game in changed.live:
            known = self.live.get(game.room)
            assert (game.board is None) == (known is not None)
            self.live[game.room] = game if known is None else replace(game, board=known.board)
        for room in changed.live_removed:
            del self.live[room]
        self.featured = self.featured if changed.featured is None else changed.featured
        self.online = self.online if changed.online is None else changed.online
        return changed


async def test_a_new_subscriber_gets_the_open_seeks(node: RunningNode) -> None:
    """A new subscriber gets all open seeks, with everything needed to choose one."""
    ada, ben = await node.call(name="Ada"), await node.call()
    terms = Terms("replica", {"size": 12}, Clock("fischer", 60_000, 1_000), rated=True)
    seek = (await ada.ask(Seek(id=0, terms=terms, seat="first", ratings=(1400, 1700)))).seek
    lobby = await watch(ben)
    assert lobby.seeks == (OpenSeek(seek, Player("Ada", guest=True), terms, "first", (1400, 1700)),)
    assert lobby.live == ()


async def test_the_lobby_can_be_read_once(node: RunningNode) -> None:
    """A page is served with the current lobby, whether or not any session watches it."""
    ada = await node.call()
    seek = (await ada.ask(SEEK)).seek
    for _ in range(2):
        assert [each.seek for each in (await node.node.lobby.subscribers.read()).seeks] == [seek]
    await watch(ada)
    assert [each.seek for each in (await node.node.lobby.subscribers.read()).seeks] == [seek]


async def test_seeks_come_and_go(valkey: str, redis: Redis) -> None:
    """Seeks of all nodes appear, and disappear when they are accepted or withdrawn or their owner disconnects."""
    async with running_node(valkey, "one") as one, running_node(valkey, "two") as two:
        spectator = await one.call()
        view = View(spectator, await watch(spectator))
        for node in (one, two):
            ada = await node.call()
            seek = (await ada.ask(SEEK)).seek
            await view.next()
            assert view.seeks == {seek}
            await ada.ask(Cancel(id=0, seek=seek))
            await view.next()
            assert view.seeks == set()
            seek = (await ada.ask(SEEK)).seek
            await view.next()
            await (await two.call()).ask(Accept(id=0, seek=seek))
            await view.next()
            assert view.seeks == set()
            await ada.ask(SEEK)
            await view.next()
            await ada.socket.close()
            await view.next()
            assert view.seeks == set()


async def test_changes_are_sent_together(node: RunningNode) -> None:
    """Many changes at the same moment are one message."""
    spectator, ada = await node.call(), await node.call()
    view = View(spectator, await watch(spectator))
    data = await node.store.seeks.get((await ada.ask(SEEK)).seek)
    assert data is not None
    await view.next()
    await asyncio.gather(
        *(node.store.seeks.post(f"seek-{number}", data, Owner("ann", "10.0.0.1")) for number in range(10))
    )
    assert len((await view.next()).seeks) == 10


async def test_stopping_and_starting_again(node: RunningNode) -> None:
    """A session that stops watching gets no changes, and a new snapshot when it starts again."""
    spectator, other, ada = [await node.call() for _ in range(3)]
    await watch(spectator)
    view = View(other, await watch(other))
    assert isinstance(await spectator.ask(STOP), Ok)
    assert isinstance(await spectator.ask(STOP), Ok)
    seek = (await ada.ask(SEEK)).seek
    await view.next()
    again = await watch(spectator)
    assert {each.seek for each in again.seeks} == {seek}
    assert again.n == view.n
    assert not spectator.has_heard(LobbyChanged)


async def test_the_list_is_loaded_again(node: RunningNode) -> None:
    """After the last subscriber has left, the list of seeks is loaded again for the next one."""
    ada, ben = await node.call(), await node.call()
    for _ in range(3):
        await watch(ada)
        await ada.ask(STOP)
        seek = (await ben.ask(SEEK)).seek
        assert seek in {each.seek for each in (await watch(ada)).seeks}
        await ben.ask(Cancel(id=0, seek=seek))
        await ada.hears(LobbyChanged)
        await ada.ask(STOP)


async def test_many_subscribers_at_once(node: RunningNode) -> None:
    """Sessions that start watching during the first load share it."""
    ada = await node.call()
    seek = (await ada.ask(SEEK)).seek
    callers = [await node.call() for _ in range(5)]
    lobbies = await asyncio.gather(*(watch(caller) for caller in callers))
    assert [[each.seek for each in lobby.seeks] for lobby in lobbies] == [[seek]] * 5


async def test_live_games_are_followed(node: RunningNode) -> None:
    """A game appears, is featured, shows its spectators, and disappears when it is over."""
    spectator, ada, ben = [await node.call() for _ in range(3)]
    view = View(spectator, await watch(spectator))
    for caller in (ada, ben):
        await caller.ask(Queue(id=0, terms=ISAAC))
    room = (await ada.hears(Paired)).room
    for caller in (ada, ben, spectator):
        await caller.ask(Join(id=0, room=room))
    await node.node.sweep()
    await view.next()
    assert view.live[room].board is not None
    assert (view.featured, view.online) == (room, 3)
    await node.node.sweep()
    await view.next()
    assert view.live[room].spectators == 1
    again = await watch(spectator)
    assert list(again.live) == [view.live[room]]
    await ada.ask(Resign(id=0, room=room))
    await node.node.sweep()
    await view.next()
    assert (view.live, view.featured) == ({}, "")


async def test_a_missed_change(node: RunningNode, redis: Redis) -> None:
    """If a change was missed, the list is loaded again."""
    spectator, ada = await node.call(), await node.call()
    view = View(spectator, await watch(spectator))
    await redis.incr(keys.seek_list_version)  # a change that was not published
    seek = (await ada.ask(SEEK)).seek
    await view.next()
    assert view.seeks == {seek}


async def test_a_slow_reader_gets_a_snapshot(valkey: str, redis: Redis) -> None:
    """A session that does not read for a while misses changes, and then gets one snapshot in place of them."""
    small = replace(LIMITS, soft_buffer=2_048, kernel_buffer=4_096)
    async with running_node(valkey, limits=small, seek_rate=0) as node:
        ada = await node.call()
        narrow = socket.socket()
        narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        narrow.connect(("127.0.0.1", int(node.url.rpartition(":")[2].partition("/")[0])))
        narrow.setblocking(False)
        slow, quick = await node.call(sock=narrow), await node.call()
        await watch(slow)
        view = View(quick, await watch(quick))
        slow.socket.transport.pause_reading()
        id = 0
        while not node.node.metrics.updates_dropped:
            seeks = []
            for _ in range(18):
                id += 1
                seeks.append((await ada.ask(LARGE, id)).seek)
            await view.next()
            for seek in seeks:
                await ada.ask(Cancel(id=0, seek=seek))
            while view.seeks:
                await view.next()
        last = (await ada.ask(SEEK)).seek
        await view.next()
        slow.socket.transport.resume_reading()
        snapshot = await slow.hears(Lobby)
        assert [each.seek for each in snapshot.seeks] == [last]
        assert snapshot.n == view.n
        await ada.ask(Cancel(id=0, seek=last))
        assert (await slow.hears(LobbyChanged, lambda changed: changed.n > snapshot.n)).seeks_removed == (last,)


async def test_the_lobby_is_loaded_when_the_store_is_back(valkey: str, redis: Redis) -> None:
    """A node whose pub/sub returns before its pipeline loads the lobby as soon as it can."""
    async with store_proxy(valkey) as (proxy, url), running_node(url) as node:
        ada = await node.call()
        proxy.cut("pipeline")
        await node.until(lambda: not node.store.pipeline.up)
        watching = asyncio.create_task(ada.ask(WATCH))
        proxy.restore("pipeline")
        answer = await watching
        while not isinstance(answer, Ok):  # loading took longer than a client waits: it sends the command again
            assert isinstance(answer, Refused)
            assert answer.code == "try_again"
            answer = await ada.ask(WATCH)
        await ada.hears(Lobby)
