"""Seeks and invitations: who may take them, and that one does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import msgspec
import pytest
from redis.asyncio import Redis

from parlour.protocol.messages import (
    Accept,
    Cancel,
    Challenge,
    Challenged,
    InviteGone,
    Join,
    Ok,
    Paired,
    Room,
    Seek,
)
from parlour.protocol.tables import Clock, Terms
from parlour.server.rating import Rating
from parlour.server.store import keys
from parlour.server.store.seeks import State
from tests.server.lobby.meeting import ISAAC, expect_game, games_of, player_of
from tests.server.running_node import Caller, RunningNode, running_node

SEEK = Seek(id=0, terms=ISAAC)


@pytest.fixture
async def node(valkey: str, redis: Redis) -> AsyncIterator[RunningNode]:
    async with running_node(valkey, rooms_per_player=3) as running:
        yield running


async def open_seeks(node: RunningNode) -> set[str]:
    return set((await node.store.seeks.listed())[1])


async def rate(node: RunningNode, caller: Caller, rating: int) -> None:
    """Make somebody as strong as that in Isaac."""
    player = (await player_of(node, caller)).player
    await node.store.redis.hset(keys.ratings(player), "isaac", msgspec.msgpack.encode(Rating(rating, 60, won=9)))


# -- seeks


async def test_a_seek_is_taken(node: RunningNode) -> None:
    """Both are told of their room, in the seats that were asked for, and the seek is gone."""
    ada, ben = await node.call(), await node.call()
    seek = (await ada.ask(Seek(id=0, terms=ISAAC, seat="second"))).seek
    assert await open_seeks(node) == {seek}
    room = (await ben.ask(Accept(id=0, seek=seek))).room
    told = [await caller.hears(Paired) for caller in (ada, ben)]
    assert [(paired.room, paired.seat, paired.seek) for paired in told] == [(room, 1, seek), (room, 0, seek)]
    assert await open_seeks(node) == set()
    made = await node.house.load(room)
    assert made is not None
    assert not made.private


async def test_one_of_many_takes_it(valkey: str, redis: Redis) -> None:
    """However many accept at two nodes at once, one plays and the others are told that it is gone."""
    async with running_node(valkey, "one") as one, running_node(valkey, "two") as two:
        ada = await one.call()
        callers = [await node.call() for node in (one, two) for _ in range(4)]
        seek = (await ada.ask(SEEK)).seek
        answers = await asyncio.gather(*(caller.ask(Accept(id=0, seek=seek)) for caller in callers))
        assert sorted(getattr(answer, "code", "ok") for answer in answers) == ["ok"] + ["seek_gone"] * 7
        assert (await ada.hears(Paired)).room in {getattr(answer, "room", None) for answer in answers}
        assert await games_of(one, ada) == [1]


async def test_nobody_takes_his_own(node: RunningNode) -> None:
    """Not even from another connection."""
    ada = await node.call()
    seek = (await ada.ask(SEEK)).seek
    again = await node.call(ada.token)
    assert await again.code(Accept(id=0, seek=seek)) == "own_seek"
    assert await open_seeks(node) == {seek}


async def test_only_who_is_meant(node: RunningNode) -> None:
    """A rating outside the range is refused, with both numbers in the sentence; a newcomer counts as 1500."""
    ada, weak, strong, new = [await node.call() for _ in range(4)]
    await rate(node, weak, 1399)
    await rate(node, strong, 1600)
    seek = (await ada.ask(Seek(id=0, terms=ISAAC, ratings=(1400, 1600)))).seek
    refused = await weak.ask(Accept(id=0, seek=seek))
    assert refused.code == "rating_out_of_range"
    assert "1400 to 1600" in refused.text
    assert "1399" in refused.text
    assert isinstance(await strong.ask(Accept(id=0, seek=seek)), Ok)
    seek = (await ada.ask(Seek(id=0, terms=ISAAC, ratings=(1500, 1500)))).seek
    assert isinstance(await new.ask(Accept(id=0, seek=seek)), Ok)


@pytest.mark.parametrize("ratings", [(1600, 1400), (-1, 1500), (1500, 4001)])
async def test_a_range_that_is_none(node: RunningNode, ratings: tuple[int, int]) -> None:
    """The lower end comes first, and both are ratings."""
    ada = await node.call()
    assert await ada.code(Seek(id=0, terms=ISAAC, ratings=ratings)) == "request_malformed"


async def test_what_cannot_be_played_is_refused(node: RunningNode) -> None:
    """When the seek is made, not when it is taken."""
    ada = await node.call()
    assert await ada.code(Seek(id=0, terms=Terms("chess"))) == "game_unknown"
    assert await ada.code(Seek(id=0, terms=Terms("isaac", clock=Clock("sand")))) == "clock_invalid"
    assert await ada.code(Seek(id=0, terms=Terms("isaac", rated=True))) == "rated_refused"
    assert await open_seeks(node) == set()


async def test_a_seek_is_asked_for_again(node: RunningNode) -> None:
    """The same command is the same seek, and finds its game once it was taken."""
    ada, ben = await node.call(), await node.call()
    first = await ada.ask(SEEK, id=7)
    assert await ada.ask(SEEK, id=7) == first
    assert len(await open_seeks(node)) == 1
    accept = Accept(id=0, seek=first.seek)
    accepted = await ben.ask(accept, id=3)
    paired = await ada.hears(Paired)
    assert await ben.ask(accept, id=3) == accepted
    assert await ada.ask(SEEK, id=7) == first
    assert await ada.hears(Paired) == paired
    await redis_forgets(node, first.seek)
    assert await ben.ask(accept, id=3) == accepted
    assert await games_of(node, ada, ben) == [1, 1]


async def redis_forgets(node: RunningNode, seek: str) -> None:
    """As after two minutes."""
    assert await node.store.redis.delete(keys.seek(seek)) == 1


async def test_a_seek_goes_with_its_connection(node: RunningNode) -> None:
    """At once, and nobody can take it any more."""
    ada, ben = await node.call(), await node.call()
    seek = (await ada.ask(SEEK)).seek
    await ada.socket.close()
    await node.until(lambda: len(node.node.visitors) == 1)
    await node.node.settle(10)
    assert await open_seeks(node) == set()
    assert await ben.code(Accept(id=0, seek=seek)) == "seek_gone"


async def test_who_comes_back_elsewhere_keeps_the_seek(valkey: str, redis: Redis) -> None:
    """The old node drops it when it notices that the connection is dead; the new one opens it again."""
    async with running_node(valkey, "one") as one, running_node(valkey, "two") as two:
        old = await one.call()
        seek = (await old.ask(SEEK, id=7)).seek
        new = await two.call(old.token)
        assert (await new.ask(SEEK, id=7)).seek == seek
        await old.socket.close()
        await one.until(lambda: not one.node.visitors)
        await one.node.settle(10)
        await two.node.sweep()
        ben = await one.call()
        room = (await ben.ask(Accept(id=0, seek=seek))).room
        assert (await new.hears(Paired)).room == room


async def test_a_newer_connection_keeps_the_seek_of_an_older_one(node: RunningNode) -> None:
    """On the same node nothing happens to it."""
    old = await node.call()
    seek = (await old.ask(SEEK, id=7)).seek
    new = await node.call(old.token)
    await new.ask(SEEK, id=7)
    await old.socket.close()
    await node.until(lambda: len(node.node.visitors) == 1)
    await node.node.settle(10)
    assert await open_seeks(node) == {seek}


async def test_who_leaves_before_the_answer_has_no_seek(node: RunningNode) -> None:
    """However early the connection was lost."""
    for _ in range(10):
        ada = await node.call()
        await ada.send(Seek(id=1, terms=ISAAC))
        ada.socket.transport.abort()
    await node.until(lambda: not node.node.visitors)
    await node.node.settle(10)
    assert await open_seeks(node) == set()


async def test_a_seek_is_withdrawn(node: RunningNode) -> None:
    """By its maker, from any of his connections, and by nobody else."""
    ada, ben = await node.call(), await node.call()
    seek = (await ada.ask(SEEK)).seek
    assert await ben.code(Cancel(id=0, seek=seek)) == "seek_gone"
    again = await node.call(ada.token)
    assert isinstance(await again.ask(Cancel(id=0, seek=seek)), Ok)
    assert await open_seeks(node) == set()
    assert await ben.code(Accept(id=0, seek=seek)) == "seek_gone"
    await node.node.sweep()
    assert await open_seeks(node) == set()


async def test_a_taken_seek_gets_its_room(node: RunningNode) -> None:
    """If the node of the one who took it died before it made the room, that of the maker makes it."""
    ada = await node.call()
    seek = (await ada.ask(SEEK)).seek
    guest = await player_of(node, await node.call())
    assert isinstance(await node.store.seeks.accept(seek, guest.player, msgspec.msgpack.encode(guest)), tuple)
    await node.node.sweep()
    await expect_game(ada, guest, seek)
    await node.node.sweep()
    assert await games_of(node, ada) == [1]


async def test_it_can_be_too_late_to_withdraw(node: RunningNode) -> None:
    """Whoever has an opponent in the same moment is told so, and has the game."""
    ada = await node.call()
    seek = (await ada.ask(SEEK)).seek
    guest = await player_of(node, await node.call())
    await node.store.seeks.accept(seek, guest.player, msgspec.msgpack.encode(guest))
    assert await ada.code(Cancel(id=0, seek=seek)) == "seek_gone"
    await expect_game(ada, guest, seek)


async def test_a_seek_that_the_store_lost_is_opened_again(node: RunningNode) -> None:
    """For as long as its maker is here."""
    ada, ben = await node.call(), await node.call()
    seek = (await ada.ask(SEEK)).seek
    await redis_forgets(node, seek)
    await node.store.redis.delete(keys.SEEKS_LISTED)
    await node.node.sweep()
    assert await open_seeks(node) == {seek}
    assert isinstance(await ben.ask(Accept(id=0, seek=seek)), Ok)


async def test_nobody_has_too_many_seeks(node: RunningNode) -> None:
    """They are counted together with the places in queues."""
    ada = await node.call()
    for id in range(20):
        assert isinstance(await ada.ask(SEEK, id), Ok)
    assert await ada.code(SEEK, 100) == "limit_reached"
    assert isinstance(await ada.ask(SEEK, 0), Ok)
    assert len(await open_seeks(node)) == 20


async def test_a_player_with_too_many_games_takes_none(node: RunningNode) -> None:
    """Neither by a seek of his own nor by another's."""
    ada, ben = await node.call(), await node.call()
    for _ in range(3):
        await node.table(ISAAC, ada, ben)
    assert await ada.code(SEEK) == "limit_reached"
    seek = (await (await node.call()).ask(SEEK)).seek
    assert await ada.code(Accept(id=0, seek=seek)) == "limit_reached"
    assert await open_seeks(node) == {seek}


