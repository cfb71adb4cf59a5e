"""Seeks and invitations: who may accept them, and that exactly one player does."""

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
    ChallengeClosed,
    Challenged,
    Join,
    Ok,
    Paired,
    Room,
    Seek,
)
from parlour.protocol.types import Clock, Terms
from parlour.server.players.glicko2 import Rating
from parlour.server.store.keys import Keys
from parlour.server.store.seeks import SeekStatus
from tests.server.matchmaking.pairing_checks import ISAAC, expect_game, games_of, participant_of
from tests.server.running_node import Caller, RunningNode, running_node

keys = Keys()

SEEK = Seek(id=0, terms=ISAAC)


@pytest.fixture
async def node(valkey: str, redis: Redis) -> AsyncIterator[RunningNode]:
    async with running_node(valkey, rooms_per_player=3) as running:
        yield running


async def open_seeks(node: RunningNode) -> set[str]:
    return set((await node.store.seeks.load_list())[1])


async def rate(redis: Redis, node: RunningNode, caller: Caller, rating: int) -> None:
    """Give a caller a rating in Isaac."""
    player = (await participant_of(node, caller)).id
    await redis.hset(keys.ratings(player), "isaac", msgspec.msgpack.encode(Rating(rating, 60, won=9)))


# -- seeks


async def test_a_seek_is_accepted(node: RunningNode) -> None:
    """Both players are told of the room, in the requested seats, and the seek is closed."""
    ada, ben = await node.call(), await node.call()
    seek = (await ada.ask(Seek(id=0, terms=ISAAC, seat="second"))).seek
    assert await open_seeks(node) == {seek}
    room = (await ben.ask(Accept(id=0, seek=seek))).room
    messages = [await caller.hears(Paired) for caller in (ada, ben)]
    assert [(paired.room, paired.seat, paired.seek) for paired in messages] == [(room, 1, seek), (room, 0, seek)]
    assert await open_seeks(node) == set()
    made = await node.registry.load(room)
    assert made is not None
    assert not made.private


async def test_one_of_many_players_accepts(valkey: str, redis: Redis) -> None:
    """However many players accept on two nodes at once, one plays and the others are told that the seek is closed."""
    async with running_node(valkey, "one") as one, running_node(valkey, "two") as two:
        ada = await one.call()
        callers = [await node.call() for node in (one, two) for _ in range(4)]
        seek = (await ada.ask(SEEK)).seek
        answers = await asyncio.gather(*(caller.ask(Accept(id=0, seek=seek)) for caller in callers))
        assert sorted(getattr(answer, "code", "ok") for answer in answers) == ["ok"] + ["seek_gone"] * 7
        assert (await ada.hears(Paired)).room in {getattr(answer, "room", None) for answer in answers}
        assert await games_of(one, ada) == [1]


async def test_players_cannot_accept_their_own_seek(node: RunningNode) -> None:
    """Players cannot accept their own seek, not even from another connection."""
    ada = await node.call()
    seek = (await ada.ask(SEEK)).seek
    again = await node.call(ada.token)
    assert await again.code(Accept(id=0, seek=seek)) == "own_seek"
    assert await open_seeks(node) == {seek}


async def test_the_rating_range(node: RunningNode, redis: Redis) -> None:
    """A rating outside the range is refused, with the numbers in the sentence; a new player counts as 1500."""
    ada, weak, strong, new = [await node.call() for _ in range(4)]
    await rate(redis, node, weak, 1399)
    await rate(redis, node, strong, 1600)
    seek = (await ada.ask(Seek(id=0, terms=ISAAC, ratings=(1400, 1600)))).seek
    refused = await weak.ask(Accept(id=0, seek=seek))
    assert refused.code == "rating_out_of_range"
    assert "1400 to 1600" in refused.text
    assert "1399" in refused.text
    assert isinstance(await strong.ask(Accept(id=0, seek=seek)), Ok)
    seek = (await ada.ask(Seek(id=0, terms=ISAAC, ratings=(1500, 1500)))).seek
    assert isinstance(await new.ask(Accept(id=0, seek=seek)), Ok)


