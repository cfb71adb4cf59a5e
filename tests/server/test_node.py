"""What a node does with messages that come early, late, or while its store is away."""

from __future__ import annotations

import asyncio
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
    Explore,
    Happened,
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
    Standing,
    Sync,
    Welcome,
)  # fmt: skip
from parlour.protocol.tables import Clock, Player, Result, Terms
from parlour.server.rooms.presenter import EPOCH
from parlour.server.store.line import Line
from tests.server.running_node import Caller, RunningNode, running_node
from tests.server.store.private_valkey import PrivateValkey

ISAAC = Terms("isaac")


@pytest.fixture
async def node(valkey: str, redis: Redis) -> AsyncIterator[RunningNode]:
    async with running_node(valkey) as running:
        yield running


# -- hello


async def test_a_guest_comes_back_by_the_token(valkey: str, redis: Redis) -> None:
    """The same player on any node; a token that nobody has is refused, and hello may be said again."""
    async with running_node(valkey, "one") as one, running_node(valkey, "two") as two:
        ada = await one.call(name="Ada")
        again = await two.call(greet=False)
        await again.send(Hello("test", "nobody has this token"))
        assert (await again.hears(Refused)).code == "token_unknown"
        assert (await again.hello(ada.token)).you == Player("Ada", guest=True)