async def test_first_seats_take_turns(node: RunningNode) -> None:
    """Where any seat will do, it is the turn of the one whose last first seat is longer ago."""
    ada, ben = await node.call(), await node.call()
    seats = []
    for _ in range(3):
        seek = (await ada.ask(SEEK)).seek
        await ben.ask(Accept(id=0, seek=seek))
        seats.append((await ada.hears(Paired)).seat)
    assert seats in ([0, 1, 0], [1, 0, 1])


# -- invitations


async def test_an_invitation_is_asked_for_again(node: RunningNode) -> None:
    """The same command has the same code, and one game comes of it, also when it is repeated after that."""
    ada, ben, carl = await node.call(), await node.call(name="Ben"), await node.call()
    challenge = Challenge(id=0, terms=ISAAC, to="Ben")
    first = await ada.ask(challenge, id=7)
    assert await ada.ask(challenge, id=7) == first
    assert {(await ben.hears(Challenged)).seek for _ in range(2)} == {first.seek}
    assert (await ada.ask(challenge, id=8)).seek != first.seek

    assert await carl.code(Accept(id=0, seek=first.seek)) == "invite_unknown"
    accepted = await ben.ask(Accept(id=0, seek=first.seek), id=7)
    assert await ben.ask(Accept(id=0, seek=first.seek), id=7) == accepted
    assert await ada.ask(challenge, id=7) == first
    assert await games_of(node, ada, ben, carl) == [1, 1, 0]