@pytest.mark.parametrize("ratings", [(1600, 1400), (-1, 1500), (1500, 4001)])
async def test_an_invalid_rating_range(node: RunningNode, ratings: tuple[int, int]) -> None:
    """The lower bound comes first, and both are ratings."""
    ada = await node.call()
    assert await ada.code(Seek(id=0, terms=ISAAC, ratings=ratings)) == "request_malformed"


async def test_unplayable_terms_are_refused(node: RunningNode) -> None:
    """Terms that cannot be played are refused when the seek is created, not when it is accepted."""
    ada = await node.call()
    assert await ada.code(Seek(id=0, terms=Terms("chess"))) == "game_unknown"
    assert await ada.code(Seek(id=0, terms=Terms("isaac", clock=Clock("sand")))) == "clock_invalid"
    assert await ada.code(Seek(id=0, terms=Terms("isaac", rated=True))) == "rated_refused"
    assert await open_seeks(node) == set()


async def test_a_repeated_seek(node: RunningNode, redis: Redis) -> None:
    """A repeated command gets the same seek, and finds its game once it was accepted."""
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
    await expire(redis, first.seek)
    assert await ben.ask(accept, id=3) == accepted
    assert await games_of(node, ada, ben) == [1, 1]


async def expire(redis: Redis, seek: str) -> None:
    """Delete a seek, as happens two minutes after it was accepted."""
    assert await redis.delete(keys.seek(seek)) == 1


async def test_a_seek_is_closed_with_its_connection(node: RunningNode) -> None:
    """When its owner disconnects, a seek is closed at once and cannot be accepted."""
    ada, ben = await node.call(), await node.call()
    seek = (await ada.ask(SEEK)).seek
    await ada.socket.close()
    await node.until(lambda: len(node.node.dispatcher.sessions) == 1)
    await node.node.drain(10)
    assert await open_seeks(node) == set()
    assert await ben.code(Accept(id=0, seek=seek)) == "seek_gone"


async def test_a_seek_moves_to_another_node(valkey: str, redis: Redis) -> None:
    """The old node suspends the seek when it finds the connection dead; the new node posts it again."""
    async with running_node(valkey, "one") as one, running_node(valkey, "two") as two:
        old = await one.call()
        seek = (await old.ask(SEEK, id=7)).seek
        new = await two.call_again(old)
        assert (await new.ask(SEEK, id=7)).seek == seek
        await old.socket.close()
        await one.until(lambda: not one.node.dispatcher.sessions)
        await one.node.drain(10)
        await two.node.sweep()
        ben = await one.call()
        room = (await ben.ask(Accept(id=0, seek=seek))).room
        assert (await new.hears(Paired)).room == room


async def test_a_newer_session_keeps_the_seek(node: RunningNode) -> None:
    """On the same node the seek of a player who reconnected stays open."""
    old = await node.call()
    seek = (await old.ask(SEEK, id=7)).seek
    new = await node.call_again(old)
    await new.ask(SEEK, id=7)
    await old.socket.close()
    await node.until(lambda: len(node.node.dispatcher.sessions) == 1)
    await node.node.drain(10)
    assert await open_seeks(node) == {seek}


async def test_a_disconnect_before_the_reply(node: RunningNode) -> None:
    """The seek of a player who disconnects before the reply is closed."""
    for _ in range(10):
        ada = await node.call()
        await ada.send(Seek(id=1, terms=ISAAC))
        ada.socket.transport.abort()
    await node.until(lambda: not node.node.dispatcher.sessions)
    await node.node.drain(10)
    assert await open_seeks(node) == set()


async def test_a_seek_is_withdrawn(node: RunningNode) -> None:
    """A seek can be withdrawn from any connection of its owner, and by no other player."""
    ada, ben = await node.call(), await node.call()
    seek = (await ada.ask(SEEK)).seek
    assert await ben.code(Cancel(id=0, seek=seek)) == "seek_gone"
    again = await node.call(ada.token)
    assert isinstance(await again.ask(Cancel(id=0, seek=seek)), Ok)
    assert await open_seeks(node) == set()
    assert await ben.code(Accept(id=0, seek=seek)) == "seek_gone"
    await node.node.sweep()
    assert await open_seeks(node) == set()