async def test_a_game_that_was_made_while_nobody_listened(
    valkey: str, redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """News for a player that a node could not hear, because its connection was lost, are told when it is back."""
    async with running_node(valkey, "one") as one, running_node(valkey, "two") as two:
        ada, ben = await one.call(), await two.call()
        seek = (await ada.ask(Challenge(id=0, terms=ISAAC))).seek
        keeper = one.store.bus._keeper
        dial, may_dial = keeper._dial, asyncio.Event()

        async def later() -> Line:
            await may_dial.wait()
            return await dial()

        monkeypatch.setattr(keeper, "_dial", later)
        assert keeper.line is not None
        keeper.line.abort()
        await one.until(lambda: not one.store.bus.up)
        room = (await ben.ask(Accept(id=0, seek=seek))).room
        may_dial.set()

        assert (await ada.hears(Paired)).room == room


async def test_nothing_counts_before_welcome(node: RunningNode) -> None:
    """Commands that come with hello, or before it, are refused with their ids; hello itself is not harmed."""
    ada = await node.call(greet=False)
    assert await ada.code(Queue(id=0, terms=ISAAC)) == "hello_first"
    await ada.send(Hello("test"))
    assert await ada.code(Join(id=0, room="r")) == "hello_first"
    assert await ada.code(Play(id=0, room="r", ply=0, picks=())) == "hello_first"
    await ada.hears(Welcome)
    assert await ada.code(Join(id=0, room="r")) == "room_unknown"
    await ada.send(Hello("test"))
    assert (await ada.hears(Refused)).code == "hello_first"


async def test_who_does_not_say_hello_is_parted_with(valkey: str, redis: Redis) -> None:
    """In time, with a code that says why; pings do not count."""
    async with running_node(valkey, hello_timeout=0.2) as node:
        ada, ben = await node.call(greet=False), await node.call()
        await ada.send(Ping())
        assert await ada.closed() == CloseCode.NO_HELLO
        assert isinstance(await ben.ask(Leave(id=0, room="r")), Ok)


async def test_a_name_that_is_none_is_refused(node: RunningNode) -> None:
    """With a sentence, and another hello may follow on the same connection."""
    ada = await node.call(greet=False)
    await ada.send(Hello("test", None, (), "\u200b"))
    refused = await ada.hears(Refused)
    assert (refused.code, refused.id) == ("name_refused", None)
    assert (await ada.hello(name="Ada")).you == Player("Ada", guest=True)


# -- coming back


async def test_commands_that_follow_welcome_find_their_rooms(valkey: str, redis: Redis) -> None:
    """A node that has none of the rooms open yet has opened all of them when it says welcome."""
    async with running_node(valkey, "one") as one:
        ada, ben = await one.call(), await one.call()
        rooms = [await one.table(ISAAC, ada, ben) for _ in range(20)]
    async with running_node(valkey, "two") as two:
        again = await two.call(greet=False)
        standings = tuple(Standing(room, EPOCH, 1) for room in ("gone", *rooms))
        await again.hello(ada.token, standings)
        for room in reversed(rooms):
            assert isinstance(await again.ask(Resign(id=0, room=room)), Ok)
        assert (await again.hears(Refused)).code == "room_unknown"


async def test_what_was_missed_is_sent_from_where_the_client_stands(node: RunningNode) -> None:
    """The updates in order, or the whole room where they are not to be had; then what may be picked."""
    ada, ben = await node.call(), await node.call()
    room = await node.table(ISAAC, ada, ben)
    seq = node.house.rooms[room].room.seq
    await ada.socket.close()
    await ben.hears(Happened, lambda told: told.what == "gone")
    again = await node.call(greet=False)
    await again.hello(ada.token, (Standing(room, EPOCH, seq),))
    missed = [await again.hears(Happened) for _ in range(2)]
    assert [(told.what, told.seq) for told in missed] == [("gone", seq + 1), ("back", seq + 2)]
    assert (await again.hears(Choices)).ply == 0
    assert (await again.hears(Paired)).room == room

    for standing in (Standing(room, 0, 0), Standing(room, EPOCH + 1, seq), Standing(room, EPOCH, 10_000)):
        whole = await again.ask(Sync(id=0, room=room, epoch=standing.epoch, seq=standing.seq))
        assert isinstance(whole, Room)
        assert whole.seq == seq + 2


@pytest.mark.parametrize("choices", [True, False], ids=["a person", "a program"])
async def test_who_moves_is_told_of_the_move_and_then_that_it_counts(node: RunningNode, choices: bool) -> None:
    """Both come by themselves, in this order, though nothing else follows; and the same again for the same command.

    Programs, which decline choices, may wait for it a little; nobody is forgotten over that.
    """
    ada, ben = await node.call(greet=False), await node.call()
    await ada.send(Hello("test", choices=choices))
    await ada.hears(Welcome)
    room = await node.table(ISAAC, ada, ben)
    rules = games.find("isaac")
    move = rules.moves(rules.initial(rules.options({})))[0]
    await ada.send(Play(id=100, room=room, ply=0, picks=move))
    moved, ok = [await ada.hears(object, lambda message: isinstance(message, Moved | Ok)) for _ in range(2)]
    assert isinstance(moved, Moved)
    assert ok == Ok(id=100, seq=moved.seq)
    assert (await ben.hears(Moved)) == moved
    assert await ada.ask(Play(id=0, room=room, ply=0, picks=move), id=100) == ok


async def test_a_move_is_stored_though_redis_forgets_how(node: RunningNode) -> None:
    """Somebody clears the scripts of the store: a move takes a moment longer, and that is all."""
    ada, ben = await node.call(), await node.call()
    room = await node.table(ISAAC, ada, ben)
    rules = games.find("isaac")
    state = rules.initial(rules.options({}))
    for ply, caller in enumerate((ada, ben, ada)):
        await node.store.pipe.call("SCRIPT", "FLUSH")
        move = rules.moves(state)[0]
        assert isinstance(await caller.ask(Play(id=0, room=room, ply=ply, picks=move)), Ok)
        state = rules.apply(state, move)
    assert node.house.rooms[room].room.state == state


async def test_choices_can_be_declined(node: RunningNode) -> None:
    """They do not come to that connection, which may still ask for them; other ones of the player get them."""
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
    """Send a message, and be gone before the store has answered the node."""
    received = node.node.metrics.messages[type(message)]
    visitors = len(node.node.visitors)
    valkey.signal(signal.SIGSTOP)
    await caller.send(message)
    await node.until(lambda: node.node.metrics.messages[type(message)] > received)
    caller.socket.transport.abort()
    await node.until(lambda: len(node.node.visitors) < visitors)
    valkey.signal(signal.SIGCONT)


async def test_who_leaves_while_a_room_is_opened_does_not_stay(start_valkey: Callable[..., PrivateValkey]) -> None:
    """A connection that is lost at that moment follows nothing, so the others learn that the player is gone."""
    valkey = start_valkey()
    async with running_node(valkey.url, "one") as one:
        ada, ben = await one.call(), await one.call()
        room = await one.table(ISAAC, ada, ben)
    async with running_node(valkey.url, "two") as two:
        await leave_during(two, valkey, await two.call(ada.token), Join(id=1, room=room))
        await two.until(lambda: room in two.house.rooms)
        await two.node.settle(10)
        assert not two.house.rooms[room].audience.followers

        hello = Hello("test", ada.token, (Standing(room, EPOCH, 1),))
        await leave_during(two, valkey, await two.call(greet=False), hello)
        await two.node.settle(10)
        assert not two.house.rooms[room].audience.followers
        assert not two.node.visitors


async def test_who_leaves_a_room_before_it_was_shown_does_not_stay(node: RunningNode) -> None:
    """While a node is busy, join and leave of one connection do not overtake each other; both are answered."""
    ada, ben, carl = [await node.call() for _ in range(3)]
    busy, other = await node.table(ISAAC, ada, ben), await node.table(ISAAC, ben, carl)
    explores = [Explore(id=1000 + number, room=busy, ply=0, picks=()) for number in range(200)]
    for message in (*explores, Join(id=1, room=other)):
        await ada.send(message)
    (visitor,) = [visitor for visitor in node.node.visitors if len(visitor.rooms) == 1 and busy in visitor.rooms]
    await node.until(lambda: other in visitor.rooms)
    await ada.send(Leave(id=2, room=other))
    answers = {1: None, 2: None} | {explore.id: None for explore in explores}
    while answers:
        answer = await ada.hears(Message, lambda message: getattr(message, "id", None) in answers)
        del answers[getattr(answer, "id", -1)]
    assert visitor not in node.house.rooms[other].audience.followers


# -- watchers


async def test_a_room_takes_only_so_many_watchers(valkey: str, redis: Redis) -> None:
    """Players and those who are there already are not refused; one who leaves makes room for another."""
    async with running_node(valkey, watchers_per_room=1) as node:
        ada, ben, carl, dan = [await node.call() for _ in range(4)]
        full, other = await node.table(ISAAC, ada, ben), await node.table(ISAAC, ada, ben)
        assert isinstance(await carl.ask(Join(id=0, room=full)), Room)
        assert await dan.code(Join(id=0, room=full)) == "room_full"
        for caller in (carl, ada):
            assert isinstance(await caller.ask(Join(id=0, room=full)), Room)

        again = await node.call(greet=False)
        await again.hello(dan.token, (Standing(full, EPOCH, 1), Standing(other, EPOCH, 1)))
        assert (await again.hears(Refused)).code == "room_full"
        await ada.ask(Resign(id=0, room=other))
        assert (await again.hears(Happened, lambda told: told.what == "ended")).room == other

        await carl.ask(Leave(id=0, room=full))
        assert isinstance(await dan.ask(Join(id=0, room=full)), Room)


# -- the store


async def test_without_a_store_everything_is_refused_for_now(start_valkey: Callable[..., PrivateValkey]) -> None:
    """Each command and each hello has one answer, try_again, and the same connection goes on when the store is back."""
    valkey = start_valkey()
    async with running_node(valkey.url) as node:
        ada, ben = await node.call(), await node.call(greet=False)
        valkey.kill()
        await node.until(lambda: not node.store.pipe.up)
        assert await ada.code(Join(id=0, room="r")) == "try_again"
        await ben.send(Hello("test"))
        assert await ben.hears(Refused) == Refused(code="try_again", text="The store does not answer. Try again.")
        valkey.start()
        await node.store.pipe.ready()
        await ben.hello()
        assert await ada.code(Join(id=0, room="r")) == "room_unknown"


async def test_a_flag_falls_in_a_room_that_no_node_has_open(valkey: str, redis: Redis) -> None:
    """The store remembers when to look into a room, for whatever node is there then."""
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
        while (state := await two.house.load(room)) is None or state.status != "over":
            await two.node.sweep()
            await two.node.settle(1)
        assert state.result == Result(1, "flag")
