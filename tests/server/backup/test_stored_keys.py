"""Keys of every type survive the way through text, and what nodes write by themselves is left out."""

from __future__ import annotations

import pytest
from redis.asyncio import Redis

from parlour.server.backup.stored_keys import (
    PASSING,
    StoredKey,
    read_keys,
    to_bytes,
    to_text,
    write_commands,
    write_keys,
)
from parlour.server.store.keys import Keys
from parlour.server.store.pipeline import Pipeline
from tests.server.store.cluster_process import Cluster

keys = Keys("")

MANY = 1_200  # more than one command writes
KEYS = [
    StoredKey("string", "string", "text", 4_000_000_000_000),
    StoredKey("empty", "string", ""),
    StoredKey("hash", "hash", [["field", "base64:AP8="], ["other", ""]]),
    StoredKey("set", "set", [f"{number:04}" for number in range(MANY)]),
    StoredKey("zset", "zset", [["low", "-1.5"], ["high", "1700000000000"]]),
    StoredKey("list", "list", ["b", "a", "b"]),
    StoredKey("stream", "stream", [["1-0", "event", "base64:gA=="], ["2-0", "event", "x", "by", "y"]]),
]


async def read(pipeline: Pipeline) -> list[StoredKey]:
    return [stored async for stored in read_keys(pipeline)]


async def test_every_type_is_the_same_after_writing_it_twice(pipeline: Pipeline) -> None:
    """Writing replaces what a key contained, and keeps the time at which it expires."""
    await write_keys(pipeline, KEYS)
    await write_keys(pipeline, KEYS)

    assert sorted(await read(pipeline), key=lambda stored: stored.key) == sorted(KEYS, key=lambda stored: stored.key)


async def test_keys_move_to_another_prefix_of_a_cluster(pipeline: Pipeline, cluster: Cluster) -> None:
    """The keys of all masters are read, and only those of the deployment."""
    target = Pipeline(cluster.url, keys=Keys("moved"))
    await target.open()
    await target.call("SET", "other:string", "of another deployment")

    await write_keys(target, KEYS)

    assert sorted(stored.key for stored in await read(target)) == sorted(stored.key for stored in KEYS)
    assert await target.call("GET", "moved:string") == b"text"
    await target.close()


async def test_what_nodes_write_by_themselves_is_left_out(pipeline: Pipeline, redis: Redis) -> None:
    """A rate limit is not read."""
    await redis.set(Keys().budget("sign-in"), 1)

    assert await read(pipeline) == []


@pytest.mark.parametrize(
    "key",
    [
        keys.player("p"), keys.player_bots("p"), keys.playing("p"), keys.first_seats("p"), keys.ratings("p"),
        keys.player_name("ada"), keys.player_token("digest"), keys.log("r"), keys.seat_nodes("r"), keys.rated("r"),
        keys.due("r"), keys.claimed("r"), keys.last_beat, keys.outages, keys.leaderboard("isaac"),
        keys.leaderboard_expiry("isaac"), keys.leaderboard_games("isaac"), keys.blocked("p"), keys.muted("p"),
        keys.reports, keys.report_times, keys.report_authors,
    ],
)  # fmt: skip
def test_what_is_kept(key: str) -> None:
    """Accounts, ratings and running games are kept, and the time of the last beat, so that clocks stand still."""
    assert not PASSING.match(key.removeprefix(":"))


@pytest.mark.parametrize(
    "key",
    [
        keys.format_version, keys.format_upgrade, keys.archive, keys.probe(1), keys.supported_rules, keys.snapshot("r"),
        keys.archived("r"), keys.clock_correction, keys.beats, keys.command("p", "s", 1),
        keys.invitations("p"), keys.budget("b"), keys.queue("q"), keys.tickets("q"), keys.pairs("q"), keys.seek_list,
        keys.seek("s"), keys.live_rank, keys.online("n"), keys.online_nodes, keys.jobs,
    ],
)  # fmt: skip
def test_what_is_not_kept(key: str) -> None:
    """Presence, seeks, queues, limits, the state of nodes, and copies are not kept."""
    assert PASSING.match(key.removeprefix(":"))


@pytest.mark.parametrize("data", [b"", b"Ada", "Zoë".encode(), b"\xff\x00", b"a\nb", b"base64:x"])
def test_bytes_as_text(data: bytes) -> None:
    """All bytes can be read back from their text."""
    assert to_bytes(to_text(data)) == data


@pytest.mark.parametrize(
    "stored",
    [
        StoredKey("k", "string", 1),
        StoredKey("k", "string", "base64:?"),
        StoredKey("k", "hash", [["field"]]),
        StoredKey("k", "set", 5),
        StoredKey("k", "stream", [[1]]),
    ],
)
def test_a_value_that_does_not_fit_its_type(stored: StoredKey) -> None:
    """It is noticed before anything is written."""
    with pytest.raises((ValueError, TypeError)):
        write_commands(stored, "")
