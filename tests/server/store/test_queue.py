"""The queue: who is paired with whom."""

from __future__ import annotations

import asyncio
import random

import pytest
from msgspec import Struct
from redis.asyncio import Redis

from parlour.server.store import keys
from parlour.server.store.pairing import Waiting, opponent
from parlour.server.store.pipe import Pipe
from parlour.server.store.queue import LASTS, Paired, Queue, Ticket

POOL = '{"game": "replica", "clock": {"kind": "none"}}'
ANN, BOB, CAT, DAN = (Ticket(f"ticket of {name}", name, note=name.encode()) for name in ("ann", "bob", "cat", "dan"))


class Door:
    """A queue at a time that the test sets, one ticket at a time."""

    def __init__(self, pipe: Pipe) -> None:
        self.queue = Queue(pipe)
        self.now = 1_700_000_000_000

    async def join(self, ticket: Ticket, pool: str = POOL) -> Paired | None:
        [pair] = await self.queue.join(pool, [ticket], self.now)
        return pair

    async def leave(self, ticket: Ticket) -> Paired | None:
        return await self.queue.leave(POOL, ticket)


@pytest.fixture
def door(pipe: Pipe) -> Door:
    return Door(pipe)


async def test_the_second_is_paired_with_the_first(door: Door) -> None:
    """The first one waits; the second is paired with the first, and both learn the same."""
    assert await door.join(ANN) is None
    assert await door.join(BOB) == Paired(ANN, BOB)
    assert await door.join(ANN) == Paired(ANN, BOB)
    assert await door.join(BOB) == Paired(ANN, BOB)


async def test_first_come_first_served(door: Door) -> None:
    """Who waits longest among those that fit is paired first, and asking again does not cost the place."""
    far = [Ticket(name, name, rating) for name, rating in (("x", 1000), ("y", 2000), ("z", 2300))]
    for ticket in (*far, far[0]):
        assert await door.join(ticket) is None
    door.now += 3_000
    for ticket in far:
        assert await door.join(ticket) is None
    door.now += 3_000
    between = Ticket("w", "w", 2150)
    assert await door.join(between) is None
    door.now += 2_900
    assert await door.join(between) == Paired(far[1], between)
    assert await door.join(far[0]) is None


async def test_a_place_gets_better_with_time(door: Door) -> None:
    """Who waited in vain is paired when both put up with the difference by now, whoever of them asks."""
    weak, strong = Ticket("weak", "ann", 1400), Ticket("strong", "bob", 1600)
    assert await door.join(weak) is None
    door.now += 2_000
    assert await door.join(strong) is None
    door.now += 4_999
    assert await door.join(weak) is None
    door.now += 1
    assert await door.join(weak) == Paired(weak, strong)


async def test_several_ask_one_after_the_other(door: Door) -> None:
    """Tickets of one call are paired with each other as if each had come by itself."""
    assert await door.queue.join(POOL, [ANN, BOB, CAT], door.now) == [None, Paired(ANN, BOB), None]
    assert await door.queue.join(POOL, [ANN, CAT, DAN], door.now) == [Paired(ANN, BOB), None, Paired(CAT, DAN)]
    assert await door.queue.join(POOL, [], door.now) == []


async def test_pools_do_not_meet(door: Door) -> None:
    """Only who wants the same is paired."""
    assert await door.join(ANN) is None
    assert await door.join(BOB, "other") is None
    assert await door.join(CAT, "other") == Paired(BOB, CAT)
    assert await door.join(DAN) == Paired(ANN, DAN)


async def test_nobody_plays_themselves(door: Door, redis: Redis) -> None:
    """A second ticket of a player takes the place of the first; the two are never paired."""
    again = Ticket("ann's other ticket", "ann")
    assert await door.join(ANN) is None
    assert await door.join(again) is None
    assert await redis.zcard(keys.waiting(POOL)) == 1
    assert await door.join(BOB) == Paired(again, BOB)


async def test_leaving(door: Door, redis: Redis) -> None:
    """Who leaves is not paired; a ticket can only take itself out."""
    assert await door.join(ANN) is None
    assert await door.leave(Ticket("another", "ann")) is None
    assert await redis.zcard(keys.waiting(POOL)) == 1
    assert await door.leave(ANN) is None
    assert await door.leave(ANN) is None
    assert await door.join(BOB) is None
    assert await door.leave(BOB) is None
    assert await redis.dbsize() == 0


async def test_leaving_too_late(door: Door) -> None:
    """Who leaves after having been paired is told so."""
    await door.join(ANN)
    await door.join(BOB)
    assert await door.leave(ANN) == Paired(ANN, BOB)
    assert await door.leave(BOB) == Paired(ANN, BOB)