async def test_an_invitation_is_private(node: RunningNode) -> None:
    """It is on no list, and neither is the game."""
    ada, ben = await node.call(), await node.call()
    code = (await ada.ask(Challenge(id=0, terms=ISAAC))).seek
    assert await open_seeks(node) == set()
    room = await node.house.load((await ben.ask(Accept(id=0, seek=code))).room)
    assert room is not None
    assert room.private


async def test_an_invitation_is_declined(node: RunningNode) -> None:
    """By the one who is meant; its maker is told, and nobody can take it any more."""
    ada, ben, carl = await node.call(), await node.call(name="Ben"), await node.call()
    code = (await ada.ask(Challenge(id=0, terms=ISAAC, to="Ben"))).seek
    await ben.hears(Challenged)
    assert await carl.code(Cancel(id=0, seek=code)) == "seek_gone"
    assert isinstance(await ben.ask(Cancel(id=0, seek=code)), Ok)
    assert await ada.hears(InviteGone) == InviteGone(seek=code, declined=True)
    assert await ben.code(Accept(id=0, seek=code)) == "seek_gone"


async def test_declining_crosses_nodes(valkey: str, redis: Redis) -> None:
    """Maker and invited one hear of each other wherever they are."""
    async with running_node(valkey, "one") as one, running_node(valkey, "two") as two:
        ada, ben = await one.call(), await two.call(name="Ben")
        code = (await ada.ask(Challenge(id=0, terms=ISAAC, to="Ben"))).seek
        assert (await ben.hears(Challenged)).seek == code
        await ben.ask(Cancel(id=0, seek=code))
        assert await ada.hears(InviteGone) == InviteGone(seek=code, declined=True)


