"""A message to a player reaches all of the player's sessions, on every node."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis

from parlour.protocol.errors import CloseCode
from parlour.protocol.messages import Accept, Challenge, Challenged, Paired, Register, SignedIn
from parlour.protocol.types import Player, Terms
from parlour.server.sessions.player_sessions import PlayerSessions, Renamed, TokensRevoked, decode, encode
from parlour.server.sessions.session import Session
from parlour.server.store.keys import Keys
from parlour.server.store.players import digest
from parlour.server.store.store import Store
from tests.server.running_node import Caller, RunningNode, running_node
from tests.waiting import until

keys = Keys()

ISAAC = Terms("isaac")


@pytest.fixture
async def sender(valkey: str, redis: Redis) -> AsyncIterator[PlayerSessions]:
    """The player sessions of a node without sessions."""
    store = Store(valkey, "sender")
    await store.open()
    yield PlayerSessions(store.pubsub, store.keys, lambda work: work.close())
    await store.close()


async def subscribed(redis: Redis, player: str, nodes: int = 1) -> None:
    """Wait until this many nodes receive the player's messages."""

    async def is_subscribed() -> bool:
        (_, count), *_ = await redis.pubsub_shardnumsub(keys.player_channel(player))
        return bool(count == nodes)

    await until(is_subscribed)


def session_of(node: RunningNode, caller: Caller) -> Session:
    return next(session for session in node.node.dispatcher.sessions if session.token == caller.token)


async def test_all_sessions_of_a_player_are_paired(valkey: str, redis: Redis) -> None:
    """Whichever of two nodes each session is on."""
    async with running_node(valkey, "one") as one, running_node(valkey, "two") as two:
        here = await one.call()
        there = await two.call(here.token)
        ben = await two.call()
        code = (await here.ask(Challenge(id=0, terms=ISAAC))).seek
        room = (await ben.ask(Accept(id=0, seek=code))).room
        assert [(await caller.hears(Paired)).room for caller in (here, there, ben)] == [room] * 3


async def test_other_players_are_not_told(valkey: str, redis: Redis, sender: PlayerSessions) -> None:
    """A challenge is for one player."""
    async with running_node(valkey) as node:
        ada, eve = await node.call(), await node.call()
        player = session_of(node, ada).player
        await subscribed(redis, player)
        sender.send(player, Challenged(seek="code", player=Player("Ben"), terms=ISAAC))
        assert (await ada.hears(Challenged)).seek == "code"
        assert eve.has_heard(Challenged) == []


async def test_a_guest_that_registers_is_renamed_everywhere(valkey: str, redis: Redis) -> None:
    """Sessions continue under the new name, as those of an account."""
    async with running_node(valkey, "one") as one, running_node(valkey, "two") as two:
        here = await one.call()
        await two.call(here.token)
        await subscribed(redis, session_of(one, here).player, nodes=2)
        sessions = [session_of(node, here) for node in (one, two)]
        assert isinstance(await here.ask(Register(id=0, name="Ada", password="three otters in a boat")), SignedIn)
        await until(lambda: all((session.name, session.kind) == ("Ada", "account") for session in sessions))


async def test_revoked_tokens_close_their_sessions(valkey: str, redis: Redis, sender: PlayerSessions) -> None:
    """A session with another token of the same player stays."""
    async with running_node(valkey) as node:
        ada = await node.call()
        player = session_of(node, ada).player
        await subscribed(redis, player)
        sender.send(player, TokensRevoked(("another",), "Signed out."))
        sender.send(player, Paired(room="room", seat=0))
        await ada.hears(Paired)  # so the message before has arrived too
        assert not session_of(node, ada).is_closed
        sender.send(player, TokensRevoked((digest(ada.token),), "Signed out."))
        assert await ada.closed() == CloseCode.SIGNED_OUT


def test_messages_between_nodes_survive_the_wire() -> None:
    """Each is decoded as the kind it was."""
    for message in (Renamed("Ada"), TokensRevoked(("a", "b"), "Signed out."), Paired(room="r", seat=0)):
        assert decode(encode(message)) == message
