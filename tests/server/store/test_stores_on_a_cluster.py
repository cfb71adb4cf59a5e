"""The parts of the store on a cluster of three masters, which keep their guarantees there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest

from parlour.server.players.ratings import RatedPlayer, Ratings
from parlour.server.store.accounts import NewBot
from parlour.server.store.budgets import Budget
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.jobs import Job
from parlour.server.store.live_games import GameReport, NodeReport
from parlour.server.store.online import OnlineName
from parlour.server.store.queue import Pair, Ticket
from parlour.server.store.seeks import Acceptance, Owner, SeekStatus
from parlour.server.store.slots import slot
from parlour.server.store.store import Store
from tests.server.store.cluster_process import Cluster
from tests.waiting import until

NOON = 1_700_000_000_000
ANY_RATING = 0, 0, 0
POOL = "a pool"


@pytest.fixture
async def nodes(cluster: Cluster) -> AsyncIterator[list[Store]]:
    """Two nodes on the cluster."""
    stores = [Store(cluster.url, f"node {number}") for number in range(2)]
    for store in stores:
        await store.open()
    yield stores
    for store in stores:
        await store.close()


async def test_the_life_of_an_account(nodes: list[Store]) -> None:
    """Guests register on one node and are found on the other, with their tokens, passwords and bots."""
    one, two = nodes
    guests = [await one.players.create_guest(f"Guest {number}", f"guest{number}") for number in range(20)]
    for number, guest in enumerate(guests):
        assert guest is not None
        registered = await two.accounts.register(guest.player.id, f"Ann {number}", f"ann{number}", "hash", "session 1")
        assert registered == "registered"
        found = await one.players.find(guest.token)
        assert found is not None
        assert (found.name, found.kind) == (f"Ann {number}", "account")
        assert await one.players.id_of(f"guest{number}") is None
        account = await one.accounts.find(f"ann{number}")
        assert account is not None
        issued = await one.accounts.sign_in(account)
        assert issued is not None
        assert await two.players.find(issued.token) == found
        bot = await two.accounts.create_bot(found.id, f"Bot {number}", f"bot{number}")
        assert isinstance(bot, NewBot)
        assert await one.players.bots(found.id) == [bot.id]
        assert await one.accounts.create_bot(found.id, "Bot 0", "bot0") == "name_taken" or number == 0
        revoked = await one.accounts.change_password(account, "new hash", issued.token)
        assert revoked is not None
        assert await two.players.find(guest.token) is None
        assert len(await two.accounts.sign_out(found.id, None)) == 1
        assert await two.players.find(issued.token) is None


async def test_one_holder_of_each_name(nodes: list[Store]) -> None:
    """Of guests who want the same names at once, on two nodes, one gets each."""
    wanted = [f"name{number % 10}" for number in range(60)]
    created = await asyncio.gather(
        *(nodes[number % 2].players.create_guest(name, name) for number, name in enumerate(wanted))
    )
    names = [guest.player.name for guest in created if guest is not None]
    assert sorted(names) == sorted(set(wanted))


async def test_games_are_rated_once(nodes: list[Store]) -> None:
    """All games of some players that end at once on two nodes count, and each counts once."""
    ratings = [Ratings(node.ratings) for node in nodes]
    players = [RatedPlayer(f"player {number}") for number in range(4)]
    pairs = [(one, two) for one in players for two in players if one is not two]
    games = [
        each.rate_game(f"room {number}", "isaac", pair, 0, NOON)
        for number, pair in enumerate(pairs)
        for each in ratings
    ]
    counted = await asyncio.gather(*games)
    assert sum(game.is_new for game in counted) == len(pairs)
    for player in players:
        rating = await ratings[0].get(player.id, "isaac")
        assert (rating.won, rating.lost) == (3, 3)


async def test_limits_are_shared(nodes: list[Store]) -> None:
    """Two nodes spend budgets that are on different masters, and a refusal costs nothing."""
    player, address = Budget("player", 5, 60_000), Budget("address", 8, 60_000)
    asked = [nodes[number % 2].budgets.spend([player, address], NOON) for number in range(10)]
    assert (await asyncio.gather(*asked)).count(None) == 5
    assert [await nodes[0].budgets.spend([address], NOON) for _ in range(4)].count(None) == 3


async def test_the_lobby(nodes: list[Store]) -> None:
    """Seeks are accepted once, and lists, jobs, deadlines and commands are shared by the nodes."""
    one, two = nodes
    assert await one.seeks.post("seek", b"data", Owner("ann", "10.0.0.1")) is SeekStatus.OPEN
    assert await two.seeks.load_list() == (1, {"seek": b"data"})
    assert await one.seeks.renew(["seek"]) == [SeekStatus.OPEN]
    accepted = await asyncio.gather(*(nodes[n % 2].seeks.accept("seek", f"player {n}", b"") for n in range(10)))
    (winner,) = [each[1] for each in accepted if isinstance(each, tuple)]
    assert await one.seeks.renew(["seek"]) == [Acceptance(winner.player, b"")]
    assert await one.seeks.invite("code", b"data", 60_000, to="ann") is SeekStatus.OPEN
    assert await two.seeks.invitations("ann") == {"code": b"data"}

    await one.live_games.report(NOON, NodeReport(), [], [GameReport("room", 1, 1, b"game")])
    assert await two.live_games.descriptions(["room", "other"]) == {"room": b"game"}
    await one.online.report(NOON, [OnlineName("ann", "1")], [])
    assert await two.online.list(NOON, "", 10) == [OnlineName("ann", "1")]

    rooms = [f"room {number}" for number in range(50)]
    for room in rooms:
        one.deadlines.set(room, NOON)
    await one.seats.seat("room", "isaac", ("ann", "ben"), NOON)
    assert await two.seats.rooms("ben") == ["room"]
    claimed = [room for node in nodes for room in await node.deadlines.claim_due(NOON, 50)]
    assert sorted(claimed) == sorted(rooms)

    await one.jobs.enqueue(Job("room", 3))
    await two.jobs.enqueue(Job("room", 3))
    taken = await two.jobs.take(within=1)
    assert taken is not None
    await two.jobs.complete(taken)
    assert await one.jobs.take(within=1) is None
    assert [await node.command_ids.claim("ann", "session", 1, digest) for digest, node in enumerate(nodes)] == [
        True,
        False,
    ]


async def test_deadlines_while_a_master_is_down() -> None:
    """The rooms in the shards of the other masters are checked in time."""
    cluster = Cluster(3, "--cluster-require-full-coverage", "no", replicas=False)
    cluster.start()
    store = Store(cluster.url, "node")
    await store.open()
    rooms = [f"room {number}" for number in range(100)]
    for room in rooms:
        store.deadlines.set(room, NOON)
    dead = cluster.master_of(slot(store.keys.due(rooms[0])))
    dead.kill()
    found: list[str] = []

    async def are_found() -> bool:
        with suppress(StoreUnavailable):
            found.extend(await store.deadlines.claim_due(NOON, 100))
        return bool(found)

    await until(are_found)
    alive = [room for room in rooms if cluster.master_of(slot(store.keys.due(room))) is not dead]
    assert sorted(found) == sorted(alive)
    await store.close()
    cluster.close()


async def test_pairing_while_a_slot_moves(nodes: list[Store], cluster: Cluster) -> None:
    """Players who queue while the slot of their pool moves to another master are each paired once."""
    moving = slot(nodes[0].keys.queue(POOL))
    source = cluster.master_of(moving)
    target = cluster.other_master(source)
    tickets = [Ticket(str(number), f"player {number}") for number in range(40)]

    async def join(number: int) -> Pair | None:
        (pair,) = await nodes[number % 2].queue.join(POOL, [tickets[number]], NOON, ANY_RATING)
        return pair

    for number in range(9):  # one of them waits
        await join(number)
    await asyncio.to_thread(cluster.begin_migration, moving, source, target)
    while_keys_move = [asyncio.create_task(join(number)) for number in range(9, 40)]
    await asyncio.to_thread(cluster.move_keys, moving, source, target)
    await asyncio.to_thread(cluster.end_migration, moving, source, target)
    await asyncio.gather(*while_keys_move)

    pairs = await asyncio.gather(*(join(number) for number in range(40)))
    assert None not in pairs
    opponents = [(pair.first.player, pair.second.player) for pair in pairs if pair is not None]
    assert len(set(opponents)) == 20
    assert sorted(player for pair in set(opponents) for player in pair) == sorted(each.player for each in tickets)
    await asyncio.to_thread(cluster.migrate, moving, target, source)
