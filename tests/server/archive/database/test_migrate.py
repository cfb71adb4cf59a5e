"""The tables are brought up to date once, however many nodes start at the same time."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import URL, Connection, text

from parlour.server.archive.database.database import Database
from parlour.server.archive.database.errors import ArchiveUnavailable


async def test_several_nodes_start_at_once(url: URL) -> None:
    """One of them creates the tables, the others wait for it."""
    databases = [Database(url) for _ in range(4)]
    await asyncio.gather(*(database.open() for database in databases))
    assert len({await database.id() for database in databases}) == 1
    for database in databases:
        await database.close()


async def test_a_newer_archive_is_refused(url: URL) -> None:
    """A node does not use tables that it does not know, and says what to do."""
    first = Database(url)
    await first.open()

    def change(connection: Connection) -> None:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))

    await first.write(change)
    await first.close()
    older = Database(url)
    with pytest.raises(ArchiveUnavailable, match=r"9999.* newer"):
        await older.open()
    await older.close()