async def test_an_accepted_seek_gets_its_room(node: RunningNode) -> None:
    """If the accepting player's node died before it created the room, the owner's node creates it."""
    ada = await node.call()
    seek = (await ada.ask(SEEK)).seek
    guest = await participant_of(node, await node.call())
    assert isinstance(await node.store.seeks.accept(seek, guest.id, msgspec.msgpack.encode(guest)), tuple)
    await node.node.sweep()
    await expect_game(ada, guest, seek)
    await node.node.sweep()
    assert await games_of(node, ada) == [1]


async def test_withdrawing_too_late(node: RunningNode) -> None:
    """A player who withdraws an accepted seek is told so, and has the game."""
    ada = await node.call()
    seek = (await ada.ask(SEEK)).seek
    guest = await participant_of(node, await node.call())
    await node.store.seeks.accept(seek, guest.id, msgspec.msgpack.encode(guest))
    assert await ada.code(Cancel(id=0, seek=seek)) == "seek_gone"
    await expect_game(ada, guest, seek)


async def test_a_lost_seek_is_posted_again(node: RunningNode, redis: Redis) -> None:
    """A seek that the store has lost is posted again while its owner is connected."""
    ada, ben = await node.call(), await node.call()
    seek = (await ada.ask(SEEK)).seek
    await expire(redis, seek)
    await redis.delete(keys.seek_list)
    await node.node.sweep()
    assert await open_seeks(node) == {seek}
    assert isinstance(await ben.ask(Accept(id=0, seek=seek)), Ok)


async def test_the_number_of_seeks_is_limited(node: RunningNode) -> None:
    """One connection can have a limited number of seeks, and a repeated command is not counted twice."""
    ada = await node.call()
    for id in range(20):
        assert isinstance(await ada.ask(SEEK, id), Ok)
    assert await ada.code(SEEK, 100) == "limit_reached"
    assert isinstance(await ada.ask(SEEK, 0), Ok)
    assert len(await open_seeks(node)) == 20


async def test_the_number_of_games_is_limited(node: RunningNode) -> None:
    """A player with too many games can neither create nor accept a seek."""
    ada, ben = await node.call(), await node.call()
    for _ in range(3):
        await node.table(ISAAC, ada, ben)
    assert await ada.code(SEEK) == "limit_reached"
    seek = (await (await node.call()).ask(SEEK)).seek
    assert await ada.code(Accept(id=0, seek=seek)) == "limit_reached"
    assert await open_seeks(node) == {seek}


async def test_first_seats_take_turns(node: RunningNode) -> None:
    """If any seat will do, the player whose last first seat is longer ago gets the first seat."""
    ada, ben = await node.call(), await node.call()
    seats = []
    for _ in range(3):
        seek = (await ada.ask(SEEK)).seek
        await ben.ask(Accept(id=0, seek=seek))
        seats.append((await ada.hears(Paired)).seat)
    assert seats in ([0, 1, 0], [1, 0, 1])


# -- invitations


async def test_a_repeated_invitation(node: RunningNode) -> None:
    """A repeated command gets the same code and leads to one game, also after that game has begun."""
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
    """Neither an invitation nor its game is listed."""
    ada, ben = await node.call(), await node.call()
    code = (await ada.ask(Challenge(id=0, terms=ISAAC))).seek
    assert await open_seeks(node) == set()
    room = await node.registry.load((await ben.ask(Accept(id=0, seek=code))).room)
    assert room is not None
    assert room.private


async def test_an_invitation_is_declined(node: RunningNode) -> None:
    """The invited player can decline; the host is told, and the invitation cannot be accepted any more."""
    ada, ben, carl = await node.call(), await node.call(name="Ben"), await node.call()
    code = (await ada.ask(Challenge(id=0, terms=ISAAC, to="Ben"))).seek
    await ben.hears(Challenged)
    assert await carl.code(Cancel(id=0, seek=code)) == "seek_gone"
    assert isinstance(await ben.ask(Cancel(id=0, seek=code)), Ok)
    assert await ada.hears(ChallengeClosed) == ChallengeClosed(seek=code, declined=True)
    assert await ben.code(Accept(id=0, seek=code)) == "seek_gone"


