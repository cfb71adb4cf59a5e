"""Rooms are opened once, follow their logs, and are closed when they have no subscribers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import reduce
from typing import Any

import msgspec
import pytest
from redis.asyncio import Redis

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Join, Leave, Offer, Resign, Room, RoomEvent, Said, Say
from parlour.protocol.types import Clock, Player, Result, Terms
from parlour.server.rooms import registry
from parlour.server.rooms.commands import FIRST_MOVE_WITHIN
from parlour.server.rooms.events import AnyEvent, Created, Ended, Offered, Participant, Rematch, encode
from parlour.server.rooms.room import FIRST_SNAPSHOT
from parlour.server.rooms.setup import create
from parlour.server.rooms.state import RoomState, evolve, initial_state
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.room_log import Appended
from tests.server.running_node import RunningNode, running_node
from tests.server.store.private_valkey import PrivateValkey
from tests.server.store_proxy import store_proxy

decode = msgspec.msgpack.Decoder(AnyEvent).decode

ISAAC = Terms("isaac")
ADA, BEN = Participant("id-of-ada", Player("Ada")), Participant("id-of-ben", Player("Ben"))
CREATED = create(ISAAC, {}, None, (ADA, BEN), 1_700_000_000_000)


@pytest.fixture
async def node(valkey: str, redis: Redis) -> AsyncIterator[RunningNode]:
    async with running_node(valkey) as running:
        yield running


async def append(node: RunningNode, room: str, first: int, *events: AnyEvent) -> Appended:
    """Append to a log as another node does."""
    done: asyncio.Future[Appended] = asyncio.get_running_loop().create_future()
    node.store.room_log.append(room, first, [msgspec.msgpack.encode(event) for event in events], done.set_result)
    return await done


def fold(id: str, events: list[AnyEvent]) -> RoomState:
    first, *rest = events
    assert isinstance(first, Created)
    return reduce(evolve, rest, initial_state(id, first))


async def test_a_room_is_opened_once(node: RunningNode) -> None:
    """All callers are given the same room, with the state of its log."""
    assert await node.registry.create("r", CREATED)
    rooms = await asyncio.gather(*(node.registry.open("r") for _ in range(10)))
    assert len({id(room) for room in rooms}) == 1
    assert rooms[0].state == fold("r", [CREATED])
    assert node.registry.rooms == {"r": rooms[0]}


async def test_an_unknown_room_is_refused(node: RunningNode) -> None:
    """It can be opened as soon as it exists."""
    for _ in range(2):
        with pytest.raises(Refusal) as refused:
            await node.registry.open("r")
        assert refused.value.code == ErrorCode.ROOM_UNKNOWN
    assert await node.registry.load("r") is None
    assert await node.registry.create("r", CREATED)
    assert (await node.registry.open("r")).state.id == "r"


async def test_a_room_is_created_once(node: RunningNode) -> None:
    """A second attempt leaves the log of the first alone."""
    assert await node.registry.create("r", CREATED)
    assert not await node.registry.create("r", create(ISAAC, {}, None, (BEN, ADA), 1))
    room = await node.registry.load("r")
    assert room is not None
    assert room.seat_of(ADA.id) == 0


async def test_any_node_aborts_a_game_that_is_never_joined(valkey: str, redis: Redis) -> None:
    """A room is created together with its deadline: if its node dies, another one checks it."""
    async with running_node(valkey, "one") as one:
        long_ago = one.node.now() - 10 * FIRST_MOVE_WITHIN
        clock = Clock("fischer", 60_000, 1_000)
        assert await one.registry.create("r", create(Terms("isaac", clock=clock), {}, None, (ADA, BEN), long_ago))
    async with running_node(valkey, "two") as two:
        await two.node.sweep()
        await two.until(lambda: two.registry.rooms["r"].state.result == Result(None, "aborted"))


async def test_without_a_store_nothing_is_created(start_valkey: Callable[..., PrivateValkey]) -> None:
    """The command is refused for now, and works when the store is back."""
    valkey = start_valkey()
    async with running_node(valkey.url) as node:
        valkey.kill()
        await node.until(lambda: not node.store.pipeline.up)
        with pytest.raises(StoreUnavailable):
            await node.registry.create("r", CREATED)
        valkey.start()
        await node.store.pipeline.ready()
        assert await node.registry.create("r", CREATED)


async def test_rooms_on_two_nodes_stay_in_step(valkey: str, redis: Redis) -> None:
    """Events and chat of one node reach the other, whichever opened the room first."""
    async with running_node(valkey, "one") as one, running_node(valkey, "two") as two:
        ada, ben = await one.call(), await two.call()
        code_holder, spectator = await one.call(), await two.call()
        room = await one.table(ISAAC, ada, await one.call(ben.token))
        for caller in (ben, spectator, code_holder):
            assert isinstance(await caller.ask(Join(id=0, room=room)), Room)
        await ben.ask(Offer(id=0, room=room, kind="draw"))
        await ada.ask(Say(id=0, room=room, text="No, thank you"))
        for caller in (ada, ben, spectator, code_holder):
            assert (await caller.hears(RoomEvent, lambda told: told.kind == "offered")).seat == 1
            assert (await caller.hears(Said)).text == "No, thank you"
        await ada.ask(Resign(id=0, room=room))
        for caller in (ben, spectator):
            await caller.hears(RoomEvent, lambda told: told.kind == "ended")
        await one.until(lambda: one.registry.rooms[room].state == two.registry.rooms[room].state)


async def test_missed_entries_are_read_when_the_store_is_back(valkey: str) -> None:
    """A node whose pub/sub returns before its pipeline reads the log as soon as it can."""
    async with (
        store_proxy(valkey) as (proxy, url),
        running_node(url, "one") as one,
        running_node(valkey, "two") as two,
    ):
        ada, ben = await one.call(), await two.call()
        room = await one.table(ISAAC, ada, await one.call(ben.token))
        await ben.ask(Join(id=0, room=room))
        proxy.cut("pipeline")
        proxy.cut("pubsub")
        await one.until(lambda: not one.store.pipeline.up and not one.store.pubsub.up)
        await ben.ask(Offer(id=0, room=room, kind="draw"))
        proxy.restore("pubsub")
        await one.until(lambda: one.store.pubsub.up)
        await one.until(lambda: one.registry.rooms[room].is_idle)  # it has tried to catch up, in vain
        proxy.restore("pipeline")

        assert (await ada.hears(RoomEvent, lambda told: told.kind == "offered")).seat == 1


@pytest.mark.parametrize("snapshot", [b"", b"\xc1", msgspec.msgpack.encode({"id": 7}), msgspec.msgpack.encode([1, 2])])
async def test_an_unreadable_snapshot_is_ignored(node: RunningNode, snapshot: bytes) -> None:
    """It may come from another version of the server: the whole log is read instead."""
    ada, ben = await node.call(), await node.call()
    room = await node.table(ISAAC, ada, ben)
    await ada.ask(Offer(id=0, room=room, kind="draw"))
    live = node.registry.rooms[room].state
    assert await node.store.room_log.save_snapshot(room, live.seq - 1, snapshot)
    assert await node.registry.load(room) == live


async def test_a_room_is_loaded_from_its_snapshot(node: RunningNode) -> None:
    """A long game is loaded from its newest snapshot, and equals the fold of the whole log."""
    ada, ben = await node.call(), await node.call()
    room = await node.table(Terms("replica"), ada, ben)
    await node.play(room, ada, ben, moves=FIRST_SNAPSHOT)
    await node.node.drain(10)
    stored = await node.store.room_log.load(room)
    assert stored is not None
    assert stored.snapshot is not None
    assert stored.snapshot[0] >= FIRST_SNAPSHOT
    assert len(stored.entries) <= stored.snapshot[0]
    log = [decode(entry) for _, entry in await node.store.room_log.tail(room, 0)]
    assert await node.registry.load(room) == fold(room, log) == node.registry.rooms[room].state


async def test_rooms_without_subscribers_are_closed(node: RunningNode, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rooms with subscribers stay open; a closed room is the same when it is opened again."""
    ada, ben = await node.call(), await node.call()
    left, kept = await node.table(ISAAC, ada, ben), await node.table(ISAAC, ada, ben)
    for caller in (ada, ben):
        await caller.ask(Leave(id=0, room=left))
    await node.node.drain(10)
    before = node.registry.rooms[left].state
    node.registry.close_idle()
    assert set(node.registry.rooms) == {left, kept}  # not at once
    monkeypatch.setattr(registry, "CLOSE_AFTER", -1.0)
    node.registry.close_idle()
    assert set(node.registry.rooms) == {kept}
    assert (await node.registry.open(left)).state == before