async def test_tickets_of_the_dead(door: Door, redis: Redis) -> None:
    """A ticket that nobody asks for any more is not paired, and is cleared away by the next who comes."""
    assert await door.join(ANN) is None
    door.now += LASTS
    assert await door.join(BOB) is None
    assert await redis.zrange(keys.waiting(POOL), 0, -1) == [b"bob"]
    assert await redis.hkeys(keys.tickets(POOL)) == [b"bob"]
    door.now += LASTS - 1
    assert await door.join(CAT) == Paired(BOB, CAT)


async def test_pairs_are_forgotten(door: Door, redis: Redis) -> None:
    """After a pairing nothing stays in Redis for long."""
    await door.join(ANN)
    await door.join(BOB)
    left = await redis.keys("*")
    assert len(left) == 2
    assert all([0 < await redis.pttl(key) <= 120_000 for key in left])


async def test_notes_are_any_bytes(door: Door) -> None:
    """What a ticket says comes back unchanged."""
    note = bytes(range(256)) * 5
    await door.join(Ticket("1", "ann", note=note))
    pair = await door.join(Ticket("2", "bob"))
    assert pair is not None
    assert (pair.first.note, pair.second.note) == (note, b"")


class Model:
    """The queue as the rule in pairing.py tells it."""

    def __init__(self) -> None:
        self.queue: list[tuple[Waiting, Ticket, int]] = []  # in order, with the time at which each is given up
        self.pairs: dict[str, Paired] = {}

    def join(self, ticket: Ticket, now: int) -> Paired | None:
        if ticket.id in self.pairs:
            return self.pairs[ticket.id]
        places = {place.player: number for number, (place, _, _) in enumerate(self.queue)}
        at = places.get(ticket.player)
        since = now if at is None else self.queue[at][0].since
        mine = (Waiting(ticket.player, ticket.rating, since), ticket, now + LASTS)
        alive = [entry for entry in self.queue if entry[2] > now or entry[0].player == ticket.player]
        found = opponent(mine[0], (entry[0] for entry in alive if entry[0].player != ticket.player), now)
        if found is not None:
            theirs = next(entry[1] for entry in alive if entry[0] is found)
            is_first = at is not None and at < places[found.player]
            pair = Paired(ticket, theirs) if is_first else Paired(theirs, ticket)
            self.pairs[ticket.id] = self.pairs[theirs.id] = pair
            self.queue = [entry for entry in self.queue if entry[0].player not in (found.player, ticket.player)]
            return pair
        if at is None:
            self.queue = [*alive, mine]
        else:
            self.queue = [mine if entry[0].player == ticket.player else entry for entry in alive]
        return None

    def leave(self, ticket: Ticket) -> Paired | None:
        if ticket.id in self.pairs:
            return self.pairs[ticket.id]
        self.queue = [entry for entry in self.queue if entry[1].id != ticket.id]
        return None


class Step(Struct):
    """What somebody does, and how much later."""

    ticket: Ticket
    leaves: bool
    wait: int


def story(seed: int) -> list[Step]:
    """A few people with several tickets who come, ask again and leave."""
    chance = random.Random(seed)
    ratings = {f"player {n}": chance.choice((1500, 1500, chance.randrange(100, 4001))) for n in range(8)}
    tickets = [Ticket(f"t{n}", player, ratings[player]) for n in range(16) for player in [f"player {n % 8}"]]
    return [
        Step(chance.choice(tickets), chance.random() < 0.1, chance.choice((0, 0, 300, 1_000, 3_000, 7_000)))
        for _ in range(60)
    ]


@pytest.mark.parametrize("seed", range(40))
async def test_the_queue_follows_the_rule(door: Door, seed: int) -> None:
    """Whatever people do, the script and the model pair the same people at the same time."""
    model = Model()
    for number, step in enumerate(story(seed)):
        door.now += step.wait
        if step.leaves:
            assert await door.leave(step.ticket) == model.leave(step.ticket), f"step {number}: {step}"
        else:
            assert await door.join(step.ticket) == model.join(step.ticket, door.now), f"step {number}: {step}"


@pytest.mark.parametrize("seed", range(3))
async def test_many_at_once(door: Door, seed: int) -> None:
    """A crowd joins, asks again and leaves at the same time: nobody is in two pairs, or with themselves."""
    chance = random.Random(seed)
    tickets = [Ticket(f"t{n}", f"player {n % 70}", 1500 + n) for n in range(100)]
    pairs: dict[str, set[tuple[str, str]]] = {ticket.id: set() for ticket in tickets}
    left: set[str] = set()

    async def visit(ticket: Ticket) -> None:
        for _ in range(8):
            await asyncio.sleep(chance.random() * 0.01)
            leaving = chance.random() < 0.05
            pair = await (door.leave if leaving else door.join)(ticket)
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