async def test_declining_across_nodes(valkey: str, redis: Redis) -> None:
    """Host and invited player are told on whichever nodes they are."""
    async with running_node(valkey, "one") as one, running_node(valkey, "two") as two:
        ada, ben = await one.call(), await two.call(name="Ben")
        code = (await ada.ask(Challenge(id=0, terms=ISAAC, to="Ben"))).seek
        assert (await ben.hears(Challenged)).seek == code
        await ben.ask(Cancel(id=0, seek=code))
        assert await ada.hears(ChallengeClosed) == ChallengeClosed(seek=code, declined=True)


async def test_a_withdrawn_invitation(node: RunningNode) -> None:
    """The invited player is told that the invitation was withdrawn."""
    ada, ben = await node.call(), await node.call(name="Ben")
    code = (await ada.ask(Challenge(id=0, terms=ISAAC, to="Ben"))).seek
    await ada.ask(Cancel(id=0, seek=code))
    assert await ben.hears(ChallengeClosed) == ChallengeClosed(seek=code)


async def test_invitations_expire(node: RunningNode, redis: Redis) -> None:
    """An invitation to a player expires after ten minutes, one shared as a code after a day."""
    ada = await node.call()
    await node.call(name="Ben")
    challenges = (Challenge(id=0, terms=ISAAC, to="Ben"), Challenge(id=0, terms=ISAAC))
    for challenge, minutes in zip(challenges, (10, 24 * 60), strict=True):
        code = (await ada.ask(challenge)).seek
        assert (minutes - 1) * 60_000 < await redis.pttl(keys.seek(code)) <= minutes * 60_000


async def test_an_accepted_invitation_can_be_completed(node: RunningNode) -> None:
    """If a node died before it created the room, the player who accepted repeats the command and gets the room."""
    ada, ben, carl = [await node.call() for _ in range(3)]
    code = (await ada.ask(Challenge(id=0, terms=ISAAC))).seek
    guest = await participant_of(node, ben)
    await node.store.seeks.accept(code, guest.id, msgspec.msgpack.encode(guest))
    assert await carl.code(Accept(id=0, seek=code)) == "seek_gone"
    room = await ben.ask(Join(id=0, room=(await ben.ask(Accept(id=0, seek=code))).room))
    assert isinstance(room, Room)
    await expect_game(ada, guest, code)


async def test_the_number_of_invitations_is_limited(node: RunningNode) -> None:
    """One connection can have a limited number of open invitations; closed ones do not count."""
    ada = await node.call()
    invite = Challenge(id=0, terms=ISAAC)
    codes = [(await ada.ask(invite)).seek for _ in range(20)]
    assert await ada.code(invite) == "limit_reached"
    assert await node.store.seeks.withdraw(codes[3]) is SeekStatus.OPEN
    assert isinstance(await ada.ask(invite), Ok)
    assert await ada.code(invite) == "limit_reached"


async def test_open_invitations_are_sent_again(node: RunningNode) -> None:
    """A player who connects again is sent the invitations that are still open, and no others."""
    ada, ben = await node.call(), await node.call(name="Ben")
    codes = [(await ada.ask(Challenge(id=0, terms=ISAAC, to="Ben"))).seek for _ in range(3)]
    await ada.ask(Cancel(id=0, seek=codes[0]))
    await ben.ask(Accept(id=0, seek=codes[1]))
    await ben.socket.close()
    again = await node.call(ben.token)
    challenged = await again.hears(Challenged)
    assert (challenged.seek, challenged.terms) == (codes[2], ISAAC)
    await node.node.drain(10)
    await again.ask(Cancel(id=0, seek=codes[2]))
    later = await node.call(ben.token)
    await later.ask(Challenge(id=0, terms=ISAAC))
    await node.node.drain(10)
    await later.ask(Challenge(id=0, terms=ISAAC))
    assert not later.has_heard(Challenged)
