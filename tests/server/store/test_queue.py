"""Quick-match queues: which players are paired."""

from __future__ import annotations

import asyncio
import random

import pytest
from msgspec import Struct
from msgspec.structs import replace
from redis.asyncio import Redis

from parlour.server.matchmaking.pairing import TOLERANCE, WaitingPlayer, find_opponent
from parlour.server.store.keys import Keys
from parlour.server.store.pipeline import Pipeline
from parlour.server.store.queue import PAIR_TTL, TICKET_TTL, Pair, QueueStore, Ticket

keys = Keys()

POOL = '{"game": "replica", "clock": {"kind": "none"}}'
ANN, BOB, CAT, DAN = (Ticket(f"ticket of {name}", name, payload=name.encode()) for name in ("ann", "bob", "cat", "dan"))


class Queue:
    """A queue at a time that the test sets, one ticket at a time."""

    def __init__(self, pipeline: Pipeline) -> None:
        self.store = QueueStore(pipeline)
        self.now = 1_700_000_000_000

    async def join(self, ticket: Ticket, pool: str = POOL) -> Pair | None:
        [pair] = await self.store.join(pool, [ticket], self.now, TOLERANCE)
        return pair

    async def leave(self, ticket: Ticket) -> Pair | None:
        return await self.store.leave(POOL, ticket)


@pytest.fixture
def queue(pipeline: Pipeline) -> Queue:
    return Queue(pipeline)


async def test_the_second_is_paired_with_the_first(queue: Queue) -> None:
    """The first player waits, the second is paired with the first, and both get the same pair."""
    assert await queue.join(ANN) is None
    assert await queue.join(BOB) == Pair(ANN, BOB)
    assert await queue.join(ANN) == Pair(ANN, BOB)
    assert await queue.join(BOB) == Pair(ANN, BOB)


async def test_first_come_first_served(queue: Queue) -> None:
    """The longest-waiting acceptable player is paired first, and joining again does not cost the place."""
    far = [Ticket(name, name, rating) for name, rating in (("x", 1000), ("y", 2000), ("z", 2300))]
    for ticket in (*far, far[0]):
        assert await queue.join(ticket) is None
    queue.now += 3_000
    for ticket in far:
        assert await queue.join(ticket) is None
    queue.now += 3_000
    between = Ticket("w", "w", 2150)
    assert await queue.join(between) is None
    queue.now += 2_900
    assert await queue.join(between) == Pair(far[1], between)
    assert await queue.join(far[0]) is None


async def test_blocked_players_are_not_paired(queue: Queue) -> None:
    """Whichever of them avoids the other, and also if that changes while they wait."""
    assert await queue.join(ANN) is None
    assert await queue.join(replace(BOB, avoids=("eve", "ann"))) is None
    assert await queue.join(replace(ANN, avoids=("bob",))) is None
    assert await queue.join(BOB) is None
    assert await queue.join(replace(CAT, avoids=("ann",))) == Pair(BOB, CAT)
    assert await queue.join(DAN) == Pair(ANN, DAN)


async def test_players_of_the_same_network_wait_for_others_first(queue: Queue) -> None:
    """A third player is preferred; without one, they are paired when both have waited."""
    ann, bob, cat = (replace(ticket, network="n") for ticket in (ANN, BOB, CAT))

    async def join(ticket: Ticket) -> Pair | None:
        [pair] = await queue.store.join(POOL, [ticket], queue.now, TOLERANCE, 4_000)
        return pair

    assert await join(ann) is None
    assert await join(bob) is None
    assert await join(DAN) == Pair(ann, DAN)
    queue.now += 1_000
    assert await join(cat) is None
    queue.now += 3_999
    assert await join(bob) is None
    queue.now += 1
    assert await join(cat) == Pair(bob, cat)


async def test_the_tolerance_grows(queue: Queue) -> None:
    """Players who did not accept each other are paired once both accept the difference, whichever of them joins."""
    weak, strong = Ticket("weak", "ann", 1400), Ticket("strong", "bob", 1600)
    assert await queue.join(weak) is None
    queue.now += 2_000
    assert await queue.join(strong) is None
    queue.now += 4_999
    assert await queue.join(weak) is None
    queue.now += 1
    assert await queue.join(weak) == Pair(weak, strong)


