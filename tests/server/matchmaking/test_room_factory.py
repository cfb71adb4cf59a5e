"""Rooms are created once, and counted correctly."""

from __future__ import annotations

from collections.abc import AsyncIterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from redis.asyncio import Redis

from parlour.protocol.messages import Accept, Challenge, Join, Offer, Ok, Paired, Queue, Resign, Room, RoomEvent
from parlour.protocol.types import Clock, Player, Terms
from parlour.server.matchmaking.room_factory import goes_first, room_ids
from parlour.server.rooms.commands import ALPHABET
from parlour.server.rooms.events import Participant
from parlour.server.rooms.fair_play import RATED_A_DAY
from parlour.server.rooms.setup import complete_options, create
from tests.server.matchmaking.pairing_checks import ISAAC, games_of
from tests.server.running_node import RunningNode, running_node


@pytest.fixture
async def node(valkey: str, redis: Redis) -> AsyncIterator[RunningNode]:
    async with running_node(valkey, rooms_per_player=3) as running:
        yield running


@given(st.integers(0), st.integers(0), st.text())
def test_one_of_two_goes_first(mine: int, theirs: int, seed: str) -> None:
    """The player whose last first seat is longer ago goes first, and always exactly one of the two."""
    if mine == theirs:
        assert goes_first(mine, theirs, seed) == goes_first(theirs, mine, seed)
    else:
        assert goes_first(mine, theirs, seed) == (mine < theirs) != goes_first(theirs, mine, seed)


async def test_an_id_of_another_game_is_skipped(node: RunningNode) -> None:
    """Two games never share a room, even if they get the same id by chance."""
    ada, ben = await node.call(), await node.call()
    code = (await ada.ask(Challenge(id=0, terms=ISAAC))).seek
    first, second, *_ = room_ids(code, private=True)
    options = complete_options(ISAAC, None, Random(1))
    strangers = (Participant("id-of-carl", Player("Carl")), Participant("id-of-dan", Player("Dan")))
    assert await node.registry.create(first, create(ISAAC, options, None, strangers, node.node.now()))

    assert (await ben.ask(Accept(id=0, seek=code), id=7)).room == second
    assert (await ada.hears(Paired)).room == second
    assert (await ben.ask(Accept(id=0, seek=code), id=7)).room == second
    room = await ben.ask(Join(id=0, room=second))
    assert isinstance(room, Room)
    assert room.seat is not None


def test_ids_of_private_games_cannot_be_guessed() -> None:
    """They are longer than those of public games, of which a spectator could find one by trying."""
    assert len(next(room_ids("seed", private=False))) == 6
    assert len(ALPHABET) ** len(next(room_ids("seed", private=True))) > 2**58


async def test_finished_games_are_not_counted(node: RunningNode) -> None:
    """Finished games do not count toward the limit of games."""
    ada, ben = await node.call(), await node.call()
    for _ in range(5):
        code = (await ada.ask(Challenge(id=0, terms=ISAAC))).seek
        room = (await ben.ask(Accept(id=0, seek=code))).room
        await ben.ask(Join(id=0, room=room))
        await ben.ask(Resign(id=0, room=room))
    ada = await node.call(ada.token)
    await node.node.drain(10)
    assert await games_of(node, ada) == [0]


async def test_a_rematch_is_created_once(node: RunningNode) -> None:
    """However often a rematch is created, there is one next room, with the terms of the previous one."""
    ada, ben = await node.call(), await node.call()
    terms = Terms("mapello", {"board": "random"}, Clock("fischer", 60_000, 1_000), rated=True)
    for caller in (ada, ben):
        await caller.ask(Queue(id=0, terms=terms))
    room = (await ada.hears(Paired)).room
    for caller in (ada, ben):
        await caller.ask(Join(id=0, room=room))
    assert isinstance(await ada.ask(Resign(id=0, room=room)), Ok)
    for caller in (ada, ben):
        assert isinstance(await caller.ask(Offer(id=0, room=room, kind="rematch")), Ok)
    following = (await ada.hears(RoomEvent, lambda event: event.kind == "rematch")).next
    assert following is not None
    await ada.ask(Join(id=0, room=following))
    made = await node.registry.load(following)
    assert made is not None
    over = await node.registry.load(room)
    assert over is not None
    node.node.start_rematch(over)
    await node.node.drain(10)
    assert await node.registry.load(following) == made
    assert (made.clock, made.rated, made.follows) == (terms.clock, True, room)
    assert made.options["board"] == "random"
    assert [each.id for each in made.players] == [each.id for each in over.players[::-1]]


RATED = Terms("isaac", clock=Clock("fischer", 60_000, 1_000), rated=True)


async def test_repeated_pairings_do_not_count(node: RunningNode) -> None:
    """Each rated game of two players is counted once, and the players of one too many are told at its start."""
    ada, ben = await node.call(name="Ada"), await node.call(name="Ben")
    one, other = [str(await node.store.players.id_of(name)) for name in ("ada", "ben")]
    rooms = [await node.table(RATED, ada, ben)]
    assert await node.store.pairings.count(one, other) == 1
    for number in range(RATED_A_DAY - 1):
        await node.store.pairings.add(one, other, f"room {number}")
    rooms.append(await node.table(RATED, ada, ben))
    rooms.append(await node.table(ISAAC, ada, ben))
    shown = [await ada.ask(Join(id=0, room=room)) for room in rooms]
    assert [room.unrated for room in shown] == ["", "repeated_pairing", ""]
    assert await node.store.pairings.count(one, other) == RATED_A_DAY


@pytest.mark.parametrize(
    ("addresses", "unrated"), [(("1.2.3.4", "1.2.3.4"), "same_network"), (("1.2.3.4", "1.2.3.5"), "")]
)
async def test_games_within_a_network_do_not_count(node: RunningNode, addresses: tuple[str, str], unrated: str) -> None:
    """Nor do their rematches. A private address, as in the other tests, is no network."""
    ada, ben = await node.call(name="Ada"), await node.call(name="Ben")
    for session in node.node.dispatcher.sessions:
        session.connection.address = addresses[session.name == "Ben"]
    room = await node.table(RATED, ada, ben)
    assert (await ben.ask(Join(id=0, room=room))).unrated == unrated
    await node.play(room, ada, ben)
    await ada.ask(Resign(id=0, room=room))
    ended = await ben.hears(RoomEvent, lambda event: event.kind == "ended")
    assert ended.result is not None
    assert ended.result.unrated == unrated
    for caller in (ada, ben):
        await caller.ask(Offer(id=0, room=room, kind="rematch"))
    following = (await ada.hears(RoomEvent, lambda event: event.kind == "rematch")).next
    assert (await ada.ask(Join(id=0, room=str(following)))).unrated == unrated
