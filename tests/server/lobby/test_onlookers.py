"""Those who follow the lobby: what they are told, and when."""

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
    Resign,
    Seek,
    WatchLobby,
)
from parlour.protocol.tables import Clock, Player, Terms
from parlour.server.store import keys
from tests.server.lobby.meeting import ISAAC
from tests.server.running_node import LIMITS, Caller, RunningNode, running_node

SEEK = Seek(id=0, terms=ISAAC)
OWN_BOARD = "/".join(["#" * 10, *["#........#"] * 3, "#...XO...#", "#...OX...#", *["#........#"] * 3, "#" * 10])
LARGE = Seek(id=0, terms=Terms("mapello", {"board": OWN_BOARD}))
WATCH, STOP = WatchLobby(id=0), WatchLobby(id=0, on=False)


@pytest.fixture
async def node(valkey: str, redis: Redis) -> AsyncIterator[RunningNode]:
    async with running_node(valkey) as running:
        yield running


async def watch(caller: Caller) -> Lobby:
    """Begin to follow; everything that there is."""
    assert isinstance(await caller.ask(WATCH), Ok)
    return await caller.hears(Lobby)


class View:
    """The lobby as somebody knows it who follows it."""

    def __init__(self, caller: Caller, whole: Lobby) -> None:
        self._caller = caller
        self.n = whole.n
        self.seeks = {seek.seek for seek in whole.seeks}
        self.live = {game.room: game for game in whole.live}
        self.featured, self.online = whole.featured, whole.online

    async def next(self) -> LobbyChanged:
        """The next change, which must follow."""
        changed = await self._caller.hears(LobbyChanged)
        assert changed.n == self.n + 1
        self.n = changed.n
        self.seeks = (self.seeks | {seek.seek for seek in changed.seeks}) - set(changed.seeks_gone)
        for game in changed.live:
            known = self.live.get(game.room)
            assert (game.board is None) == (known is not None)
            self.live[game.room] = game if known is None else replace(game, board=known.board)
        for room in changed.live_gone:
            del self.live[room]
        self.featured = self.featured if changed.featured is None else changed.featured
        self.online = self.online if changed.online is None else changed.online
        return changed


async def test_whoever_follows_sees_what_is_open(node: RunningNode) -> None:
    """All seeks at first, with everything one needs to choose."""
    ada, ben = await node.call(name="Ada"), await node.call()
    terms = Terms("replica", {"size": 12}, Clock("fischer", 60_000, 1_000), rated=True)
    seek = (await ada.ask(Seek(id=0, terms=terms, seat="first", ratings=(1400, 1700)))).seek
    lobby = await watch(ben)
    assert lobby.seeks == (OpenSeek(seek, Player("Ada", guest=True), terms, "first", (1400, 1700)),)
    assert lobby.live == ()


async def test_seeks_come_and_go(valkey: str, redis: Redis) -> None:
    """Whoever made them at whatever node: by acceptance, withdrawal, and when their maker leaves."""
    async with running_node(valkey, "one") as one, running_node(valkey, "two") as two:
        watcher = await one.call()
        view = View(watcher, await watch(watcher))
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


async def test_changes_are_told_together(node: RunningNode) -> None:
    """Many changes in a moment are one message."""
    watcher, ada = await node.call(), await node.call()
    view = View(watcher, await watch(watcher))
    data = await node.store.seeks.find((await ada.ask(SEEK)).seek)
    assert data is not None
    await view.next()
    await asyncio.gather(*(node.store.seeks.post(f"seek-{number}", data) for number in range(10)))
    assert len((await view.next()).seeks) == 10


async def test_who_stops_hears_no_more(node: RunningNode) -> None:
    """And whoever begins again gets everything anew."""
    watcher, other, ada = [await node.call() for _ in range(3)]
    await watch(watcher)
    view = View(other, await watch(other))
    assert isinstance(await watcher.ask(STOP), Ok)
    assert isinstance(await watcher.ask(STOP), Ok)
    seek = (await ada.ask(SEEK)).seek
    await view.next()
    again = await watch(watcher)
    assert {each.seek for each in again.seeks} == {seek}
    assert again.n == view.n
    assert not watcher.has_heard(LobbyChanged)


async def test_without_onlookers_nothing_is_followed(node: RunningNode) -> None:
    """The list of seeks is read anew for the next one who comes."""
    ada, ben = await node.call(), await node.call()
    for _ in range(3):
        await watch(ada)
        await ada.ask(STOP)
        seek = (await ben.ask(SEEK)).seek
        assert seek in {each.seek for each in (await watch(ada)).seeks}
        await ben.ask(Cancel(id=0, seek=seek))
        await ada.hears(LobbyChanged)
        await ada.ask(STOP)


async def test_many_come_at_once(node: RunningNode) -> None:
    """While the first look is under way, others wait for the same one."""
    ada = await node.call()
    seek = (await ada.ask(SEEK)).seek
    callers = [await node.call() for _ in range(5)]
    lobbies = await asyncio.gather(*(watch(caller) for caller in callers))
    assert [[each.seek for each in lobby.seeks] for lobby in lobbies] == [[seek]] * 5


async def test_live_games_are_followed(node: RunningNode) -> None:
    """A game appears, is featured, is counted with its watchers, and is gone when it is over."""
    watcher, ada, ben = [await node.call() for _ in range(3)]
    view = View(watcher, await watch(watcher))
    for caller in (ada, ben):
        await caller.ask(Queue(id=0, terms=ISAAC))
    room = (await ada.hears(Paired)).room
    for caller in (ada, ben, watcher):
        await caller.ask(Join(id=0, room=room))
    await node.node.sweep()
    await view.next()
    assert view.live[room].board is not None
    assert (view.featured, view.online) == (room, 3)
    await node.node.sweep()
    await view.next()
    assert view.live[room].watchers == 1
    again = await watch(watcher)
    assert list(again.live) == [view.live[room]]
    await ada.ask(Resign(id=0, room=room))
    await node.node.sweep()
    await view.next()
    assert (view.live, view.featured) == ({}, "")


async def test_a_gap_is_repaired(node: RunningNode) -> None:
    """If news were lost on the way, the list is read again."""
    watcher, ada = await node.call(), await node.call()
    view = View(watcher, await watch(watcher))
    await node.store.redis.incr(keys.SEEKS_CHANGES)  # a change that nobody was told of
    seek = (await ada.ask(SEEK)).seek
    await view.next()
    assert view.seeks == {seek}


async def test_who_falls_behind_gets_everything(valkey: str, redis: Redis) -> None:
    """One who does not read for a while misses changes; then one lobby comes that makes up for all of them."""
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
        whole = await slow.hears(Lobby)
        assert [each.seek for each in whole.seeks] == [last]
        assert whole.n == view.n
        await ada.ask(Cancel(id=0, seek=last))
        assert (await slow.hears(LobbyChanged, lambda told: told.n > whole.n)).seeks_gone == (last,)
