"""Quick match: repeated commands and unlucky timing lead to exactly one game."""

from __future__ import annotations

from collections.abc import AsyncIterator

import msgspec
import pytest
from redis.asyncio import Redis

from parlour.protocol.messages import Cancel, Join, Ok, Paired, Queue, Resign
from parlour.protocol.types import Clock, Terms
from parlour.server.matchmaking.pairing import TOLERANCE
from parlour.server.matchmaking.quick_match import TicketPayload, pool_of
from parlour.server.players.glicko2 import Rating
from parlour.server.rooms.events import Participant
from parlour.server.store.keys import Keys
from parlour.server.store.queue import Ticket
from tests.server.matchmaking.pairing_checks import ISAAC, expect_game, games_of, participant_of
from tests.server.running_node import Caller, RunningNode, running_node

keys = Keys()

QUEUE = Queue(id=0, terms=ISAAC)


@pytest.fixture
async def node(valkey: str, redis: Redis) -> AsyncIterator[RunningNode]:
    async with running_node(valkey, rooms_per_player=3) as running:
        yield running


async def test_a_repeated_command(node: RunningNode) -> None:
    """A repeated command gets the same reply, before and after the player is paired, and finds the same game."""
    ada, ben = await node.call(), await node.call()
    first = await ada.ask(QUEUE, id=7)
    assert await ada.ask(QUEUE, id=7) == first
    await ben.ask(QUEUE)
    paired = await ada.hears(Paired)
    assert paired.seek == first.seek
    assert await ada.ask(QUEUE, id=7) == first
    assert await ada.hears(Paired) == paired
    assert await games_of(node, ada, ben) == [1, 1]


async def test_the_last_allowed_game_is_found_again(node: RunningNode) -> None:
    """A player who has reached the limit of games still gets the reply to the command that led to the last one."""
    ada = await node.call()
    for id in (1, 2, 3):
        await ada.ask(QUEUE, id=id)
        other = await node.call()
        await other.ask(QUEUE)
        paired = await ada.hears(Paired)
    assert await ada.code(QUEUE, id=4) == "limit_reached"
    assert isinstance(await ada.ask(QUEUE, id=3), Ok)
    assert await ada.hears(Paired) == paired


async def test_a_newer_session_keeps_the_place(node: RunningNode) -> None:
    """A client that reconnects and repeats its command keeps its place when the old connection is found dead."""
    old = await node.call()
    await old.ask(QUEUE, id=7)
    new = await node.call(old.token)
    await new.ask(QUEUE, id=7)
    await old.socket.close()
    await node.until(lambda: len(node.node.dispatcher.sessions) == 1)
    await node.node.drain(10)
    ben = await node.call()
    await ben.ask(QUEUE)
    assert (await new.hears(Paired)).room == (await ben.hears(Paired)).room


async def test_a_disconnect_before_the_reply(node: RunningNode) -> None:
    """A player who disconnects before the reply leaves the queue at once."""
    for _ in range(10):
        ada = await node.call()
        await ada.send(Queue(id=1, terms=ISAAC))
        ada.socket.transport.abort()
    await node.until(lambda: not node.node.dispatcher.sessions)
    await node.node.drain(10)
    await node.node.sweep()
    ben = await node.call()
    await ben.ask(QUEUE)
    carl = await node.call()
    await carl.ask(QUEUE)
    assert (await ben.hears(Paired)).room == (await carl.hears(Paired)).room


async def pair_with(node: RunningNode, terms: Terms) -> Participant:
    """Pair a waiting player as a node does that dies before it creates the room; return the opponent."""
    guest = await participant_of(node, await node.call())
    ticket = Ticket("ticket", guest.id, payload=msgspec.msgpack.encode(TicketPayload(guest, 0)))
    [pair] = await node.store.queue.join(pool_of(terms), [ticket], node.node.now(), TOLERANCE)
    assert pair is not None
    return guest


async def test_a_pair_without_a_room_gets_one(node: RunningNode) -> None:
    """If the node that paired two players died before it created the room, the waiting player's node creates it."""
    ada = await node.call()
    seek = (await ada.ask(QUEUE)).seek
    guest = await pair_with(node, ISAAC)
    await node.node.sweep()
    await expect_game(ada, guest, seek)
    await node.node.sweep()
    assert await games_of(node, ada) == [1]