async def test_several_tickets_in_one_call(queue: Queue) -> None:
    """Tickets of one call are paired as if each had joined separately."""
    assert await queue.store.join(POOL, [ANN, BOB, CAT], queue.now, TOLERANCE) == [None, Pair(ANN, BOB), None]
    assert await queue.store.join(POOL, [ANN, CAT, DAN], queue.now, TOLERANCE) == [Pair(ANN, BOB), None, Pair(CAT, DAN)]
    assert await queue.store.join(POOL, [], queue.now, TOLERANCE) == []


async def test_pools_are_separate(queue: Queue) -> None:
    """Only players of the same pool are paired."""
    assert await queue.join(ANN) is None
    assert await queue.join(BOB, "other") is None
    assert await queue.join(CAT, "other") == Pair(BOB, CAT)
    assert await queue.join(DAN) == Pair(ANN, DAN)


async def test_a_player_is_not_paired_with_themselves(queue: Queue, redis: Redis) -> None:
    """A second ticket of a player replaces the first; the two are never paired."""
    again = Ticket("ann's other ticket", "ann")
    assert await queue.join(ANN) is None
    assert await queue.join(again) is None
    assert await redis.zcard(keys.queue(POOL)) == 1
    assert await queue.join(BOB) == Pair(again, BOB)


async def test_leaving(queue: Queue, redis: Redis) -> None:
    """A player who leaves is not paired, and a ticket can only remove itself."""
    assert await queue.join(ANN) is None
    assert await queue.leave(Ticket("another", "ann")) is None
    assert await redis.zcard(keys.queue(POOL)) == 1
    assert await queue.leave(ANN) is None
    assert await queue.leave(ANN) is None
    assert await queue.join(BOB) is None
    assert await queue.leave(BOB) is None
    assert await redis.dbsize() == 0


async def test_leaving_too_late(queue: Queue) -> None:
    """Leaving after having been paired returns the pair."""
    await queue.join(ANN)
    await queue.join(BOB)
    assert await queue.leave(ANN) == Pair(ANN, BOB)
    assert await queue.leave(BOB) == Pair(ANN, BOB)


async def test_tickets_expire(queue: Queue, redis: Redis) -> None:
    """A ticket that is not renewed is not paired, and the next join removes it."""
    assert await queue.join(ANN) is None
    queue.now += TICKET_TTL
    assert await queue.join(BOB) is None
    assert await redis.zrange(keys.queue(POOL), 0, -1) == [b"bob"]
    assert await redis.hkeys(keys.tickets(POOL)) == [b"bob"]
    queue.now += TICKET_TTL - 1
    assert await queue.join(CAT) == Pair(BOB, CAT)


async def test_pairs_expire(queue: Queue, redis: Redis) -> None:
    """After a pairing only the pair is stored, for a limited time."""
    await queue.join(ANN)
    await queue.join(BOB)
    left = await redis.keys("*")
    assert len(left) == 2
    assert all([0 < await redis.pttl(key) <= 120_000 for key in left])


async def test_payloads_are_any_bytes(queue: Queue) -> None:
    """The payload of a ticket is returned unchanged."""
    note = bytes(range(256)) * 5
    await queue.join(Ticket("1", "ann", payload=note))
    pair = await queue.join(Ticket("2", "bob"))
    assert pair is not None
    assert (pair.first.payload, pair.second.payload) == (note, b"")


