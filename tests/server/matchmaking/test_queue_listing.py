"""Players who wait in quick match, in the lobby."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis

from parlour.protocol.messages import Accept, Cancel, Ok, Paired, Queue, Refused
from parlour.protocol.types import Clock, Player, Terms
from parlour.server.matchmaking.queue_listing import QueueListing
from parlour.server.matchmaking.quick_match import QueueEntry, TicketPayload, encode
from parlour.server.rooms.events import Participant
from parlour.server.sessions.session import Session
from parlour.server.store.queue import Ticket
from parlour.server.store.seeks import Owner
from tests.server.matchmaking.pairing_checks import games_of
from tests.server.running_node import RunningNode, running_node

TERMS = Terms("mapello", clock=Clock("fischer", 600_000, 5_000))


@pytest.fixture
async def node(valkey: str, redis: Redis) -> AsyncIterator[RunningNode]:
    async with running_node(valkey) as running:
        yield running


async def listed(node: RunningNode) -> list[str]:
    return list((await node.store.seeks.load_list())[1])


async def test_a_player_who_waits_is_listed_and_can_be_joined(node: RunningNode, valkey: str) -> None:
    """The notice appears with the next sweep, on all nodes; who accepts it plays, and it disappears."""
    ann = await node.call()
    ticket = (await ann.ask(Queue(id=0, terms=TERMS))).seek
    assert await listed(node) == []
    await node.node.sweep()
    assert await listed(node) == [f"queue:{ticket}"]
    await node.node.sweep()
    assert await listed(node) == [f"queue:{ticket}"]
    async with running_node(valkey, "other") as other:
        ben = await other.call()
        accepted = await ben.ask(Accept(id=0, seek=f"queue:{ticket}"), id=7)
        assert isinstance(accepted, Ok)
        assert await ben.ask(Accept(id=0, seek=f"queue:{ticket}"), id=7) == accepted
        paired = await ann.hears(Paired)
    assert (paired.room, paired.seek) == (accepted.room, ticket)
    await node.node.sweep()
    assert await listed(node) == []


async def test_a_player_who_leaves_is_not_listed(node: RunningNode) -> None:
    """A notice that is late does no harm: who accepts it is refused and is in no queue."""
    ann, ben = await node.call(), await node.call()
    ticket = (await ann.ask(Queue(id=0, terms=TERMS))).seek
    await node.node.sweep()
    assert await ann.code(Accept(id=0, seek=f"queue:{ticket}")) == "own_seek"
    await ann.ask(Cancel(id=0, seek=ticket))
    assert await ben.code(Accept(id=0, seek=f"queue:{ticket}")) == "seek_gone"
    await node.node.sweep()
    assert await listed(node) == []
    assert await ben.code(Accept(id=0, seek="queue:unknown")) == "invite_unknown"
    await ann.ask(Queue(id=0, terms=TERMS))
    assert await games_of(node, ann, ben) == [0, 0]


async def test_places_may_end_while_another_is_listed(node: RunningNode) -> None:
    """They are not listed any more, and with the next refresh neither is the other one."""
    await node.call()
    [session] = node.node.dispatcher.sessions
    payload = encode(TicketPayload(Participant("ann", Player("Ann")), 0))
    entries = {id: QueueEntry(session, "pool", Ticket(id, "ann", payload=payload), TERMS) for id in ("one", "two")}

    def leave_queues(_: Session) -> Owner:
        entries.clear()
        return Owner("ann", "192.0.2.1")

    listing = QueueListing(node.store, leave_queues)
    await listing.refresh(entries)
    assert len(await listed(node)) == 1
    await listing.refresh(entries)
    assert await listed(node) == []


async def test_of_many_who_join_one_plays(node: RunningNode) -> None:
    """A player who waits gets exactly one game, also if the queue pairs at the same time."""
    ann, *others = [await node.call() for _ in range(5)]
    ticket = (await ann.ask(Queue(id=0, terms=TERMS))).seek
    await node.node.sweep()
    answers = await asyncio.gather(
        *(each.ask(Accept(id=0, seek=f"queue:{ticket}")) for each in others[:3]),
        others[3].ask(Queue(id=0, terms=TERMS)),
    )

    games = await games_of(node, ann, *others)
    assert games[0] == 1
    assert sum(games) % 2 == 0
    assert all(each <= 1 for each in games)
    refused = [answer for answer in answers if isinstance(answer, Refused)]
    assert all(answer.code == "seek_gone" for answer in refused)
