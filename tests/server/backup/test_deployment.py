"""A deployment is opened only if it is there, and with or without a server that runs in its folder."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from parlour.server.archive.database.errors import ArchiveUnavailable
from parlour.server.backup.deployment import shared_target, source, target
from parlour.server.backup.errors import BackupCode, BackupError
from parlour.server.configuration.settings import Settings
from parlour.server.store.embedded import EmbeddedStore
from parlour.server.store.errors import StoreUnavailable


async def test_nothing_is_created_where_nothing_is(tmp_path: Path, valkey: str) -> None:
    """A folder without a store, or without an archive, is an error, and stays as it is."""
    for redis, sentence in ((None, "There is no store in "), (valkey, "There is no archive ")):
        with pytest.raises(BackupError, match=sentence) as caught:
            async with source(Settings(data=tmp_path / "typo", redis=redis)):
                pass
        assert caught.value.code == BackupCode.SOURCE_MISSING
    assert list(tmp_path.iterdir()) == []


async def test_the_store_of_a_running_server(tmp_path: Path) -> None:
    """It can be read while a server uses it, but not be filled."""
    settings = Settings(data=tmp_path)
    async with target(settings) as opened:
        await opened.pipeline.call("SET", "key", "of the store")
    async with EmbeddedStore(tmp_path):
        async with source(settings) as opened:
            assert await opened.pipeline.call("GET", "key") == b"of the store"
        with pytest.raises(StoreUnavailable, match=r"uses the folder .* Stop it"):
            async with target(settings):
                pass
    async with source(settings) as opened:
        assert await opened.pipeline.call("GET", "key") == b"of the store"


async def test_a_running_deployment_can_be_added_to(tmp_path: Path) -> None:
    """It is created if it is not there; an archive of another store is refused."""
    one, other = Settings(data=tmp_path / "one"), Settings(data=tmp_path / "other")
    async with shared_target(one):
        pass
    async with EmbeddedStore(one.data) as store:
        async with shared_target(one) as opened:
            assert await opened.pipeline.call("GET", opened.pipeline.keys.archive) == opened.archive_id().encode()
        with pytest.raises(StoreUnavailable, match="in another archive"):
            async with shared_target(Settings(data=other.data, redis=store.url)):
                pass


async def test_an_archive_of_an_older_version(tmp_path: Path, valkey: str) -> None:
    """It is not migrated by the way, because the version that uses it could not read it any more."""
    settings = Settings(data=tmp_path, redis=valkey)
    file = tmp_path / "archive.sqlite3"
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE alembic_version (version_num)")
        connection.execute("INSERT INTO alembic_version VALUES ('0000')")
    connection.close()

    with pytest.raises(BackupError) as caught:
        async with source(settings):
            pass

    assert caught.value.code == BackupCode.SOURCE_OLDER
    with sqlite3.connect(file) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("alembic_version",)]
    connection.close()


async def test_an_archive_that_is_no_database(tmp_path: Path, valkey: str) -> None:
    """The error is a sentence, without the query that failed."""
    file = tmp_path / "archive.sqlite3"
    file.write_text("This is a text." * 100, "utf-8")

    with pytest.raises(ArchiveUnavailable, match=r"^The archive cannot be used: file is not a database$"):
        async with source(Settings(data=tmp_path, redis=valkey)):
            pass