class Model:
    """The queue according to the rule in pairing.py."""

    def __init__(self) -> None:
        self.queue: list[tuple[WaitingPlayer, Ticket, int]] = []  # in order of arrival, with the time each expires
        self.pairs: dict[str, tuple[Pair, int]] = {}  # by ticket, with the time each expires

    def join(self, ticket: Ticket, now: int) -> Pair | None:
        self.pairs = {id: (pair, expiry) for id, (pair, expiry) in self.pairs.items() if expiry > now}
        if ticket.id in self.pairs:
            return self.pairs[ticket.id][0]
        places = {place.player: number for number, (place, _, _) in enumerate(self.queue)}
        at = places.get(ticket.player)
        since = now if at is None else self.queue[at][0].since
        mine = (WaitingPlayer(ticket.player, ticket.rating, since), ticket, now + TICKET_TTL)
        alive = [entry for entry in self.queue if entry[2] > now or entry[0].player == ticket.player]
        found = find_opponent(mine[0], (entry[0] for entry in alive if entry[0].player != ticket.player), now)
        if found is not None:
            theirs = next(entry[1] for entry in alive if entry[0] is found)
            is_first = at is not None and at < places[found.player]
            pair = Pair(ticket, theirs) if is_first else Pair(theirs, ticket)
            self.pairs[ticket.id] = self.pairs[theirs.id] = pair, now + PAIR_TTL
            self.queue = [entry for entry in self.queue if entry[0].player not in (found.player, ticket.player)]
            return pair
        if at is None:
            self.queue = [*alive, mine]
        else:
            self.queue = [mine if entry[0].player == ticket.player else entry for entry in alive]
        return None

    def leave(self, ticket: Ticket) -> Pair | None:
        if ticket.id in self.pairs:
            return self.pairs[ticket.id][0]
        self.queue = [entry for entry in self.queue if entry[1].id != ticket.id]
        return None


class Step(Struct):
    """What a player does, and how much later."""

    ticket: Ticket
    leaves: bool
    wait: int


def random_steps(seed: int) -> list[Step]:
    """Return random steps of a few players with several tickets who join, join again and leave."""
    rng = random.Random(seed)
    ratings = {f"player {n}": rng.choice((1500, 1500, rng.randrange(100, 4001))) for n in range(8)}
    tickets = [Ticket(f"t{n}", player, ratings[player]) for n in range(16) for player in [f"player {n % 8}"]]
    return [
        Step(rng.choice(tickets), rng.random() < 0.1, rng.choice((0, 0, 300, 1_000, 3_000, 7_000))) for _ in range(60)
    ]


@pytest.mark.parametrize("seed", range(40))
async def test_the_queue_follows_the_rule(queue: Queue, seed: int) -> None:
    """Whatever players do, the script and the model pair the same players at the same time."""
    model = Model()
    for number, step in enumerate(random_steps(seed)):
        queue.now += step.wait
        if step.leaves:
            assert await queue.leave(step.ticket) == model.leave(step.ticket), f"step {number}: {step}"
        else:
            assert await queue.join(step.ticket) == model.join(step.ticket, queue.now), f"step {number}: {step}"


@pytest.mark.parametrize("seed", range(3))
async def test_many_at_once(queue: Queue, seed: int) -> None:
    """When many players join and leave concurrently, no ticket is in two pairs, and no player in a pair alone."""
    rng = random.Random(seed)
    tickets = [Ticket(f"t{n}", f"player {n % 70}", 1500 + n) for n in range(100)]
    pairs: dict[str, set[tuple[str, str]]] = {ticket.id: set() for ticket in tickets}
    left: set[str] = set()

    async def join_and_leave(ticket: Ticket) -> None:
        for _ in range(8):
            for _ in range(rng.randrange(30)):  # let the others run in random order
                await asyncio.sleep(0)
            leaves = rng.random() < 0.05
            pair = await (queue.leave if leaves else queue.join)(ticket)
            if pair is not None:
                pairs[ticket.id].add((pair.first.id, pair.second.id))
            elif leaves:
                left.add(ticket.id)
                return

    await asyncio.gather(*(join_and_leave(ticket) for ticket in tickets))
    player = {ticket.id: ticket.player for ticket in tickets}
    seen: set[tuple[str, str]] = set()
    for id, got in pairs.items():
        assert len(got) <= 1, "a ticket is in two pairs"
        for first, second in got:
            assert id in (first, second)
            assert player[first] != player[second]
            assert not {first, second} & left
            seen.add((first, second))
    in_pairs = [id for pair in seen for id in pair]
    assert len(in_pairs) == len(set(in_pairs)), "a ticket is in two pairs"
    assert len(seen) > 20