async def test_opening_a_room_creates_its_missing_rematch(node: RunningNode) -> None:
    """The node that had to create it was killed before it could."""
    following, now = "abcdef", node.node.now()
    ended, agreed = Ended(now, Result(0, "resigned"), 1), Rematch(now, 0, following)
    assert await append(node, "r", 1, CREATED, ended, agreed) is Appended.OK
    assert await node.registry.load(following) is None
    await node.registry.open("r")
    await node.node.drain(10)
    room = await node.registry.load(following)
    assert room is not None
    assert (room.follows, room.seat_of(ADA.id), room.seat_of(BEN.id)) == ("r", 1, 0)


async def test_a_log_that_was_continued_differently(valkey: str, redis: Redis) -> None:
    """After a fail-over that has lost an entry which another node has replaced, the room takes over what is there."""
    async with running_node(valkey) as node:
        ada, ben = await node.call(), await node.call()
        id = await node.table(ISAAC, ada, ben)
        room = node.registry.rooms[id]
        await ben.ask(Offer(id=0, room=id, kind="draw"))
        assert room.state.offers == ((1, "draw"),)
        log = node.store.keys.log(id)
        found: Any = await redis.xrange(log)
        *kept, (last_id, _) = found
        await redis.delete(log)
        for entry_id, fields in kept:
            await redis.xadd(log, fields, id=entry_id)
        seq = room.state.seq
        await redis.xadd(log, {"e": encode(Offered(node.node.now(), 0, "draw"))}, id=last_id)
        room.catch_up()
        await node.until(lambda: room.state.offers == ((0, "draw"),))
        assert room.state.seq == seq
