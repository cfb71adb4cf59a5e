"""The queue: who is paired with whom."""

from __future__ import annotations

import asyncio
import random

import pytest
from redis.asyncio import Redis

from parlour.server.store import keys
from parlour.server.store.queue import Paired, Queue, Ticket

POOL = '{"game": "replica", "clock": {"kind": "none"}}'
ANN, BOB, CAT, DAN = (Ticket(f"ticket of {name}", name, name.encode()) for name in ("ann", "bob", "cat", "dan"))


@pytest.fixture
def queue(redis: Redis) -> Queue:
    return Queue(redis)


async def test_the_second_is_paired_with_the_first(queue: Queue) -> None:
    """The first one waits; the second is paired with the first, and both learn the same."""
    assert await queue.join(POOL, ANN) is None
    assert await queue.join(POOL, BOB) == Paired(ANN, BOB)
    assert await queue.join(POOL, ANN) == Paired(ANN, BOB)
    assert await queue.join(POOL, BOB) == Paired(ANN, BOB)


async def test_first_come_first_served(queue: Queue) -> None:
    """Who waits longest is paired first, and asking again does not cost the place."""
    # A pool with one waiting player pairs the next one, so more can only wait with the same player's tickets out of it.
    assert await queue.join(POOL, ANN) is None
    assert await queue.join("other", BOB) is None
    assert await queue.join(POOL, ANN) is None
    assert await queue.join(POOL, CAT) == Paired(ANN, CAT)
    assert await queue.join(POOL, DAN) is None
    assert await queue.join("other", DAN) == Paired(BOB, DAN)


async def test_nobody_plays_themselves(queue: Queue, redis: Redis) -> None:
    """A second ticket of a player takes the place of the first; the two are never paired."""
    again = Ticket("ann's other ticket", "ann")
    assert await queue.join(POOL, ANN) is None
    assert await queue.join(POOL, again) is None
    assert await redis.zcard(keys.waiting(POOL)) == 1
    assert await queue.join(POOL, BOB) == Paired(again, BOB)


async def test_leaving(queue: Queue, redis: Redis) -> None:
    """Who leaves is not paired; a ticket can only take itself out."""
    assert await queue.join(POOL, ANN) is None
    assert await queue.leave(POOL, Ticket("another", "ann")) is None
    assert await redis.zcard(keys.waiting(POOL)) == 1
    assert await queue.leave(POOL, ANN) is None
    assert await queue.leave(POOL, ANN) is None
    assert await queue.join(POOL, BOB) is None
    assert await queue.leave(POOL, BOB) is None
    assert await redis.dbsize() == 0


async def test_leaving_too_late(queue: Queue) -> None:
    """Who leaves after having been paired is told so."""
    await queue.join(POOL, ANN)
    await queue.join(POOL, BOB)
    assert await queue.leave(POOL, ANN) == Paired(ANN, BOB)
    assert await queue.leave(POOL, BOB) == Paired(ANN, BOB)


async def test_tickets_of_the_dead(redis: Redis) -> None:
    """A ticket that nobody asks for any more is not paired, and is cleared away by the next who comes."""
    brief = Queue(redis, waits=1)
    for ticket in (ANN, BOB):
        assert await brief.join(POOL, ticket) is None
        await asyncio.sleep(0.005)
    lasting = Queue(redis)
    assert await lasting.join(POOL, CAT) is None
    assert await redis.zrange(keys.waiting(POOL), 0, -1) == [b"cat"]
    assert await redis.hkeys(keys.tickets(POOL)) == [b"cat"]
    assert await lasting.join(POOL, DAN) == Paired(CAT, DAN)


async def test_pairs_are_forgotten(queue: Queue, redis: Redis) -> None:
    """After a pairing nothing stays in Redis for long."""
    await queue.join(POOL, ANN)
    await queue.join(POOL, BOB)
    left = await redis.keys("*")
    assert len(left) == 2
    assert all([0 < await redis.pttl(key) <= 120_000 for key in left])


async def test_notes_are_any_bytes(queue: Queue) -> None:
    """What a ticket says comes back unchanged."""
    note = bytes(range(256)) * 5
    await queue.join(POOL, Ticket("1", "ann", note))
    pair = await queue.join(POOL, Ticket("2", "bob", b""))
    assert pair is not None
    assert (pair.first.note, pair.second.note) == (note, b"")


@pytest.mark.parametrize("seed", range(3))
async def test_many_at_once(redis: Redis, seed: int) -> None:
    """A crowd joins, asks again and leaves at the same time: nobody is in two pairs, or with themselves."""
    chance = random.Random(seed)
    queue = Queue(redis)
    tickets = [Ticket(f"t{n}", f"player {n % 70}") for n in range(100)]
    pairs: dict[str, set[tuple[str, str]]] = {ticket.id: set() for ticket in tickets}
    left: set[str] = set()

    async def visit(ticket: Ticket) -> None:
        for _ in range(8):
            await asyncio.sleep(chance.random() * 0.01)
            leaving = chance.random() < 0.05
            pair = await (queue.leave if leaving else queue.join)(POOL, ticket)
            if pair is not None:
                pairs[ticket.id].add((pair.first.id, pair.second.id))
            elif leaving:
                left.add(ticket.id)
                return

    await asyncio.gather(*(visit(ticket) for ticket in tickets))
    player = {ticket.id: ticket.player for ticket in tickets}
    seen: set[tuple[str, str]] = set()
    for id, got in pairs.items():
        assert len(got) <= 1, "one ticket in two pairs"
        for first, second in got:
            assert id in (first, second)
            assert player[first] != player[second]
            assert not {first, second} & left
            seen.add((first, second))
    in_pairs = [id for pair in seen for id in pair]
    assert len(in_pairs) == len(set(in_pairs)), "one ticket in two pairs"
    assert len(seen) > 20
