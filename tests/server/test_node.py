"""How a node handles messages that come early, late, or while its store is unavailable."""

from __future__ import annotations

import signal
from collections.abc import AsyncIterator, Callable

import pytest
from redis.asyncio import Redis

from parlour import games
from parlour.protocol.errors import CloseCode
from parlour.protocol.messages import (
    Accept,
    Challenge,
    Choices,
    Cursor,
    Explore,
    Hello,
    Join,
    Leave,
    Message,
    Moved,
    Ok,
    Paired,
    Ping,
    Play,
    Pong,
    Queue,
    Refused,
    Resign,
    Room,
    RoomEvent,
    Sync,
    Welcome,
)  # fmt: skip
from parlour.protocol.types import Clock, Player, Result, Terms
from parlour.server.rooms.view import EPOCH
from tests.server.running_node import Caller, RunningNode, running_node
from tests.server.store.private_valkey import PrivateValkey
from tests.server.store_proxy import store_proxy

ISAAC = Terms("isaac")


@pytest.fixture
async def node(valkey: str, redis: Redis) -> AsyncIterator[RunningNode]:
    async with running_node(valkey) as running:
        yield running


# -- hello


async def test_a_guest_returns_with_its_token(valkey: str, redis: Redis) -> None:
    """The player is the same on any node; an unknown token is refused, and hello can be repeated."""
    async with running_node(valkey, "one") as one, running_node(valkey, "two") as two:
        ada = await one.call(name="Ada")
        again = await two.call(greet=False)
        await again.send(Hello("test", "an unknown token"))
        assert (await again.hears(Refused)).code == "token_unknown"
        assert (await again.hello(ada.token)).you == Player("Ada", guest=True)


async def test_a_pairing_missed_by_a_node_is_announced_later(valkey: str) -> None:
    """A player learns of a game that was created while the node's pub/sub connection was down."""
    async with (
        store_proxy(valkey) as (proxy, url),
        running_node(url, "one") as one,
        running_node(valkey, "two") as two,
    ):
        ada, ben = await one.call(), await two.call()
        seek = (await ada.ask(Challenge(id=0, terms=ISAAC))).seek
        proxy.cut("pubsub")
        await one.until(lambda: not one.store.pubsub.up)
        room = (await ben.ask(Accept(id=0, seek=seek))).room
        proxy.restore("pubsub")

        assert (await ada.hears(Paired)).room == room


async def test_commands_before_welcome_are_refused(node: RunningNode) -> None:
    """Commands that come with hello, or before it, are refused with their ids; hello itself succeeds."""
    ada = await node.call(greet=False)
    assert await ada.code(Queue(id=0, terms=ISAAC)) == "hello_first"
    await ada.send(Hello("test"))
    assert await ada.code(Join(id=0, room="r")) == "hello_first"
    assert await ada.code(Play(id=0, room="r", ply=0, picks=())) == "hello_first"
    await ada.hears(Welcome)
    assert await ada.code(Join(id=0, room="r")) == "room_unknown"
    await ada.send(Hello("test"))
    assert (await ada.hears(Refused)).code == "hello_first"


async def test_a_client_without_hello_is_closed(valkey: str, redis: Redis) -> None:
    """In time, with a code that says why; pings do not count."""
    async with running_node(valkey, hello_timeout=0.2) as node:
        ada, ben = await node.call(greet=False), await node.call()
        await ada.send(Ping())
        assert await ada.closed() == CloseCode.NO_HELLO
        assert isinstance(await ben.ask(Leave(id=0, room="r")), Ok)


async def test_an_invalid_name_is_refused(node: RunningNode) -> None:
    """With a sentence, and hello can be repeated on the same connection."""
    ada = await node.call(greet=False)
    await ada.send(Hello("test", None, (), "\u200b"))
    refused = await ada.hears(Refused)
    assert (refused.code, refused.id) == ("name_refused", None)
    assert (await ada.hello(name="Ada")).you == Player("Ada", guest=True)


# -- coming back


async def test_commands_that_follow_welcome_find_their_rooms(valkey: str, redis: Redis) -> None:
    """A node opens all rooms of the client before it sends welcome."""
    async with running_node(valkey, "one") as one:
        ada, ben = await one.call(), await one.call()
        rooms = [await one.table(ISAAC, ada, ben) for _ in range(20)]
    async with running_node(valkey, "two") as two:
        again = await two.call(greet=False)
        cursors = tuple(Cursor(room, EPOCH, 1) for room in ("disconnected", *rooms))
        await again.hello(ada.token, cursors)
        for room in reversed(rooms):
            assert isinstance(await again.ask(Resign(id=0, room=room)), Ok)
        assert (await again.hears(Refused)).code == "room_unknown"


