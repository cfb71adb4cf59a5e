"""Players who have blocked or muted each other, on two nodes."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis

from parlour.protocol.errors import ErrorCode
from parlour.protocol.messages import (
    Accept,
    AnswerOffer,
    Block,
    BlockList,
    Challenge,
    Challenged,
    GetBlockList,
    GetProfile,
    Join,
    Mute,
    Offer,
    Ok,
    Paired,
    Queue,
    Register,
    Resign,
    RoomEvent,
    Said,
    Say,
    Seek,
)  # fmt: skip
from parlour.protocol.types import Clock, Terms
from tests.server.running_node import Caller, RunningNode, running_node
from tests.waiting import until

ISAAC = Terms("isaac", clock=Clock("fischer", 60_000, 1_000))

Pair = tuple[RunningNode, RunningNode, Caller, Caller]


@pytest.fixture
async def pair(valkey: str, redis: Redis) -> AsyncIterator[Pair]:
    """Ann on one node and Ben on another."""
    async with running_node(valkey, "north") as north, running_node(valkey, "south") as south:
        yield north, south, await north.call(name="Ann"), await south.call(name="Ben")


async def test_blocked_players_cannot_invite_or_accept(pair: Pair) -> None:
    """Both learn that it is not possible; only the player who has blocked learns why."""
    _, _, ann, ben = pair
    code = (await ann.ask(Challenge(id=0, terms=ISAAC))).seek
    seek = (await ann.ask(Seek(id=0, terms=ISAAC))).seek
    assert isinstance(await ann.ask(Block(id=0, name="ben")), Ok)

    refused = await ben.ask(Challenge(id=0, terms=ISAAC, to="Ann"))
    assert (refused.code, "block" in refused.text) == (ErrorCode.PLAYER_UNAVAILABLE, False)
    for open_seek in (code, seek):
        assert await ben.code(Accept(id=0, seek=open_seek)) == ErrorCode.PLAYER_UNAVAILABLE
    assert await ann.code(Challenge(id=0, terms=ISAAC, to="Ben")) == ErrorCode.BLOCKED_BY_YOU

    assert isinstance(await ann.ask(Block(id=0, name="Ben", on=False)), Ok)
    assert isinstance(await ben.ask(Challenge(id=0, terms=ISAAC, to="Ann")), Ok)


async def test_an_earlier_invitation_of_a_blocked_player_is_not_shown_again(pair: Pair) -> None:
    """It cannot be accepted any more either."""
    north, _, ann, ben = pair
    code = (await ben.ask(Challenge(id=0, terms=ISAAC, to="Ann"))).seek
    await ann.hears(Challenged)
    await ann.ask(Block(id=0, name="Ben"))
    again = await north.call_again(ann)
    assert await again.code(Accept(id=0, seek=code)) == ErrorCode.BLOCKED_BY_YOU
    assert again.has_heard(Challenged) == []


async def test_quick_match_does_not_pair_them(pair: Pair) -> None:
    """Also if the block comes while both wait; a third player is paired with the one who came first."""
    north, south, ann, ben = pair
    await ben.ask(Block(id=0, name="Ann"))
    first = (await ann.ask(Queue(id=0, terms=ISAAC))).seek
    await ben.ask(Queue(id=0, terms=ISAAC))
    for node in (north, south):
        await node.node.sweep()
    cat = await south.call(name="Cat")
    await cat.ask(Queue(id=0, terms=ISAAC))
    assert (await ann.hears(Paired)).seek == first
    await cat.hears(Paired)
    assert ben.has_heard(Paired) == []


async def test_chat_between_them(pair: Pair) -> None:
    """The blocked opponent cannot chat; a muted one can, but the other does not get it, here and after a reconnect."""
    north, _, ann, ben = pair
    code = (await ann.ask(Challenge(id=0, terms=ISAAC))).seek
    room = (await ben.ask(Accept(id=0, seek=code))).room
    for caller in (ann, ben):
        await caller.ask(Join(id=0, room=room))

    await ann.ask(Mute(id=0, name="Ben"))
    assert isinstance(await ben.ask(Say(id=0, room=room, text="Hello")), Ok)
    watcher = await north.call()
    await watcher.ask(Join(id=0, room=room))
    await ben.ask(Say(id=0, room=room, text="Hello again"))
    await watcher.hears(Said, lambda said: said.text == "Hello again")
    later = await north.call_again(ann)
    await later.ask(Join(id=0, room=room))
    await ann.ask(Say(id=0, room=room, text="Nice"))
    for caller in (ann, later):
        assert (await caller.hears(Said)).text == "Nice"

    await ann.ask(Block(id=0, name="Ben"))
    assert await ben.code(Say(id=0, room=room, text="Hey")) == ErrorCode.PLAYER_UNAVAILABLE
    await ann.ask(Mute(id=0, name="Ben", on=False))
    await ann.ask(Block(id=0, name="Ben", on=False))

    async def is_unblocked() -> bool:
        profile = await later.ask(GetProfile(id=0, name="Ben"))
        return not profile.blocked and not profile.muted

    await until(is_unblocked)
    await ben.ask(Say(id=0, room=room, text="Good game"))
    for caller in (ann, later):
        await caller.hears(Said, lambda said: said.text == "Good game")


async def test_a_rematch_needs_both(pair: Pair) -> None:
    """Neither can offer one or agree to one after a block; an offer can still be declined, and a repeated one is ok."""
    _, _, ann, ben = pair
    code = (await ann.ask(Challenge(id=0, terms=ISAAC))).seek
    room = (await ben.ask(Accept(id=0, seek=code))).room
    for caller in (ann, ben):
        await caller.ask(Join(id=0, room=room))
    await ann.ask(Resign(id=0, room=room))
    await ben.hears(RoomEvent, lambda event: event.kind == "ended")
    offer, agree = Offer(id=0, room=room, kind="rematch"), AnswerOffer(id=0, room=room, kind="rematch", accept=True)

    assert isinstance(await ben.ask(offer, id=70), Ok)
    bens = (await ann.hears(RoomEvent, lambda event: event.kind == "offered")).seat
    await ann.ask(Block(id=0, name="Ben"))
    for command in (offer, agree):
        assert await ann.code(command) == ErrorCode.BLOCKED_BY_YOU
    assert isinstance(await ben.ask(offer, id=70), Ok)
    assert isinstance(await ann.ask(AnswerOffer(id=0, room=room, kind="rematch", accept=False)), Ok)
    refused = await ben.ask(offer)
    assert (refused.code, refused.text) == (
        ErrorCode.PLAYER_UNAVAILABLE, "Ann is not available to you. Choose another player.",
    )  # fmt: skip

    await ann.ask(Block(id=0, name="Ben", on=False))
    assert isinstance(await ann.ask(offer), Ok)
    await ben.hears(RoomEvent, lambda event: event.kind == "offered" and event.seat != bens)
    assert isinstance(await ben.ask(agree), Ok)


async def test_the_lists_are_shown(pair: Pair) -> None:
    """With the current names, without players who are gone, and in profiles."""
    north, _, ann, ben = pair
    await ann.ask(Block(id=0, name="Ben"))
    await ann.ask(Mute(id=0, name="Ben"))
    await ben.ask(Register(id=0, name="Benedict", password="wooden bishop"))
    listed = await ann.ask(GetBlockList(id=0))
    assert (listed.blocked, listed.muted) == (("Benedict",), ("Benedict",))
    profile = await ann.ask(GetProfile(id=0, name="Benedict"))
    assert (profile.blocked, profile.muted) == (True, True)
    profile = await ben.ask(GetProfile(id=0, name="Ann"))
    assert (profile.blocked, profile.muted) == (False, False)

    id = await north.store.players.id_of("benedict")
    assert id is not None
    await north.store.moderation.delete(id)
    assert await ann.ask(GetBlockList(id=0), id=99) == BlockList(id=99)


async def test_whom_one_cannot_block(pair: Pair) -> None:
    """Oneself, and players who do not exist. An id that was used for another command is refused."""
    _, _, ann, _ = pair
    assert await ann.code(Block(id=0, name="Ann")) == ErrorCode.NOT_YOURSELF
    assert await ann.code(Mute(id=0, name="Missing")) == ErrorCode.PLAYER_UNKNOWN
    for _ in range(2):
        assert isinstance(await ann.ask(Block(id=0, name="Ben"), id=50), Ok)
    assert await ann.code(Block(id=0, name="Ben", on=False), id=50) == ErrorCode.ID_REUSED
