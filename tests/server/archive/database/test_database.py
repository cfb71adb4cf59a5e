"""The archive database on a node: it never blocks the event loop, and an outage is noticed, borne and over."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from threading import Event

import pytest
from sqlalchemy import Connection, text

from parlour.server.archive.database import database as module
from parlour.server.archive.database.database import Database
from parlour.server.archive.database.engine import sqlite_url
from parlour.server.archive.database.errors import ArchiveUnavailable
from parlour.server.archive.database.reviews import ReviewTable
from tests.server.archive.private_postgres import PrivatePostgres
from tests.waiting import until


async def test_the_event_loop_goes_on(database: Database) -> None:
    """While a query takes its time, other work is done, and other queries are answered."""
    release = Event()
    slow = asyncio.create_task(database.read(lambda _: release.wait(60)))
    assert await database.read(lambda connection: connection.execute(text("SELECT 7")).scalar()) == 7
    assert not slow.done()
    release.set()
    assert await slow


async def test_a_change_that_cannot_be_made_fails_alone(database: Database) -> None:
    """Changes that share its transaction are made, and the archive is not considered down."""
    table = ReviewTable(database)

    def broken(connection: Connection) -> None:
        raise KeyError("broken")

    outcomes = await asyncio.gather(
        table.put("r1", 1, b"one"), database.write(broken), table.put("r1", 2, b"two"), return_exceptions=True
    )
    assert [type(outcome) for outcome in outcomes] == [type(None), KeyError, type(None)]
    assert [await table.find("r1", ply) for ply in (1, 2)] == [b"one", b"two"]
    assert database.problem == ""


async def test_too_many_changes_are_refused(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """The queue is bounded: a caller is refused at once rather than kept waiting."""
    monkeypatch.setattr(module, "MAX_WAITING", 3)
    outcomes = await asyncio.gather(*(database.write(lambda _: None) for _ in range(9)), return_exceptions=True)
    assert sum(isinstance(outcome, ArchiveUnavailable) for outcome in outcomes) == 6


async def test_an_outage(postgres: PrivatePostgres, caplog: pytest.LogCaptureFixture) -> None:
    """Callers are refused at once, the log has one line when it begins and one when it ends, then all is well."""
    caplog.set_level(logging.INFO, module.__name__)
    database = Database(postgres.new_database())
    await database.open()
    table = ReviewTable(database)
    await table.put("r1", 1, b"before")
    postgres.stop()
    try:
        for _ in range(50):
            with pytest.raises(ArchiveUnavailable):
                await table.find("r1", 1)
            with pytest.raises(ArchiveUnavailable):
                await table.put("r1", 2, b"lost")
        assert "cannot be used" in database.problem
        assert database.errors <= 5  # the others did not even try
    finally:
        postgres.start()

    async def is_back() -> bool:
        try:
            await table.put("r1", 2, b"after")
        except ArchiveUnavailable:
            return False
        return True

    await until(is_back)
    assert [await table.find("r1", ply) for ply in (1, 2)] == [b"before", b"after"]
    assert database.problem == ""
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]
    await database.close()


async def test_a_node_starts_while_its_database_is_down(postgres: PrivatePostgres) -> None:
    """Games do not depend on it; the tables are created when it is there."""
    url = postgres.new_database()
    postgres.stop()
    try:
        database = Database(url)
        await database.open()
        assert database.problem
    finally:
        postgres.start()

    async def is_back() -> bool:
        try:
            return bool(await database.id())
        except ArchiveUnavailable:
            return False

    await until(is_back)
    await database.close()


async def test_a_file_that_is_no_database(tmp_path: Path) -> None:
    """A node with such a file does not start."""
    (tmp_path / "archive.sqlite3").write_bytes(b"This is not a database. " * 100)
    database = Database(sqlite_url(tmp_path / "archive.sqlite3"))
    with pytest.raises(ArchiveUnavailable, match="not a database"):
        await database.open()
    await database.close()
