"""Quick match: whatever is sent again, or at the wrong moment, one game comes of it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import msgspec
import pytest
from redis.asyncio import Redis

from parlour.protocol.messages import Cancel, Join, Ok, Paired, Queue, Resign
from parlour.protocol.tables import Clock, Terms
from parlour.server.lobby.quick_match import Note, pool_of
from parlour.server.rating import Rating
from parlour.server.rooms.opening import Guest
from parlour.server.store import keys
from parlour.server.store.queue import Ticket
from tests.server.lobby.meeting import ISAAC, expect_game, games_of, player_of
from tests.server.running_node import Caller, RunningNode, running_node

QUEUE = Queue(id=0, terms=ISAAC)


@pytest.fixture
async def node(valkey: str, redis: Redis) -> AsyncIterator[RunningNode]:
    async with running_node(valkey, rooms_per_player=3) as running:
        yield running


async def test_a_place_in_the_queue_is_asked_for_again(node: RunningNode) -> None:
    """The same command has the same answer: before somebody came, and after, when it finds the game."""
    ada, ben = await node.call(), await node.call()
    first = await ada.ask(QUEUE, id=7)
    assert await ada.ask(QUEUE, id=7) == first
    await ben.ask(QUEUE)
    paired = await ada.hears(Paired)
    assert paired.seek == first.seek
    assert await ada.ask(QUEUE, id=7) == first
    assert await ada.hears(Paired) == paired
    assert await games_of(node, ada, ben) == [1, 1]


async def test_a_game_too_many_is_found_again(node: RunningNode) -> None:
    """Whoever has no room left for another game still gets the answer to the command that made the last one."""
    ada = await node.call()
    for id in (1, 2, 3):
        await ada.ask(QUEUE, id=id)
        other = await node.call()
        await other.ask(QUEUE)
        paired = await ada.hears(Paired)
    assert await ada.code(QUEUE, id=4) == "limit_reached"
    assert isinstance(await ada.ask(QUEUE, id=3), Ok)
    assert await ada.hears(Paired) == paired


async def test_a_newer_connection_keeps_the_place_of_an_older_one(node: RunningNode) -> None:
    """A client that comes back and asks again is not thrown out when the server notices that the old one is dead."""
    old = await node.call()
    await old.ask(QUEUE, id=7)
    new = await node.call(old.token)
    await new.ask(QUEUE, id=7)
    await old.socket.close()
    await node.until(lambda: len(node.node.visitors) == 1)
    await node.node.settle(10)
    ben = await node.call()
    await ben.ask(QUEUE)
    assert (await new.hears(Paired)).room == (await ben.hears(Paired)).room


async def test_who_leaves_before_the_answer_does_not_wait(node: RunningNode) -> None:
    """A place that nobody is there for is given up at once, however early the connection was lost."""
    for _ in range(10):
        ada = await node.call()
        await ada.send(Queue(id=1, terms=ISAAC))
        ada.socket.transport.abort()
    await node.until(lambda: not node.node.visitors)
    await node.node.settle(10)
    await node.node.sweep()
    ben = await node.call()
    await ben.ask(QUEUE)
    carl = await node.call()
    await carl.ask(QUEUE)
    assert (await ben.hears(Paired)).room == (await carl.hears(Paired)).room


async def pair_with(node: RunningNode, terms: Terms) -> Guest:
    """Take whoever waits, as a node does it that dies before the room is made; the one who came."""
    guest = await player_of(node, await node.call())
    ticket = Ticket("of ben", guest.player, note=msgspec.msgpack.encode(Note(guest, 0)))
    [pair] = await node.store.queue.join(pool_of(terms), [ticket], node.node.now())
    assert pair is not None
    return guest


async def test_a_pair_without_a_room_gets_one(node: RunningNode) -> None:
    """If the node that made a pair died before it made the room, that of the one who waits makes it."""
    ada = await node.call()
    seek = (await ada.ask(QUEUE)).seek
    guest = await pair_with(node, ISAAC)
    await node.node.sweep()
    await expect_game(ada, guest, seek)
    await node.node.sweep()
    assert await games_of(node, ada) == [1]


async def test_it_can_be_too_late_to_leave_the_queue(node: RunningNode) -> None:
    """Whoever was paired in the same moment is told so, and has the game."""
    ada = await node.call()
    seek = (await ada.ask(QUEUE)).seek
    guest = await pair_with(node, ISAAC)
    assert await ada.code(Cancel(id=0, seek=seek)) == "seek_gone"
    await expect_game(ada, guest, seek)


# -- who plays whom


async def rate(node: RunningNode, caller: Caller, rating: int) -> None:
    """Make somebody as strong as that in Isaac."""
    player = (await player_of(node, caller)).player
    packed = msgspec.msgpack.encode(Rating(rating, 60, won=9))
    await node.store.redis.hset(keys.ratings(player), "isaac", packed)


async def test_the_one_of_about_the_same_strength(node: RunningNode) -> None:
    """Who waits longest is passed over for somebody nearer, and waits on."""
    strong, weak, near = [await node.call() for _ in range(3)]
    for caller, rating in ((strong, 2200), (weak, 1200), (near, 2150)):
        await rate(node, caller, rating)
        await caller.ask(QUEUE)
    assert (await strong.hears(Paired)).room == (await near.hears(Paired)).room
    await node.node.sweep()
    assert await games_of(node, strong, weak, near) == [1, 0, 1]


async def test_a_place_wears_the_rating(node: RunningNode) -> None:
    """At the table everybody sees how strong the two were when they asked; of a newcomer nothing is known."""
    ada, ben = await node.call(), await node.call()
    await rate(node, ada, 1580)
    for caller in (ada, ben):
        await caller.ask(QUEUE)
    paired = await ada.hears(Paired)
    room = await ada.ask(Join(id=0, room=paired.room))
    ratings = [chair.player.rating for chair in room.chairs if chair.player is not None]
    assert ratings[paired.seat] == 1580
    assert ratings[1 - paired.seat] is None


async def test_first_seats_take_turns(node: RunningNode) -> None:
    """Whoever had the first seat longer ago gets it: between the same two it changes with every game."""
    ada, ben = await node.call(), await node.call()
    seats = []
    for _ in range(4):
        for caller in (ada, ben):
            await caller.ask(QUEUE)
        paired = await ada.hears(Paired)
        await ben.hears(Paired)
        seats.append(paired.seat)
        await ada.ask(Join(id=0, room=paired.room))
        await ada.ask(Resign(id=0, room=paired.room))
    assert seats in ([0, 1, 0, 1], [1, 0, 1, 0])


def test_terms_that_mean_the_same_are_one_pool() -> None:
    """Whether a default is written out, in whatever order or form, makes no difference; every other thing does."""
    plain = pool_of(Terms("replica"))
    assert pool_of(Terms("replica", {"kings": "unlimited", "size": "8"})) == plain
    assert pool_of(Terms("replica", {"size": 8, "sight": "all"})) == plain
    blitz = Clock("fischer", 60_000)
    others = [Terms("replica", {"size": 12}), Terms("replica", {}, blitz), Terms("replica", {}, blitz, rated=True)]
    assert len({plain, pool_of(Terms("isaac")), *map(pool_of, others)}) == 5
    assert pool_of(Terms("mapello", {"board": "random"})) == pool_of(Terms("mapello", {"board": "random"}))
    assert pool_of(Terms("mapello", {"board": "random", "seed": 1})) != pool_of(Terms("mapello", {"board": "random"}))


async def test_queued_games_can_be_rated(node: RunningNode) -> None:
    """With a clock; a rated game without one is refused."""
    assert await (await node.call()).code(Queue(id=0, terms=Terms("isaac", rated=True))) == "rated_refused"
    terms = Terms("isaac", clock=Clock("fischer", 60_000), rated=True)
    ada, ben = await node.call(), await node.call()
    for caller in (ada, ben):
        await caller.ask(Queue(id=0, terms=terms))
    room = await node.house.load((await ada.hears(Paired)).room)
    assert room is not None
    assert room.rated
    assert not room.private


async def test_nobody_waits_for_too_many_games(node: RunningNode) -> None:
    """One connection has so many places in queues and no more, and the same one is not counted twice."""
    ada = await node.call()
    for number in range(20):
        assert isinstance(
            await ada.ask(Queue(id=0, terms=Terms("isaac", clock=Clock("move", 10_000 + number))), number), Ok
        )
    assert await ada.code(QUEUE, 100) == "limit_reached"
    assert isinstance(await ada.ask(Queue(id=0, terms=Terms("isaac", clock=Clock("move", 10_000))), 0), Ok)
