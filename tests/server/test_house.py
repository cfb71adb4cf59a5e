"""Rooms are opened once, kept in step with their logs, and let go of when nobody is there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import reduce

import msgspec
import pytest
from redis.asyncio import Redis

from parlour.protocol.errors import ErrorCode, Refusal
from parlour.protocol.messages import Happened, Join, Leave, Offer, Resign, Room, Said, Say
from parlour.protocol.tables import Clock, Result, Terms
from parlour.server import house as houses
from parlour.server.rooms.core import Room as RoomState
from parlour.server.rooms.core import created, evolve
from parlour.server.rooms.decide import FIRST_MOVE_WITHIN, rematch_room
from parlour.server.rooms.events import AnyEvent, Created, Ended, Rematch
from parlour.server.rooms.live import FIRST_SNAPSHOT
from parlour.server.rooms.opening import Guest, opening
from parlour.server.store.keeper import Keeper
from parlour.server.store.line import Line
from parlour.server.store.log import Appended
from tests.server.running_node import RunningNode, running_node
from tests.server.store.private_valkey import PrivateValkey

decode = msgspec.msgpack.Decoder(AnyEvent).decode

ISAAC = Terms("isaac")
ADA, BEN = Guest("id-of-ada", "Ada"), Guest("id-of-ben", "Ben")
FIRST = opening(ISAAC, {}, None, (ADA, BEN), 1_700_000_000_000)


@pytest.fixture
async def node(valkey: str, redis: Redis) -> AsyncIterator[RunningNode]:
    async with running_node(valkey) as running:
        yield running


async def append(node: RunningNode, room: str, first: int, *events: AnyEvent) -> Appended:
    """Write to a log as another node does."""
    done: asyncio.Future[Appended] = asyncio.get_running_loop().create_future()
    node.store.log.append(room, first, [msgspec.msgpack.encode(event) for event in events], done.set_result)
    return await done


def fold(id: str, events: list[AnyEvent]) -> RoomState:
    first, *rest = events
    assert isinstance(first, Created)
    return reduce(evolve, rest, created(id, first))


async def test_a_room_is_opened_once(node: RunningNode) -> None:
    """However many ask for it at the same time, there is one room, and it is the one of the log."""
    assert await node.house.create("r", FIRST)
    rooms = await asyncio.gather(*(node.house.open("r") for _ in range(10)))
    assert len({id(room) for room in rooms}) == 1
    assert rooms[0].room == fold("r", list(FIRST))
    assert node.house.rooms == {"r": rooms[0]}


async def test_a_room_that_is_not_there_is_refused(node: RunningNode) -> None:
    """And it can be opened as soon as it is there."""
    for _ in range(2):
        with pytest.raises(Refusal) as refused:
            await node.house.open("r")
        assert refused.value.code == ErrorCode.ROOM_UNKNOWN
    assert await node.house.load("r") is None
    assert await node.house.create("r", FIRST)
    assert (await node.house.open("r")).room.id == "r"


async def test_a_room_is_created_once(node: RunningNode) -> None:
    """The second one who tries leaves the log of the first as it is."""
    assert await node.house.create("r", FIRST)
    assert not await node.house.create("r", opening(ISAAC, {}, None, (BEN, ADA), 1))
    room = await node.house.load("r")
    assert room is not None
    assert room.seat_of(ADA.player) == 0


async def test_a_game_that_nobody_joins_is_called_off_by_any_node(valkey: str, redis: Redis) -> None:
    """A room is made together with its deadline: if its node dies at once, another one looks after it."""
    async with running_node(valkey, "one") as one:
        long_ago = one.node.now() - 10 * FIRST_MOVE_WITHIN
        clock = Clock("fischer", 60_000, 1_000)
        assert await one.house.create("r", opening(Terms("isaac", clock=clock), {}, None, (ADA, BEN), long_ago))
    async with running_node(valkey, "two") as two:
        await two.node.sweep()
        await two.until(lambda: two.house.rooms["r"].room.result == Result(None, "aborted"))


async def test_without_a_store_nothing_is_created(start_valkey: Callable[..., PrivateValkey]) -> None:
    """The command is refused for now, and works when the store is back."""
    valkey = start_valkey()
    async with running_node(valkey.url) as node:
        valkey.kill()
        await node.until(lambda: not node.store.pipe.up)
        with pytest.raises(Refusal) as refused:
            await node.house.create("r", FIRST)
        assert refused.value.code == ErrorCode.TRY_AGAIN
        valkey.start()
        await node.store.pipe.ready()
        assert await node.house.create("r", FIRST)


async def test_rooms_on_two_nodes_stay_in_step(valkey: str, redis: Redis) -> None:
    """What happens and what is said at one node is seen at the other, whichever of them opened the room first."""
    async with running_node(valkey, "one") as one, running_node(valkey, "two") as two:
        ada, ben = await one.call(), await two.call()
        code_holder, watcher = await one.call(), await two.call()
        room = await one.table(ISAAC, ada, await one.call(ben.token))
        for caller in (ben, watcher, code_holder):
            assert isinstance(await caller.ask(Join(id=0, room=room)), Room)
        await ben.ask(Offer(id=0, room=room, what="draw"))
        await ada.ask(Say(id=0, room=room, text="No, thank you"))
        for caller in (ada, ben, watcher, code_holder):
            assert (await caller.hears(Happened, lambda told: told.what == "offered")).seat == 1
            assert (await caller.hears(Said)).text == "No, thank you"
        await ada.ask(Resign(id=0, room=room))
        for caller in (ben, watcher):
            await caller.hears(Happened, lambda told: told.what == "ended")
        await one.until(lambda: one.house.rooms[room].room == two.house.rooms[room].room)


def cut(keeper: Keeper, monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """Break a connection to the store, which is made again when the event is set."""
    dial, may_dial = keeper._dial, asyncio.Event()

    async def later() -> Line:
        await may_dial.wait()
        return await dial()

    monkeypatch.setattr(keeper, "_dial", later)
    assert keeper.line is not None
    keeper.line.abort()
    return may_dial


async def test_what_was_missed_is_read_when_the_store_is_back(
    valkey: str, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A node that hears again of others before it can read the log itself reads it as soon as it can."""
    async with running_node(valkey, "one") as one, running_node(valkey, "two") as two:
        ada, ben = await one.call(), await two.call()
        room = await one.table(ISAAC, ada, await one.call(ben.token))
        await ben.ask(Join(id=0, room=room))
        pipe, bus = cut(one.store.pipe._keeper, monkeypatch), cut(one.store.bus._keeper, monkeypatch)
        await one.until(lambda: not one.store.pipe.up and not one.store.bus.up)
        await ben.ask(Offer(id=0, room=room, what="draw"))
        bus.set()
        await one.until(lambda: one.store.bus.up)
        await asyncio.sleep(0.1)  # for what it tries meanwhile, in vain
        pipe.set()

        assert (await ada.hears(Happened, lambda told: told.what == "offered")).seat == 1


