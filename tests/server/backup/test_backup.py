"""A deployment moves between stores with everything that matters, completely or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from parlour.server.backup.backup import restore_backup, write_backup
from parlour.server.backup.deployment import source, target
from parlour.server.backup.errors import BackupCode, BackupError
from parlour.server.configuration.settings import Settings
from parlour.server.store.embedded import EmbeddedStore
from parlour.server.store.errors import StoreUnavailable
from parlour.server.store.store import Store
from tests.server.archive.private_postgres import PrivatePostgres
from tests.server.backup.deployments import Content, check, fill, move_on
from tests.server.store.cluster_process import Cluster
from tests.server.store.private_valkey import PrivateValkey

StartValkey = Callable[..., PrivateValkey]


async def backup(settings: Settings) -> list[bytes]:
    async with source(settings) as opened:
        return [line async for line in write_backup(opened, lambda _: None)]


async def restore(settings: Settings, lines: Iterator[bytes]) -> None:
    async with target(settings) as opened:
        await restore_backup(opened, lines, lambda _: None)


async def code(settings: Settings, lines: list[bytes]) -> BackupCode:
    """Return the code with which a restore is refused."""
    with pytest.raises(BackupError) as caught:
        await restore(settings, iter(lines))
    return caught.value.code


@pytest.fixture
async def external(start_valkey: StartValkey, tmp_path: Path) -> tuple[Settings, Content]:
    """A deployment on an external Valkey."""
    settings = Settings(redis=start_valkey().url, data=tmp_path / "external")
    settings.data.mkdir()
    assert settings.redis is not None
    return settings, await fill(settings.redis, settings.data)


async def test_from_the_embedded_store_to_a_redis_and_back(start_valkey: StartValkey, tmp_path: Path) -> None:
    """An account signs in, a record verifies and a running game continues after each move."""
    before, after = Settings(data=tmp_path / "before"), Settings(data=tmp_path / "after")
    between = Settings(redis=start_valkey().url, data=tmp_path / "between")
    assert between.redis is not None
    async with EmbeddedStore(before.data) as store:
        content = await fill(store.url, before.data)

    await restore(between, iter(await backup(before)))
    await check(content, between.redis, between.data)
    await restore(after, iter(await backup(between)))

    async with EmbeddedStore(after.data) as store:
        await check(content, store.url, after.data)
        await move_on(content, store.url, after.data)


async def test_to_a_cluster_with_another_prefix(
    external: tuple[Settings, Content], cluster: Cluster, tmp_path: Path
) -> None:
    """A cluster takes the keys of a single server, and a backup of the cluster has the same lines."""
    settings, _ = external
    moved = Settings(redis=cluster.url, data=tmp_path / "moved", key_prefix="moved")
    lines = await backup(settings)

    await restore(moved, iter(lines))

    assert sorted((await backup(moved))[1:]) == sorted(lines[1:])


async def test_from_sqlite_to_postgresql_and_back(
    external: tuple[Settings, Content], start_valkey: StartValkey, tmp_path: Path
) -> None:
    """Both kinds of archives take the rows of the other, unchanged."""
    settings, content = external
    lines = await backup(settings)
    server, after = PrivatePostgres(), Settings(redis=start_valkey().url, data=tmp_path / "after")
    assert after.redis is not None
    try:
        server.start()
        address = server.new_database().render_as_string(hide_password=False)
        between = Settings(redis=start_valkey().url, data=tmp_path / "between", archive=address)
        await restore(between, iter(lines))
        moved = await backup(between)
    finally:
        server.close()
    await restore(after, iter(moved))

    assert sorted(moved[1:]) == sorted(lines[1:])
    await check(content, after.redis, after.data)


async def test_the_time_in_between_is_an_outage(
    external: tuple[Settings, Content], start_valkey: StartValkey, tmp_path: Path
) -> None:
    """From the last beat before the backup to the first one after the restore, players are not charged."""
    settings, _ = external
    stored = [json.loads(line) for line in await backup(settings)]
    (beat,) = (line for line in stored if line.get("key") == "{heartbeat}:last")
    last_beat = int(beat["value"]) - 600_000
    beat["value"] = str(last_beat)
    valkey = start_valkey().url

    await restore(Settings(redis=valkey, data=tmp_path / "moved"), iter([json.dumps(line).encode() for line in stored]))

    store = Store(valkey, "node")
    await store.open()
    await store.heartbeat.catch_up(store.clock.now())
    (outage,) = store.heartbeat.outages
    await store.close()
    assert outage.since == last_beat
    assert outage.until >= last_beat + 600_000


async def test_an_interrupted_restore(
    external: tuple[Settings, Content], start_valkey: StartValkey, tmp_path: Path
) -> None:
    """No server can use the store until the same backup is restored again, which completes it."""
    settings, content = external
    lines, other = await backup(settings), await backup(settings)
    valkey = start_valkey().url
    moved = Settings(redis=valkey, data=tmp_path / "moved")

    def interrupted() -> Iterator[bytes]:
        yield from lines[:-2]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        await restore(moved, interrupted())

    store = Store(valkey, "node")
    with pytest.raises(StoreUnavailable, match="not completely restored"):
        await store.open()
    await store.close()
    assert await code(moved, other) == BackupCode.RESTORE_INCOMPLETE
    with pytest.raises(BackupError, match="Run it again first"):
        await backup(moved)
    await restore(moved, iter(lines))
    await check(content, valkey, moved.data)


async def test_a_target_that_is_not_empty(
    external: tuple[Settings, Content], start_valkey: StartValkey, tmp_path: Path
) -> None:
    """Neither a store nor an archive with data is changed."""
    settings, content = external
    lines = await backup(settings)
    assert settings.redis is not None

    assert await code(settings, lines) == BackupCode.TARGET_NOT_EMPTY
    assert await code(Settings(redis=settings.redis, data=tmp_path / "new"), lines) == BackupCode.TARGET_NOT_EMPTY
    assert await code(Settings(redis=start_valkey().url, data=settings.data), lines) == BackupCode.TARGET_NOT_EMPTY
    await check(content, settings.redis, settings.data)


async def test_a_source_that_is_not_what_it_should_be(external: tuple[Settings, Content], tmp_path: Path) -> None:
    """An empty store and the archive of another store are refused, instead of a backup without games."""
    settings, _ = external
    with pytest.raises(BackupError) as empty:
        await backup(Settings(redis=settings.redis, data=settings.data, key_prefix="other"))
    other = Settings(data=tmp_path / "other")
    async with target(other):
        pass
    with pytest.raises(BackupError) as mixed:
        await backup(Settings(redis=settings.redis, data=other.data))

    assert empty.value.code == BackupCode.SOURCE_MISSING
    assert mixed.value.code == BackupCode.ARCHIVE_MISMATCH