async def test_a_client_is_sent_what_it_missed(node: RunningNode) -> None:
    """The updates in order, or the whole room if they are not available; then the choices."""
    ada, ben = await node.call(), await node.call()
    room = await node.table(ISAAC, ada, ben)
    seq = node.registry.rooms[room].state.seq
    await ada.socket.close()
    await ben.hears(RoomEvent, lambda told: told.kind == "disconnected")
    again = await node.call(greet=False)
    await again.hello(ada.token, (Cursor(room, EPOCH, seq),))
    missed = [await again.hears(RoomEvent) for _ in range(2)]
    assert [(told.kind, told.seq) for told in missed] == [("disconnected", seq + 1), ("reconnected", seq + 2)]
    assert (await again.hears(Choices)).ply == 0
    assert (await again.hears(Paired)).room == room

    for cursor in (Cursor(room, 0, 0), Cursor(room, EPOCH + 1, seq), Cursor(room, EPOCH, 10_000)):
        whole = await again.ask(Sync(id=0, room=room, epoch=cursor.epoch, seq=cursor.seq))
        assert isinstance(whole, Room)
        assert whole.seq == seq + 2


@pytest.mark.parametrize("choices", [True, False], ids=["a person", "a program"])
async def test_a_mover_is_sent_the_move_and_then_the_reply(node: RunningNode, choices: bool) -> None:
    """In this order, and the same reply again for the same command."""
    ada, ben = await node.call(greet=False), await node.call()
    await ada.send(Hello("test", choices=choices))
    await ada.hears(Welcome)
    room = await node.table(ISAAC, ada, ben)
    rules = games.find("isaac")
    move = rules.moves(rules.initial(rules.options({})))[0]
    await ada.send(Play(id=100, room=room, ply=0, picks=move))
    moved, ok = [await ada.hears(object, lambda message: isinstance(message, Moved | Ok)) for _ in range(2)]
    assert isinstance(moved, Moved)
    assert ok == Ok(id=100, seq=moved.seq, epoch=moved.epoch)
    assert (await ben.hears(Moved)) == moved
    assert await ada.ask(Play(id=0, room=room, ply=0, picks=move), id=100) == ok


async def test_a_move_survives_flushed_scripts(node: RunningNode) -> None:
    """If the store's scripts are flushed, a move takes a moment longer."""
    ada, ben = await node.call(), await node.call()
    room = await node.table(ISAAC, ada, ben)
    rules = games.find("isaac")
    state = rules.initial(rules.options({}))
    for ply, caller in enumerate((ada, ben, ada)):
        await node.store.pipeline.call("SCRIPT", "FLUSH")
        move = rules.moves(state)[0]
        assert isinstance(await caller.ask(Play(id=0, room=room, ply=ply, picks=move)), Ok)
        state = rules.apply(state, move)
    assert node.registry.rooms[room].state.state == state


async def test_choices_can_be_declined(node: RunningNode) -> None:
    """A connection that declines them may still ask; other connections of the player are sent them."""
    ada, ben = await node.call(name="Ada"), await node.call(name="Ben")
    room = await node.table(ISAAC, ada, ben)
    program = await node.call(greet=False)
    await program.send(Hello("test", ada.token, choices=False))
    await program.hears(Welcome)
    await program.ask(Join(id=0, room=room))
    await program.send(Ping(1))
    assert isinstance(await program.hears(Message, lambda message: isinstance(message, Choices | Pong)), Pong)
    assert (await ada.hears(Choices)).ply == 0

    assert isinstance(await program.ask(Explore(id=0, room=room, ply=0, picks=())), Choices)


async def leave_during(node: RunningNode, valkey: PrivateValkey, caller: Caller, message: Hello | Join) -> None:
    """Send a message, and disconnect before the store has answered the node."""
    received = node.node.metrics.messages[type(message)]
    sessions = len(node.node.dispatcher.sessions)
    valkey.signal(signal.SIGSTOP)
    await caller.send(message)
    await node.until(lambda: node.node.metrics.messages[type(message)] > received)
    caller.socket.transport.abort()
    await node.until(lambda: len(node.node.dispatcher.sessions) < sessions)
    valkey.signal(signal.SIGCONT)


