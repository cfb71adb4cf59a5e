"""Hello identifies the player, and continues with the rooms that the client knows."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis

from parlour import games
from parlour.protocol.codec import MAX_MESSAGE_SIZE
from parlour.protocol.messages import Choices, Cursor, Hello, Offer, Refused, Room, RoomEvent, Welcome
from parlour.protocol.types import Terms
from parlour.server.connections.limits import Limits
from parlour.server.rooms.view import EPOCH
from tests.server.running_node import RunningNode, running_node

ISAAC = Terms("isaac")


@pytest.fixture
async def node(valkey: str, redis: Redis) -> AsyncIterator[RunningNode]:
    async with running_node(valkey, nodes=("wss://one.example/ws", "wss://two.example/ws")) as running:
        yield running


async def test_welcome_has_what_a_client_needs(node: RunningNode) -> None:
    """The player, a token to come back with, the games, the limits and the addresses of all nodes."""
    caller = await node.call(greet=False)
    welcome = await caller.hello(name="Ada")
    assert (welcome.you.name, welcome.you.guest) == ("Ada", True)
    assert {game.key for game in welcome.games} == set(games.keys())
    assert (welcome.max_message_size, welcome.server) == (MAX_MESSAGE_SIZE, "test")
    assert welcome.nodes == ("wss://one.example/ws", "wss://two.example/ws")
    assert welcome.token
    assert len(welcome.session) == 8


async def test_a_session_continues_on_another_connection(node: RunningNode) -> None:
    """With its token and its session a client continues; without the session, or as a new guest, it begins another."""
    first = await node.call()
    assert (await node.call_again(first)).session_id == first.session_id
    sessions = {first.session_id, (await node.call(first.token)).session_id}
    sessions.add((await node.call(session=first.session_id)).session_id)
    assert len(sessions) == 3


async def test_a_token_brings_the_same_player_back(node: RunningNode) -> None:
    """Also while the first connection is still open."""
    first = await node.call(name="Ada")
    second = await node.call(greet=False)
    assert (await second.hello(first.token)).you.name == "Ada"


async def test_a_client_continues_where_it_was(node: RunningNode) -> None:
    """It is sent what it missed, in the room it names, and nothing else."""
    ada, ben = await node.call(), await node.call()
    room = await node.table(ISAAC, ada, ben)
    seq = node.registry.rooms[room].state.seq
    await ben.ask(Offer(id=0, room=room, kind="draw"))
    again = await node.call(greet=False)
    await again.hello(ada.token, (Cursor(room, EPOCH, seq),))
    missed = await again.hears(RoomEvent)
    assert (missed.kind, missed.seq) == ("offered", seq + 1)
    assert again.has_heard(Room) == []


async def test_a_client_that_missed_too_much_is_sent_the_whole_room(node: RunningNode) -> None:
    """A cursor that this node cannot continue from, of another epoch for example, leads to a snapshot."""
    ada, ben = await node.call(), await node.call()
    room = await node.table(ISAAC, ada, ben)
    again = await node.call(greet=False)
    await again.hello(ada.token, (Cursor(room, EPOCH + 1, 1),))
    assert (await again.hears(Room)).room == room


async def test_a_room_that_does_not_exist_is_refused_after_welcome(node: RunningNode) -> None:
    """The other rooms are resumed all the same."""
    ada, ben = await node.call(), await node.call()
    room = await node.table(ISAAC, ada, ben)
    again = await node.call(greet=False)
    await again.hello(ada.token, (Cursor("nowhere", EPOCH, 1), Cursor(room, EPOCH + 1, 1)))
    refused = await again.hears(Refused)
    assert (refused.code, refused.room) == ("room_unknown", "nowhere")
    assert (await again.hears(Room)).room == room


async def test_rooms_are_opened_at_the_same_time(valkey: str, node: RunningNode) -> None:
    """A room that takes long does not keep the node from opening those that come after it."""
    ada, ben = await node.call(), await node.call()
    slow, quick = await node.table(ISAAC, ada, ben), await node.table(ISAAC, ada, ben)
    async with running_node(valkey, "other") as other:
        release = asyncio.Event()
        creating = asyncio.create_task(other.registry.while_creating(slow, as_work(release)))
        again = await other.call(greet=False)
        await again.send(Hello("test", ada.token, (Cursor(slow, EPOCH + 1, 1), Cursor(quick, EPOCH + 1, 1))))
        await other.until(lambda: quick in other.registry.rooms)
        assert slow not in other.registry.rooms
        release.set()
        await creating
        assert {(await again.hears(Room)).room, (await again.hears(Room)).room} == {slow, quick}


async def test_rooms_count_as_messages_of_the_address(valkey: str) -> None:
    """Many connections that each name many rooms are told to wait, and can repeat their hello."""
    limits = Limits(address_rate=0.001, address_burst=40)
    cursors = tuple(Cursor(f"nowhere{number}", EPOCH, 1) for number in range(64))
    async with running_node(valkey, limits=limits) as node:
        first, second = await node.call(greet=False), await node.call(greet=False)
        await first.send(Hello("test", rooms=cursors))
        assert {(await first.hears(Refused)).code for _ in cursors} == {"room_unknown"}
        await second.send(Hello("test", rooms=cursors))
        refused = await second.hears(Refused)
        assert (refused.code, refused.room) == ("too_fast", None)
        assert refused.retry_after
        assert isinstance(await second.hello(), Welcome)


async def as_work(event: asyncio.Event) -> None:
    await event.wait()


async def test_a_failed_hello_can_be_repeated(node: RunningNode) -> None:
    """A token that is not known is refused, and the client may say hello again."""
    caller = await node.call(greet=False)
    await caller.send(Hello("test", token="not a token"))
    assert (await caller.hears(Refused)).code == "token_unknown"
    assert isinstance(await caller.hello(), Welcome)


@pytest.mark.parametrize("wanted", [True, False])
async def test_choices_are_sent_to_clients_that_want_them(node: RunningNode, wanted: bool) -> None:
    """A program that knows the rules declines them in hello."""
    ada, ben = await node.call(), await node.call()
    room = await node.table(ISAAC, ada, ben)
    again = await node.call(greet=False)
    await again.send(Hello("test", ada.token, (Cursor(room, EPOCH + 1, 1),), choices=wanted))
    assert (await again.hears(Room)).seat == 0
    await again.ask(Offer(id=0, room=room, kind="draw"))
    assert bool(again.has_heard(Choices)) == wanted