@pytest.mark.parametrize("snapshot", [b"", b"\xc1", msgspec.msgpack.encode({"id": 7}), msgspec.msgpack.encode([1, 2])])
async def test_a_snapshot_that_cannot_be_read_is_passed_over(node: RunningNode, snapshot: bytes) -> None:
    """As one of another version of this program: the whole log is read instead."""
    ada, ben = await node.call(), await node.call()
    room = await node.table(ISAAC, ada, ben)
    live = node.house.rooms[room].room
    assert await node.store.log.save_snapshot(room, live.seq - 1, snapshot)
    assert await node.house.load(room) == live


async def test_a_snapshot_and_the_rest_of_the_log_are_the_room(node: RunningNode) -> None:
    """A long game is loaded from its newest snapshot, and is the same as the fold over the whole log."""
    ada, ben = await node.call(), await node.call()
    room = await node.table(ISAAC, ada, ben)
    watcher = await node.call()
    await watcher.ask(Join(id=0, room=room))
    for _ in range(FIRST_SNAPSHOT):  # gone and back again: two entries each
        await ben.ask(Leave(id=0, room=room))
        await watcher.hears(Happened, lambda told: told.what == "gone")
        await ben.ask(Join(id=0, room=room))
        await watcher.hears(Happened, lambda told: told.what == "back")
    await node.node.settle(10)
    stored = await node.store.log.load(room)
    assert stored is not None
    assert stored.snapshot is not None
    assert stored.snapshot[0] >= FIRST_SNAPSHOT
    assert len(stored.entries) <= stored.snapshot[0]
    log = [decode(entry) for _, entry in await node.store.log.tail(room, 0)]
    assert await node.house.load(room) == fold(room, log) == node.house.rooms[room].room


async def test_rooms_that_nobody_follows_are_let_go_of(node: RunningNode, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that somebody follows stay; one that is opened again is as it was left."""
    ada, ben = await node.call(), await node.call()
    left, kept = await node.table(ISAAC, ada, ben), await node.table(ISAAC, ada, ben)
    for caller in (ada, ben):
        await caller.ask(Leave(id=0, room=left))
    await node.node.settle(10)
    before = node.house.rooms[left].room
    node.house.tidy()
    assert set(node.house.rooms) == {left, kept}  # not at once
    monkeypatch.setattr(houses, "CLOSE_AFTER", 0.0)
    await asyncio.sleep(0.01)
    node.house.tidy()
    assert set(node.house.rooms) == {kept}
    assert (await node.house.open(left)).room == before


async def test_a_rematch_whose_maker_died_is_made_by_whoever_opens_the_room(node: RunningNode) -> None:
    """The next room is there, though the node that had to make it was killed before it could."""
    following, now = rematch_room("r"), node.node.now()
    ended, agreed = Ended(now, Result(0, "resigned"), 1), Rematch(now, 0, following)
    assert await append(node, "r", 1, *FIRST, ended, agreed) is Appended.OK
    assert await node.house.load(following) is None
    await node.house.open("r")
    await node.node.settle(10)
    room = await node.house.load(following)
    assert room is not None
    assert (room.follows, room.seat_of(ADA.player), room.seat_of(BEN.player)) == ("r", 1, 0)