async def test_a_client_that_leaves_while_a_room_is_opened_is_not_subscribed(
    start_valkey: Callable[..., PrivateValkey],
) -> None:
    """The others learn that the player is offline."""
    valkey = start_valkey()
    async with running_node(valkey.url, "one") as one:
        ada, ben = await one.call(), await one.call()
        room = await one.table(ISAAC, ada, ben)
    async with running_node(valkey.url, "two") as two:
        await leave_during(two, valkey, await two.call(ada.token), Join(id=1, room=room))
        await two.until(lambda: room in two.registry.rooms)
        await two.node.drain(10)
        assert not two.registry.rooms[room].subscribers.all

        hello = Hello("test", ada.token, (Cursor(room, EPOCH, 1),))
        await leave_during(two, valkey, await two.call(greet=False), hello)
        await two.node.drain(10)
        assert not two.registry.rooms[room].subscribers.all
        assert not two.node.dispatcher.sessions


async def test_join_and_leave_do_not_overtake_each_other(node: RunningNode) -> None:
    """While a node is busy, both are answered in order."""
    ada, ben, carl = [await node.call() for _ in range(3)]
    busy, other = await node.table(ISAAC, ada, ben), await node.table(ISAAC, ben, carl)
    explores = [Explore(id=1000 + number, room=busy, ply=0, picks=()) for number in range(200)]
    for message in (*explores, Join(id=1, room=other)):
        await ada.send(message)
    (session,) = [
        session for session in node.node.dispatcher.sessions if len(session.rooms) == 1 and busy in session.rooms
    ]
    await node.until(lambda: other in session.rooms)
    await ada.send(Leave(id=2, room=other))
    answers = {1: None, 2: None} | {explore.id: None for explore in explores}
    while answers:
        answer = await ada.hears(Message, lambda message: getattr(message, "id", None) in answers)
        del answers[getattr(answer, "id", -1)]
    assert session not in node.registry.rooms[other].subscribers.all


# -- spectators


async def test_spectators_of_a_room_are_limited(valkey: str, redis: Redis) -> None:
    """Players and current spectators are not refused; one that leaves makes room for another."""
    async with running_node(valkey, spectators_per_room=1) as node:
        ada, ben, carl, dan = [await node.call() for _ in range(4)]
        full, other = await node.table(ISAAC, ada, ben), await node.table(ISAAC, ada, ben)
        assert isinstance(await carl.ask(Join(id=0, room=full)), Room)
        assert await dan.code(Join(id=0, room=full)) == "room_full"
        for caller in (carl, ada):
            assert isinstance(await caller.ask(Join(id=0, room=full)), Room)

        again = await node.call(greet=False)
        await again.hello(dan.token, (Cursor(full, EPOCH, 1), Cursor(other, EPOCH, 1)))
        assert (await again.hears(Refused)).code == "room_full"
        await ada.ask(Resign(id=0, room=other))
        assert (await again.hears(RoomEvent, lambda told: told.kind == "ended")).room == other

        await carl.ask(Leave(id=0, room=full))
        assert isinstance(await dan.ask(Join(id=0, room=full)), Room)


# -- the store


async def test_without_a_store_everything_is_refused_for_now(start_valkey: Callable[..., PrivateValkey]) -> None:
    """Each command and each hello is answered with try_again, and the connection is usable when the store is back."""
    valkey = start_valkey()
    async with running_node(valkey.url) as node:
        ada, ben = await node.call(), await node.call(greet=False)
        valkey.kill()
        await node.until(lambda: not node.store.pipeline.up)
        assert await ada.code(Join(id=0, room="r")) == "try_again"
        await ben.send(Hello("test"))
        assert await ben.hears(Refused) == Refused(
            code="try_again", text="The server cannot reach its store at the moment. It keeps trying."
        )
        valkey.start()
        await node.store.pipeline.ready()
        await ben.hello()
        assert await ada.code(Join(id=0, room="r")) == "room_unknown"


async def test_a_flag_falls_in_a_room_that_no_node_has_open(valkey: str, redis: Redis) -> None:
    """The store remembers when to check a room, for whichever node is alive then."""
    async with running_node(valkey, "one") as one:
        ada, ben = await one.call(), await one.call()
        room = await one.table(Terms("replica", clock=Clock("fischer", 1_000)), ada, ben)
        for ply, caller in enumerate((ada, ben)):
            choices = await caller.hears(Choices, lambda choices, ply=ply: choices.ply == ply)  # type: ignore[misc]
            picks, step = (), choices.step
            while True:
                pick = step.picks[0]
                picks = (*picks, getattr(pick, "place", pick))  # type: ignore[assignment]
                if not getattr(pick, "then", None):
                    break
                step = pick.then  # type: ignore[union-attr,assignment]
            assert isinstance(await caller.ask(Play(id=0, room=room, ply=ply, picks=picks)), Ok)
    async with running_node(valkey, "two") as two:
        while (state := await two.registry.load(room)) is None or state.status != "over":
            await two.node.sweep()
            await two.node.drain(1)
        assert state.result == Result(1, "flag")