async def test_cancelling_too_late(node: RunningNode) -> None:
    """A player who cancels after having been paired is told so, and has the game."""
    ada = await node.call()
    seek = (await ada.ask(QUEUE)).seek
    guest = await pair_with(node, ISAAC)
    assert await ada.code(Cancel(id=0, seek=seek)) == "seek_gone"
    await expect_game(ada, guest, seek)


# -- who plays whom


async def rate(redis: Redis, node: RunningNode, caller: Caller, rating: int) -> None:
    """Give a caller a rating in Isaac."""
    player = (await participant_of(node, caller)).id
    packed = msgspec.msgpack.encode(Rating(rating, 60, won=9))
    await redis.hset(keys.ratings(player), "isaac", packed)


async def test_players_of_similar_rating_are_paired(node: RunningNode, redis: Redis) -> None:
    """The player who waits longest is passed over for one with a similar rating, and keeps waiting."""
    strong, weak, near = [await node.call() for _ in range(3)]
    for caller, rating in ((strong, 2200), (weak, 1200), (near, 2150)):
        await rate(redis, node, caller, rating)
        await caller.ask(QUEUE)
    assert (await strong.hears(Paired)).room == (await near.hears(Paired)).room
    await node.node.sweep()
    assert await games_of(node, strong, weak, near) == [1, 0, 1]


async def test_the_room_shows_the_ratings(node: RunningNode, redis: Redis) -> None:
    """The room shows the ratings from when the players queued, and none for a new player."""
    ada, ben = await node.call(), await node.call()
    await rate(redis, node, ada, 1580)
    for caller in (ada, ben):
        await caller.ask(QUEUE)
    paired = await ada.hears(Paired)
    room = await ada.ask(Join(id=0, room=paired.room))
    ratings = [participant.player.rating for participant in room.players]
    assert ratings[paired.seat] == 1580
    assert ratings[1 - paired.seat] is None


async def test_first_seats_take_turns(node: RunningNode) -> None:
    """Between the same two players the first seat alternates."""
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


def test_equivalent_terms_share_a_pool() -> None:
    """Explicit defaults and the order and form of options make no difference; everything else does."""
    plain = pool_of(Terms("replica"))
    assert pool_of(Terms("replica", {"kings": "unlimited", "size": "8"})) == plain
    assert pool_of(Terms("replica", {"size": 8, "sight": "all"})) == plain
    blitz = Clock("fischer", 60_000)
    others = [Terms("replica", {"size": 12}), Terms("replica", {}, blitz), Terms("replica", {}, blitz, rated=True)]
    assert len({plain, pool_of(Terms("isaac")), *map(pool_of, others)}) == 5
    assert pool_of(Terms("mapello", {"board": "random"})) == pool_of(Terms("mapello", {"board": "random"}))
    assert pool_of(Terms("mapello", {"board": "random", "seed": 1})) != pool_of(Terms("mapello", {"board": "random"}))


async def test_queued_games_can_be_rated(node: RunningNode) -> None:
    """A queued game with a clock can be rated; a rated game without one is refused."""
    assert await (await node.call()).code(Queue(id=0, terms=Terms("isaac", rated=True))) == "rated_refused"
    terms = Terms("isaac", clock=Clock("fischer", 60_000), rated=True)
    ada, ben = await node.call(), await node.call()
    for caller in (ada, ben):
        await caller.ask(Queue(id=0, terms=terms))
    room = await node.registry.load((await ada.hears(Paired)).room)
    assert room is not None
    assert room.rated
    assert not room.private


async def test_the_number_of_queued_games_is_limited(node: RunningNode) -> None:
    """One connection can wait for a limited number of games, and a repeated command is not counted twice."""
    ada = await node.call()
    for number in range(20):
        assert isinstance(
            await ada.ask(Queue(id=0, terms=Terms("isaac", clock=Clock("move", 10_000 + number))), number), Ok
        )
    assert await ada.code(QUEUE, 100) == "limit_reached"
    assert isinstance(await ada.ask(Queue(id=0, terms=Terms("isaac", clock=Clock("move", 10_000))), 0), Ok)
    assert await (await node.call(ada.token)).code(QUEUE) == "limit_reached"  # on any connection