async def test_who_was_invited_is_told_of_the_withdrawal(node: RunningNode) -> None:
    """So that nobody tries to accept what is gone."""
    ada, ben = await node.call(), await node.call(name="Ben")
    code = (await ada.ask(Challenge(id=0, terms=ISAAC, to="Ben"))).seek
    await ada.ask(Cancel(id=0, seek=code))
    assert await ben.hears(InviteGone) == InviteGone(seek=code)


async def test_invitations_end_by_themselves(node: RunningNode, redis: Redis) -> None:
    """One to a player after minutes, one by a code after a day."""
    ada = await node.call()
    await node.call(name="Ben")
    challenges = (Challenge(id=0, terms=ISAAC, to="Ben"), Challenge(id=0, terms=ISAAC))
    for challenge, minutes in zip(challenges, (10, 24 * 60), strict=True):
        code = (await ada.ask(challenge)).seek
        assert (minutes - 1) * 60_000 < await redis.pttl(keys.seek(code)) <= minutes * 60_000


async def test_a_taken_invitation_is_finished_by_its_taker(node: RunningNode) -> None:
    """If a node died before it made the room, the same command finds the invitation still his."""
    ada, ben, carl = [await node.call() for _ in range(3)]
    code = (await ada.ask(Challenge(id=0, terms=ISAAC))).seek
    guest = await player_of(node, ben)
    await node.store.seeks.accept(code, guest.player, msgspec.msgpack.encode(guest))
    assert await carl.code(Accept(id=0, seek=code)) == "seek_gone"
    room = await ben.ask(Join(id=0, room=(await ben.ask(Accept(id=0, seek=code))).room))
    assert isinstance(room, Room)
    await expect_game(ada, guest, code)


async def test_invitations_are_bounded(node: RunningNode) -> None:
    """One connection has so many open ones; a taken or withdrawn one makes place for another."""
    ada = await node.call()
    invite = Challenge(id=0, terms=ISAAC)
    codes = [(await ada.ask(invite)).seek for _ in range(20)]
    assert await ada.code(invite) == "limit_reached"
    assert await node.store.seeks.withdraw(codes[3]) is State.OPEN
    assert isinstance(await ada.ask(invite), Ok)
    assert await ada.code(invite) == "limit_reached"


async def test_an_invitation_is_told_again(node: RunningNode) -> None:
    """To one who was away: each that is still open."""
    ada, ben = await node.call(), await node.call(name="Ben")
    codes = [(await ada.ask(Challenge(id=0, terms=ISAAC, to="Ben"))).seek for _ in range(3)]
    await ada.ask(Cancel(id=0, seek=codes[0]))
    await ben.ask(Accept(id=0, seek=codes[1]))
    await ben.socket.close()
    again = await node.call(ben.token)
    challenged = await again.hears(Challenged)
    assert (challenged.seek, challenged.terms) == (codes[2], ISAAC)
    await node.node.settle(10)
    await again.ask(Cancel(id=0, seek=codes[2]))
    later = await node.call(ben.token)
    await later.ask(Challenge(id=0, terms=ISAAC))
    await node.node.settle(10)
    await later.ask(Challenge(id=0, terms=ISAAC))
    assert not later.has_heard(Challenged)
