"""The migrations lead to the schema that the queries use."""

from __future__ import annotations

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from parlour.server.archive.database.database import Database
from parlour.server.archive.database.schema import metadata


async def test_migrations_and_schema_agree(database: Database) -> None:
    """In both databases, Alembic finds nothing to add, change or remove."""
    found = await database.read(lambda connection: compare_metadata(MigrationContext.configure(connection), metadata))
    assert found == []
