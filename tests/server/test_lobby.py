"""Whatever is sent again, or at the wrong moment, the lobby makes one game of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from random import Random

import msgspec
import pytest
from redis.asyncio import Redis

from parlour.protocol.messages import (
    Accept,
    Cancel,
    Challenge,
    Challenged,
    Happened,
    Join,
    Offer,
    Ok,
    Paired,
    Queue,
    Resign,
    Room,
)  # fmt: skip
from parlour.protocol.tables import Clock, Player, Terms
from parlour.server.lobby import pool_of, room_names
from parlour.server.rooms.opening import Guest, agreed, opening
from parlour.server.store.queue import Ticket
from tests.server.running_node import Caller, RunningNode, running_node
from tests.server.store.private_valkey import PrivateValkey

ISAAC = Terms("isaac")
QUEUE = Queue(id=0, terms=ISAAC)


@pytest.fixture
async def node(valkey: str, redis: Redis) -> AsyncIterator[RunningNode]:
    async with running_node(valkey, rooms_per_player=3) as running:
        yield running


async def games_of(node: RunningNode, *callers: Caller) -> list[int]:
    """How many games each of them has."""
    found = []
    for caller in callers:
        player = await node.store.players.find(caller.token)
        assert player is not None
        found.append(await node.store.playing.count(player.id))
    return found


# -- the queue


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
    ben = await node.call()
    player = await node.store.players.find(ben.token)
    assert player is not None
    guest = Guest(player.id, player.name)
    ticket = Ticket("of ben", player.id, msgspec.msgpack.encode(guest))
    assert await node.store.queue.join(pool_of(terms), ticket) is not None
    return guest


async def expect_game(ada: Caller, guest: Guest, seek: str) -> None:
    """Ada is paired with the guest."""
    paired = await ada.hears(Paired)
    assert paired.seek == seek
    room = await ada.ask(Join(id=0, room=paired.room))
    assert isinstance(room, Room)
    assert room.seat == paired.seat
    assert room.chairs[1 - paired.seat].player == Player(guest.name)


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


async def test_a_withdrawal_is_asked_again(node: RunningNode) -> None:
    """Its answer can be had again, though there is nothing left to withdraw."""
    ada = await node.call()
    seeks = [(await ada.ask(QUEUE)).seek, (await ada.ask(Challenge(id=0, terms=ISAAC))).seek]
    for id, seek in enumerate(seeks, 50):
        first = await ada.ask(Cancel(id=0, seek=seek), id)
        assert isinstance(first, Ok)
        assert await ada.ask(Cancel(id=0, seek=seek), id) == first
        assert await ada.code(Cancel(id=0, seek=seek)) == "invite_unknown"


async def test_a_busy_store_is_no_reason_for_two_answers(start_valkey: Callable[..., PrivateValkey]) -> None:
    """While the store is away a command is answered once, by try_again, and works when the store is back."""
    valkey = start_valkey()
    async with running_node(valkey.url) as node:
        ada, ben = await node.call(), await node.call()
        valkey.kill()
        await node.until(lambda: not node.store.pipe.up)
        for command in (QUEUE, Challenge(id=0, terms=ISAAC), Accept(id=0, seek="x"), Cancel(id=0, seek="x")):
            assert await ada.code(command) == "try_again"
        valkey.start()
        await asyncio.gather(node.store.pipe.ready(), node.store.bus.ready())
        assert isinstance(await ada.ask(QUEUE), Ok)
        assert isinstance(await ben.ask(QUEUE), Ok)
        assert (await ada.hears(Paired)).room == (await ben.hears(Paired)).room


# -- invitations


async def test_an_invitation_is_asked_for_again(node: RunningNode) -> None:
    """The same command has the same code, and one game comes of it, also when it is repeated after that."""
    ada, ben, carl = await node.call(), await node.call(name="Ben"), await node.call()
    challenge = Challenge(id=0, terms=ISAAC, to="Ben")
    first = await ada.ask(challenge, id=7)
    assert await ada.ask(challenge, id=7) == first
    assert {(await ben.hears(Challenged)).seek for _ in range(2)} == {first.seek}
    assert (await ada.ask(challenge, id=8)).seek != first.seek

    accepted = await ben.ask(Accept(id=0, seek=first.seek), id=7)
    assert await ben.ask(Accept(id=0, seek=first.seek), id=7) == accepted
    assert await ada.ask(challenge, id=7) == first
    assert await carl.code(Accept(id=0, seek=first.seek)) == "invite_unknown"
    assert await games_of(node, ada, ben, carl) == [1, 1, 0]


async def test_the_name_of_another_game_is_passed_over(node: RunningNode) -> None:
    """Two games never share a room, even if chance gives them the same name."""
    ada, ben = await node.call(), await node.call()
    code = (await ada.ask(Challenge(id=0, terms=ISAAC))).seek
    first, second, *_ = room_names(code)
    options, _ = agreed(ISAAC, None, Random(1))
    strangers = [Guest("id-of-carl", "Carl"), Guest("id-of-dan", "Dan")]
    assert await node.house.create(first, opening(ISAAC, options, None, strangers, node.node.now()))

    assert (await ben.ask(Accept(id=0, seek=code), id=7)).room == second
    assert (await ada.hears(Paired)).room == second
    assert (await ben.ask(Accept(id=0, seek=code), id=7)).room == second
    room = await ben.ask(Join(id=0, room=second))
    assert isinstance(room, Room)
    assert room.seat is not None


# -- games that are on


async def test_finished_games_are_not_counted(node: RunningNode) -> None:
    """The games of a player are counted by their logs, so one that is over leaves room for another one."""
    ada, ben = await node.call(), await node.call()
    for _ in range(5):
        code = (await ada.ask(Challenge(id=0, terms=ISAAC))).seek
        room = (await ben.ask(Accept(id=0, seek=code))).room
        await ben.ask(Join(id=0, room=room))
        await ben.ask(Resign(id=0, room=room))
    ada = await node.call(ada.token)
    await node.node.settle(10)
    assert await games_of(node, ada) == [0]


async def test_a_rematch_is_made_once(node: RunningNode) -> None:
    """However often and wherever it is made, there is one next room, with the terms of the one before."""
    ada, ben = await node.call(), await node.call()
    terms = Terms("mapello", {"board": "random"}, Clock("fischer", 60_000, 1_000), rated=True)
    for caller in (ada, ben):
        await caller.ask(Queue(id=0, terms=terms))
    room = (await ada.hears(Paired)).room
    for caller in (ada, ben):
        await caller.ask(Join(id=0, room=room))
    assert isinstance(await ada.ask(Resign(id=0, room=room)), Ok)
    for caller in (ada, ben):
        assert isinstance(await caller.ask(Offer(id=0, room=room, what="rematch")), Ok)
    following = (await ada.hears(Happened, lambda told: told.what == "rematch")).next
    assert following is not None
    await ada.ask(Join(id=0, room=following))
    made = await node.house.load(following)
    assert made is not None
    over = await node.house.load(room)
    assert over is not None
    node.node.rematch(over)
    await node.node.settle(10)
    assert await node.house.load(following) == made
    assert (made.clock, made.rated, made.follows) == (terms.clock, True, room)
    assert made.options["board"] == "random"
    assert [chair.player for chair in made.chairs if chair] == [chair.player for chair in over.chairs[::-1] if chair]
